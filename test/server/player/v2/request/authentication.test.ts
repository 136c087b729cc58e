// Access control of requests: credentials where others can reach the API, own host names, and rate-limited attempts.

import { connect } from "node:net";
import os from "node:os";
import { describe, expect, it } from "vitest";
import type { ActivityV2 } from "../../../../../server/contract/v2/v2-logs.ts";
import { temporaryFolder } from "../../../../support/folder.ts";
import { makeToken } from "../../../../support/player/create-token.ts";
import {
  rawRequest,
  type RawAnswer,
} from "../../../../support/http/raw-request.ts";
import {
  startPlayer,
  type RunningPlayer,
} from "../../../../support/player/start-player.ts";

type Headers = Readonly<Record<string, string>>;

const bearer = (token: string): Headers => ({
  Authorization: `Bearer ${token}`,
});
const basic = (user: string, token: string): Headers => ({
  Authorization: `Basic ${Buffer.from(`${user}:${token}`).toString("base64")}`,
});

interface OpenPlayer extends RunningPlayer {
  readonly token: string;
  get(path: string, headers?: Headers): Promise<RawAnswer>;
}

/** Listening on every address of this machine, with requests over loopback. */
async function startOpenPlayer(): Promise<OpenPlayer> {
  const dataDir = await temporaryFolder();
  const token = makeToken(dataDir);
  const running = await startPlayer({ dataDir, apiHost: "0.0.0.0" });
  const { port } = new URL(running.player.apiAddress);
  const get: OpenPlayer["get"] = (path, headers = {}) =>
    rawRequest(`http://127.0.0.1:${port}/api/v2${path}`, { headers });
  return { ...running, token, get };
}

describe("a request", () => {
  it("[V2-586] with more than one Host is 400", async () => {
    const { player } = await startPlayer();
    const { hostname, port } = new URL(player.apiAddress);
    const host = `Host: ${hostname}:${port}\r\n`;
    const status = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(`GET /api/v2/assets HTTP/1.1\r\n${host}${host}\r\n`),
      );
      socket.once("data", (chunk: Buffer) => {
        resolve(chunk.toString().split("\r\n", 1)[0] ?? "");
        socket.destroy();
      });
      socket.on("error", reject);
    });
    expect(status).toBe("HTTP/1.1 400 Bad Request");
  });
});

describe("listening elsewhere than on loopback", () => {
  it("[V2-60] does not start without a token, and says how to create one", async () => {
    const dataDir = await temporaryFolder();
    await expect(startPlayer({ dataDir, apiHost: "0.0.0.0" })).rejects.toThrow(
      /requires an access token.*tokens add NAME --data-dir/,
    );
    makeToken(dataDir);
    const { player } = await startPlayer({ dataDir, apiHost: "0.0.0.0" });
    expect(player.apiAddress).not.toContain("0.0.0.0");
  });

  it.each(["/assets", "/now", "/metrics", "/events", "/tokens", "/nothing"])(
    "[V2-61] is 401 in JSON without credentials at %s",
    async (path) => {
      const { get } = await startOpenPlayer();
      const { status, headers, body } = await get(path);
      expect(status).toBe(401);
      expect(headers["www-authenticate"]).toBe('Bearer, Basic realm="Vitrine"');
      expect(body).toEqual({ detail: "An access token is required." });
    },
  );

  it("[V2-61] accepts a token as Bearer, or as the password of any user", async () => {
    const { get, token } = await startOpenPlayer();
    for (const headers of [
      bearer(token),
      { Authorization: `bearer  ${token} ` },
      basic("", token),
      basic("somebody", token),
    ])
      expect(await get("/assets", headers)).toMatchObject({
        status: 200,
        body: [],
      });
  });

  it.each([
    ["a wrong token", bearer("wrong")],
    ["the token as user name", basic("token", "wrong")],
    ["another scheme", { Authorization: "Digest username=x" }],
    ["invalid base64", { Authorization: "Basic ÿ%%%" }],
    ["a cookie", { Cookie: "token=x; session=x" }],
    ["a scheme without a credential", { Authorization: "Bearer " }],
  ])("[V2-61] does not accept %s", async (_what, headers) => {
    const { get } = await startOpenPlayer();
    expect((await get("/assets", headers)).status).toBe(401);
  });

  it("[V2-284][V2-726] records the first wrong token and the lockout of an address, without the token, and little of what many addresses try", async () => {
    const { get, token, player } = await startOpenPlayer();
    for (let count = 0; count < 25; count += 1)
      await get("/assets", bearer(`wrong-${count}`));
    const access = async () =>
      (await get("/activity?kind=access", bearer(token)))
        .body as readonly ActivityV2[];
    expect(
      (await access()).map(({ action, name }) => `${action} ${name}`),
    ).toEqual(["locked 127.0.0.1", "denied 127.0.0.1"]);
    expect(JSON.stringify(await access())).not.toContain("wrong-");
    const { port } = new URL(player.apiAddress);
    for (let host = 2; host < 40; host += 1)
      await rawRequest(`http://127.0.0.1:${port}/api/v2/assets`, {
        ...{ headers: bearer("wrong"), localAddress: `127.0.0.${host}` },
      });
    expect(await access()).toHaveLength(20);
  });

  it("[V2-62] rejects every token from an address after twenty wrong ones, except the right one", async () => {
    const { get, token, clock } = await startOpenPlayer();
    for (let count = 0; count < 20; count += 1)
      expect((await get("/assets", bearer("wrong"))).status).toBe(401);
    await clock.advance(60_000);
    const { status, headers, body } = await get("/assets", bearer("wrong"));
    expect(status).toBe(429);
    expect(headers["retry-after"]).toBe(String(14 * 60));
    expect(body).toHaveProperty("detail");
    expect((await get("/assets", bearer(token))).status).toBe(200);
    await clock.advance(14 * 60_000);
    expect((await get("/assets", bearer("wrong"))).status).toBe(401);
  });

  it("[V2-65] accepts requests under addresses and its own names only", async () => {
    const { get, token } = await startOpenPlayer();
    const statusOf = async (host: string) =>
      (await get("/assets", { ...bearer(token), Host: host })).status;
    const own = os.hostname();
    for (const host of [
      "192.0.2.7:8080",
      "[2001:db8::1]:8080",
      "localhost",
      own,
      `${own.toUpperCase()}:8080`,
      `${own}.`,
    ])
      expect([host, await statusOf(host)]).toEqual([host, 200]);
    for (const host of ["evil.example", `${own}.evil.example`, "1.2.3.4.nip"])
      expect([host, await statusOf(host)]).toEqual([host, 403]);
  });
});

