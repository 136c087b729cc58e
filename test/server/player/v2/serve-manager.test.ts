// The manager at the player's address: its page, its files, and paths that lead elsewhere.

import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { rawRequest } from "../../../support/http/raw-request.ts";
import { temporaryFolder, untilAllHaveRun } from "../../../support/folder.ts";
import { makeToken } from "../../../support/player/create-token.ts";
import {
  startPlayer,
  type RunningPlayer,
} from "../../../support/player/start-player.ts";

const browser = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const script = "console.log(1);";
const page = `<script type="module" src="/manager/main-ABCD1234.js"></script>`;

let player: RunningPlayer;
let open: RunningPlayer;

async function builtManager(dir: string): Promise<string> {
  const managerDir = path.join(dir, "browser");
  const files = path.join(managerDir, "manager");
  await mkdir(files, { recursive: true });
  await writeFile(path.join(managerDir, "index.html"), page);
  await writeFile(path.join(managerDir, "secret-ABCD1234.js.gz"), "");
  await writeFile(path.join(files, "main-ABCD1234.js.gz"), gzipSync(script));
  await writeFile(path.join(files, "inter-ABCD1234.woff2"), "font");
  return managerDir;
}

beforeAll(() =>
  untilAllHaveRun(async (atEnd) => {
    const managerDir = await builtManager(await temporaryFolder(atEnd));
    player = await startPlayer({ managerDir }, atEnd);
    const dataDir = await temporaryFolder(atEnd);
    makeToken(dataDir);
    const apiHost = "0.0.0.0";
    open = await startPlayer({ managerDir, dataDir, apiHost }, atEnd);
  }),
);

function get(
  to: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
) {
  return rawRequest(`${player.player.apiAddress}${to}`, { method, headers });
}

/** Exactly this path: no client library puts it in order. */
function statusOf(target: string): Promise<number> {
  const { hostname, port } = new URL(player.player.apiAddress);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `GET ${target} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
      ),
    );
    socket.once("data", (chunk: Buffer) => {
      resolve(Number(chunk.toString().split(" ")[1]));
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

describe("the manager at the player's address", () => {
  it("[V2-770] is a page for browsers, never cached, and what it was for programs", async () => {
    const { status, headers, body } = await get("/", browser);
    expect([status, body]).toEqual([200, page]);
    expect(headers["cache-control"]).toBe("no-cache");
    expect(headers["vary"]).toBe("Accept");
    expect((await get("/", browser, "HEAD")).status).toBe(200);
    for (const Accept of ["", "*/*", "application/json"])
      expect(await get("/", { Accept })).toMatchObject({
        ...{ status: 404, body: { detail: "There is nothing at /." } },
      });
    expect((await get("/", browser, "POST")).status).toBe(404);
  });

  it("[V2-771] loads from its own origin only, without inline scripts, in no frame", async () => {
    const { headers } = await get("/", browser);
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
    expect(headers).toMatchObject({
      ...{ "x-frame-options": "DENY", "x-content-type-options": "nosniff" },
      "referrer-policy": "no-referrer",
    });
  });

  it("[V2-771] opens from a link of another site, and answers that site nothing", async () => {
    const site = { ...browser, "Sec-Fetch-Site": "cross-site" };
    const opened = { ...site, "Sec-Fetch-Dest": "document" };
    const status = async (
      to: string,
      headers: Readonly<Record<string, string>>,
    ) => (await get(to, headers)).status;
    expect(await status("/", opened)).toBe(200);
    expect(await status("/api/v2/assets", opened)).toBe(403);
    for (const other of [
      { ...site, "Sec-Fetch-Dest": "iframe" },
      { ...opened, Origin: "http://evil.example" },
      { ...opened, Host: "evil.example" },
    ])
      expect(await status("/", other)).toBe(403);
  });

  it("[V2-770] has files that never change, compressed where the browser accepts it", async () => {
    const name = "/manager/main-ABCD1234.js";
    const zipped = await get(name, { "Accept-Encoding": "gzip, deflate" });
    expect(zipped.headers).toMatchObject({
      ...{ "content-encoding": "gzip", vary: "Accept-Encoding" },
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "content-length": String(gzipSync(script).length),
    });
    const plain = await get(name);
    expect([plain.status, plain.body]).toEqual([200, script]);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    const font = await get("/manager/inter-ABCD1234.woff2", {
      "Accept-Encoding": "gzip",
    });
    expect([font.body, font.headers["content-type"]]).toEqual([
      ...["font", "font/woff2"],
    ]);
    expect(font.headers["content-encoding"]).toBeUndefined();
  });

  it.each([
    ...["/manager/", "/manager/main.js", "/manager/main-ABCD1234.js.gz"],
    ...["/manager/../manager/main-ABCD1234.js", "/manager//main-ABCD1234.js"],
    ...[
      "/manager/%2e%2e/secret-ABCD1234.js",
      "/manager/..%2fsecret-ABCD1234.js",
    ],
    ...["/manager/..%5csecret-ABCD1234.js", "/manager/..\\secret-ABCD1234.js"],
    ...["/manager/%00main-ABCD1234.js", "/manager/main-ABCD1234.js%00"],
    ...["/manager/C:secret-ABCD1234.js", "/manager/C:%5csecret-ABCD1234.js"],
    ...["/manager//etc/passwd", "/../index.html", "/index.html", "//"],
    ...["/manager/none-ABCD1234.js", "/manager/main-ABCD1234.exe"],
    ...["/manager/main-ABCD1234.js/", "/manager/main-ABCD1234.__proto__"],
  ])("[V2-770] has nothing at %s", async (target) => {
    expect([400, 404]).toContain(await statusOf(target));
  });

  it("[V2-770] needs no credentials, while everything else does", async () => {
    const { port } = new URL(open.player.apiAddress);
    const status = async (to: string) =>
      (await rawRequest(`http://127.0.0.1:${port}${to}`, { headers: browser }))
        .status;
    expect(await status("/")).toBe(200);
    expect(await status("/manager/main-ABCD1234.js")).toBe(200);
    expect(await status("/manager/none-ABCD1234.js")).toBe(401);
    expect(await status("/api/v2/assets")).toBe(401);
  });

  it("[V2-770] is absent where it was not built", async () => {
    const managerDir = path.join(await temporaryFolder(), "none");
    const without = await startPlayer({ managerDir });
    const answer = await rawRequest(`${without.player.apiAddress}/`, {
      headers: browser,
    });
    expect(answer.status).toBe(404);
  });
});
