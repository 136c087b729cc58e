// The manager at the content service's address: its page, its files, paths that lead elsewhere, and every other address as before.

import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import {
  contentKey,
  startContent,
  type StartedContent,
} from "../../../support/content/start-content.ts";
import { temporaryFolder, untilAllHaveRun } from "../../../support/folder.ts";
import { rawRequest } from "../../../support/http/raw-request.ts";

const browser = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const script = "console.log(1);";
const page = `<script type="module" src="/manager/main-ABCD1234.js"></script>`;
const file = "/manager/main-ABCD1234.js";

let service: StartedContent;
let without: StartedContent;

async function builtManager(dir: string): Promise<string> {
  const managerDir = path.join(dir, "browser");
  const files = path.join(managerDir, "manager");
  await mkdir(files, { recursive: true });
  await writeFile(path.join(managerDir, "index.html"), page);
  await writeFile(path.join(managerDir, "secret-ABCD1234.js.gz"), "");
  await writeFile(path.join(files, "main-ABCD1234.js.gz"), gzipSync(script));
  await writeFile(
    path.join(files, "main-ABCD1234.js.br"),
    brotliCompressSync(script),
  );
  await writeFile(path.join(files, "old-ABCD1234.css.gz"), gzipSync("p {}"));
  return managerDir;
}

beforeAll(() =>
  untilAllHaveRun(async (atEnd) => {
    const managerDir = await builtManager(await temporaryFolder(atEnd));
    const start = async (options: object): Promise<StartedContent> => {
      const started = await startContent(await temporaryFolder(atEnd), options);
      atEnd(started.stop);
      return started;
    };
    service = await start({ managerDir });
    without = await start({});
  }),
);

function get(
  to: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
) {
  return rawRequest(`${service.address}${to}`, { method, headers });
}

/** Exactly this path: no client library puts it in order. */
function statusOf(target: string): Promise<number> {
  const { hostname, port } = new URL(service.address);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `GET ${target} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAccept: text/html\r\nAuthorization: Token ${contentKey}\r\nConnection: close\r\n\r\n`,
      ),
    );
    socket.once("data", (chunk: Buffer) => {
      resolve(Number(chunk.toString().split(" ")[1]));
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

describe("the manager at the content service's address", () => {
  it("[V3-140] is a page for browsers without credentials, never cached, and what it was for programs", async () => {
    const { status, headers, body } = await get("/", browser);
    expect([status, body]).toEqual([200, page]);
    expect(headers).toMatchObject({
      ...{ "cache-control": "no-cache", vary: "Accept" },
      "content-type": "text/html; charset=utf-8",
    });
    expect((await get("/", browser, "HEAD")).status).toBe(200);
    for (const Accept of ["", "*/*", "application/json"]) {
      expect((await get("/", { Accept })).status).toBe(401);
      const Authorization = `Token ${contentKey}`;
      expect((await get("/", { Accept, Authorization })).status).toBe(404);
    }
    expect((await get("/", browser, "POST")).status).toBe(401);
  });

  it("[V3-141] loads from its own origin only, without inline scripts, in no frame", async () => {
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

  it("[V3-141] opens from a link of another site, which reaches nothing else", async () => {
    const site = { ...browser, "Sec-Fetch-Site": "cross-site" };
    const opened = { ...site, "Sec-Fetch-Dest": "document" };
    expect((await get("/", opened)).status).toBe(200);
    for (const [to, headers] of [
      ["/", { ...site, "Sec-Fetch-Dest": "iframe" }],
      ["/", { ...opened, Origin: "http://evil.example" }],
      ["/", { ...opened, Host: "evil.example" }],
      [file, { ...site, "Sec-Fetch-Dest": "script" }],
      ["/api/v3/screens/", opened],
    ] as const)
      expect((await get(to, headers)).status, to).toBe(403);
  });

  it("[V3-140] has files that never change, compressed as the browser accepts it", async () => {
    const encodings = [
      ["gzip, deflate, br", "br"],
      ["gzip, deflate", "gzip"],
      ["br;q=0, gzip", "gzip"],
      ["identity", undefined],
      ["", undefined],
    ] as const;
    for (const [accepted, encoding] of encodings) {
      const { status, headers } = await get(file, {
        "Accept-Encoding": accepted,
      });
      expect([status, headers["content-encoding"]], accepted).toEqual([
        ...[200, encoding],
      ]);
      expect(headers).toMatchObject({
        "content-type": "text/javascript; charset=utf-8",
        "cache-control": "public, max-age=31536000, immutable",
        ...{ vary: "Accept-Encoding", "x-content-type-options": "nosniff" },
      });
    }
    expect((await get(file)).body).toBe(script);
    // Where there is no Brotli.
    const style = await get("/manager/old-ABCD1234.css", {
      "Accept-Encoding": "br, gzip",
    });
    expect(style.headers["content-encoding"]).toBe("gzip");
  });

  it.each([
    ...["/manager/", "/manager/main.js", `${file}.gz`, `${file}.br`],
    ...["/manager/../manager/main-ABCD1234.js", "/manager//main-ABCD1234.js"],
    "/manager/%2e%2e/secret-ABCD1234.js",
    ...["/manager/..%2fsecret-ABCD1234.js", "/manager/..\\secret-ABCD1234.js"],
    ...["/manager/%00main-ABCD1234.js", "/manager/C:secret-ABCD1234.js"],
    ...["/manager//etc/passwd", "/../index.html", "/index.html", "//"],
    ...["/manager/none-ABCD1234.js", "/manager/main-ABCD1234.exe"],
    ...[`${file}/`, "/manager/main-ABCD1234.__proto__"],
  ])("[V3-140] has nothing at %s", async (target) => {
    expect([400, 404]).toContain(await statusOf(target));
  });

  it("[V3-140] leaves every other address as it is, for browsers too", async () => {
    const answerOf = async (
      { address }: StartedContent,
      to: string,
      headers: Readonly<Record<string, string>>,
    ) => {
      const answer = await rawRequest(`${address}${to}`, { headers });
      const type = String(answer.headers["content-type"]);
      return [to, answer.status, type.split(";")[0]];
    };
    for (const to of [
      ...["/health", "/health/live", "/metrics", "/files/none"],
      ...["/api/v3/", "/api/v3/screens/", "/v3/screens/", "/api/v3/sign-in/"],
      ...["/api/v4/assets", "/v4/assets", "/api/v4.1/assets", "/v4.1/assets"],
      ...["/link/v1/news", "/api/link/v1/news", "/manager", "/api", "/none"],
    ])
      for (const key of [{}, { Authorization: `Token ${contentKey}` }]) {
        const headers = { ...browser, ...key };
        const answer = await answerOf(service, to, headers);
        expect(answer).toEqual(await answerOf(without, to, headers));
        expect(answer[2]).not.toBe("text/javascript");
      }
  });

  it("[V3-140] is absent where it was not built", async () => {
    for (const headers of [
      browser,
      { ...browser, Authorization: `Token ${contentKey}` },
    ])
      expect(
        (await rawRequest(`${without.address}/`, { headers })).status,
      ).toBe("Authorization" in headers ? 404 : 401);
  });
});
