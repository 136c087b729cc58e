// Sign-in of phones by the code on the idle screen: what it needs, how long it lasts, and what such a phone can't change.

import { describe, expect, it } from "vitest";
import { networkAddresses } from "../../../../../server/platform/http/machine-addresses.ts";
import { rawRequest } from "../../../../support/http/raw-request.ts";
import { temporaryFolder } from "../../../../support/folder.ts";
import { makeToken } from "../../../../support/player/create-token.ts";
import { startPlayer } from "../../../../support/player/start-player.ts";

type Headers = Readonly<Record<string, string>>;

const manager: Headers = { "X-Vitrine-Manager": "1" };
const hourMs = 3_600_000;

async function startWithPhones() {
  const dataDir = await temporaryFolder();
  const bearer = { Authorization: `Bearer ${makeToken(dataDir)}` };
  const running = await startPlayer({ dataDir, apiHost: "0.0.0.0" });
  const { stage, clock } = running;
  const { port } = new URL(running.player.apiAddress);
  const origin = `http://127.0.0.1:${port}`;
  const call = (
    method: string,
    path: string,
    headers: Headers = {},
    body?: object,
  ) =>
    rawRequest(`${origin}/api/v2${path}`, {
      method,
      headers: { ...headers, "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  const allow = async (allow_phones: boolean): Promise<void> => {
    const { status } = await call("PATCH", "/device_settings", bearer, {
      allow_phones,
    });
    expect(status).toBe(200);
  };
  /** Where the QR code on the screen leads. */
  const address = async (): Promise<string> => {
    await clock.advance(1000);
    const content = stage.visible()?.content;
    return content?.kind === "card"
      ? (content.idleScreen.codeAddress ?? "")
      : "";
  };
  const code = async (): Promise<string> =>
    (await address()).split("#/phone/")[1] ?? "";
  const signInBy = (body: object, headers: Headers = manager) =>
    call("POST", "/session", headers, body);
  const signIn = async (): Promise<Headers> => {
    const { headers } = await signInBy({ phone_code: await code() });
    const [cookie = ""] = String(headers["set-cookie"]).split(";");
    return { ...manager, Cookie: cookie };
  };
  return {
    ...{ clock, origin, bearer, call, allow, address, code },
    ...{ signInBy, signIn },
  };
}

/** Without a network there is no address that a phone could open. */
describe.skipIf(networkAddresses().length === 0)("a phone", () => {
  it("[V2-784] gets no code before phones are allowed", async () => {
    const { address, allow, signInBy } = await startWithPhones();
    expect(await address()).toMatch(/^http:\/\/[^#]+:\d+$/);
    const wrong = { phone_code: "AAAAAAAAAAAAAAAAAAAAAA" };
    expect((await signInBy(wrong)).status).toBe(401);
    await allow(true);
    expect(await address()).toMatch(/^http:\/\/[^#]+\/#\/phone\/[\w-]{22}$/);
  });

  it("[V2-785] signs one phone in for a day by a code that opening its address leaves as it is", async () => {
    const { clock, origin, bearer, call, allow, code, signInBy } =
      await startWithPhones();
    await allow(true);
    const first = await code();
    for (const path of [
      "/",
      `/?code=${first}`,
      `/api/v2/session?code=${first}`,
    ])
      await rawRequest(`${origin}${path}`, {
        headers: { Accept: "text/html" },
      });
    // A page of another site can't use it.
    expect((await signInBy({ phone_code: first }, {})).status).toBe(403);
    const answer = await signInBy({ phone_code: first });
    expect([answer.status, answer.body]).toEqual([
      200,
      { is_required: true, is_signed_in: true, is_phone: true },
    ]);
    const [cookie = "", ...attributes] = String(
      answer.headers["set-cookie"],
    ).split("; ");
    expect(attributes).toContain("Max-Age=86400");
    const again = await signInBy({ phone_code: first });
    expect([again.status, again.body]).toEqual([
      401,
      { detail: "This code has already been used or has expired." },
    ]);
    // Another one is on the screen already.
    expect(await code()).not.toBe(first);
    const isIn = async () =>
      (await call("GET", "/assets", { Cookie: cookie })).status === 200;
    await clock.advance(23 * hourMs);
    expect(await isIn()).toBe(true);
    await clock.advance(hourMs);
    expect(await isIn()).toBe(false);
    const activity = await call("GET", "/activity?kind=access", bearer);
    const entries = activity.body as readonly { readonly action: string }[];
    expect(entries.map(({ action }) => action)).toEqual([
      ...["denied", "phone-signed-in"],
    ]);
    expect(JSON.stringify(entries)).not.toContain(first);
  });

  it("[V2-785] counts wrong codes with wrong tokens, which the right one outlasts", async () => {
    const { call, allow, code, signInBy } = await startWithPhones();
    await allow(true);
    for (let count = 0; count < 20; count += 1)
      await call("GET", "/assets", { Authorization: "Bearer wrong" });
    expect((await signInBy({ phone_code: "wrong" })).status).toBe(429);
    expect((await signInBy({ phone_code: await code() })).status).toBe(200);
  });

  it("[V2-785][V2-786][V2-792] manages content, but not who has access, and is signed out with the setting", async () => {
    const { bearer, call, allow, signIn } = await startWithPhones();
    await allow(true);
    const phone = await signIn();
    const change = (body: object) =>
      call("PATCH", "/device_settings", phone, body);
    expect((await change({ volume: 40, allow_phones: true })).status).toBe(200);
    const log = await call("GET", "/activity?actor=phone", bearer);
    expect(log.body).toMatchObject([
      { name: "volume", actor: { kind: "phone", address: "127.0.0.1" } },
    ]);
    const [{ id }] = (await call("GET", "/tokens", bearer)).body as [
      { readonly id: string },
    ];
    const password = { password: "a way to stay" };
    const refused = await Promise.all([
      call("POST", "/tokens", phone, { name: "mine" }),
      call("DELETE", `/tokens/${id}`, phone),
      call("PUT", "/password", phone, password),
      call("DELETE", "/password", phone),
      call("DELETE", "/sessions", phone),
      call("POST", "/recover", phone),
      call("POST", "/backups/any/recover", phone),
      change({ cors_origins: "https://a.example" }),
      change({ api_token_required: true }),
      change({ volume: 10, allow_phones: false }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
    const state = async () => (await call("GET", "/session", phone)).body;
    expect(await state()).toMatchObject({ is_signed_in: true, is_phone: true });
    await allow(false);
    await allow(true);
    expect(await state()).toMatchObject({ is_signed_in: false });
  });
});
