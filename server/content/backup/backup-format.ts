// Format of a backup file: a .tar.gz with a manifest, the rows of each table, the stored files, and a summary at the end (V4-351).

import * as z from "zod";

export const manifestName = "manifest.json";
export const summaryName = "summary.json";

/** Names of tables and columns, as the migrations create them. */
const nameShape = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/);
const hashShape = z.string().regex(/^[0-9a-f]{64}$/);

export const manifestSchema = z.object({
  format: z.literal("vitrine-content-backup"),
  version: z.literal(1),
  /** ISO 8601, UTC. */
  createdAt: z.iso.datetime(),
  /** Version of the program that wrote it. */
  program: z.string().max(100),
  /** Names of the migrations that the database had, in order. */
  migrations: z.array(z.string().max(200)).max(10_000),
  tables: z
    .array(
      z.object({
        name: nameShape,
        columns: z.array(nameShape).min(1).max(500),
      }),
    )
    .max(1000),
});
export type Manifest = z.infer<typeof manifestSchema>;

export const summarySchema = z.object({
  /** Number of rows per table. */
  rows: z.record(nameShape, z.int().nonnegative()),
  files: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  /** Hashes of files that rows refer to and that the service did not have. */
  missing: z.array(hashShape),
});
export type BackupSummary = z.infer<typeof summarySchema>;

/**
 * Leases, holds, numbers of changes, and positions of writes: a restored service creates its own. Nobody is signed in there, and no
 * link is valid.
 */
export const tablesLeftOut: ReadonlySet<string> = new Set([
  ...["periodic_tasks", "link_instances", "live_pictures", "write_marks"],
  ...["stored_files", "dropped_files", "file_holds"],
  ...["pending_changes", "screen_changes", "screen_change_count"],
  ...["person_sessions", "invitations", "password_links", "sign_in_flows"],
]);

export type StoredValue = null | boolean | number | string | bigint;

/** One line, without its end. JSON has no integers beyond 2^53: they are written as `{"integer":"9007199254740993"}`. */
export function lineOf(values: readonly unknown[]): string {
  return JSON.stringify(values, (_key, value: unknown) =>
    typeof value === "bigint" ? { integer: String(value) } : value,
  );
}

/** The values of a row in the order of its columns; null when the line is not a row. */
export function valuesOf(line: string): readonly StoredValue[] | null {
  const values = jsonOf(line);
  if (!Array.isArray(values)) return null;
  const row = values.map(valueOf);
  return row.every((value) => value !== undefined) ? row : null;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function valueOf(value: unknown): StoredValue | undefined {
  if (typeof value !== "object")
    return typeof value === "bigint" ? undefined : (value as StoredValue);
  if (value === null) return null;
  const { integer } = value as { integer?: unknown };
  return typeof integer === "string" && /^-?\d{1,20}$/.test(integer)
    ? BigInt(integer)
    : undefined;
}
