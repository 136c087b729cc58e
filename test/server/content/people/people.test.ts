// People of the service over HTTP: invitations, signing in, sessions and their cookies, second factors, and who manages them.

import { Secret, TOTP } from "otpauth";
import { describe, expect, it } from "vitest";
import {
  codeRequiredV3,
  invitationV3,
  invitedV3,
  personV3,
  recoveryCodesV3,
  secondFactorV3,
  sessionV3,
  signedInV3,
} from "../../../../server/contract/v3/v3-people.ts";
import { createPeople } from "../../../../server/content/people/people.ts";
import { createSessions } from "../../../../server/content/people/sessions.ts";
import { createSignInLimit } from "../../../../server/content/people/sign-in-limit.ts";
import { createSealer } from "../../../../server/content/access/secret-encryption.ts";
import { addTeam } from "../../../../server/content/access/teams.ts";
import { entriesOf } from "../../../support/content/activity.ts";
import {
  eachV3,
  type AnswerV3,
  type ClientV3,
} from "../../../support/content/each-v3.ts";
import {
  eachDatabase,
  makeUlid,
} from "../../../support/database/each-database.ts";

const password = "correct horse battery";
const marked = { "X-Vitrine-Manager": "1" };

interface Browser {
  /** `name=secret` */
  readonly cookie: string;
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<AnswerV3>;
}

