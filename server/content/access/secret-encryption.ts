// Encrypts secrets of edge apps, of alert rules, of adopted players and of second factors at rest, with a key that the operator keeps outside the database (V4-306).

import {
  createCipheriv,
  createDecipheriv,
  hkdfSync,
  randomBytes,
} from "node:crypto";
import { readFile } from "node:fs/promises";
import { Failure } from "../../core/failure.ts";
import type { Kysely } from "kysely";
import type { Database } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import type { ContentConfig } from "../config.ts";
import type { ContentTables } from "../tables.ts";

export interface Sealer {
  /** The stored form; without a key, the value as received. A value is bound to its setting and opens for no other. */
  seal(settingId: string, value: string): string;
  /** Throws a Failure when the key is not the one it was sealed with. */
  open(settingId: string, stored: string): string;
}

const sealedBegin = "sealed:1:";
/** Prefix for plain values that themselves look like a stored form. */
const plainBegin = "plain:1:";
const minKeyLength = 32;
const ivBytes = 12;
const tagBytes = 16;

/** `secret` is any text of sufficient length; null: nothing is sealed. */
export function createSealer(secret: string | null): Sealer {
  const key =
    secret === null
      ? null
      : Buffer.from(
          hkdfSync("sha256", secret, "", "vitrine secrets of edge apps", 32),
        );
  return {
    seal: (settingId, value) => {
      if (key === null)
        return value.startsWith(sealedBegin) || value.startsWith(plainBegin)
          ? plainBegin + value
          : value;
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv("aes-256-gcm", key, iv);
      cipher.setAAD(Buffer.from(settingId));
      const sealed = [cipher.update(value, "utf8"), cipher.final()];
      const whole = Buffer.concat([iv, cipher.getAuthTag(), ...sealed]);
      return sealedBegin + whole.toString("base64");
    },
    open: (settingId, stored) => {
      if (stored.startsWith(plainBegin)) return stored.slice(plainBegin.length);
      if (!stored.startsWith(sealedBegin)) return stored;
      if (key === null) throw wrongKey();
      const whole = Buffer.from(stored.slice(sealedBegin.length), "base64");
      try {
        const iv = whole.subarray(0, ivBytes);
        const decipher = createDecipheriv("aes-256-gcm", key, iv);
        decipher.setAAD(Buffer.from(settingId));
        decipher.setAuthTag(whole.subarray(ivBytes, ivBytes + tagBytes));
        const text = decipher.update(whole.subarray(ivBytes + tagBytes));
        return Buffer.concat([text, decipher.final()]).toString();
      } catch {
        throw wrongKey();
      }
    },
  };
}

function wrongKey(): Failure {
  return new Failure(
    "unavailable",
    "The stored secrets are encrypted with another key. Pass it with --secrets-key-file or VITRINE_CONTENT_SECRETS_KEY.",
  );
}

/** The operator's key; null when none is configured. Throws a Failure with a sentence. */
export async function readSecretsKey({
  secretsKey,
  secretsKeyFile,
}: Pick<ContentConfig, "secretsKey" | "secretsKeyFile">): Promise<
  string | null
> {
  if (secretsKeyFile === undefined) return secretsKey ?? null;
  const text = await readFile(secretsKeyFile, "utf8").catch(() => {
    throw new Failure(
      "not-found",
      `The file ${secretsKeyFile} cannot be read.`,
    );
  });
  const key = text.trim();
  if (key.length < minKeyLength)
    throw new Failure(
      "malformed",
      `The key in ${secretsKeyFile} must have at least ${minKeyLength} characters.`,
    );
  return key;
}

/** Seals values stored without a key, and refuses to start with a key other than the one the secrets are sealed with. */
export async function sealStored(
  { kysely }: Database<ContentTables>,
  sealer: Sealer,
  hasKey: boolean,
  log: Log,
): Promise<void> {
  const secrets = await storedSecrets(kysely);
  const sealed = secrets.filter(({ value }) => value.startsWith(sealedBegin));
  for (const { boundTo, value } of sealed) sealer.open(boundTo, value);
  const open = secrets.filter((secret) => !sealed.includes(secret));
  if (open.length === 0) return;
  if (!hasKey) {
    log.warn("secrets.not-sealed", {
      secrets: open.length,
      advice:
        "Secrets of edge apps, of alert rules, of adopted players and of second factors are stored unencrypted. Pass --secrets-key-file to encrypt them.",
    });
    return;
  }
  for (const { boundTo, value, replace } of open)
    await replace(sealer.seal(boundTo, sealer.open(boundTo, value)));
  log.info("secrets.sealed", { secrets: open.length });
}

interface StoredSecret {
  /** The setting, the rule, the screen or the person. */
  readonly boundTo: string;
  readonly value: string;
  /** Unless it was changed meanwhile. */
  readonly replace: (value: string) => Promise<unknown>;
}

async function storedSecrets(
  kysely: Kysely<ContentTables>,
): Promise<readonly StoredSecret[]> {
  const ofApps = await kysely
    .selectFrom("edge_app_secret_values")
    .select(["row_id", "setting_id", "value"])
    .execute();
  const ofRules = await kysely
    .selectFrom("alert_rules")
    .select(["id", "webhook_secret as value"])
    .where("webhook_secret", "is not", null)
    .execute();
  const ofPlayers = await kysely
    .selectFrom("adopted_players")
    .select(["screen_id", "password"])
    .where("password", "is not", null)
    .execute();
  const ofPeople = await kysely
    .selectFrom("people")
    .select(["id", "totp_secret", "totp_pending"])
    .where((eb) =>
      eb.or([
        eb("totp_secret", "is not", null),
        eb("totp_pending", "is not", null),
      ]),
    )
    .execute();
  return [
    ...ofPeople.flatMap((person) =>
      (["totp_secret", "totp_pending"] as const).flatMap((column) => {
        const { id, [column]: stored } = person;
        if (stored === null) return [];
        const replace = (value: string) =>
          kysely
            .updateTable("people")
            .set({ [column]: value })
            .where("id", "=", id)
            .where(column, "=", stored)
            .execute();
        return [{ boundTo: id, value: stored, replace }];
      }),
    ),
    ...ofApps.map(({ row_id, setting_id, value: stored }) => ({
      ...{ boundTo: setting_id, value: stored },
      replace: (value: string) =>
        kysely
          .updateTable("edge_app_secret_values")
          .set({ value })
          .where("row_id", "=", row_id)
          .where("value", "=", stored)
          .execute(),
    })),
    ...ofRules.flatMap(({ id, value: stored }) =>
      stored === null
        ? []
        : {
            ...{ boundTo: id, value: stored },
            replace: (value: string) =>
              kysely
                .updateTable("alert_rules")
                .set({ webhook_secret: value })
                .where("id", "=", id)
                .where("webhook_secret", "=", stored)
                .execute(),
          },
    ),
    ...ofPlayers.flatMap(({ screen_id: id, password: stored }) =>
      stored === null
        ? []
        : {
            ...{ boundTo: id, value: stored },
            replace: (value: string) =>
              kysely
                .updateTable("adopted_players")
                .set({ password: value })
                .where("screen_id", "=", id)
                .where("password", "=", stored)
                .execute(),
          },
    ),
  ];
}
