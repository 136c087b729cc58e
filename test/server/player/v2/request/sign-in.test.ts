// Sign-in of browsers: tokens and the password, the session cookie, its end, forged requests, and stored files on the manager's
// origin.

import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createLog } from "../../../../../server/platform/log.ts";
import { readEvents } from "../../../../support/http/event-reader.ts";
import {
  rawRequest,
  type RawAnswer,
} from "../../../../support/http/raw-request.ts";
import { temporaryFolder } from "../../../../support/folder.ts";
import { makeToken } from "../../../../support/player/create-token.ts";
import {
  startPlayer,
  type RunningPlayer,
} from "../../../../support/player/start-player.ts";

type Headers = Readonly<Record<string, string>>;

const manager: Headers = { "X-Vitrine-Manager": "1" };

interface OpenPlayer extends RunningPlayer {
  readonly token: string;
  readonly origin: string;
  call(
    method: string,
    path: string,
    headers?: Headers,
    body?: object,
  ): Promise<RawAnswer>;
  /** Returns the cookie for later requests. */
  signIn(headers?: Headers): Promise<Headers>;
}

/** Listening on every address of this machine, with requests over loopback. */
async function startOpenPlayer(): Promise<OpenPlayer> {
  const dataDir = await temporaryFolder();
  const token = makeToken(dataDir);
  const running = await startPlayer({ dataDir, apiHost: "0.0.0.0" });
  const { port } = new URL(running.player.apiAddress);
  const origin = `http://127.0.0.1:${port}`;
  const call: OpenPlayer["call"] = (method, path, headers = {}, body) =>
    rawRequest(`${origin}/api/v2${path}`, {
      method,
      headers: {
        ...headers,
        ...(body && { "Content-Type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const signIn: OpenPlayer["signIn"] = async (headers = {}) => {
    const answer = await call(
      ...(["POST", "/session", { ...manager, ...headers }] as const),
      { token },
    );
    expect(answer.status).toBe(200);
    return { Cookie: cookieOf(answer).split(";")[0] ?? "" };
  };
  return { ...running, token, origin, call, signIn };
}

function cookieOf({ headers }: RawAnswer): string {
  return [headers["set-cookie"]].flat().join();
}

describe("a sign-in", () => {
  it("[V2-772] is required where a token is, and is stated without one", async () => {
    const { call, token } = await startOpenPlayer();
    const state = async (headers: Headers = {}) =>
      (await call("GET", "/session", headers)).body as unknown;
    const signedOut = { is_signed_in: false, is_phone: false };
    expect(await state()).toEqual({ is_required: true, ...signedOut });
    const { status, body, headers } = await call(
      ...(["POST", "/session", manager, { token: `${token}x` }] as const),
    );
    expect([status, body]).toEqual([
      401,
      { detail: "This access token is not valid." },
    ]);
    expect(headers["set-cookie"]).toBeUndefined();
    const { request } = await startPlayer();
    expect(await (await request("/session")).json()).toEqual({
      ...{ is_required: false, ...signedOut },
    });
  });

  it("[V2-62][V2-772] shares the limit of wrong tokens with every other request", async () => {
    const { call, signIn } = await startOpenPlayer();
    const attempt = (headers: Headers) =>
      call("POST", "/session", { ...manager, ...headers }, { token: "wrong" });
    for (let count = 0; count < 10; count += 1) {
      expect((await attempt({})).status).toBe(401);
      await call("GET", "/assets", { Authorization: "Bearer wrong" });
    }
    const { status, headers } = await attempt({});
    expect(status).toBe(429);
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    await signIn();
  });

  it("[V2-773] gives a cookie of its own that no script reads and no other site sends", async () => {
    const { call, token, signIn } = await startOpenPlayer();
    const answer = await call("POST", "/session", manager, { token });
    expect(cookieOf(answer)).toMatch(
      /^vitrine_session_\d+=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.headers["cache-control"]).toBe("no-store");
    // A cookie that somebody else put there is never the session.
    const name = cookieOf(answer).split("=")[0] ?? "";
    const planted = { Cookie: `${name}=${"A".repeat(43)}` };
    expect((await call("GET", "/assets", planted)).status).toBe(401);
    const first = await signIn(planted);
    expect(first).not.toEqual(planted);
    const second = await signIn(first);
    expect((await call("GET", "/assets", first)).status).toBe(401);
    expect((await call("GET", "/assets", second)).status).toBe(200);
  });

  it("[V2-773] counts only without other credentials, and for the manager's own origin", async () => {
    const { call, signIn, origin } = await startOpenPlayer();
    const cookie = await signIn();
    const get = async (headers: Headers) =>
      (await call("GET", "/assets", { ...cookie, ...headers })).status;
    expect(await get({ Origin: origin })).toBe(200);
    expect(await get({ Authorization: "Bearer wrong" })).toBe(401);
    expect(await get({ Origin: "http://elsewhere.example" })).toBe(403);
    const cors_origins = "https://listed.example";
    await call(
      ...(["PATCH", "/device_settings", { ...cookie, ...manager }] as const),
      { cors_origins },
    );
    expect(await get({ Origin: cors_origins })).toBe(401);
  });

  it("[V2-774] ends with its token, by signing out, and everywhere, its event streams too", async () => {
    const { call, signIn, token, origin, clock } = await startOpenPlayer();
    const isIn = async (cookie: Headers) =>
      (await call("GET", "/assets", cookie)).status === 200;
    const cookies = [await signIn(), await signIn(), await signIn()] as const;
    const [first, second, third] = cookies;
    const own = { ...first, ...manager };
    const out = await call("DELETE", "/session", own);
    expect([out.status, cookieOf(out)]).toEqual([
      204,
      expect.stringMatching(
        /^vitrine_session_\d+=; Path=\/; Max-Age=0; HttpOnly; SameSite=Strict$/,
      ),
    ]);
    expect(await Promise.all(cookies.map(isIn))).toEqual([false, true, true]);
    await call("DELETE", "/sessions", { ...second, ...manager });
    expect([await isIn(second), await isIn(third)]).toEqual([false, false]);

    const fourth = await signIn();
    const bearer = { Authorization: `Bearer ${token}` };
    const other = await call("POST", "/tokens", bearer, { name: "other" });
    const listed = (await call("GET", "/tokens", bearer)).body as readonly {
      readonly id: string;
      readonly name: string;
    }[];
    const id = listed.find(({ name }) => name === "test")?.id ?? "";
    const stream = await readEvents(
      fetch(`${origin}/api/v2/events`, { headers: fourth }),
    );
    expect(
      (
        await call("DELETE", `/tokens/${id}`, {
          Authorization: `Bearer ${other.body.token as string}`,
        })
      ).status,
    ).toBe(204);
    expect(await isIn(fourth)).toBe(false);
    await clock.advance(15_000);
    while ((await stream.next()) !== null);
  });

  it("[V2-775] needs the manager's header for everything that changes something", async () => {
    const { call, signIn, token } = await startOpenPlayer();
    const cookie = await signIn();
    const name = { name: "forged" };
    expect((await call("POST", "/tokens", cookie, name)).status).toBe(403);
    expect((await call("DELETE", "/session", cookie)).status).toBe(403);
    expect((await call("POST", "/session", {}, { token })).status).toBe(403);
    // A browser sends such a GET for an image of any page.
    const browser = { ...cookie, "User-Agent": "Mozilla/5.0" };
    const next = "/assets/control/next";
    expect((await call("GET", next, browser)).status).toBe(403);
    expect((await call("GET", "/assets", browser)).status).toBe(200);
    expect(
      (await call("POST", "/tokens", { ...cookie, ...manager }, name)).status,
    ).toBe(201);
  });

  it("[V2-777] challenges the manager without the dialog of a browser", async () => {
    const { call } = await startOpenPlayer();
    const challenge = async (headers: Headers) =>
      (await call("GET", "/assets", headers)).headers["www-authenticate"];
    expect(await challenge({})).toContain("Basic");
    expect(await challenge(manager)).toBe("Bearer");
    // Its event stream and its images have neither the header nor, after a sign-out, a cookie.
    const agent = { "User-Agent": "Mozilla/5.0" };
    expect(await challenge({ ...agent, Accept: "text/event-stream" })).toBe(
      "Bearer",
    );
    expect(await challenge({ ...agent, Accept: "text/html" })).toContain(
      "Basic",
    );
  });

  it("[V2-771] serves an uploaded SVG so that nothing in it runs", async () => {
    const { add, request } = await startPlayer();
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/><script>fetch("/api/v2/tokens")</script></svg>`;
    const { stored } = await add({}, Buffer.from(svg));
    const answer = await request(`/files/${stored.file?.sha256}`);
    expect(answer.headers.get("content-security-policy")).toBe(
      "default-src 'none'; sandbox",
    );
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    await answer.body?.cancel();
    const named = await request("/assets/%3Cscript%3E");
    expect(named.headers.get("x-content-type-options")).toBe("nosniff");
    expect(named.headers.get("content-type")).toContain("application/json");
  });
});

describe("the password", () => {
  const password = "a password of the lobby";
  const bearer = (token: string): Headers => ({
    Authorization: `Bearer ${token}`,
  });

  async function startWithPassword() {
    const open = await startOpenPlayer();
    const set = (next: unknown, headers: Headers = bearer(open.token)) =>
      open.call("PUT", "/password", headers, { password: next });
    const signInBy = (body: object) =>
      open.call("POST", "/session", manager, body);
    return { ...open, set, signInBy };
  }

  it("[V2-779] is in no response, log or backup, and neither is its hash", async () => {
    const dir = await temporaryFolder();
    const log = createLog({ dir, toStandardOutput: false });
    const running = await startPlayer({ log });
    const { request, send, player } = running;
    const answers: unknown[] = [];
    for (const [method, body] of [
      ["PUT", { password: ` ${password} ` }],
      ["PUT", { password: "the short" }],
      ["PUT", { password: true }],
      ["PUT", {}],
      ["GET", undefined],
    ] as const) {
      const answer = await send(method, "/password", body);
      answers.push(answer.body);
    }
    expect(answers).toEqual([
      { is_set: true, changed: "2026-01-01T00:00:00Z" },
      { password: ["password must have 10 to 200 characters"] },
      { password: ["password must be text; got true"] },
      { password: ["password is required"] },
      { is_set: true, changed: "2026-01-01T00:00:00Z" },
    ]);
    const archive = await request("/backup?stream=1", { method: "POST" });
    const unpacked = gunzipSync(await archive.arrayBuffer());
    const bundle = gunzipSync(await player.supportBundle([]));
    await player.stop();
    const stored = await readFile(path.join(running.dataDir, "vitrine.db"));
    expect(stored.includes("$scrypt$")).toBe(true);
    const logged = await Promise.all(
      (await readdir(dir)).map((name) => readFile(path.join(dir, name))),
    );
    expect(Buffer.concat(logged).includes("/api/v2/password")).toBe(true);
    for (const bytes of [unpacked, bundle, ...logged])
      for (const secret of [password, "$scrypt$", "the short"])
        expect(bytes.includes(secret)).toBe(false);
  });

  it("[V2-780] signs a browser in, as a token does in its place, and is nothing else", async () => {
    const { call, set, signInBy, token } = await startWithPassword();
    const unset = await signInBy({ password });
    expect(unset.status).toBe(401);
    expect((await set(password)).status).toBe(200);
    const wrong = await signInBy({ password: `${password}s` });
    expect([wrong.status, wrong.body]).toEqual([unset.status, unset.body]);
    expect(wrong.headers["set-cookie"]).toBeUndefined();
    const right = await signInBy({ password: `${password}\n` });
    const cookie = { Cookie: cookieOf(right).split(";")[0] ?? "" };
    expect((await call("GET", "/assets", cookie)).status).toBe(200);
    expect((await signInBy({ password: token })).status).toBe(200);
    expect((await signInBy({ token: password })).status).toBe(401);
    expect((await signInBy({})).body).toEqual({
      password: ["password, token or phone_code is required"],
    });
    const basic = Buffer.from(`x:${password}`).toString("base64");
    for (const Authorization of [`Bearer ${password}`, `Basic ${basic}`])
      expect((await call("GET", "/assets", { Authorization })).status).toBe(
        401,
      );
  });

  it("[V2-780] is not compared any more after 20 wrong attempts, however many are sent at once", async () => {
    const { call, set, signInBy, token } = await startWithPassword();
    await set(password);
    for (let count = 0; count < 18; count += 1)
      await call("GET", "/assets", bearer("wrong"));
    const attempts = [1, 2, 3].map(() => signInBy({ password: "wrong" }));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([401, 401, 429]);
    const right = await signInBy({ password });
    expect(right.status).toBe(429);
    expect(Number(right.headers["retry-after"])).toBeGreaterThan(0);
    expect((await signInBy({ password: token })).status).toBe(200);
  });

  it("[V2-781] signs out every browser but the one that changed it", async () => {
    const { call, set, signIn, signInBy } = await startWithPassword();
    const isIn = async (cookie: Headers) =>
      (await call("GET", "/assets", cookie)).status === 200;
    const [own, other] = [await signIn(), await signIn()];
    expect((await set(password, { ...own, ...manager })).status).toBe(200);
    expect([await isIn(own), await isIn(other)]).toEqual([true, false]);
    const answer = await signInBy({ password });
    const byPassword = { Cookie: cookieOf(answer).split(";")[0] ?? "" };
    const change = { ...byPassword, ...manager };
    expect((await set(`${password}!`, change)).status).toBe(200);
    expect([await isIn(byPassword), await isIn(own)]).toEqual([true, false]);
    expect((await call("DELETE", "/password", change)).status).toBe(204);
    expect(await isIn(byPassword)).toBe(false);
  });

  it("[V2-60][V2-781][V2-783] suffices to listen on the network, where the last means to sign in stays", async () => {
    const dataDir = await temporaryFolder();
    const file = path.join(dataDir, "provision.json");
    await writeFile(file, JSON.stringify({ password }));
    const { player } = await startPlayer({ dataDir, apiHost: "0.0.0.0" });
    const { port } = new URL(player.apiAddress);
    const call = (
      ...[method, target, headers, body]: [string, string, Headers, object?]
    ) =>
      rawRequest(`http://127.0.0.1:${port}/api/v2${target}`, {
        method,
        headers: {
          ...{ ...headers, ...manager },
          "Content-Type": "application/json",
        },
        ...(body && { body: JSON.stringify(body) }),
      });
    const answer = await call("POST", "/session", {}, { password });
    const cookie = { Cookie: cookieOf(answer).split(";")[0] ?? "" };
    const remove = () => call("DELETE", "/password", cookie);
    expect((await remove()).status).toBe(409);
    const { body } = await call("POST", "/tokens", cookie, { name: "one" });
    const revoke = () => call("DELETE", `/tokens/${body.id as string}`, cookie);
    expect((await revoke()).status).toBe(204);
    await call("POST", "/tokens", cookie, { name: "two" });
    expect((await remove()).status).toBe(204);
  });
});