/** Sends no key. */
async function open(
  address: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = marked,
): Promise<AnswerV3> {
  const at = /^\/(api|v\d|files)/.test(path) ? path : `/api/v3${path}`;
  const response = await fetch(`${address}${at}`, {
    method,
    headers: { "Content-Type": "application/json", ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  const { status } = response;
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  const json: any = isJson && text !== "" ? JSON.parse(text) : null;
  return { status, headers: response.headers, text, json };
}

function browserFrom(address: string, answer: AnswerV3): Browser {
  expect(answer.status, answer.text).toBe(200);
  const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
  return {
    cookie,
    call: (method, path, body, headers = marked) =>
      open(address, method, path, body, { ...headers, Cookie: cookie }),
  };
}

const secretIn = (link: string): string => link.split("#invitation=")[1] ?? "";

let people = 0;
const newEmail = (): string => `person-${(people += 1)}@example.org`;

async function invited(
  admin: Pick<ClientV3, "call">,
  body: object,
): Promise<string> {
  const answer = await admin.call("POST", "/invitations/", body);
  expect(answer.status, answer.text).toBe(201);
  return secretIn(invitedV3.parse(answer.json).link);
}

async function personOf(
  admin: ClientV3,
  access: object,
  email = newEmail(),
): Promise<Browser> {
  const secret = await invited(admin, { email, ...access });
  const body = { secret, password, name: "Ada" };
  return browserFrom(
    admin.address,
    await open(admin.address, "POST", "/invitations/accept/", body),
  );
}

const codeAt = (secret: string, steps: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + steps * 30_000,
  });

eachV3((service) => {
  it("[V4-371] [V4-374] [V3-143] [V3-161] [V3-162] [V3-168] an invitation is used once, and signs its person in with a cookie that scripts cannot read", async () => {
    const admin = await service.client();
    const label = await admin.make("/groups/", { name: "Site B" });
    const email = newEmail();
    const access = { role: "editor", labels: [{ id: label.id }] };
    const secret = await invited(admin, {
      email: email.toUpperCase(),
      ...access,
    });
    const listed = await admin.get("/invitations/");
    expect(invitationV3.array().parse(listed)).toMatchObject([
      { email, role: "editor", labels: [{ name: "Site B" }], person_id: null },
    ]);
    expect(JSON.stringify(listed)).not.toContain(secret);
    const accept = (body: object) =>
      open(admin.address, "POST", "/invitations/accept/", body);
    const preview = (of: string) =>
      open(admin.address, "POST", "/invitations/preview/", { secret: of });
    expect((await preview(secret)).json).toEqual({ email, is_reset: false });
    const short = await accept({ secret, name: "Ada", password: "short" });
    expect([short.status, Object.keys(short.json)]).toEqual([
      400,
      ["password"],
    ]);
    const two = await Promise.all([
      accept({ secret, name: "Ada", password }),
      accept({ secret, name: "Eve", password }),
    ]);
    expect(two.map(({ status }) => status).sort()).toEqual([200, 404]);
    const answer = two.find(({ status }) => status === 200) as AnswerV3;
    expect(answer.headers.get("set-cookie")).toMatch(
      /^vitrine_content_session_\d+=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    );
    for (const gone of [secret, "none"])
      expect((await preview(gone)).status).toBe(404);
    const browser = browserFrom(admin.address, answer);
    const me = await browser.call("GET", "/account/");
    expect(personV3.parse(me.json)).toMatchObject({
      email,
      ...access,
      labels: [{ id: label.id, name: "Site B" }],
    });
    expect((await browser.call("GET", "/me/")).json.user).toMatchObject({
      email,
    });
    expect(await admin.get("/invitations/")).toEqual([]);
    const again = await admin.call("POST", "/invitations/", {
      email,
      role: "admin",
    });
    expect([again.status, Object.keys(again.json)]).toEqual([400, ["email"]]);
    const rows = JSON.stringify(await admin.get("/people/"));
    for (const hidden of [secret, password, browser.cookie.split("=")[1] ?? ""])
      expect(rows).not.toContain(hidden);
  });

  it("[V4-370] [V4-372] a person may do what their role and limits allow, on every interface, and writes need the manager's header", async () => {
    const admin = await service.client();
    const label = await admin.make("/groups/", { name: "Site B" });
    const viewer = await personOf(admin, { role: "viewer" });
    const editor = await personOf(admin, {
      ...{ role: "editor", labels: [{ id: label.id }] },
    });
    const title = { title: "x" };
    for (const path of ["/playlists/", "/v4.1/playlists", "/api/v4/assets"])
      expect((await viewer.call("GET", path)).status, path).toBe(200);
    expect((await viewer.call("GET", "/files/nothing")).status).toBe(404);
    expect((await open(admin.address, "GET", "/playlists/")).status).toBe(401);
    for (const path of ["/playlists/", "/v4.1/playlists"]) {
      expect((await viewer.call("POST", path, title)).status).toBe(403);
      expect((await editor.call("POST", path, title)).status).toBe(201);
      const unmarked = await editor.call("POST", path, title, {});
      expect([unmarked.status, unmarked.text]).toEqual([
        ...[403, expect.stringContaining("X-Vitrine-Manager") as string],
      ]);
    }
    const everywhere = { ...title, groups: [{ id: "all-screens" }] };
    expect((await editor.call("POST", "/playlists/", everywhere)).status).toBe(
      403,
    );
    for (const method of ["GET", "POST"]) {
      const body = method === "POST" ? title : undefined;
      const origin = { ...marked, Origin: "https://evil.example" };
      const { status } = await editor.call(method, "/playlists/", body, origin);
      expect(status).toBe(403);
    }
    for (const path of ["/people/", "/keys/", "/invitations/"])
      expect((await editor.call("GET", path)).status, path).toBe(403);
    const wrong = { ...marked, Cookie: editor.cookie.replace(/.$/, "~") };
    const refused = await open(
      admin.address,
      "GET",
      "/playlists/",
      undefined,
      wrong,
    );
    expect(refused.status).toBe(401);
    // Who did it is known by name.
    const operator = await personOf(admin, { role: "operator" });
    expect((await operator.call("GET", "/account/")).json.name).toBe("Ada");
  });

  it("[V4-375] [V3-160] a wrong password, an unknown account and a disabled person get the same answer", async () => {
    const admin = await service.client();
    const email = newEmail();
    const browser = await personOf(admin, { role: "viewer" }, email);
    const signIn = (
      body: object,
      headers = marked as Readonly<Record<string, string>>,
    ) => open(admin.address, "POST", "/sign-in/", body, headers);
    const right = await signIn({ email: ` ${email.toUpperCase()}`, password });
    expect(right.status).toBe(200);
    expect((await signIn({ email, password }, {})).status).toBe(403);
    const { id } = (await browser.call("GET", "/account/")).json;
    const wrong = await signIn({ email, password: "wrong" });
    const unknown = await signIn({ email: newEmail(), password });
    await admin.call("PATCH", `/people/${id}/`, { is_disabled: true });
    const disabled = await signIn({ email, password });
    for (const answer of [wrong, unknown, disabled]) {
      expect([answer.status, answer.text]).toEqual([401, wrong.text]);
      expect(answer.headers.get("set-cookie")).toBeNull();
    }
    // Nor is their session valid any more.
    expect((await browser.call("GET", "/account/")).status).toBe(401);
    const nobody = await open(admin.address, "GET", "/sign-in/");
    expect([nobody.status, nobody.json]).toEqual([200, { person: null }]);
  });

  it("[V4-373] [V3-160] [V3-164] [V3-166] sessions are listed, and end one by one, here and everywhere", async () => {
    const admin = await service.client();
    const email = newEmail();
    const first = await personOf(admin, { role: "viewer" }, email);
    const signIn = async () =>
      browserFrom(
        admin.address,
        await open(admin.address, "POST", "/sign-in/", { email, password }),
      );
    const second = await signIn();
    const third = await signIn();
    const listed = sessionV3
      .array()
      .parse((await second.call("GET", "/account/sessions/")).json);
    expect(listed.map((one) => one.is_current).sort()).toEqual([
      false,
      false,
      true,
    ]);
    const status = async (browser: Browser) =>
      (await browser.call("GET", "/account/")).status;
    const other = listed.find(({ is_current }) => !is_current)?.id ?? "";
    expect(
      (await first.call("DELETE", `/account/sessions/${other}/`)).status,
    ).toBe(200);
    expect(
      (await second.call("DELETE", `/account/sessions/${other}/`)).status,
    ).toBe(404);
    const out = await second.call("DELETE", "/sign-in/");
    expect(out.headers.get("set-cookie")).toMatch(/=; Path=\/; Max-Age=0;/);
    expect(await status(second)).toBe(401);
    const changed = { password: "another battery", current_password: password };
    const left = (await status(first)) === 200 ? first : third;
    const wrong = { ...changed, current_password: "wrong" };
    expect((await left.call("PATCH", "/account/", wrong)).status).toBe(400);
    const fourth = await signIn();
    expect((await left.call("PATCH", "/account/", changed)).status).toBe(200);
    expect([await status(left), await status(fourth)]).toEqual([200, 401]);
    await left.call("DELETE", "/account/sessions/");
    expect(await status(left)).toBe(401);
  });

  it("[V3-160] signing in ends the session that the request carries, of the same person or another", async () => {
    const admin = await service.client();
    const [ada, ben] = [newEmail(), newEmail()];
    await personOf(admin, { role: "viewer" }, ben);
    const first = await personOf(admin, { role: "viewer" }, ada);
    const kept = browserFrom(
      admin.address,
      await open(admin.address, "POST", "/sign-in/", { email: ada, password }),
    );
    const status = async (browser: Browser) =>
      (await browser.call("GET", "/account/")).status;
    const signIn = (email: string, secret: string) =>
      first.call("POST", "/sign-in/", { email, password: secret });
    expect((await signIn(ada, "wrong password")).status).toBe(401);
    expect(await status(first)).toBe(200);
    const second = browserFrom(admin.address, await signIn(ben, password));
    expect([await status(first), await status(second)]).toEqual([401, 200]);
    const listed = (await kept.call("GET", "/account/sessions/")).json;
    expect(listed).toHaveLength(1);
    // By an invitation, too.
    const secret = await invited(admin, { email: newEmail(), role: "viewer" });
    const third = browserFrom(
      admin.address,
      await second.call("POST", "/invitations/accept/", {
        ...{ secret, password, name: "Eve" },
      }),
    );
    expect([await status(second), await status(third)]).toEqual([401, 200]);
  });

  it("[V4-376] [V3-160] [V3-165] a second factor is asked for after the password; each code and recovery code is valid once", async () => {
    const admin = await service.client();
    const email = newEmail();
    const browser = await personOf(admin, { role: "admin" }, email);
    const factor = "/account/second-factor/";
    expect(
      (await browser.call("POST", factor, { password: "wrong" })).status,
    ).toBe(400);
    const begun = await browser.call("POST", factor, { password });
    const { secret, address } = secondFactorV3.parse(begun.json);
    expect(address).toContain(`secret=${secret}`);
    const signIn = (code?: string, given = password) =>
      open(admin.address, "POST", "/sign-in/", {
        ...{ email, password: given, ...(code !== undefined && { code }) },
      });
    // It counts once it is confirmed.
    expect((await signIn()).status).toBe(200);
    expect((await browser.call("PUT", factor, { code: "000" })).status).toBe(
      400,
    );
    const confirmed = await browser.call("PUT", factor, {
      code: codeAt(secret, -1),
    });
    const codes = recoveryCodesV3.parse(confirmed.json).recovery_codes;
    expect(codes).toHaveLength(10);
    const asked = await signIn();
    expect(asked.status).toBe(401);
    expect(codeRequiredV3.parse(asked.json)).toEqual(asked.json);
    expect(
      (await signIn(undefined, "wrong")).json.code_required,
    ).toBeUndefined();
    const code = codeAt(secret, 1);
    expect((await signIn(code)).status).toBe(200);
    expect((await signIn(code)).status).toBe(401);
    expect((await signIn(codes[0]?.toUpperCase())).status).toBe(200);
    expect((await signIn(codes[0])).status).toBe(401);
    expect((await browser.call("DELETE", factor, { password })).status).toBe(
      200,
    );
    expect((await signIn()).status).toBe(200);
  });

  it("[V4-380] [V4-384] the activity log says that a second factor was added and removed, and by whom", async () => {
    const admin = await service.client();
    const browser = await personOf(admin, { role: "admin" });
    const { id } = (await browser.call("GET", "/account/")).json;
    const factor = "/account/second-factor/";
    const add = async (): Promise<void> => {
      const begun = await browser.call("POST", factor, { password });
      const { secret } = secondFactorV3.parse(begun.json);
      const code = codeAt(secret, 0);
      const confirmed = await browser.call("PUT", factor, { code });
      expect(confirmed.status, confirmed.text).toBe(200);
    };
    const remove = () => browser.call("DELETE", factor, { password });
    await add();
    // The second one has nothing left to remove.
    for (const { status } of await Promise.all([remove(), remove()]))
      expect(status).toBe(200);
    await add();
    expect((await admin.call("POST", `/people/${id}/reset/`)).status).toBe(201);
    const entries = await entriesOf(admin, `?resource=${id}`);
    const on = { field: "second_factor", before: false, after: true };
    const off = { field: "second_factor", before: true, after: false };
    const hidden = { field: "password", before: "(hidden)", after: "(hidden)" };
    expect(
      entries
        .toReversed()
        .filter(({ what }) => what === "changed")
        .map(({ actor_kind, changes }) => [actor_kind, ...changes]),
    ).toEqual([
      ["person", on],
      ["person", off],
      ["person", on],
      ["key", hidden, off],
    ]);
  });

  it("[V4-380] [V4-384] the activity log says that a link was used, by the person of the link", async () => {
    const admin = await service.client();
    const browser = await personOf(admin, { role: "editor" });
    const { id, name } = (await browser.call("GET", "/account/")).json;
    const reset = await admin.call("POST", `/people/${id}/reset/`);
    const secret = secretIn(invitedV3.parse(reset.json).link);
    const used = { secret, password };
    const path = "/invitations/accept/";
    const accepted = await open(admin.address, "POST", path, used);
    expect(accepted.status, accepted.text).toBe(200);
    const entries = await entriesOf(admin, `?resource=${id}`);
    const by = entries.map(({ what, actor_kind, actor_name }) =>
      actor_kind === "key" ? [what, "key"] : [what, actor_kind, actor_name],
    );
    expect(by.toReversed()).toEqual([
      ["added", "person", name],
      ["signed-in", "person", name],
      ["changed", "key"],
      ["changed", "person", name],
      ["signed-in", "person", name],
    ]);
  });

  it("[V4-377] [V3-158] [V3-163] [V3-167] administrators change and reset people of their team, which never loses its last one", async () => {
    const admin = await service.client();
    const other = await service.client();
    const email = newEmail();
    const browser = await personOf(admin, { role: "admin" }, email);
    const { id } = (await browser.call("GET", "/account/")).json;
    const at = `/people/${id}/`;
    for (const [method, body] of [
      ["PATCH", { is_disabled: true }],
      ["PATCH", { role: "viewer" }],
      ["DELETE", undefined],
    ] as const)
      expect((await browser.call(method, at, body)).status).toBe(409);
    expect((await other.call("PATCH", at, { name: "x" })).status).toBe(404);
    const second = await personOf(admin, { role: "admin" });
    // A person who was reset cannot sign in yet.
    const { id: secondId } = (await second.call("GET", "/account/")).json;
    const again = await admin.call("POST", `/people/${secondId}/reset/`);
    for (const [method, body] of [
      ["PATCH", { is_disabled: true }],
      ["DELETE", undefined],
    ] as const)
      expect((await browser.call(method, at, body)).status).toBe(409);
    const renamed = { name: "Second" };
    expect(
      (await admin.call("PATCH", `/people/${secondId}/`, renamed)).status,
    ).toBe(200);
    await open(admin.address, "POST", "/invitations/accept/", {
      secret: secretIn(invitedV3.parse(again.json).link),
      password,
    });
    const changed = await browser.call("PATCH", at, {
      role: "viewer",
      name: "Bob",
    });
    expect(personV3.parse(changed.json)).toMatchObject({
      role: "viewer",
      name: "Bob",
    });
    expect((await browser.call("GET", "/people/")).status).toBe(403);
    const reset = await admin.call("POST", `${at}reset/`);
    const secret = secretIn(invitedV3.parse(reset.json).link);
    expect((await browser.call("GET", "/account/")).status).toBe(401);
    const signIn = (given: string) =>
      open(admin.address, "POST", "/sign-in/", { email, password: given });
    expect((await signIn(password)).status).toBe(401);
    const next = "quite another one";
    const accepted = await open(admin.address, "POST", "/invitations/accept/", {
      ...{ secret, password: next },
    });
    expect(signedInV3.parse(accepted.json).person).toMatchObject({
      id,
      name: "Bob",
      role: "viewer",
    });
    expect((await signIn(next)).status).toBe(200);
    expect((await admin.call("DELETE", at)).status).toBe(200);
    expect((await admin.call("GET", at)).status).toBe(404);
    expect((await signIn(next)).status).toBe(401);
    // A key has no account.
    expect((await admin.call("GET", "/account/")).status).toBe(404);
    const withdrawn = await admin.call("POST", "/invitations/", {
      email,
      role: "viewer",
    });
    const invitation: string = invitedV3.parse(withdrawn.json).id;
    expect(
      (await other.call("DELETE", `/invitations/${invitation}/`)).status,
    ).toBe(404);
    expect(
      (await admin.call("DELETE", `/invitations/${invitation}/`)).status,
    ).toBe(200);
  });
});

eachDatabase((any) => {
  it("[V4-371] [V4-373] [V4-374] [V4-378] links last 72 hours, sessions 12 hours without use and 7 days in all, and nothing is stored in plain", async () => {
    const database = await any.open();
    const clock = { moment: Date.UTC(2026, 0, 1), steady: 0 };
    const hour = 3_600_000;
    const shared = {
      ...{ database, now: () => clock.moment },
      makeId: () => makeUlid(clock.moment),
    };
    const service = createPeople({
      ...shared,
      sealer: createSealer("k".repeat(32)),
    });
    const sessions = createSessions({
      ...shared,
      monotonic: () => clock.steady,
    });
    const team = makeUlid(0);
    await addTeam(database.kysely, {
      ...{ id: team, name: "Team", labelId: makeUlid(0), moment: 0 },
    });
    const first = { email: null, role: "admin", labels: null } as const;
    const replaced = await service.invite(team, first);
    const { secret } = await service.invite(team, first);
    const acceptance = { name: "Ada", email: "Ada@Example.org", password };
    await expect(
      service.accept({ ...acceptance, secret: replaced.secret }),
    ).rejects.toThrow(/72 hours/);
    clock.moment += 72 * hour;
    await expect(service.accept({ ...acceptance, secret })).rejects.toThrow(
      /72 hours/,
    );
    clock.moment -= 1;
    await expect(
      service.accept({ ...acceptance, secret, email: undefined }),
    ).rejects.toThrow(/email is required/);
    const person = await service.accept({ ...acceptance, secret });
    expect(person.email).toBe("ada@example.org");
    const late = await service.invite(team, first);
    await expect(
      service.accept({ ...acceptance, secret: late.secret, email: "b@c" }),
    ).rejects.toThrow(/72 hours/);
    const begun = await service.beginSecondFactor(person);

    const cookie = await sessions.begin(person.id, "Browser");
    const isOpen = async (): Promise<boolean> => {
      clock.steady += 1_000;
      return (await sessions.admissionOf(cookie)) !== null;
    };
    for (let used = 0; used < 14; used += 1) {
      clock.moment += 12 * hour - 1;
      expect(await isOpen()).toBe(true);
    }
    clock.moment += 14;
    expect(await isOpen()).toBe(false);
    const idle = await sessions.begin(person.id, "Browser");
    clock.moment += 12 * hour;
    expect(await sessions.admissionOf(idle)).toBeNull();

    const tables = ["people", "person_sessions", "invitations"] as const;
    const rows = await Promise.all(
      tables.map((table) =>
        database.kysely.selectFrom(table).selectAll().execute(),
      ),
    );
    const text = JSON.stringify(rows);
    expect(text).toContain("$scrypt$ln=15,r=8,p=3$");
    for (const hidden of [password, secret, idle, begun.secret])
      expect(text).not.toContain(hidden);
  });
});

describe("wrong sign-ins", () => {
  it("[V4-375] are limited by account and by address, whether the account exists or not, one at a time", async () => {
    let moment = 0;
    const limit = createSignInLimit(() => moment);
    let running = 0;
    let checked = 0;
    const wrong = async (): Promise<null> => {
      checked += 1;
      running += 1;
      expect(running).toBe(1);
      await Promise.resolve();
      running -= 1;
      return null;
    };
    const attempt = (address: string, account: string) =>
      limit.run(address, account, wrong);
    for (let tries = 0; tries < 10; tries += 1)
      await attempt(`10.0.0.${tries}`, "a@example.org");
    await expect(attempt("10.0.1.1", "a@example.org")).rejects.toThrow(
      /Too many/,
    );
    expect(await attempt("10.0.1.1", "b@example.org")).toBeNull();
    for (let tries = 0; tries < 49; tries += 1)
      await attempt("10.0.1.1", `c${tries}@example.org`);
    await expect(attempt("10.0.1.1", "d@example.org")).rejects.toThrow(
      /Too many/,
    );
    const before = checked;
    const many = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => attempt(`10.0.2.${at}`, `e${at}`)),
    );
    expect(many.filter(({ status }) => status === "rejected")).toHaveLength(10);
    expect(checked).toBe(before + 10);
    moment += 15 * 60_000;
    expect(await attempt("10.0.1.1", "a@example.org")).toBeNull();
  });
});
