// Links for forgotten passwords: requested without credentials, sent by the real service to a real mail server, and used once.

import fs from "node:fs/promises";
import path from "node:path";
import { Secret, TOTP } from "otpauth";
import { expect, it, vi } from "vitest";
import {
  passwordLinkPreviewV3,
  signInMethodsV3,
} from "../../../../server/contract/v3/v3-people.ts";
import { createPasswordLinks } from "../../../../server/content/people/password-links.ts";
import { createPasswordMail } from "../../../../server/content/people/password-mail.ts";
import { createPeople } from "../../../../server/content/people/people.ts";
import { createSealer } from "../../../../server/content/access/secret-encryption.ts";
import { addTeam } from "../../../../server/content/access/teams.ts";
import { createLog } from "../../../../server/platform/log.ts";
import { entriesOf } from "../../../support/content/activity.ts";
import { eachContent } from "../../../support/content/each-content.ts";
import { clientV3, type AnswerV3 } from "../../../support/content/each-v3.ts";
import { startMailServer } from "../../../support/content/mail-server.ts";
import {
  contentKey,
  type StartedContent,
} from "../../../support/content/start-content.ts";
import {
  eachDatabase,
  makeUlid,
} from "../../../support/database/each-database.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { lowHashCost } from "../../../support/hash-cost.ts";

const email = "ada@example.org";
const password = "correct horse battery";
const other = "staple the other horse";

/** Without credentials. */
async function open(
  { address }: Pick<StartedContent, "address">,
  to: string,
  body?: object,
  headers: Readonly<Record<string, string>> = { "X-Vitrine-Manager": "1" },
): Promise<AnswerV3> {
  const response = await fetch(`${address}/api/v3${to}`, {
    method: body ? "POST" : "GET",
    headers: { "Content-Type": "application/json", ...headers },
    body: body ? JSON.stringify(body) : null,
  });
  const text = await response.text();
  const json: unknown = text === "" ? null : JSON.parse(text);
  return { status: response.status, headers: response.headers, text, json };
}

async function addPerson(
  content: StartedContent,
  of = email,
): Promise<{ readonly id: string; readonly cookie: string }> {
  const { people, keys } = content;
  const { secret } = await people.invite(await keys.teamNamed("Vitrine"), {
    ...{ email: of, role: "admin", labels: null },
  });
  const accepted = await open(content, "/invitations/accept/", {
    ...{ secret, name: "Ada", password },
  });
  const [cookie = ""] = (accepted.headers.get("set-cookie") ?? "").split(";");
  return { id: accepted.json.person.id, cookie };
}

/** Of quoted-printable text. */
function linkIn(mail: string): string {
  const plain = mail.replaceAll(/=\n/g, "").replaceAll("=3D", "=");
  return /^http\S+#password=\S+$/m.exec(plain)?.[0] ?? "";
}

const secretIn = (link: string): string => link.split("#password=")[1] ?? "";

const signIn = (content: StartedContent, secret: string, code = "") =>
  open(content, "/sign-in/", { email, password: secret, code });

