// Writes a backup file: all rows of one snapshot and the files they refer to, while the service runs (V4-351).

import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import {
  packArchive,
  type ArchiveMember,
} from "../../platform/archive/archive.ts";
import type { Database } from "../../platform/database/database.ts";
import { moment } from "../../platform/database/database-now.ts";
import { fileColumns } from "../files/service-files.ts";
import type { ContentTables } from "../tables.ts";
import {
  lineOf,
  manifestName,
  summaryName,
  tablesLeftOut,
  type BackupSummary,
  type Manifest,
} from "./backup-format.ts";
import type { BackupFile } from "./backup-file.ts";
import { ownTables } from "./own-tables.ts";
import type { StoredFiles } from "../files/stored-files.ts";

export interface BackupOptions {
  readonly database: Database<ContentTables>;
  readonly store: StoredFiles;
  /** Version of this program. */
  readonly version: string;
  readonly now: () => number;
}

const rowsAtOnce = 500;
/** Of a member with rows, in characters. */
const memberLength = 4 * 1024 ** 2;
/** Well before the service takes a hold for that of a process that died (V4-214). */
const renewHoldsMs = 10 * 60_000;

/** `file` must not exist; it appears only when it is complete. */
export async function writeBackup(
  file: BackupFile,
  options: BackupOptions,
): Promise<BackupSummary> {
  await file.assertNew();
  const holder = `backup ${randomUUID()}`;
  const holds = holdsOf(options.database, holder);
  const renewing = setInterval(() => {
    // If the database is unavailable, so is the next batch of rows, which reports it.
    holds.renew().catch(() => undefined);
  }, renewHoldsMs);
  try {
    await holds.take();
    const summary = emptySummary();
    const members = membersOf(options, summary);
    await file.write(packArchive(members, options.now()));
    return summary;
  } finally {
    clearInterval(renewing);
    // Otherwise they expire by themselves.
    await holds.release().catch(() => undefined);
  }
}

function emptySummary(): BackupSummary {
  return { rows: {}, files: 0, bytes: 0, missing: [] };
}

async function* membersOf(
  { database, store, version, now }: BackupOptions,
  summary: BackupSummary,
): AsyncGenerator<ArchiveMember> {
  const manifest = await manifestOf(database, version, now());
  yield textMember(manifestName, JSON.stringify(manifest));
  const hashes = new Set<string>();
  yield* rowMembers(database, manifest, summary, hashes);
  for (const hash of [...hashes].sort()) {
    const sizeBytes = await store.sizeOf(hash);
    if (sizeBytes === null) {
      summary.missing.push(hash);
      continue;
    }
    const content = bytesOf(store, hash);
    yield { path: `files/${hash}`, sizeBytes, content, isDense: true };
    summary.files += 1;
    summary.bytes += sizeBytes;
  }
  yield textMember(summaryName, JSON.stringify(summary));
}

async function manifestOf(
  { kysely, kind }: Database<ContentTables>,
  program: string,
  now: number,
): Promise<Manifest> {
  const found = await ownTables(kysely, kind);
  const tables = found
    .filter(({ name }) => !tablesLeftOut.has(name))
    .map(({ name, columns }) => ({
      ...{ name, columns: columns.map((column) => column.name) },
    }));
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM kysely_migration ORDER BY name`.execute(kysely);
  return {
    ...{ format: "vitrine-content-backup", version: 1, program, tables },
    createdAt: new Date(now).toISOString(),
    migrations: rows.map(({ name }) => name),
  };
}

/** All tables from one snapshot; adds the hashes of the files that the rows refer to. */
async function* rowMembers(
  database: Database<ContentTables>,
  { tables }: Manifest,
  summary: BackupSummary,
  hashes: Set<string>,
): AsyncGenerator<ArchiveMember> {
  const pieces = database.readInPieces(
    tables.map(({ name, columns }) => ({
      text: `SELECT ${columns.map((column) => `"${column}"`).join(", ")} FROM "${name}"`,
      values: [],
    })),
    rowsAtOnce,
  );
  let members = 0;
  let lines: string[] = [];
  let length = 0;
  let at = 0;
  const member = (): ArchiveMember => {
    const path = `rows/${tables[at]?.name}/${++members}.jsonl`;
    const text = lines.join("");
    [lines, length] = [[], 0];
    return textMember(path, text);
  };
  for (const { name } of tables) summary.rows[name] = 0;
  for await (const { statement, rows } of pieces) {
    if (statement !== at && lines.length > 0) yield member();
    at = statement;
    const table = tables[at];
    if (!table) continue;
    const { name, columns } = table;
    summary.rows[name] = (summary.rows[name] ?? 0) + rows.length;
    for (const row of rows) {
      const line = `${lineOf(columns.map((column) => row[column]))}\n`;
      lines.push(line);
      length += line.length;
      for (const column of fileColumns[name] ?? []) {
        const hash = row[column];
        if (typeof hash === "string") hashes.add(hash);
      }
    }
    if (length >= memberLength) yield member();
  }
  if (lines.length > 0) yield member();
}

function textMember(path: string, text: string): ArchiveMember {
  const content = Buffer.from(text);
  return { path, sizeBytes: content.length, content: [content] };
}

async function* bytesOf(
  store: StoredFiles,
  hash: string,
): AsyncGenerator<Buffer> {
  yield* (await store.read(hash)) as AsyncIterable<Buffer>;
}

/** Keeps the service from deleting files whose rows are deleted while they are copied (V4-214). */
function holdsOf({ kysely, kind }: Database<ContentTables>, holder: string) {
  const now = moment(kind);
  const needed = Object.entries(fileColumns).flatMap(([table, columns]) =>
    columns.map(
      (column) =>
        `SELECT ${column} AS hash FROM ${table} WHERE ${column} IS NOT NULL`,
    ),
  );
  return {
    take: () =>
      sql`INSERT INTO file_holds (holder, hash, held_at)
        SELECT ${holder}, hash, ${now} FROM (${sql.raw(needed.join(" UNION "))}) AS needed`.execute(
        kysely,
      ),
    renew: () =>
      kysely
        .updateTable("file_holds")
        .set({ held_at: now })
        .where("holder", "=", holder)
        .execute(),
    release: () =>
      kysely.deleteFrom("file_holds").where("holder", "=", holder).execute(),
  };
}