describe("on loopback", () => {
  it("[V2-60] requires no credentials", async () => {
    const { request } = await startPlayer();
    expect((await request("/assets")).status).toBe(200);
  });

  it("[V2-60] requires them by setting, from the first token on", async () => {
    const { request, send } = await startPlayer();
    await send("PATCH", "/device_settings", { api_token_required: true });
    expect((await request("/assets")).status).toBe(200);
    const { body } = await send("POST", "/tokens", { name: "desk" });
    expect((await request("/assets")).status).toBe(401);
    const headers = bearer(body.token as string);
    expect((await request("/assets", { headers })).status).toBe(200);
  });

  it("[V2-404] returns in the settings whether clients of the peer must sign in, and lets them", async () => {
    const { request, send } = await startPlayer();
    const read = async (headers = {}) => {
      const answer = await request("/device_settings", { headers });
      return ((await answer.json()) as { auth_backend: unknown }).auth_backend;
    };
    expect(await read()).toBe("");
    const fields = { api_token_required: true, auth_backend: "banana" };
    expect((await send("PATCH", "/device_settings", fields)).status).toBe(200);
    expect(await read()).toBe("");
    const { body } = await send("POST", "/tokens", { name: "desk" });
    const basic = Buffer.from(`anybody:${body.token}`).toString("base64");
    expect(await read({ Authorization: `Basic ${basic}` })).toBe("auth_basic");
  });
});

describe("tokens", () => {
  it("[V2-64] are created, listed without their secret, used and revoked", async () => {
    const { get, token, request, player } = await startOpenPlayer();
    const headers = {
      ...bearer(token),
      "Content-Type": "application/json",
    };
    const created = await request("/tokens", {
      method: "POST",
      headers,
      body: JSON.stringify({ name: " lobby script " }),
    });
    const body = (await created.json()) as Record<string, string>;
    expect([created.status, created.headers.get("cache-control")]).toEqual([
      201,
      "no-store",
    ]);
    expect(body).toMatchObject({ name: "lobby script", last_used: null });
    const secret = body.token ?? "";
    expect((await get("/now", bearer(secret))).status).toBe(200);
    const list = (await get("/tokens", bearer(token))).body as object[];
    expect(list.map((entry) => Object.keys(entry))).toEqual([
      ["id", "name", "created", "last_used"],
      ["id", "name", "created", "last_used"],
    ]);
    expect(JSON.stringify(list)).not.toContain(secret);
    const revoke = (id: string) =>
      rawRequest(`${player.apiAddress}/api/v2/tokens/${id}`, {
        method: "DELETE",
        headers: bearer(token),
      });
    expect((await revoke(body.id ?? "")).status).toBe(204);
    expect((await revoke(body.id ?? "")).status).toBe(404);
    expect((await get("/now", bearer(secret))).status).toBe(401);
  });

  it("[V2-64] keep the last one where there is no other access", async () => {
    const { get, token, player } = await startOpenPlayer();
    const [{ id }] = (await get("/tokens", bearer(token))).body;
    const { status, body } = await rawRequest(
      `${player.apiAddress}/api/v2/tokens/${id}`,
      { method: "DELETE", headers: bearer(token) },
    );
    expect([status, body.detail]).toEqual([
      409,
      expect.stringContaining("last token"),
    ]);
  });

  it("[V2-64] are rejected without a name, and under one in use", async () => {
    const { send } = await startPlayer();
    expect(await send("POST", "/tokens", {})).toMatchObject({
      status: 400,
      body: { name: ["name is required"] },
    });
    expect((await send("POST", "/tokens", { name: "a" })).status).toBe(201);
    expect((await send("POST", "/tokens", { name: "a" })).status).toBe(409);
  });
});