eachContent(({ start }) => {
  async function startWithMail(options: Parameters<typeof start>[0] = {}) {
    const mail = await startMailServer();
    const content = await start({
      smtpUrl: `smtp://127.0.0.1:${mail.port}`,
      ...{ smtpFrom: "signage@example.org", ...options },
    });
    const client = clientV3(content.address, contentKey);
    return { mail, content, client };
  }

  it("[V3-203] [V3-204] [V3-205] a link is sent to the person, sets a new password once, ends all sessions and keeps the second factor", async () => {
    const dir = await temporaryFolder();
    const log = createLog({ dir, toStandardOutput: false });
    const { mail, content, client } = await startWithMail({ log });
    const methods = await open(content, "/sign-in/methods/");
    expect(signInMethodsV3.parse(methods.json)).toMatchObject({
      can_send_password_links: true,
    });
    const { id, cookie } = await addPerson(content);
    const own = { Cookie: cookie, "X-Vitrine-Manager": "1" };
    const begun = await open(
      ...([content, "/account/second-factor/", { password }, own] as const),
    );
    const totp = new TOTP({
      secret: Secret.fromBase32(begun.json.secret),
    });
    const confirmed = await client.request("/api/v3/account/second-factor/", {
      method: "PUT",
      headers: {
        ...{ ...own, Authorization: "" },
        "Content-Type": "application/json",
      },
      body: JSON.stringify({ code: totp.generate() }),
    });
    expect(confirmed.status).toBe(200);

    const requested = await open(content, "/password-links/", {
      email: ` ${email.toUpperCase()}`,
    });
    expect([requested.status, requested.text]).toEqual([200, ""]);
    const first = await mail.nextMail();
    expect(first.to).toEqual([email]);
    expect(first.text).toMatch(/^Subject: \[Vitrine\] Set a new password for/m);
    const replaced = linkIn(first.text);
    expect(replaced).toMatch(`${content.address}/#password=`);
    await open(content, "/password-links/", { email });
    const link = linkIn((await mail.nextMail()).text);
    const secret = secretIn(link);
    const preview = (of: string) =>
      open(content, "/password-links/preview/", { secret: of });
    expect((await preview(secretIn(replaced))).status).toBe(404);
    expect(passwordLinkPreviewV3.parse((await preview(secret)).json)).toEqual({
      email,
    });
    // Until it is used, nothing has changed.
    expect((await signIn(content, password)).json).toMatchObject({
      code_required: true,
    });
    const use = (next: string, headers?: Readonly<Record<string, string>>) =>
      open(
        ...([
          content,
          "/password-links/use/",
          { secret, password: next },
        ] as const),
        headers,
      );
    expect((await use(other, {})).status).toBe(403);
    const short = await use("short");
    expect([short.status, Object.keys(short.json as object)]).toEqual([
      400,
      ["password"],
    ]);
    const used = await Promise.all([use(other), use(other)]);
    expect(used.map(({ status }) => status).sort()).toEqual([200, 404]);
    for (const { headers } of used)
      expect(headers.get("set-cookie")).toBeNull();
    const account = await open(content, "/account/", undefined, own);
    expect(account.status).toBe(401);
    expect((await signIn(content, password)).json).toMatchObject({
      detail: expect.stringContaining("wrong"),
    });
    expect((await signIn(content, other)).json).toMatchObject({
      code_required: true,
    });
    const entries = await entriesOf(client, `?resource=${id}&kind=person`);
    expect(entries).toContainEqual(
      expect.objectContaining({
        ...{ actor_kind: "person", actor_id: id, what: "changed" },
        changes: [expect.objectContaining({ field: "password" })],
      }),
    );

    await content.stop();
    await log.close();
    const lines = await Promise.all(
      (await fs.readdir(dir)).map((name) =>
        fs.readFile(path.join(dir, name), "utf8"),
      ),
    );
    const logged = lines.join("\n");
    expect(logged).toContain("access.password-link-sent");
    for (const hidden of [email, secret, secretIn(replaced), other])
      expect(logged).not.toContain(hidden);
  });

  it("[V3-204] the answer is the same for an unknown address and a disabled person, to whom nothing is sent", async () => {
    const { mail, content, client } = await startWithMail();
    await addPerson(content);
    const { id: disabled } = await addPerson(content, "off@example.org");
    await client.call("PATCH", `/people/${disabled}/`, { is_disabled: true });
    const answers = await Promise.all(
      ["nobody@example.org", "off@example.org", email].map((of) =>
        open(content, "/password-links/", { email: of }),
      ),
    );
    const seen = answers.map(({ status, text, headers }) => ({
      ...{ status, text },
      headers: [...headers]
        .filter(([name]) => !["date", "x-request-id"].includes(name))
        .map(([name, value]) => `${name}: ${value}`),
    }));
    expect(seen[0]?.status).toBe(200);
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
    // One after the other: those before it were sent nothing.
    expect((await mail.nextMail()).to).toEqual([email]);
    expect(mail.mails).toHaveLength(1);
    const missing = await open(content, "/password-links/", { email }, {});
    expect(missing.status).toBe(403);
    const invalid = await open(content, "/password-links/", { email: "ada" });
    expect(invalid.status).toBe(400);
  });

  it("[V3-205] a reset by an administrator, a new password and disabling end a link; using it ends the administrator's", async () => {
    const { mail, content, client } = await startWithMail();
    await addPerson(content);
    const { id, cookie } = await addPerson(content, "bob@example.org");
    const requested = async (): Promise<string> => {
      await open(content, "/password-links/", { email: "bob@example.org" });
      return secretIn(linkIn((await mail.nextMail()).text));
    };
    const isValid = async (secret: string): Promise<boolean> =>
      (await open(content, "/password-links/preview/", { secret })).status ===
      200;
    const first = await requested();
    expect(await isValid(first)).toBe(true);
    const changed = await fetch(`${content.address}/api/v3/account/`, {
      method: "PATCH",
      headers: {
        ...{ Cookie: cookie, "X-Vitrine-Manager": "1" },
        "Content-Type": "application/json",
      },
      body: JSON.stringify({ password: other, current_password: password }),
    });
    expect(changed.status).toBe(200);
    expect(await isValid(first)).toBe(false);
    const second = await requested();
    await client.call("PATCH", `/people/${id}/`, { is_disabled: true });
    expect(await isValid(second)).toBe(false);
    await client.call("PATCH", `/people/${id}/`, { is_disabled: false });
    expect(await isValid(second)).toBe(false);
    const reset = await client.call("POST", `/people/${id}/reset/`);
    const [, ofAdmin = ""] = (reset.json as { link: string }).link.split(
      "#invitation=",
    );
    const third = await requested();
    const used = await open(content, "/password-links/use/", {
      ...{ secret: third, password },
    });
    expect(used.status).toBe(200);
    const late = await open(content, "/invitations/accept/", {
      ...{ secret: ofAdmin, password: other },
    });
    expect(late.status).toBe(404);
  });

  it("[V3-203] [V3-204] without a mail server, or an address of its own that can be trusted, there are no links", async () => {
    const without = await start({});
    const answer = await open(without, "/password-links/", { email });
    expect([answer.status, answer.text]).toEqual([
      409,
      expect.stringContaining("administrator"),
    ]);
    const ofProxy = await startWithMail({ behindProxy: true });
    for (const content of [without, ofProxy.content])
      expect((await open(content, "/sign-in/methods/")).json).toMatchObject({
        can_send_password_links: false,
      });
    await addPerson(ofProxy.content);
    const refused = await open(
      ...([ofProxy.content, "/password-links/", { email }] as const),
      { "X-Vitrine-Manager": "1", "X-Forwarded-Host": "evil.example.org" },
    );
    expect(refused.status).toBe(409);
    let port = 0;
    const quiet = createLog({ toStandardOutput: false });
    const stated = await startWithMail({
      ...{ behindProxy: true, publicUrl: "https://signage.example.org" },
      log: {
        ...quiet,
        info: (event, fields) => {
          if (event === "content.started") port = Number(fields?.["port"]);
        },
      },
    });
    const here = { ...stated.content, address: `http://127.0.0.1:${port}` };
    await addPerson(here);
    await open(...([here, "/password-links/", { email }] as const), {
      "X-Vitrine-Manager": "1",
      "X-Forwarded-Host": "evil.example.org",
    });
    expect(linkIn((await stated.mail.nextMail()).text)).toMatch(
      /^https:\/\/signage\.example\.org\/#password=/,
    );
  });
});

