// Encryption at rest of edge app secrets, and permissions of the data folder.

import { randomBytes } from "node:crypto";
import { readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import {
  addressOfFile,
  createAddresses,
  mark,
} from "../../../../server/content/files/signed-addresses.ts";
import { createAppTokens } from "../../../../server/content/access/app-tokens.ts";
import { readContentConfig } from "../../../../server/content/config.ts";
import type { ContentTables } from "../../../../server/content/tables.ts";
import type { Database } from "../../../../server/platform/database/database.ts";
import { openPostgres } from "../../../../server/platform/database/postgres.ts";
import { openSqliteDatabase } from "../../../../server/platform/sqlite/sqlite-database.ts";
import {
  eachContent,
  type Ground,
} from "../../../support/content/each-content.ts";
import { clientV3 } from "../../../support/content/each-v3.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { claimedPlayer } from "../../../support/content/linked-player.ts";
import { png } from "../../../support/media/media.ts";
import {
  contentKey,
  serveContent,
  startContent,
  type StartedContent,
} from "../../../support/content/start-content.ts";

const values = "/v4/edge-apps/secrets/values";
const passphrase = "correct horse battery staple";

async function withDatabase<Answer>(
  { dataDir, databaseUrl }: Pick<Ground, "dataDir" | "databaseUrl">,
  query: (database: Database<ContentTables>) => Promise<Answer>,
): Promise<Answer> {
  const database =
    databaseUrl === undefined
      ? openSqliteDatabase<ContentTables>(path.join(dataDir, "content.db"))
      : openPostgres<ContentTables>(databaseUrl, { connections: 1 });
  try {
    return await query(database);
  } finally {
    await database.close();
  }
}

/** Signing secrets as the database alone stores them. */
async function storedSigner(
  ground: Pick<Ground, "dataDir" | "databaseUrl">,
): Promise<string> {
  const { secret } = await withDatabase(ground, ({ kysely }) =>
    kysely
      .selectFrom("service_secrets")
      .select("secret")
      .where("name", "=", "file addresses")
      .executeTakeFirstOrThrow(),
  );
  return secret;
}

async function storedSecrets(ground: Ground): Promise<readonly string[]> {
  const rows = await withDatabase(ground, ({ kysely }) =>
    kysely
      .selectFrom("edge_app_secret_values")
      .select("value")
      .orderBy("name")
      .execute(),
  );
  return rows.map(({ value }) => value);
}

/** An installed app with secrets, and the values its player receives. */
async function installed(content: StartedContent) {
  const [app] = await content.add("/v4/edge-apps", { name: "App" });
  const [installation] = await content.add("/v4/edge-apps/installations", {
    ...{ app_id: app?.id, name: "Clock" },
  });
  const setSecret = async (name: string, value: string): Promise<void> => {
    await content.add("/v4/edge-apps/settings", {
      ...{ app_id: app?.id, name, type: "secret" },
    });
    await content.add(values, { app_id: app?.id, name, value });
  };
  const { credential } = await claimedPlayer(
    clientV3(content.address, contentKey),
  );
  const linked = async ({ address }: StartedContent) => {
    const answer = await fetch(`${address}/link/v1/apps/${installation?.id}`, {
      headers: { Authorization: `Bearer ${credential}` },
    });
    return (await answer.json()) as {
      readonly settings: unknown;
      readonly app_auth_token: string;
    };
  };
  return {
    ...{ setSecret, id: installation?.id ?? "" },
    given: async (content: StartedContent) => (await linked(content)).settings,
    token: async (content: StartedContent) =>
      (await linked(content)).app_auth_token,
  };
}

eachContent(({ ground }) => {
  it("[V4-306] encrypts secrets of edge apps with the operator's key, existing ones too, and returns them to their player", async () => {
    const place = await ground();
    const { dataDir, databaseUrl } = place;
    const open = await startContent(dataDir, { databaseUrl });
    const { setSecret, given } = await installed(open);
    await setSecret("a", passphrase);
    await setSecret("b", "sealed:1:not really");
    expect(await storedSecrets(place)).toContain(passphrase);
    await open.stop();
    const file = path.join(await temporaryFolder(), "key");
    await writeFile(file, `${randomBytes(32).toString("hex")}\n`);
    const sealed = await startContent(dataDir, {
      ...{ databaseUrl, secretsKeyFile: file },
    });
    const again = await installed(sealed);
    await again.setSecret("a", passphrase);
    const stored = await storedSecrets(place);
    expect(stored).toHaveLength(3);
    expect(new Set(stored).size).toBe(3);
    for (const value of stored) {
      expect(value).toMatch(/^sealed:1:[\w+/=]+$/);
      expect(value).not.toContain(passphrase);
    }
    expect(await given(sealed)).toEqual({
      a: passphrase,
      b: "sealed:1:not really",
    });
    expect(await again.given(sealed)).toEqual({ a: passphrase });
    await sealed.stop();
    // Without the key, or with another one, the loss of secrets does not go unnoticed.
    for (const other of [{}, { secretsKey: "x".repeat(40) }])
      await expect(
        startContent(dataDir, { databaseUrl, ...other }),
      ).rejects.toThrow(/^The stored secrets are encrypted with another key/);
  });
});

eachContent(({ ground }) => {
  it("[V4-310] signs file addresses with the operator's key: the database content cannot forge any, and they stay valid after a restart", async () => {
    const { dataDir, databaseUrl } = await ground();
    const secretsKey = randomBytes(32).toString("hex");
    const content = await startContent(dataDir, { databaseUrl, secretsKey });
    await content.upload(png([1, 2, 3]), { title: "A" });
    const finished = () => content.rows("/v4/assets?status=eq.finished");
    await expect.poll(finished).toHaveLength(1);
    const [asset] = await finished();
    const id = String(asset?.id);
    const given = String(asset?.["asset_url"]);
    expect((await fetch(given)).status).toBe(200);
    const stored = await storedSigner({ dataDir, databaseUrl });
    const team = new URL(given).searchParams.get("team") ?? "";
    const forged = createAddresses(stored, Date.now).present(
      `${mark}${addressOfFile(id)}`,
      () => content.address,
      team,
    );
    expect(new URL(forged).pathname).toBe(new URL(given).pathname);
    expect((await fetch(forged)).status).toBe(401);
    await content.stop();
    const again = await startContent(dataDir, { databaseUrl, secretsKey });
    const moved = given.replace(content.address, again.address);
    expect((await fetch(moved)).status).toBe(200);
  });
});

eachContent(({ ground }) => {
  it("[V3-57] [V4-310] signs app tokens with the operator's key: the database content cannot forge any, and they stay valid after a restart", async () => {
    const { dataDir, databaseUrl } = await ground();
    const secretsKey = randomBytes(32).toString("hex");
    const oauthTokens = path.join(await temporaryFolder(), "tokens.json");
    const kept = { token: "abc", metadata: {} };
    await writeFile(oauthTokens, JSON.stringify({ Vitrine: { a: kept } }));
    const given = { databaseUrl, oauthTokens };
    const content = await startContent(dataDir, { ...given, secretsKey });
    const { id, token } = await installed(content);
    const own = await token(content);
    const forged = createAppTokens(
      await storedSigner({ dataDir, databaseUrl }),
    ).make(id);
    const query = async ({ address }: StartedContent, secret: string) => {
      const answer = await fetch(`${address}/v3/edge-apps/oauth/tokens/a/`, {
        headers: { Authorization: `Bearer ${secret}` },
      });
      return [answer.status, answer.ok ? await answer.json() : null] as unknown;
    };
    expect(await query(content, own)).toEqual([200, kept]);
    expect(await query(content, forged)).toEqual([401, null]);
    await content.stop();
    const again = await startContent(dataDir, { ...given, secretsKey });
    expect(await token(again)).toBe(own);
    expect(await query(again, own)).toEqual([200, kept]);
    expect(await query(again, forged)).toEqual([401, null]);
    await again.stop();
    // With another key everything issued before is invalid.
    const other = await startContent(dataDir, {
      ...given,
      secretsKey: randomBytes(32).toString("hex"),
    });
    expect(await query(other, own)).toEqual([401, null]);
    expect(await query(other, await token(other))).toEqual([200, kept]);
  });
});

it("[V4-306] accepts one key of 32 characters or more, from outside the data folder", async () => {
  const read = (words: readonly string[], env = {}) =>
    readContentConfig(["--data-dir", "/d", ...words], env);
  expect(read([], { VITRINE_CONTENT_SECRETS_KEY: "short" }).ok).toBe(false);
  expect(read(["--secrets-key-file", "/d/key"]).ok).toBe(false);
  expect(read(["--secrets-key-file", "/etc/key"]).ok).toBe(true);
  const long = { VITRINE_CONTENT_SECRETS_KEY: "x".repeat(32) };
  expect(read(["--secrets-key-file", "/etc/key"], long).ok).toBe(false);
  const short = path.join(await temporaryFolder(), "key");
  await writeFile(short, "short");
  await expect(
    startContent(await temporaryFolder(), { secretsKeyFile: short }),
  ).rejects.toThrow(/at least 32 characters/);
});

// Windows keeps inherited permissions of a folder.
it.skipIf(process.platform === "win32")(
  "[V4-305] leaves nothing in its data folder accessible to other users of the machine",
  async () => {
    const dataDir = path.join(await temporaryFolder(), "data");
    const content = await serveContent(dataDir);
    const { status } = await content.upload(png([1, 2, 3]), { title: "A" });
    expect(status).toBe(201);
    await expect
      .poll(() => content.rows("/v4/assets?status=eq.finished"))
      .toHaveLength(1);
    const names = await readdir(dataDir, { recursive: true });
    expect(names).toContain("content.db");
    const open: string[] = [];
    for (const name of [".", ...names]) {
      const { mode } = await stat(path.join(dataDir, name));
      if ((mode & 0o077) !== 0)
        open.push(`${name} ${(mode & 0o777).toString(8)}`);
    }
    expect(open).toEqual([]);
  },
);
