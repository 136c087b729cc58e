// A PostgreSQL primary with a streaming replica, of the same programs as the tests' own server, which can be killed, held up and
// promoted.

import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import {
  baseFolder,
  ordinaryUser,
  plain,
  programFolder,
  untilReady,
} from "./postgres.ts";

export interface ReplicatedPostgres {
  /** Of the maintenance databases. */
  readonly primaryUrl: string;
  readonly replicaUrl: string;
  /** As if its machine lost power. */
  killReplica(): Promise<void>;
  restartReplica(): Promise<void>;
  stop(): Promise<void>;
}

const settings = [
  ...["-c", "listen_addresses=", "-c", "max_connections=100"],
  ...["-c", "fsync=off", "-c", "synchronous_commit=off"],
  ...["-c", "full_page_writes=off", "-c", "wal_level=replica"],
];

export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const programs = programFolder();
  if (programs === null) throw new Error("PostgreSQL is not installed.");
  const folder = mkdtempSync(path.join(baseFolder(), "vitrine-postgres-"));
  const as = ordinaryUser();
  // Sockets of the two: their paths have to be short.
  const places = ["a", "b"].map((name) => path.join(folder, name));
  const [ofPrimary = "", ofReplica = ""] = places;
  for (const place of places) mkdirSync(place);
  if (as)
    for (const each of [folder, ...places]) chownSync(each, as.uid, as.gid);
  const options = { ...as, cwd: folder, env: plain() };
  const execute = (program: string, words: readonly string[]): void => {
    execFileSync(path.join(programs, program), words, {
      ...{ ...options, stdio: "ignore" },
    });
  };
  const start = async (place: string): Promise<ChildProcess> => {
    const server = spawn(
      path.join(programs, "postgres"),
      ["-D", path.join(place, "data"), "-k", place, ...settings],
      { ...options, stdio: ["ignore", "ignore", "pipe"] },
    );
    await untilReady(server);
    return server;
  };
  const ended = async (
    server: ChildProcess,
    signal: NodeJS.Signals,
  ): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exit = new Promise((resolve) => server.once("exit", resolve));
    server.kill(signal);
    await exit;
  };
  const urlOf = (place: string): string =>
    `postgres://vitrine@localhost/postgres?host=${encodeURIComponent(place)}`;

  execute("initdb", [
    ...["-D", path.join(ofPrimary, "data"), "-U", "vitrine", "-A", "trust"],
    ...["-E", "UTF8", "--locale=C", "-N"],
  ]);
  const primary = await start(ofPrimary);
  execute("pg_basebackup", [
    ...["-D", path.join(ofReplica, "data"), "-h", ofPrimary, "-U", "vitrine"],
    ...["--write-recovery-conf", "--checkpoint=fast", "--no-sync"],
  ]);
  let replica = await start(ofReplica);
  return {
    primaryUrl: urlOf(ofPrimary),
    replicaUrl: urlOf(ofReplica),
    killReplica: () => ended(replica, "SIGQUIT"),
    restartReplica: async () => {
      replica = await start(ofReplica);
    },
    stop: async () => {
      await ended(replica, "SIGQUIT");
      await ended(primary, "SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
