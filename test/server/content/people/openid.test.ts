// Signing in with OpenID Connect: the real service and a real provider on loopback, and a provider that is slow, broken or hostile.

import fs from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { waitDeadlineMs } from "../../../../build/vitest/wait-deadline.ts";
import {
  openidAddressV3,
  signInMethodsV3,
} from "../../../../server/contract/v3/v3-people.ts";
import { readContentConfig } from "../../../../server/content/config.ts";
import {
  readRolesOfClaims,
  roleByClaims,
} from "../../../../server/content/people/openid/roles-of-claims.ts";
import { createLog } from "../../../../server/platform/log.ts";
import { entriesOf } from "../../../support/content/activity.ts";
import { eachContent } from "../../../support/content/each-content.ts";
import { clientV3 } from "../../../support/content/each-v3.ts";
import {
  openidClient,
  startOpenidProvider,
  type OpenidProviderOfTest,
} from "../../../support/content/openid-provider.ts";
import {
  contentKey,
  type StartedContent,
} from "../../../support/content/start-content.ts";
import { temporaryFolder } from "../../../support/folder.ts";

const email = "ada@example.org";
const password = "correct horse battery";
const marked = { "X-Vitrine-Manager": "1" };
const callbackPath = "/api/v3/sign-in/openid/callback";

interface Begun {
  readonly status: number;
  readonly text: string;
  readonly address: string;
  readonly cookie: string;
}

const cookiesOf = (response: Response): readonly string[] =>
  response.headers.getSetCookie().map((one) => one.split(";")[0] ?? "");

async function begin(
  { address }: Pick<StartedContent, "address">,
  headers: Readonly<Record<string, string>> = marked,
): Promise<Begun> {
  const response = await fetch(`${address}/api/v3/sign-in/openid/`, {
    ...{ method: "POST", headers },
  });
  const text = await response.text();
  return {
    ...{ status: response.status, text },
    address: response.ok ? openidAddressV3.parse(JSON.parse(text)).address : "",
    cookie: cookiesOf(response)[0] ?? "",
  };
}

/** As the provider, another site, sends a browser back. */
const comeBack = (to: string, cookie: string) =>
  fetch(to, {
    redirect: "manual",
    headers: {
      ...{ Cookie: cookie, "Sec-Fetch-Site": "cross-site" },
      ...{ "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate" },
    },
  });

const locationOf = (response: Response): string =>
  response.headers.get("location") ?? "";

async function signInWith(
  content: StartedContent,
  provider: OpenidProviderOfTest,
): Promise<Response> {
  const { address, cookie } = await begin(content);
  return comeBack(await provider.signIn(address), cookie);
}

/** Of the session that a response begins, as the service knows its person. */
async function personOf(content: StartedContent, response: Response) {
  const cookie = cookiesOf(response).find((one) => one.includes("_session_"));
  const answer = await fetch(`${content.address}/api/v3/sign-in/`, {
    headers: { Cookie: cookie ?? "" },
  });
  const { person } = (await answer.json()) as { person: any };
  return person;
}

const withPassword = (
  { address }: Pick<StartedContent, "address">,
  of: string,
  secret = password,
) =>
  fetch(`${address}/api/v3/sign-in/`, {
    method: "POST",
    headers: { ...marked, "Content-Type": "application/json" },
    body: JSON.stringify({ email: of, password: secret }),
  });

async function addPerson(content: StartedContent, of: string): Promise<string> {
  const { people, keys } = content;
  const { secret } = await people.invite(await keys.teamNamed("Vitrine"), {
    ...{ email: of, role: "admin", labels: null },
  });
  const { id } = await people.accept({
    ...{ secret, name: "Ada", email: undefined, password },
  });
  return id;
}

