// Fuzzing: a real player to attack, and the invariants that must hold whatever is sent to it.

import { readdir, stat } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import { expect } from "vitest";
import { waitDeadlineMs } from "../../../build/vitest/wait-deadline.ts";
import { refTo } from "../../../server/contract/v2/v2-answers.ts";
import { openApiV2 } from "../../../server/contract/v2/v2-openapi.ts";
import { openSqlite } from "../../../server/platform/sqlite/sqlite.ts";
import { afterThisTest } from "../after-this-test.ts";
import { manualClock } from "../clock.ts";
import { fitting } from "../http/openapi-schema.ts";
import { rawRequest } from "../http/raw-request.ts";
import { startFullSync } from "../sync/start-full-sync.ts";
import { toWire, type HostileRequest, type KnownIds } from "./request.ts";

export interface FuzzedPlayer {
  /** Sends all of them at once; throws unless every invariant held. */
  assertWithstands(requests: readonly FuzzRequest[]): Promise<void>;
}

/** A request, or bytes that may not be one. */
export type FuzzRequest = HostileRequest | Buffer;

/** A client that announced more than it sends then falls silent and hangs up after this. */
const silentMs = 20;

const api = openApiV2();
const assetViolationOf = fitting(api, refTo("Asset"));
const playlistViolationOf = fitting(api, refTo("Playlist"));
const refusalViolationOf = fitting(api, refTo("Refusal"));

export async function startFuzzedPlayer(): Promise<FuzzedPlayer> {
  // Time stands still: every change is caused by what is sent.
  const { player, dataDir, add, send } = await startFullSync({
    player: { clock: manualClock() },
  });
  const database = openSqlite(path.join(dataDir, "vitrine.db"));
  afterThisTest(async () => database.close());
  const { body: token } = await send("POST", "/tokens", { name: "own" });
  const secret = String(token.token);
  for (const name of ["A", "B", "C"]) {
    const { asset_id: id } = await add({ name });
    await send("POST", "/playlists", { name, items: [{ asset_id: id }] });
  }
  const port = Number(new URL(player.apiAddress).port);
  const tables = database
    .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'")
    .pluck()
    .all();

  /** Every row and every file, a line each. */
  async function state(): Promise<readonly string[]> {
    const rows = tables.flatMap((table) =>
      database
        .prepare<[], object>(`SELECT * FROM "${table}"`)
        .all()
        // The last use of a token does not count as a change.
        .map(
          (row) => `${table} ${JSON.stringify({ ...row, last_used_at: 0 })}`,
        ),
    );
    return [...rows, ...(await filesIn(dataDir))];
  }

  async function listed(path: string): Promise<readonly object[]> {
    const { status, body } = await rawRequest(
      `${player.apiAddress}/api/v2/${path}`,
      { headers: { Authorization: `Bearer ${secret}` } },
    );
    expect(status).toBe(200);
    return body as readonly object[];
  }

  /** Clients are still served; returns what exists now. */
  async function assertServed(): Promise<KnownIds> {
    const [asset, playlist] = await Promise.all(
      ["assets", "playlists"].map(async (path) => (await listed(path)).at(-1)),
    );
    const { asset_id = "nobody" } = (asset ?? {}) as { asset_id?: string };
    const { playlist_id = "nobody" } = (playlist ?? {}) as {
      playlist_id?: string;
    };
    return { asset: asset_id, playlist: playlist_id };
  }

  return {
    assertWithstands: async (requests) => {
      const known = await assertServed();
      const before = await state();
      const answers = await Promise.all(
        requests.map(async (request) => {
          const isBare = Buffer.isBuffer(request);
          const bytes = isBare ? request : toWire(request, known, secret);
          const isComplete = !isBare && request.framing !== "lie";
          const answer = await exchange(port, bytes, isComplete);
          const isBusy = requests.length > 1 && answer.status === 503;
          if (!isBusy) assertIntact(answer, isBare ? "" : request.method);
          const mayBeCut = !isComplete || bytes.length > 65_536;
          if (!mayBeCut) expect(answer.status).toBeGreaterThan(0);
          return answer;
        }),
      );
      if (answers.every(({ status }) => status >= 400))
        await expect
          .poll(async () => difference(before, await state()))
          .toEqual([]);
      await expect.poll(() => orphansIn(dataDir)).toBe("");
      await assertServed();
    },
  };
}

interface Answered {
  /** 0 when the connection ended without one. */
  readonly status: number;
  readonly text: string;
}

function assertIntact({ status, text }: Answered, method: string): void {
  expect(text).not.toMatch(/^HTTP\/1\.1 5\d\d/m);
  if (method === "" || method === "HEAD" || status < 200) return;
  const [head = "", body = ""] = text.split(/\r\n\r\n(.*)/s);
  if (!/^content-type: application\/json/im.test(head)) {
    expect(status).toBeLessThan(400);
    return;
  }
  const value: unknown = JSON.parse(Buffer.from(body, "latin1").toString());
  if (status >= 400) expect(refusalViolationOf(value)).toBeNull();
  else if (typeof value === "object" && value && "asset_id" in value)
    expect(assetViolationOf(value)).toBeNull();
  else if (typeof value === "object" && value && "playlist_id" in value)
    expect(playlistViolationOf(value)).toBeNull();
}

function exchange(
  port: number,
  bytes: Buffer,
  isComplete: boolean,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    const late = setTimeout(() => {
      socket.destroy();
      reject(
        new Error(`nothing ended this within ${waitDeadlineMs} ms: ${text}`),
      );
    }, waitDeadlineMs);
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      text += chunk;
      // An event stream would never end.
      if (/^content-type: text\/event-stream/im.test(text)) socket.destroy();
    });
    // A server that does not want the rest of a body hangs up.
    socket.on("error", () => undefined);
    socket.once("close", () => {
      clearTimeout(late);
      text = text.replace(/^(HTTP\/1\.1 100 Continue\r\n\r\n)+/, "");
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
      resolve({ status, text });
    });
    socket.write(bytes);
    if (!isComplete) setTimeout(() => socket.end(), silentMs);
  });
}

/** Every file under the data folder except the database itself. */
async function filesIn(dataDir: string): Promise<string[]> {
  const entries = await readdir(dataDir, {
    ...{ recursive: true, withFileTypes: true },
  });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith("vitrine.db"))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

/** Their names and sizes, a line each. */
async function orphansIn(dataDir: string): Promise<string> {
  const orphans = (await filesIn(dataDir)).filter(isOrphan);
  const sizes = await Promise.all(
    orphans.map((file) =>
      stat(file).then(
        ({ size }) => `${path.relative(dataDir, file)} (${size} bytes)`,
        () => "",
      ),
    ),
  );
  return sizes.filter((line) => line !== "").join("\n");
}

/** Temporary bytes must be gone once every request is over; a piece waits for the next one. */
function isOrphan(file: string): boolean {
  return /[\\/]aside[\\/]/.test(file) && !file.endsWith(".piece");
}

function difference(
  before: readonly string[],
  after: readonly string[],
): readonly string[] {
  const [old, now] = [new Set(before), new Set(after)];
  return [
    ...before.filter((line) => !now.has(line)).map((line) => `gone: ${line}`),
    ...after.filter((line) => !old.has(line)).map((line) => `new: ${line}`),
  ];
}
