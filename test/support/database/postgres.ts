// The tests' own PostgreSQL: started once per run as an ordinary user, in a temporary folder, deleted afterwards.

import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { openPostgres } from "../../../server/platform/database/postgres.ts";

/** For a whole run: each database takes some 10 MB, and a few dozen exist at a time. */
const neededBytes = 4 * 2 ** 30;

export interface TestPostgres {
  /** Of its maintenance database. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Null where this machine has none. */
export async function startPostgres(): Promise<TestPostgres | null> {
  const programs = programFolder();
  if (programs === null) return null;
  const folder = mkdtempSync(path.join(baseFolder(), "vitrine-postgres-"));
  const as = ordinaryUser();
  if (as) chownSync(folder, as.uid, as.gid);
  const data = path.join(folder, "data");
  const options = { ...as, cwd: folder, env: plain() };
  execFileSync(
    path.join(programs, "initdb"),
    [
      "-D",
      data,
      "-U",
      "vitrine",
      "-A",
      "trust",
      "-E",
      "UTF8",
      "--locale=C",
      "-N",
    ],
    { ...options, stdio: "ignore" },
  );
  const server = spawn(
    path.join(programs, "postgres"),
    [
      // No other user can access this folder, and so its socket: no port is taken.
      ...["-D", data, "-k", folder, "-c", "listen_addresses="],
      // No test data survives a power cut, and none needs to.
      ...["-c", "fsync=off", "-c", "synchronous_commit=off"],
      ...["-c", "full_page_writes=off", "-c", "max_connections=300"],
      // Its write-ahead log stays small: the data may be in memory.
      ...["-c", "wal_level=minimal", "-c", "max_wal_senders=0"],
      ...["-c", "min_wal_size=32MB", "-c", "max_wal_size=64MB"],
    ],
    { ...options, stdio: ["ignore", "ignore", "pipe"] },
  );
  await untilReady(server);
  const ended = new Promise<void>((resolve) =>
    server.once("exit", () => resolve()),
  );
  // The host name counts only where no folder is given.
  const url = `postgres://vitrine@localhost/postgres?host=${encodeURIComponent(folder)}`;
  return {
    url,
    stop: async () => {
      server.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface MadeDatabase {
  readonly name: string;
  readonly url: string;
  drop(): Promise<void>;
}

/** An empty database of its own, with these options of CREATE DATABASE; the caller drops it. */
export function makeDatabase(
  server: string,
  options = "",
): Promise<MadeDatabase> {
  return createDatabase(server, `TEMPLATE template0 ${options}`);
}

/** A copy of a database without connections: half the work of creating the same tables again. */
export function copyDatabase(
  server: string,
  original: string,
): Promise<MadeDatabase> {
  return createDatabase(server, `TEMPLATE ${original}`);
}

async function createDatabase(
  server: string,
  options: string,
): Promise<MadeDatabase> {
  const name = `t${createHash("sha256").update(randomBytes(16)).digest("hex").slice(0, 20)}`;
  // The server waits for all of its processes, each of which may be slow on a busy machine.
  const pollOptions = { connectMs: 50_000, statementMs: 50_000 };
  const query = async (text: string): Promise<void> => {
    const database = openPostgres<never>(server, {
      ...{ connections: 1, ...pollOptions },
    });
    try {
      await database.read({ text, values: [] });
    } finally {
      await database.close();
    }
  };
  await query(`CREATE DATABASE ${name} ${options}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    drop: () => query(`DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** In memory where there is enough space: a new database is some three hundred files. */
export function baseFolder(): string {
  const memory = "/dev/shm";
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize >= neededBytes) return memory;
  } catch {
    // A machine without it.
  }
  return os.tmpdir();
}

/** Debian keeps them outside PATH, one folder per version; the newest. */
export function programFolder(): string | null {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const folders = [
    ...versions
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => path.join(debian, version, "bin")),
    ...(process.env["PATH"] ?? "").split(path.delimiter),
  ];
  return (
    folders.find(
      (folder) =>
        folder !== "" &&
        existsSync(path.join(folder, "initdb")) &&
        existsSync(path.join(folder, "postgres")),
    ) ?? null
  );
}

/** PostgreSQL refuses to run as root. */
export function ordinaryUser(): {
  readonly uid: number;
  readonly gid: number;
} | null {
  if (process.getuid?.() !== 0) return null;
  const idOf = (flag: string, user: string): number =>
    Number(execFileSync("id", [flag, user], { encoding: "utf8" }));
  const user = ["postgres", "nobody"].find((name) => {
    try {
      return idOf("-u", name) > 0;
    } catch {
      return false;
    }
  });
  if (user === undefined) return null;
  return { uid: idOf("-u", user), gid: idOf("-g", user) };
}

export function plain(): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" };
}

/** It prints that itself. */
export function untilReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    // Once all of its output has been read.
    server.once("close", () =>
      reject(new Error(`PostgreSQL ended while it was started:\n${output}`)),
    );
    server.stderr?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-10_000);
      if (/ready to accept (read-only )?connections/.test(output)) resolve();
    });
  });
}