eachContent(({ start }) => {
  async function startWithProvider(
    options: Parameters<typeof start>[0] = {},
    claimsInToken = false,
  ) {
    const provider = await startOpenidProvider(claimsInToken);
    const content = await start({
      ...{ oidcIssuer: provider.issuer, oidcClientId: openidClient.id },
      ...{ oidcClientSecret: openidClient.secret, oidcLabel: "Example Ltd" },
      openidTimeoutMs: waitDeadlineMs,
      ...options,
    });
    provider.setRedirectUri(content.address + callbackPath);
    const client = clientV3(content.address, contentKey);
    return { provider, content, client };
  }

  it("[V3-203] [V3-206] [V3-207] [V3-208] [V3-209] a person signs in by the address that the provider has verified, in a new session, and nothing secret is logged or stored", async () => {
    const dir = await temporaryFolder();
    const log = createLog({ dir, toStandardOutput: false });
    const { provider, content, client } = await startWithProvider({ log });
    const id = await addPerson(content, email);
    const methods = await fetch(`${content.address}/api/v3/sign-in/methods/`);
    expect(signInMethodsV3.parse(await methods.json()).openid).toEqual({
      label: "Example Ltd",
    });
    provider.account = {
      ...{ sub: "1", email: email.toUpperCase(), email_verified: true },
    };
    expect((await begin(content, {})).status).toBe(403);
    const begun = await begin(content);
    expect(begun.status, begun.text).toBe(200);
    const address = new URL(begun.address);
    expect(address.origin).toBe(provider.issuer);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      ...{ response_type: "code", code_challenge_method: "S256" },
      redirect_uri: content.address + callbackPath,
      scope: "openid email profile",
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const back = await provider.signIn(begun.address);
    expect(back).toMatch(content.address + callbackPath);
    // The earlier session of this browser does not continue.
    const before = await withPassword(content, email);
    expect(before.status).toBe(200);
    const [old = ""] = cookiesOf(before);
    const response = await comeBack(back, `${begun.cookie}; ${old}`);
    expect([response.status, locationOf(response)]).toEqual([
      303,
      `${content.address}/`,
    ]);
    const set = response.headers.getSetCookie();
    expect(set).toHaveLength(2);
    expect(set[0]).toMatch(/^vitrine_content_openid_\d+=; .*Max-Age=0;/);
    expect(set[1]).toMatch(
      /^vitrine_content_session_\d+=[\w-]{43}; .*HttpOnly; SameSite=Strict$/,
    );
    expect(await personOf(content, response)).toMatchObject({ id, email });
    const ended = await fetch(`${content.address}/api/v3/sign-in/`, {
      headers: { Cookie: old },
    });
    expect(await ended.json()).toEqual({ person: null });
    const [entry] = await entriesOf(client, `?resource=${id}`);
    expect(["signed-in", "signed-out"]).toContain(entry?.what);

    // Once: neither the cookie nor the code begins another session.
    const again = await comeBack(back, begun.cookie);
    expect(locationOf(again)).toBe(
      `${content.address}/#sign-in-failed=expired`,
    );
    await content.stop();
    await log.close();
    const lines = await Promise.all(
      (await fs.readdir(dir)).map((name) =>
        fs.readFile(path.join(dir, name), "utf8"),
      ),
    );
    const logged = lines.join("\n");
    expect(logged).toContain("access.signed-in");
    const query = new URL(back).searchParams;
    for (const hidden of [
      ...[openidClient.secret, email, begun.cookie.split("=")[1] ?? ""],
      ...[query.get("code") ?? "", query.get("state") ?? ""],
    ])
      expect(logged).not.toContain(hidden);
  });

  it("[V3-208] a response is refused in another browser, with another state, or after the person was not let in, and always leads to the service", async () => {
    const { provider, content } = await startWithProvider();
    await addPerson(content, email);
    provider.account = { sub: "1", email, email_verified: true };
    const outcome = async (to: string, cookie: string): Promise<string> => {
      const response = await comeBack(to, cookie);
      expect(response.status).toBe(303);
      expect(await personOf(content, response)).toBeNull();
      return locationOf(response);
    };
    const failed = (reason: string) =>
      `${content.address}/#sign-in-failed=${reason}`;
    const first = await begin(content);
    const back = await provider.signIn(first.address);
    expect(await outcome(back, "")).toBe(failed("expired"));
    const second = await begin(content);
    expect(await outcome(back, second.cookie)).toBe(failed("invalid"));
    const forged = new URL(back);
    forged.searchParams.set("code", "forged");
    expect(await outcome(forged.href, first.cookie)).toBe(failed("invalid"));
    provider.account = null;
    const third = await begin(content);
    expect(
      await outcome(
        `${await provider.signIn(third.address)}&to=https://evil.example`,
        third.cookie,
      ),
    ).toBe(failed("refused"));
    // No other path may be opened by another site.
    const other = await comeBack(`${content.address}/api/v3/sign-in/`, "");
    expect(other.status).toBe(403);
    const image = await fetch(content.address + callbackPath, {
      headers: { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image" },
    });
    expect(image.status).toBe(403);
  });

  it("[V3-209] only people who are there or invited come in, by a verified address; disabled and removed people stay out, and so does another account", async () => {
    const { provider, content, client } = await startWithProvider({}, true);
    const id = await addPerson(content, email);
    await addPerson(content, "grace@example.org");
    const outcomeFor = async (account: OpenidProviderOfTest["account"]) => {
      provider.account = account;
      const response = await signInWith(content, provider);
      const [, reason] = locationOf(response).split("#sign-in-failed=");
      return reason ?? (await personOf(content, response)).email;
    };
    const ada = { sub: "1", email, email_verified: true };
    expect(await outcomeFor({ ...ada, email_verified: false })).toBe(
      "unverified",
    );
    expect(await outcomeFor({ sub: "1", email })).toBe("unverified");
    expect(await outcomeFor({ ...ada, email: "eve@example.org" })).toBe(
      "unknown",
    );
    expect(await outcomeFor(ada)).toBe(email);
    // Known by the account from now on, whatever its address.
    expect(await outcomeFor({ ...ada, email: "lovelace@example.org" })).toBe(
      email,
    );
    expect(await outcomeFor({ ...ada, sub: "2" })).toBe("other-account");
    await client.call("POST", `/people/${id}/reset/`);
    expect(await outcomeFor({ ...ada, sub: "2" })).toBe(email);
    await client.call("PATCH", `/people/${id}/`, { is_disabled: true });
    expect(await outcomeFor({ ...ada, sub: "2" })).toBe("unknown");
    const entries = await entriesOf(client, `?resource=${id}`);
    expect(entries[0]?.what).toBe("sign-in-failed");
    await client.call("DELETE", `/people/${id}/`);
    expect(await outcomeFor({ ...ada, sub: "2" })).toBe("unknown");

    const bob = { sub: "9", email: "bob@example.org", email_verified: true };
    await client.make("/invitations/", { email: bob.email, role: "editor" });
    expect(await outcomeFor({ ...bob, name: "Bob" })).toBe(bob.email);
    expect(await client.get("/invitations/")).toEqual([]);
    const added = (await client.get("/people/")).find(
      (one: any) => one.email === bob.email,
    );
    expect(added).toMatchObject({
      ...{ role: "editor", name: "Bob", has_password: false },
    });
    expect(await entriesOf(client, `?resource=${added.id}`)).toContainEqual(
      expect.objectContaining({ what: "added", actor_id: added.id }),
    );
    expect(await outcomeFor(bob)).toBe(bob.email);
    // The password of nobody.
    for (const of of ["", "x".repeat(10)]) {
      const answer = await withPassword(content, bob.email, of);
      expect(answer.status).toBe(401);
    }
  });

  it("[V3-210] with roles for claims, people who are not invited come in with the most powerful one, once and for all", async () => {
    const { provider, content, client } = await startWithProvider({
      oidcRoles:
        readRolesOfClaims("groups=signage:viewer,groups=it:admin") ?? [],
    });
    const bob = { sub: "9", email: "bob@example.org", email_verified: true };
    provider.account = { ...bob, groups: ["sales"] };
    expect(locationOf(await signInWith(content, provider))).toMatch(
      /#sign-in-failed=unknown$/,
    );
    provider.account = { ...bob, groups: ["it", "signage"] };
    const response = await signInWith(content, provider);
    expect(await personOf(content, response)).toMatchObject({
      ...{ email: bob.email, name: bob.email, role: "admin" },
    });
    provider.account = { ...bob, groups: ["signage"] };
    expect(
      await personOf(content, await signInWith(content, provider)),
    ).toMatchObject({ role: "admin" });
    // The only administrator, without a password: nobody may take the role.
    const [{ id }] = await client.get("/people/");
    const demoted = await client.call("PATCH", `/people/${id}/`, {
      role: "viewer",
    });
    expect(demoted.status).toBe(409);
  });

  it("[V3-206] [V3-207] a provider that is gone, broken or hostile is 502, and everything else goes on", async () => {
    const { provider, content } = await startWithProvider();
    await addPerson(content, email);
    const metadata = {
      issuer: provider.issuer,
      authorization_endpoint: `${provider.issuer}/auth`,
      token_endpoint: `${provider.issuer}/token`,
      jwks_uri: `${provider.issuer}/jwks`,
      response_types_supported: ["code"],
    };
    const json = (body: unknown) => {
      provider.instead = (_request, response) => {
        response.setHeader("Content-Type", "application/json");
        response.end(JSON.stringify(body));
      };
    };
    const isRefused = async (): Promise<void> => {
      const { status, text, cookie } = await begin(content);
      expect([status, cookie]).toEqual([502, ""]);
      expect(text).toContain("Example Ltd cannot be reached");
    };
    json({ ...metadata, issuer: "https://other.example.org" });
    await isRefused();
    json({ ...metadata, authorization_endpoint: "javascript:alert(1)" });
    await isRefused();
    provider.instead = (_request, response) => {
      response.writeHead(302, { Location: "http://127.0.0.1:1/" }).end();
    };
    await isRefused();
    provider.instead = (_request, response) => {
      response.setHeader("Content-Type", "application/json");
      response.end(`{"issuer":"${"x".repeat(2 * 1024 * 1024)}"}`);
    };
    await isRefused();
    provider.instead = (request) => request.socket.destroy();
    await isRefused();
    // Nothing of it is kept.
    provider.instead = null;
    provider.account = { sub: "1", email, email_verified: true };
    expect(locationOf(await signInWith(content, provider))).toBe(
      `${content.address}/`,
    );
    const { address, cookie } = await begin(content);
    const back = await provider.signIn(address);
    provider.instead = (request) => request.socket.destroy();
    expect(locationOf(await comeBack(back, cookie))).toBe(
      `${content.address}/#sign-in-failed=unreachable`,
    );
  });

  it("[V3-206] a provider that begins to answer and never ends is 502, and nobody else waits for it", async () => {
    const { provider, content } = await startWithProvider({
      openidTimeoutMs: 500,
    });
    await addPerson(content, email);
    let wasAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => (wasAsked = resolve));
    let isOver = false;
    provider.instead = (_request, response) => {
      response.writeHead(200, { "Content-Type": "application/json" });
      response.write("{");
      response.on("close", () => (isOver = true));
      wasAsked();
    };
    const slow = begin(content);
    await asked;
    expect((await withPassword(content, email)).status).toBe(200);
    expect((await slow).status).toBe(502);
    await vi.waitUntil(() => isOver);
  });

  it("[V3-203] [V3-206] without a provider there is none", async () => {
    const content = await start({});
    const { status } = await begin(content);
    expect(status).toBe(404);
    expect((await comeBack(content.address + callbackPath, "")).status).toBe(
      404,
    );
  });
});

