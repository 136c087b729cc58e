// Support bundle: logs, versions, settings and states of this player in one archive, without secrets and limited in size (L-71).

import { open, readdir, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { maxSupportBundleBytes } from "../../contract/link/link.ts";
import {
  packArchive,
  type ArchiveMember,
} from "../../platform/archive/archive.ts";
import type {
  Operate,
  OperateOutcome,
} from "../../contract/v2/operations/operation-client.ts";
import { redactLogLine, redactValue } from "./redact.ts";

/** One document of a bundle; what cannot be read is replaced by the reason. */
export interface BundlePart {
  /** Of its file, without `.json`. */
  readonly name: string;
  readonly read: () => unknown;
}

export interface SupportBundleOptions {
  readonly dataDir: string;
  readonly version: string;
  readonly now: () => number;
  readonly operate: (operation: Operate) => Promise<OperateOutcome>;
  /** What only the program around this player knows. */
  readonly more: readonly BundlePart[];
  /** Of the archive. */
  readonly maxBytes?: number;
}

/** What the interface returns. None of it has tokens, and none of it creates any. */
const operations: readonly (readonly [
  name: string,
  operation: string,
  parameters?: Operate["parameters"],
])[] = [
  ["info", "readInfo"],
  ["settings", "readSettings"],
  ["now", "readNow"],
  ["why", "readWhy"],
  ["takeover", "readTakeover"],
  ["sync", "readSync"],
  ["connections", "listSyncAccounts"],
  ["links", "listSyncLinks"],
  ["playlists", "listPlaylists"],
  // With the failures and interruptions of the last days.
  ["activity", "listActivity", { limit: "500" }],
  ["metrics", "readMetrics"],
];

/** Before it is compressed: the newest lines. */
const firstMaxLogBytes = 12_000_000;
const maxLogFiles = 10;
const maxPartBytes = 1_000_000;
const partTimeoutMs = 30_000;
/** Of a log, redacted before other work of this process gets its turn. */
const linesPerTurn = 100;

export async function createSupportBundle(
  options: SupportBundleOptions,
): Promise<Uint8Array> {
  const documents = await documentsOf(options);
  const { maxBytes = maxSupportBundleBytes } = options;
  let maxLogBytes = firstMaxLogBytes;
  for (;;) {
    const members = [...documents, ...(await logsOf(options, maxLogBytes))];
    const packed = await buffer(packArchive(membersOf(members), options.now()));
    if (packed.length <= maxBytes || maxLogBytes < 1000) return packed;
    // What hardly compresses: older lines are left out.
    maxLogBytes = Math.floor(maxLogBytes / 2);
  }
}

interface Document {
  readonly name: string;
  readonly text: string;
}

async function* membersOf(
  documents: readonly Document[],
): AsyncGenerator<ArchiveMember> {
  for (const { name, text } of documents) {
    const content = Buffer.from(text);
    await nextTurn();
    yield { path: name, sizeBytes: content.length, content: [content] };
  }
}

async function documentsOf(
  options: SupportBundleOptions,
): Promise<readonly Document[]> {
  const parts: readonly BundlePart[] = [
    { name: "about", read: () => aboutOf(options) },
    ...operations.map(([name, operation, parameters]) => ({
      name,
      read: async () => {
        const outcome = await options.operate({ operation, parameters });
        return outcome.isDone ? outcome.answer : { failed: outcome.message };
      },
    })),
    ...options.more,
  ];
  const documents: Document[] = [];
  for (const { name, read } of parts) {
    const value = await inTime(read).catch((error: unknown) => ({
      failed: error instanceof Error ? error.message : String(error),
    }));
    const text = JSON.stringify(redactValue(value), null, 2) ?? "null";
    documents.push({
      name: `${name}.json`,
      text:
        text.length > maxPartBytes ? `${text.slice(0, maxPartBytes)}…` : text,
    });
    await nextTurn();
  }
  return documents;
}

function aboutOf({ version, now }: SupportBundleOptions): unknown {
  return {
    ...{ time: new Date(now()).toISOString(), vitrine: version },
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    versions: process.versions,
    system: {
      ...{ platform: process.platform, arch: process.arch },
      ...{ release: os.release(), version: os.version() },
      ...{ cpus: os.cpus().length, model: os.cpus()[0]?.model ?? null },
      ...{ memoryBytes: os.totalmem(), freeBytes: os.freemem() },
      uptimeSeconds: Math.floor(os.uptime()),
    },
    process: {
      uptimeSeconds: Math.floor(process.uptime()),
      memory: process.memoryUsage(),
    },
  };
}

/** One that hangs must not prevent the others. */
async function inTime(read: () => unknown): Promise<unknown> {
  let late: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    late = setTimeout(
      () => reject(new Error("It could not be read in time.")),
      partTimeoutMs,
    );
  });
  return Promise.race([(async () => read())(), tooLate]).finally(() =>
    clearTimeout(late),
  );
}

/** The newest lines of all log files, each file under its own name. */
async function logsOf(
  { dataDir }: SupportBundleOptions,
  maxBytes: number,
): Promise<readonly Document[]> {
  const dir = path.join(dataDir, "log");
  const names = await readdir(dir).catch(() => []);
  const files = await Promise.all(
    names
      .filter((name) => /\.log$/.test(name))
      .map(async (name) => {
        const about = await stat(path.join(dir, name)).catch(() => null);
        return { name, at: about?.mtimeMs ?? 0, sizeBytes: about?.size ?? 0 };
      }),
  );
  const newest = files.sort((a, b) => b.at - a.at).slice(0, maxLogFiles);
  const logs: Document[] = [];
  let left = maxBytes;
  for (const { name, sizeBytes } of newest) {
    if (left <= 0) break;
    const length = Math.min(sizeBytes, left);
    left -= length;
    const lines = await linesAtEnd(path.join(dir, name), sizeBytes, length);
    logs.push({ name: `log/${name}`, text: await redactedLog(lines) });
  }
  return logs;
}

async function linesAtEnd(
  file: string,
  sizeBytes: number,
  length: number,
): Promise<readonly string[]> {
  try {
    const handle = await open(file, "r");
    try {
      const { buffer: bytes, bytesRead } = await handle.read(
        ...([Buffer.alloc(length), 0, length, sizeBytes - length] as const),
      );
      const lines = bytes.subarray(0, bytesRead).toString("utf8").split("\n");
      // The first one may have begun before.
      return length < sizeBytes ? lines.slice(1) : lines;
    } finally {
      await handle.close();
    }
  } catch (error) {
    // It was rotated away, or the disk fails: the others are worth having.
    return [error instanceof Error ? error.message : String(error)];
  }
}

async function redactedLog(lines: readonly string[]): Promise<string> {
  const clean: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (index % linesPerTurn === linesPerTurn - 1) await nextTurn();
    clean.push(redactLogLine(line));
  }
  return clean.join("\n");
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
