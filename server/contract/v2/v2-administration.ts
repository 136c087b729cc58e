// Access tokens, sessions and backups: request and response shapes of version 2 (V2-42, V2-60 to V2-64, V2-772).

import * as z from "zod";
import { readText } from "./v2-values.ts";
import { count, moment, required, type Wire } from "./v2.ts";

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
});
export type SessionV2 = Wire<typeof sessionV2>;

/** Far longer than any token. */
const maxTokenLength = 500;

export const signInV2 = z.object({ token: required(readText(maxTokenLength)) });

export const backupV2 = z.object({
  name: z.string(),
  /** In bytes. */
  size: count,
  created: moment,
});
export type BackupV2 = Wire<typeof backupV2>;