describe("options", () => {
  const read = (
    options: Readonly<Record<string, string>>,
    ...flags: readonly string[]
  ) =>
    readContentConfig(
      ["--data-dir", "content", ...flags],
      Object.fromEntries(
        Object.entries(options).map(([name, value]) => [
          `VITRINE_CONTENT_OIDC_${name}`,
          value,
        ]),
      ),
    );
  const whole = {
    ISSUER: "https://id.example.org",
    ...{ CLIENT_ID: "vitrine", CLIENT_SECRET: "secret" },
  };
  it("[V3-206] must be complete, and a provider elsewhere needs HTTPS and the address of the service", () => {
    expect(read(whole).ok).toBe(true);
    expect(read({ ...whole, ISSUER: "http://127.0.0.1:9000" }).ok).toBe(true);
    const refused = [
      read({ ...whole, ISSUER: "http://id.example.org" }),
      read({ ...whole, CLIENT_SECRET: "" }),
      read({ LABEL: "Example Ltd" }),
      read({ ...whole, CLIENT_SECRET_FILE: "secret.txt" }),
      read(whole, "--behind-proxy"),
      read({ ...whole, ROLES: "groups=it:owner" }),
    ];
    expect(refused.map(({ ok }) => ok)).toEqual(refused.map(() => false));
    for (const reading of refused)
      expect(reading.ok ? "" : reading.message).not.toContain("secret.");
    expect(
      read(
        ...([whole, "--behind-proxy"] as const),
        ...["--public-url", "https://signage.example.org"],
      ).ok,
    ).toBe(true);
  });

  it("[V3-210] roles are read with their claims, which may be texts or lists", () => {
    const rolesOfClaims = readRolesOfClaims(
      "hd=example.org:viewer, urn:groups=a:b:editor",
    );
    expect(rolesOfClaims).toEqual([
      { claim: "hd", value: "example.org", role: "viewer" },
      { claim: "urn:groups", value: "a:b", role: "editor" },
    ]);
    const roleOf = (claims: Readonly<Record<string, unknown>>) =>
      roleByClaims(rolesOfClaims ?? [], claims);
    expect(roleOf({ hd: "example.org" })).toBe("viewer");
    expect(roleOf({ hd: "example.org", "urn:groups": ["c", "a:b"] })).toBe(
      "editor",
    );
    expect(roleOf({ hd: ["other.org"], "urn:groups": { a: "b" } })).toBeNull();
  });
});
