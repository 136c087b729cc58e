// The limit, in its own process: bare node:http, bare Express and better-sqlite3 alone over the same rows.

// A durable write of one client, compared with the player's (counted with strace on Linux, per request):
// - the same journal (WAL), schema, indexes and durability: one commit and one flush of the journal before the response; 2 pages for a
//   changed name, about 6 for a new asset, on both sides;
// - the same response: all fields of the asset. Here they are a constant with the sent fields in it, neither read nor converted;
// - SQLite flushes with fsync within the commit. The player flushes the same file with fdatasync, which some file systems make
//   cheaper while the journal is overwritten in place: an advantage that it has outside this benchmark, too;
// - only the player checks access, host, origin and the schema of the body, records the request (metrics, log, request id), checks
//   that the database is still in its place, and recalculates what is due on the screen;
// - the faster the disk, the larger the share of the processor in both, and the lower the ratio.

import express from "express";
import { randomBytes } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { openSqlite } from "../../../server/platform/sqlite/sqlite.ts";
import { createLibrary } from "../../../server/player/library/library.ts";
import { assetToV2 } from "../../../server/player/v2/library/asset-json.ts";

/** What is committed repeatedly: one row, one field, or the order of all. */
export type Commit = "create" | "patch" | "order";

export type BareJob =
  | { readonly kind: "ports" }
  | { readonly kind: "commit"; readonly what: Commit; readonly ms: number };

export interface Ports {
  readonly http: number;
  readonly express: number;
}

const [databaseFile = "", contentFile = "", uploadFile = ""] =
  process.argv.slice(2);
// Opened as the player opens its own, so that a commit is equally durable.
const database = openSqlite(databaseFile);

const rows = `
  SELECT assets.*, files.size_bytes, files.type, files.length_seconds
  FROM assets LEFT JOIN files ON files.hash = assets.file_hash`;
const all = database.prepare(`${rows} ORDER BY play_order, created`);
const one = database.prepare<[string]>(`${rows} WHERE id = ?`);

const bare = createServer((request, response) => {
  const commit = commitsByPath.get(request.url ?? "");
  if (request.url === "/content") void sendContent(response);
  else if (commit) void answerCommit(request, response, commit);
  else if (request.url === "/upload")
    void keep(request).then(() => sendJson(response, { uri: "upload:" }));
  else sendJson(response, all.all());
});

const app = express();
app.disable("x-powered-by");
app.disable("etag");
app.get("/assets/:id", (request, response) => {
  response.json(one.get(request.params.id));
});

function sendJson(response: ServerResponse, value: unknown): void {
  const text = JSON.stringify(value);
  response
    .setHeader("Content-Type", "application/json; charset=utf-8")
    .setHeader("Content-Length", Buffer.byteLength(text))
    .end(text);
}

async function sendContent(response: ServerResponse): Promise<void> {
  const { size } = statSync(contentFile);
  response.setHeader("Content-Length", Math.ceil(size / 3) * 4);
  // A multiple of three bytes, so that the base64 of consecutive chunks can be concatenated.
  const content = createReadStream(contentFile, { highWaterMark: 3 * 21_845 });
  const asBase64 = new Transform({
    transform: (chunk: Buffer, _encoding, done) =>
      done(null, chunk.toString("base64")),
  });
  await pipeline(content, asBase64, response).catch(() => undefined);
}

/** What even the barest server spends on one commit: the round trip. */
async function answerCommit(
  body: AsyncIterable<Buffer>,
  response: ServerResponse,
  commit: () => void,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const sent = JSON.parse(Buffer.concat(chunks).toString()) as object;
  number += 1;
  database.transaction(commit).immediate();
  sendJson(response, { ...answer, ...sent });
}

let uploads = 0;

/** Streams the body to disk as it arrives, and flushes it. */
async function keep(body: AsyncIterable<Buffer>): Promise<void> {
  const path = `${uploadFile}-${(uploads += 1)}`;
  const file = await open(path, "w");
  for await (const chunk of body) await file.write(chunk);
  await file.sync();
  await file.close();
  await rm(path);
}

const insert = database.prepare(
  `INSERT INTO assets (id, name, uri, mimetype, starts_at, ends_at, duration_seconds, is_enabled, play_order)
   VALUES (?, ?, 'https://example.org/', 'webpage', 0, 4102444800000, 3600, 1, ?)`,
);
const patch = database.prepare("UPDATE assets SET name = ? WHERE id = ?");
const place = database.prepare("UPDATE assets SET play_order = ? WHERE id = ?");
const ids = database
  .prepare<[], string>("SELECT id FROM assets ORDER BY play_order")
  .pluck()
  .all();
let number = 0;

/** Any asset, as the player presents it. */
const answer = assetToV2(
  createLibrary({
    ...{ database, now: Date.now },
    makeId: () => randomBytes(16).toString("hex"),
  }).asset(ids[0] ?? ""),
  Date.now(),
  { isActiveAs: "string", zone: "UTC" },
);

const commits: Readonly<Record<Commit, () => void>> = {
  create: () =>
    void insert.run(randomBytes(16).toString("hex"), `b ${number}`, number),
  patch: () => void patch.run(`p ${number}`, ids[50]),
  order: () =>
    ids.forEach((id, index) => place.run((index + number) % ids.length, id)),
};

const commitsByPath = new Map(
  Object.entries(commits).map(([what, commit]) => [`/commit/${what}`, commit]),
);

function commitsPerSecond({ what, ms }: BareJob & { kind: "commit" }): number {
  const commit = database.transaction(commits[what]);
  const startedAt = performance.now();
  let count = 0;
  for (; performance.now() - startedAt < ms; count += 1) {
    number += 1;
    commit.immediate();
  }
  return count / ((performance.now() - startedAt) / 1000);
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () =>
      resolve((server.address() as AddressInfo).port),
    ),
  );
}

const ports: Ports = {
  http: await listen(bare),
  express: await listen(createServer(app)),
};
process.on("message", (job: BareJob) => {
  process.send?.({
    outcome: job.kind === "ports" ? ports : commitsPerSecond(job),
  });
});