eachDatabase((any) => {
  it("[V3-204] links expire after an hour, and only their hashes are stored", async () => {
    const database = await any.open();
    const clock = { moment: Date.UTC(2026, 0, 1) };
    const shared = {
      ...{ database, now: () => clock.moment },
      makeId: () => makeUlid(clock.moment),
    };
    const people = createPeople({ ...shared, sealer: createSealer(null) });
    const links = createPasswordLinks({ ...shared, hashCost: lowHashCost });
    const team = makeUlid(0);
    await addTeam(database.kysely, {
      ...{ id: team, name: "Team", labelId: makeUlid(0), moment: 0 },
    });
    const invited = await people.invite(team, {
      ...{ email, role: "admin", labels: null },
    });
    const { id } = await people.accept({
      ...{ secret: invited.secret, name: "Ada", email: undefined, password },
    });
    const secret = await links.create(id);
    const rows = await database.kysely
      .selectFrom("password_links")
      .selectAll()
      .execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(secret);
    clock.moment += 3_600_000 - 1;
    expect(await links.preview(secret)).toEqual({ email });
    clock.moment += 1;
    await expect(links.use(secret, other)).rejects.toThrow(/an hour/);
  });
});

it("[V3-204] requests are limited by client and, without telling, by account; what is under way ends with the service", async () => {
  const sent: string[] = [];
  const clock = { steady: 0 };
  const log = createLog({ toStandardOutput: false });
  const passwordMail = createPasswordMail({
    people: {
      findByEmail: async (of) =>
        of.startsWith("nobody")
          ? null
          : ({ id: of, email: of, is_disabled: false } as any),
    },
    links: { create: async () => "secret" },
    mailer: {
      language: "en",
      send: (to, { text }, signal) => {
        sent.push(to);
        expect(text).toContain("https://signage.example.org/#password=secret");
        if (to !== "slow@example.org") return Promise.resolve("sent");
        return new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(new Error("over")));
        });
      },
    },
    ...{ makeId: () => "id", monotonic: () => clock.steady, log },
  });
  const base = "https://signage.example.org";
  const send = (client: string, of: string): void =>
    passwordMail.request(client, of, base);
  for (let at = 0; at < 5; at += 1) send(`10.0.0.${at}`, email);
  send("10.0.0.9", "bob@example.org");
  await vi.waitUntil(() => sent.includes("bob@example.org"));
  expect(sent).toEqual([email, email, email, "bob@example.org"]);
  for (let at = 0; at < 20; at += 1) send("10.0.1.1", `nobody-${at}@a.org`);
  expect(() => send("10.0.1.1", email)).toThrow(/Try again in 900 seconds/);
  clock.steady += 15 * 60_000;
  send("10.0.1.1", email);
  await vi.waitUntil(() => sent.length === 5);
  send("10.0.2.1", "slow@example.org");
  send("10.0.2.1", "late@example.org");
  await vi.waitUntil(() => sent.includes("slow@example.org"));
  await passwordMail.stop();
  expect(sent).not.toContain("late@example.org");
});
