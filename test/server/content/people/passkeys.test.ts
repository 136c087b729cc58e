// Passkeys of people over HTTP, with a device in software: adding, signing in, what is refused, and what a reset takes away.

import { expect, it } from "vitest";
import {
  passkeyOptionsV3,
  passkeyV3,
} from "../../../../server/contract/v3/v3-passkeys.ts";
import {
  invitedV3,
  signedInV3,
  signInMethodsV3,
} from "../../../../server/contract/v3/v3-people.ts";
import { passkeySite } from "../../../../server/content/people/passkeys/passkey-site.ts";
import { entriesOf } from "../../../support/content/activity.ts";
import {
  createAuthenticator,
  type Authenticator,
  type Dishonesty,
} from "../../../support/content/authenticator.ts";
import { eachV3, type ClientV3 } from "../../../support/content/each-v3.ts";

const password = "correct horse battery";
const options = "/account/passkeys/options/";

/** With cookies, at the name of this machine. */
function createBrowser({ address }: { readonly address: string }) {
  const origin = address.replace("127.0.0.1", "localhost");
  const cookies = new Map<string, string>();
  return {
    ...{ origin, cookies },
    call: async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${origin}/api/v3${path}`, {
        method,
        headers: {
          ...{ "X-Vitrine-Manager": "1", "Content-Type": "application/json" },
          Cookie: [...cookies].map((one) => one.join("=")).join("; "),
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split("=");
        if (value === "") cookies.delete(name);
        else cookies.set(name, value);
      }
      const text = await response.text();
      const json: any = /^[[{]/.test(text) ? JSON.parse(text) : null;
      return { status: response.status, json, text };
    },
  };
}

type BrowserOfTest = ReturnType<typeof createBrowser>;

let people = 0;

async function personOf(admin: ClientV3, role = "editor") {
  const email = `key-${(people += 1)}@example.org`;
  const invited = await admin.make("/invitations/", { email, role });
  const secret = invitedV3.parse(invited).link.split("#invitation=")[1];
  const browser = createBrowser(admin);
  const accepted = await browser.call("POST", "/invitations/accept/", {
    ...{ secret, password, name: "Ada" },
  });
  const { person } = signedInV3.parse(accepted.json);
  return { ...browser, email, id: person?.id ?? "" };
}

async function addPasskey(
  browser: BrowserOfTest,
  device: Authenticator,
  name = "Laptop",
  dishonesty: Dishonesty = {},
) {
  const begun = await browser.call("POST", options, { password });
  expect(begun.status, begun.text).toBe(201);
  const { options: given } = passkeyOptionsV3.parse(begun.json);
  const credential = device.create(given, dishonesty);
  return browser.call("POST", "/account/passkeys/", { name, credential });
}

async function signIn(
  browser: BrowserOfTest,
  device: Authenticator,
  dishonesty: Dishonesty = {},
) {
  const begun = await browser.call("POST", "/sign-in/passkey/options/");
  const { options: given } = passkeyOptionsV3.parse(begun.json);
  const credential = device.get(given, dishonesty);
  return {
    ...(await browser.call("POST", "/sign-in/passkey/", { credential })),
    credential,
  };
}

eachV3((service) => {
  it("[V3-211] [V3-212] [V3-213] a passkey is added after the password, signs in without password and code, and is removed", async () => {
    const admin = await service.client();
    const own = await personOf(admin);
    const device = createAuthenticator(own.origin);
    expect(
      (await own.call("POST", options, { password: "wrong" })).status,
    ).toBe(400);
    const added = await addPasskey(own, device);
    expect(added.status, added.text).toBe(201);
    expect(passkeyV3.parse(added.json)).toMatchObject({
      ...{ name: "Laptop", used_at: null },
    });
    const other = createBrowser(admin);
    const methods = await other.call("GET", "/sign-in/methods/");
    expect(signInMethodsV3.parse(methods.json).passkeys).toBe(true);
    const signedIn = await signIn(other, device);
    expect(signedIn.status, signedIn.text).toBe(200);
    expect(signedInV3.parse(signedIn.json).person?.email).toBe(own.email);
    expect((await other.call("GET", "/account/")).status).toBe(200);
    const listed = await other.call("GET", "/account/passkeys/");
    expect(listed.json).toMatchObject([{ id: added.json.id, name: "Laptop" }]);
    expect(listed.json[0].used_at).not.toBeNull();
    const path = `/account/passkeys/${added.json.id}/`;
    expect((await other.call("DELETE", path)).status).toBe(200);
    expect((await other.call("DELETE", path)).status).toBe(404);
    expect((await signIn(createBrowser(admin), device)).status).toBe(401);
    const entries = await entriesOf(admin, `?resource=${own.id}`);
    const passkeys = entries.flatMap(({ changes }) =>
      changes.filter(({ field }) => field === "passkey"),
    );
    expect(passkeys).toEqual([
      { field: "passkey", before: "Laptop", after: null },
      { field: "passkey", before: null, after: "Laptop" },
    ]);
  });

  it("[V3-213] what isn't the device's own answer to this browser, now, is refused, and noted for the person", async () => {
    const admin = await service.client();
    const own = await personOf(admin);
    const device = createAuthenticator(own.origin);
    device.counter = 5;
    expect((await addPasskey(own, device)).status).toBe(201);
    const refused = async (
      dishonesty: Dishonesty,
      of = device,
      browser = createBrowser(admin),
    ): Promise<void> => {
      const answer = await signIn(browser, of, dishonesty);
      expect([answer.status, JSON.stringify(dishonesty)]).toEqual([
        ...[401, JSON.stringify(dishonesty)],
      ]);
      expect(browser.cookies.size).toBeLessThan(2);
    };
    device.counter = 6;
    await refused({ origin: "https://example.org" });
    await refused({ rpId: "example.org" });
    await refused({ challenge: "c29tZXRoaW5nIGVsc2U" });
    await refused({ type: "webauthn.create" });
    await refused({ isUnverified: true });
    await refused({ isForged: true });
    await refused({}, createAuthenticator(own.origin));
    // A copy of the device, behind its counter.
    device.counter = 5;
    await refused({});
    device.counter = 6;
    const browser = createBrowser(admin);
    const first = await signIn(browser, device);
    expect(first.status).toBe(200);
    // Once: neither the same answer again, nor with what another browser has begun.
    const again = { credential: first.credential };
    const path = "/sign-in/passkey/";
    expect((await browser.call("POST", path, again)).status).toBe(401);
    await browser.call("POST", "/sign-in/passkey/options/");
    expect((await browser.call("POST", path, again)).status).toBe(401);
    const entries = await entriesOf(admin, `?resource=${own.id}`);
    const failed = entries.filter(({ what }) => what === "sign-in-failed");
    expect(failed.reduce((sum, { count }) => sum + count, 0)).toBe(8);
  });

  it.each([
    { origin: "https://example.org" },
    { rpId: "example.org" },
    { challenge: "c29tZXRoaW5nIGVsc2U" },
    { type: "webauthn.get" },
    { isUnverified: true },
  ])(
    "[V3-212] a passkey that is added with %j is refused with its field",
    async (dishonesty) => {
      const own = await personOf(await service.client());
      const device = createAuthenticator(own.origin);
      const answer = await addPasskey(own, device, "Laptop", dishonesty);
      expect(answer.status, answer.text).toBe(400);
      expect(Object.keys(answer.json)).toContain("credential");
      expect((await own.call("GET", "/account/passkeys/")).json).toEqual([]);
    },
  );

  it("[V3-211] [V3-212] bad input is 400 under its name, one that another has is 409, and what one browser has begun no other ends", async () => {
    const admin = await service.client();
    const own = await personOf(admin);
    const other = await personOf(admin);
    const device = createAuthenticator(own.origin);
    for (const credential of [
      ...[undefined, null, "text", [], {}, { id: "a" }],
      { ...device.create({ challenge: "" }), id: "with space" },
      { ...device.create({ challenge: "" }), response: null },
      { ...device.create({ challenge: "" }), type: "password" },
    ]) {
      const body = { name: "Laptop", credential };
      const answer = await own.call("POST", "/account/passkeys/", body);
      expect(answer.status, answer.text).toBe(400);
      expect(Object.keys(answer.json)).toContain("credential");
      const signing = { credential };
      expect(
        (await own.call("POST", "/sign-in/passkey/", signing)).status,
      ).toBe(400);
    }
    // A challenge of another person in the same browser.
    const begun = await own.call("POST", options, { password });
    for (const [name, value] of own.cookies)
      if (name.includes("passkey")) other.cookies.set(name, value);
    const credential = device.create(begun.json.options);
    const body = { name: "Laptop", credential };
    expect((await other.call("POST", "/account/passkeys/", body)).status).toBe(
      400,
    );
    expect((await own.call("POST", "/account/passkeys/", body)).status).toBe(
      400,
    );
    expect((await addPasskey(own, device)).status).toBe(201);
    expect((await addPasskey(other, device)).status).toBe(409);
    expect((await addPasskey(own, device, " ")).status).toBe(400);
    expect((await admin.call("GET", "/account/passkeys/")).status).toBe(404);
  });

  it("[V3-211] a person can have twenty", async () => {
    const own = await personOf(await service.client());
    for (let added = 0; added < 20; added += 1) {
      const device = createAuthenticator(own.origin);
      expect((await addPasskey(own, device)).status).toBe(201);
    }
    expect((await own.call("POST", options, { password })).status).toBe(409);
  });

  it("[V3-211] of several that are added at once, no more than twenty stay", async () => {
    const own = await personOf(await service.client());
    for (let added = 0; added < 18; added += 1)
      await addPasskey(own, createAuthenticator(own.origin));
    const begun = [];
    for (let place = 0; place < 6; place += 1) {
      const { json } = await own.call("POST", options, { password });
      begun.push({ json, cookies: new Map(own.cookies) });
    }
    const answers = await Promise.all(
      begun.map(({ json, cookies }) => {
        const browser = createBrowser({ address: own.origin });
        for (const [name, value] of cookies) browser.cookies.set(name, value);
        const device = createAuthenticator(own.origin);
        return browser.call("POST", "/account/passkeys/", {
          ...{ name: "Laptop", credential: device.create(json.options) },
        });
      }),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, 201, 409, 409, 409, 409]);
  });

  it("[V3-213] [V3-214] a person who is disabled gets in by no passkey; a new password keeps them, and a reset removes them", async () => {
    const admin = await service.client();
    const own = await personOf(admin);
    const device = createAuthenticator(own.origin);
    await addPasskey(own, device);
    const status = async (): Promise<number> =>
      (await signIn(createBrowser(admin), device)).status;
    const changed = await own.call("PATCH", "/account/", {
      ...{ password: "staple the other horse", current_password: password },
    });
    expect(changed.status).toBe(200);
    expect(await status()).toBe(200);
    const path = `/people/${own.id}/`;
    await admin.call("PATCH", path, { is_disabled: true });
    expect(await status()).toBe(401);
    await admin.call("PATCH", path, { is_disabled: false });
    expect(await status()).toBe(200);
    await admin.make(`${path}reset/`, {});
    expect(await status()).toBe(401);
  });

  it("[V3-212] at an IP address there are none, and the response says so", async () => {
    const admin = await service.client();
    const answer = await fetch(
      `${admin.address}/api/v3/sign-in/passkey/options/`,
      { method: "POST", headers: { "X-Vitrine-Manager": "1" } },
    );
    expect(answer.status).toBe(409);
    const methods = await fetch(`${admin.address}/api/v3/sign-in/methods/`);
    expect(signInMethodsV3.parse(await methods.json()).passkeys).toBe(false);
  });
});

it.each([
  ["https://signage.example.org", "signage.example.org"],
  ["https://signage.example.org:8443", "signage.example.org"],
  ["http://localhost:8090", "localhost"],
  ["http://vitrine.localhost:8090", "vitrine.localhost"],
  ["http://signage.example.org", null],
  ["https://192.168.1.20", null],
  ["https://[::1]:8443", null],
  ["http://127.0.0.1:8090", null],
])("[V3-212] at %s, passkeys belong to %s", (base, id) => {
  expect(passkeySite(base)?.id ?? null).toBe(id);
});

it("[V3-212] without an address of its own that it can trust, a service has none", () => {
  expect(passkeySite(null)).toBeNull();
});
