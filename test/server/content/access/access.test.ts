// Access control: API keys in every form clients send them, limits on guessing, rejected host names and origins.

import { request } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { withKeys } from "../../../../server/content/content.ts";
import {
  isForThisMachineAlone,
  readContentConfig,
} from "../../../../server/content/config.ts";
import { secretFrom } from "../../../../server/content/access/access.ts";
import { eachContent } from "../../../support/content/each-content.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { serveSources } from "../../../support/http/sources.ts";
import { startContent } from "../../../support/content/start-content.ts";

/** Everything that reaches these log lines, whatever they are. */
function rawText(port: number, lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(`${lines.join("\r\n")}\r\n\r\n`),
    );
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
    socket.on("error", reject).on("close", () => resolve(text));
  });
}

const status = async (
  address: string,
  headers: Record<string, string>,
  path = "/v4/assets",
): Promise<number> => (await fetch(`${address}${path}`, { headers })).status;

/** Host can only be set by hand. */
function statusUnder(address: string, host: string): Promise<number> {
  const headers = { Host: host, Authorization: "Token key-of-the-tests" };
  return new Promise((resolve, reject) => {
    request(`${address}/v4/assets`, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });
}

describe("credentials", () => {
  it.each([
    ["Token abc", "abc"],
    ["token  abc", "abc"],
    ["BEARER abc", "abc"],
    ["abc", "abc"],
    ["", null],
    [undefined, null],
    ["Basic abc", null],
    ["Token a b", null],
  ])("[V4-204] %j contains the key %j", (header, key) => {
    expect(secretFrom(header)).toBe(key);
  });

  eachContent(({ start, ground }) => {
    it("[V4-204] [V4-208] are required before anything else, with a challenge", async () => {
      const content = await start();
      const key = "key-of-the-tests";
      for (const good of [`Token ${key}`, `tOKEN ${key}`, `Bearer ${key}`, key])
        expect(await status(content.address, { Authorization: good })).toBe(
          200,
        );
      for (const path of [
        "/v4/assets",
        "/v4.1/nothing",
        "/",
        "/v4/assets?x=(",
      ]) {
        const answer = await fetch(`${content.address}${path}`);
        expect(answer.status).toBe(401);
        expect(answer.headers.get("www-authenticate")).toMatch(/^Token/);
        expect(await answer.json()).toEqual({
          code: "PGRST301",
          message: expect.any(String) as string,
          details: null,
          hint: null,
        });
      }
    });

    it("[V4-203] created while the service runs work at once, and stop working within a second of revocation", async () => {
      const { dataDir, databaseUrl } = await ground();
      const content = await startContent(dataDir, { databaseUrl });
      const words = ["--data-dir", dataDir];
      if (databaseUrl) words.push("--database-url", databaseUrl);
      const reading = readContentConfig(words, {});
      if (!reading.ok) throw new Error(reading.message);
      const config = reading.value;
      const created = await withKeys(config, (keys) =>
        keys.add({ name: "script", team: "Vitrine" }),
      );
      const request = () =>
        status(content.address, { Authorization: `Token ${created}` });
      expect(await request()).toBe(200);
      const all = await withKeys(config, (keys) => keys.list());
      expect(all).toMatchObject([
        { name: "set at start", team: "Vitrine" },
        {
          name: "script",
          team: "Vitrine",
          lastUsedAt: expect.any(Number) as number,
        },
      ]);
      await withKeys(config, (keys) => keys.revoke(all[1]?.id ?? ""));
      await expect.poll(request, { interval: 200 }).toBe(401);
      // Both are noted as changes from the command line (V4-380).
      const log = await content.request("/api/v3/activity?actor=command");
      expect(await log.json()).toMatchObject({
        entries: [
          { kind: "key", what: "removed", name: "script", address: null },
          { kind: "key", what: "added", name: "script", address: null },
        ],
      });
    });
  });

  it("[V4-205] are rate-limited against guessing", async () => {
    const content = await startContent(await temporaryFolder());
    const guess = () => status(content.address, { Authorization: "Token no" });
    for (let tries = 0; tries < 50; tries += 1) expect(await guess()).toBe(401);
    const answer = await fetch(`${content.address}/v4/assets`, {
      headers: { Authorization: "Token no" },
    });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    // A valid key is accepted from the same address.
    expect((await content.request("/v4/assets")).status).toBe(200);
  });

  it("[V4-202] are useless under a foreign host name or from a page of another site", async () => {
    const content = await startContent(await temporaryFolder());
    const { port } = new URL(content.address);
    expect(await statusUnder(content.address, `localhost:${port}`)).toBe(200);
    expect(await statusUnder(content.address, "evil.example")).toBe(403);
    const from = async (origin: string) =>
      (await content.request("/v4/assets", { headers: { Origin: origin } }))
        .status;
    expect(await from("http://evil.example")).toBe(403);
    expect(await from("null")).toBe(403);
    expect(await from("chrome-extension://abcdef")).toBe(200);
    expect(await from(content.address)).toBe(200);
  });
});

describe("the host of a request", () => {
  eachContent(({ start }) => {
    it("[V4-286] does not prove this machine where a proxy or a remote address is stated", async () => {
      const { address } = await serveSources({ "/a.png": "never fetched" });
      const content = await start({ behindProxy: true });
      expect((await fetch(`${content.address}/metrics`)).status).toBe(401);
      expect((await content.request("/metrics")).status).toBe(200);
      const [row] = await content.add("/v4/assets", {
        source_url: `${address}/a.png`,
      });
      const read = `/v4/assets?id=eq.${row?.id}&select=processing_error`;
      await expect
        .poll(async () => (await content.rows(read))[0]?.["processing_error"])
        .toContain("an address on a private network");
    });
  });

  it.each([
    [{}, true],
    [{ publicUrl: "http://[::1]:8090" }, true],
    [{ publicUrl: "https://content.example" }, false],
    [{ behindProxy: true }, false],
    [{ host: "0.0.0.0" }, false],
  ])("[V4-286] %j alone counts as this machine: %s", (options, isAlone) => {
    const usual = { host: "127.0.0.1", behindProxy: false };
    expect(
      isForThisMachineAlone({ ...usual, publicUrl: undefined, ...options }),
    ).toBe(isAlone);
  });

  it("[V4-287] is 400 when missing or duplicate, and forms the base of no address when not listed", async () => {
    const content = await startContent(await temporaryFolder(), {
      behindProxy: true,
    });
    const { port } = new URL(content.address);
    const me = async (...hosts: readonly string[]): Promise<string> => {
      const text = await rawText(Number(port), [
        ...["GET /api/v3/me HTTP/1.1", "Authorization: Token key-of-the-tests"],
        ...[...hosts, "Connection: close"],
      ]);
      const url = /"url":"([^"]*)"/.exec(text)?.[1];
      return url ?? text.slice("HTTP/1.1 ".length, "HTTP/1.1 400".length);
    };
    const own = `http://127.0.0.1:${port}`;
    const forwarded = "X-Forwarded-Host: content.example";
    expect(await me(`Host: 127.0.0.1:${port}`)).toBe(own);
    expect(await me("Host: evil.example")).toBe(own);
    expect(await me("Host: evil.example", forwarded)).toBe(
      "http://content.example",
    );
    for (const hosts of [
      [`Host: a"b`],
      ["Host: a/b"],
      ["Host:"],
      [],
      ["Host: a.example", "Host: b.example"],
      ["Host: a.example", `X-Forwarded-Host: a"b`],
    ])
      expect([hosts, await me(...hosts)]).toEqual([hosts, "400"]);
  });
});

describe("without a key", () => {
  eachContent(({ start, kind }) => {
    it("[V4-206] the health of the service is available and, on loopback, its metrics", async () => {
      const content = await start();
      const health = await fetch(`${content.address}/health`);
      expect([health.status, await health.json()]).toEqual([
        ...[200, { status: "ok" }],
      ]);
      await content.add("/v4/assets", { title: "a" });
      const metrics = await fetch(`${content.address}/metrics`);
      expect(metrics.headers.get("content-type")).toBe(
        "text/plain; version=0.0.4; charset=utf-8",
      );
      const text = await metrics.text();
      expect(text).toContain(`database="${kind}"} 1`);
      expect(text).toContain('vitrine_content_assets{status="none"} 1');
      expect(text).toContain(
        'vitrine_content_requests_total{route="v4/assets",method="POST",status="2xx"} 1',
      );
    });
  });
});
