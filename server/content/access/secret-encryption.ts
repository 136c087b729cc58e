// Encrypts secrets of edge apps at rest, with a key that the operator keeps outside the database (V4-306).

import {
  createCipheriv,
  createDecipheriv,
  hkdfSync,
  randomBytes,
} from "node:crypto";
import { readFile } from "node:fs/promises";
import { Failure } from "../../core/failure.ts";
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
    "The secrets of edge apps are sealed with another key: give it with --secrets-key-file or VITRINE_CONTENT_SECRETS_KEY.",
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
      `The key in ${secretsKeyFile} is too short: it takes ${minKeyLength} characters or more.`,
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
  const rows = await kysely
    .selectFrom("edge_app_secret_values")
    .select(["row_id", "setting_id", "value"])
    .execute();
  const sealed = rows.filter(({ value }) => value.startsWith(sealedBegin));
  for (const { setting_id, value } of sealed) sealer.open(setting_id, value);
  const open = rows.filter((row) => !sealed.includes(row));
  if (open.length === 0) return;
  if (!hasKey) {
    log.warn("secrets.not-sealed", {
      secrets: open.length,
      advice:
        "Secrets of edge apps are stored as they are. Give --secrets-key-file to seal them.",
    });
    return;
  }
  for (const { row_id, setting_id, value } of open)
    await kysely
      .updateTable("edge_app_secret_values")
      .set({ value: sealer.seal(setting_id, sealer.open(setting_id, value)) })
      .where("row_id", "=", row_id)
      .where("value", "=", value)
      .execute();
  log.info("secrets.sealed", { secrets: open.length });
}
