// Checks the content service and the headless player under Node for Windows with an external client: health, an upload, the same
// bytes back, a clean exit.

import { mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { WineLab } from "../../../build/wine/test-environment.ts";
import type { WineSession } from "../../../build/wine/session.ts";
import { waitDeadlineMs } from "../../../build/vitest/wait-deadline.ts";
import { png } from "../../support/media/media.ts";
import { clientAt, contentKey } from "../../support/content/start-content.ts";

const intervalMs = 50;

interface ServerOptions {
  readonly name: string;
  readonly entry: string;
  readonly serve: readonly string[];
  /** Matches the address in its output once it is up. */
  readonly address: RegExp;
  uploadTo(address: string, bytes: Buffer): Promise<void>;
}

const servers: readonly ServerOptions[] = [
  {
    name: "content",
    entry: "server/content/main.ts",
    serve: ["--port", "0", "--api-key", contentKey],
    address: /is ready: (http:\S+)/,
    uploadTo: uploadToContent,
  },
  {
    name: "player",
    entry: "server/player/main.ts",
    serve: ["serve", "--api-port", "0"],
    address: /API (http:\S+)/,
    uploadTo: uploadToPlayer,
  },
];

/** Returns one sentence for each problem. */
export async function uploadToServers(
  wine: WineSession,
  lab: WineLab,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const server of servers)
    try {
      await tryServer(server, wine, lab);
    } catch (error) {
      faults.push(`${server.name} under Windows' Node: ${String(error)}`);
    }
  return faults;
}

async function tryServer(
  { name, entry, serve, address, uploadTo }: ServerOptions,
  wine: WineSession,
  { checkout, checkoutInside, node }: WineLab,
): Promise<void> {
  const dist = path.join(checkout, "dist");
  const dataDir = path.join(dist, `windows-${name}`);
  await rm(dataDir, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  const place = ["--data-dir", `dist/windows-${name}`];
  const output = path.join(dist, `windows-${name}.log`);
  await rm(output, { force: true });
  const options = { output, cwd: checkoutInside };
  let code: number | null = null;
  const ended = wine
    .run(node, [entry, ...serve, ...place], options)
    .then((its) => (code = its));
  const printed = () => readFile(output, "utf8").catch(() => "");
  const found = await until(async () => {
    if (code !== null)
      throw new Error(`it ended with ${code}: ${await printed()}`);
    return address.exec(await printed())?.[1];
  });
  await uploadTo(found, png([40, 170, 60]));
  const stopped = await wine.run(node, [entry, "stop", ...place], options);
  expectSame("exit code of stop", stopped, 0);
  expectSame("its exit code", await ended, 0);
  // After a clean shutdown its write-ahead log is merged into the database.
  const database = name === "player" ? "vitrine.db" : "content.db";
  const left = await readFile(path.join(dataDir, `${database}-wal`)).catch(
    () => null,
  );
  expectSame("log of writes left behind", left, null);
}

async function uploadToContent(address: string, bytes: Buffer): Promise<void> {
  const client = clientAt(address);
  expectSame("health", (await client.request("/health")).status, 200);
  const answer = await client.upload(bytes, { title: "Lobby" });
  expectSame("status of the upload", answer.status, 201);
  const [{ id = "" } = {}] = (await answer.json()) as { id?: string }[];
  const row = await until(async () => {
    const [found] = await client.rows(`/v4.1/assets?id=eq.${id}`);
    return found?.["status"] === "finished" ? found : undefined;
  });
  const file = await fetch(String(row["asset_url"]));
  expectSame("status of the file", file.status, 200);
  expectBytes(Buffer.from(await file.arrayBuffer()), bytes);
}

async function uploadToPlayer(address: string, bytes: Buffer): Promise<void> {
  const api = `${address}/api/v2`;
  expectSame("info", (await fetch(`${api}/info`)).status, 200);
  const form = new FormData();
  form.set("file_upload", new Blob([new Uint8Array(bytes)]), "image.png");
  const upload = await fetch(`${api}/file_asset`, {
    ...{ method: "POST", body: form },
  });
  expectSame("status of the upload", upload.status, 200);
  const { uri } = (await upload.json()) as { uri: string };
  const created = await fetch(`${api}/assets`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      ...{ name: "Lobby", uri, mimetype: "image", duration: 10 },
      ...{ start_date: "2026-01-01", end_date: "2099-01-01" },
      is_enabled: true,
    }),
  });
  expectSame("status of the asset", created.status, 201);
  const { asset_id: id } = (await created.json()) as { asset_id: string };
  const content = await fetch(`${api}/assets/${id}/content`);
  const { content: coded } = (await content.json()) as { content: string };
  expectBytes(Buffer.from(coded, "base64"), bytes);
}

function expectBytes(given: Buffer, expected: Buffer): void {
  if (!given.equals(expected))
    throw new Error("The bytes came back otherwise.");
}

function expectSame(what: string, given: unknown, expected: unknown): void {
  if (given !== expected)
    throw new Error(`${what}: ${String(given)} instead of ${String(expected)}`);
}

/** Retries until there is a result; an exception ends the wait. */
async function until<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  const giveUp = performance.now() + waitDeadlineMs;
  for (;;) {
    const found = await attempt();
    if (found !== undefined) return found;
    if (performance.now() > giveUp)
      throw new Error(`no answer within ${waitDeadlineMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}
