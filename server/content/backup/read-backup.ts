// Reads a backup file and checks all of it: its form, the number of its rows, and the hash of each file (V4-352).

import { createHash } from "node:crypto";
import { ZodError, type ZodType } from "zod";
import {
  readArchive,
  type ArrivingMember,
} from "../../platform/archive/archive.ts";
import { OutsideError } from "../../platform/outside-error.ts";
import { fileColumns } from "../files/service-files.ts";
import type { BackupFile } from "./backup-file.ts";
import {
  manifestName,
  manifestSchema,
  summaryName,
  summarySchema,
  valuesOf,
  type BackupSummary,
  type Manifest,
  type StoredValue,
} from "./backup-format.ts";

export interface BackupVisitor {
  /** Some rows of a table; their values are in the order of the manifest's columns. */
  rows?(
    table: Manifest["tables"][number],
    rows: readonly (readonly StoredValue[])[],
  ): Promise<void>;
  /** Reads the content and resolves with its hash; without it, files are skipped unchecked. */
  file?(content: AsyncIterable<Buffer>): Promise<string>;
}

export interface ReadBackup {
  readonly manifest: Manifest;
  readonly summary: BackupSummary;
}

/** The writer ends a member with the row that makes it longer than 4 MiB; a row is far smaller. */
const maxTextBytes = 256 * 1024 ** 2;
const rowsShape = /^rows\/([a-z][a-z0-9_]{0,62})\/\d{1,9}\.jsonl$/;
const fileShape = /^files\/([0-9a-f]{64})$/;

/** Throws an OutsideError (`corrupt`) that says what is wrong with the file. */
export async function readBackup(
  file: BackupFile,
  visitor: BackupVisitor,
): Promise<ReadBackup> {
  const counts: Record<string, number> = {};
  const found = new Set<string>();
  const needed = new Set<string>();
  let bytes = 0;
  let manifest: Manifest | null = null;
  let summary: BackupSummary | null = null;

  async function takeRows(
    { tables }: Manifest,
    name: string,
    member: ArrivingMember,
  ): Promise<void> {
    const table = tables.find((one) => one.name === name);
    if (!table) throw damaged(`the table ${name} is unknown`);
    const lines = (await textOf(member)).split("\n");
    if (lines.pop() !== "") throw damaged(`${member.path} is incomplete`);
    const rows = lines.map((line) => rowOf(line, table, member.path));
    counts[name] = (counts[name] ?? 0) + rows.length;
    for (const column of fileColumns[name] ?? []) {
      const at = table.columns.indexOf(column);
      for (const row of rows)
        if (typeof row[at] === "string") needed.add(row[at]);
    }
    await visitor.rows?.(table, rows);
  }

  async function takeFile(hash: string, member: ArrivingMember): Promise<void> {
    if (found.has(hash)) throw damaged(`${member.path} occurs twice`);
    found.add(hash);
    bytes += member.sizeBytes;
    if (visitor.file && (await visitor.file(member.content)) !== hash)
      throw damaged(`the content of ${member.path} has changed`);
  }

  for await (const member of readArchive(await file.read())) {
    const { path } = member;
    if (summary) throw damaged(`${path} follows its end`);
    if (!manifest) {
      if (path !== manifestName)
        throw new OutsideError(
          "corrupt",
          "This is not a backup of the content service.",
        );
      manifest = parsed(manifestSchema, await textOf(member), path);
      continue;
    }
    const table = rowsShape.exec(path)?.[1];
    const hash = fileShape.exec(path)?.[1];
    if (table !== undefined) await takeRows(manifest, table, member);
    else if (hash !== undefined) await takeFile(hash, member);
    else if (path === summaryName)
      summary = parsed(summarySchema, await textOf(member), path);
    else throw damaged(`${path} does not belong to it`);
  }
  if (!manifest || !summary) throw damaged("its end is missing");
  assertComplete(manifest, summary, { counts, found, needed, bytes });
  return { manifest, summary };
}

/** For `BackupVisitor.file`: only computes the hash. */
export async function hashOf(content: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of content) hash.update(chunk);
  return hash.digest("hex");
}

function assertComplete(
  { tables }: Manifest,
  { rows, files, bytes, missing }: BackupSummary,
  read: {
    readonly counts: Readonly<Record<string, number>>;
    readonly found: ReadonlySet<string>;
    readonly needed: ReadonlySet<string>;
    readonly bytes: number;
  },
): void {
  for (const { name } of tables)
    if ((read.counts[name] ?? 0) !== rows[name])
      throw damaged(
        `${name} has ${read.counts[name] ?? 0} rows instead of ${rows[name] ?? "none"}`,
      );
  if (read.found.size !== files || read.bytes !== bytes)
    throw damaged(`it has ${read.found.size} files instead of ${files}`);
  const known = new Set([...read.found, ...missing]);
  for (const hash of read.needed)
    if (!known.has(hash)) throw damaged(`the file ${hash} is missing`);
}

function rowOf(
  line: string,
  { columns }: Manifest["tables"][number],
  path: string,
): readonly StoredValue[] {
  const values = valuesOf(line);
  if (values?.length !== columns.length)
    throw damaged(`a row in ${path} is invalid`);
  return values;
}

async function textOf({ path, sizeBytes, content }: ArrivingMember) {
  if (sizeBytes > maxTextBytes) throw damaged(`${path} is too large`);
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function parsed<T>(schema: ZodType<T>, text: string, path: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ZodError)
      throw damaged(`${path} is invalid`);
    throw error;
  }
}

function damaged(why: string): OutsideError {
  return new OutsideError("corrupt", `The backup is damaged: ${why}.`);
}
