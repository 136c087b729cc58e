// Access tokens, the password, sessions and backups: request and response shapes of version 2 (V2-42, V2-60 to V2-64, V2-772,
// V2-780).

import * as z from "zod";
import { passwordFault, passwordLength } from "../../core/password.ts";
import { reader } from "../reader.ts";
import { readBoolean, readText } from "./v2-values.ts";
import { count, inQuery, moment, optional, required, type Wire } from "./v2.ts";

/** A token in the list; its secret is returned only when it is created (V2-64). */
export const tokenV2 = z.object({
  id: z.string(),
  name: z.string(),
  created: moment,
  last_used: moment.nullable(),
});
export type TokenV2 = Wire<typeof tokenV2>;

export const newTokenV2 = tokenV2.extend({ token: z.string() });
export type NewTokenV2 = Wire<typeof newTokenV2>;

/** Long enough for the owner of a script and its purpose. */
const maxNameLength = 200;

export const createTokenV2 = z.object({
  name: required(readText(maxNameLength)),
});

/** Whether this client needs to sign in, and has (V2-772). */
export const sessionV2 = z.object({
  is_required: z.boolean(),
  is_signed_in: z.boolean(),
  is_phone: z.boolean(),
});
export type SessionV2 = Wire<typeof sessionV2>;

/** Far longer than any token. */
const maxTokenLength = 500;
/** However its letters are composed, a password fits. */
const maxTypedLength = 1000;

/** One of them. */
export const signInV2 = z.object({
  token: optional(readText(maxTokenLength)),
  password: optional(readText(maxTypedLength)),
  phone_code: optional(readText(maxTokenLength)),
});

/** Nothing of the password itself. */
export const passwordV2 = z.object({
  is_set: z.boolean(),
  changed: moment.nullable(),
});
export type PasswordV2 = Wire<typeof passwordV2>;

const readTyped = readText(maxTypedLength);

/** Its sentences never repeat it (V2-3). */
export const readNewPassword = reader<string>(
  {
    ...{ type: "string", pattern: "\\S" },
    ...{ minLength: passwordLength.least, maxLength: passwordLength.most },
  },
  (raw) => {
    const reading = readTyped(raw);
    if ("sentence" in reading) return reading;
    const sentence = passwordFault(reading.value);
    return sentence === null ? reading : { sentence };
  },
);

export const setPasswordV2 = z.object({ password: required(readNewPassword) });

export const backupV2 = z.object({
  name: z.string(),
  /** In bytes. */
  size: count,
  created: moment,
});
export type BackupV2 = Wire<typeof backupV2>;

/** What is in an archive, and which settings it would change (V2-756). */
export const backupContentsV2 = z.object({
  maker: z.enum(["vitrine", "anthias"]),
  made_by: z
    .object({ player: z.string(), version: z.string(), created: z.string() })
    .nullable(),
  assets: z.array(
    z.object({
      name: z.string(),
      kind: z.string(),
      is_enabled: z.boolean(),
      problem: z
        .string()
        .nullable()
        .meta({ description: "Why it cannot play here; null if it can." }),
    }),
  ),
  /** Their names. */
  playlists: z.array(z.string()),
  /** Except those of offline bundles. */
  connections: z.array(
    z.object({
      account_id: z.string(),
      name: z.string(),
      base_url: z.string(),
      is_enabled: z.boolean(),
    }),
  ),
  files: count.meta({ description: "The number of its files." }),
  size: count.meta({ description: "The bytes of its files." }),
  settings: z.array(
    z.object({ name: z.string(), now: z.unknown(), then: z.unknown() }),
  ),
});
export type BackupContentsV2 = Wire<typeof backupContentsV2>;

/** The name of a backup of the state before (V2-757). */
export const restoredBackupV2 = z.object({ undo: z.string() });

export const makeBackupQueryV2 = z.object({
  stream: inQuery(
    optional(readBoolean),
    "1 returns the archive itself without storing it.",
    "1",
  ),
});

/** Media types of an archive; a browser could treat any other as a page. */
const archiveTypes: readonly string[] = [
  ...["application/gzip", "application/x-gzip", "application/x-tar"],
  ...["application/x-tgz", "application/octet-stream"],
];
export const peerArchiveType = "application/x-tgz";

/** Whatever the peer's page requests, it gets its archive (V2-583). */
const readArchiveType = reader<string>(
  { type: "string", enum: archiveTypes },
  (raw) => ({
    value: archiveTypes.find((type) => type === raw) ?? peerArchiveType,
  }),
);

export const peerBackupQueryV2 = z.object({
  mime: inQuery(
    optional(readArchiveType),
    "Content type of the response: one of the archive types.",
    peerArchiveType,
  ),
});
