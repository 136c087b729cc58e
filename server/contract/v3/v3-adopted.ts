// Adopted players: Anthias players that the service reaches at an address, as screens of version 3 (V3-110 to V3-119).

import * as z from "zod";
import { fieldSentences } from "../sentences/field-sentences.ts";
import { got } from "../field-error.ts";
import { reader, type Reader } from "../reader.ts";
import { filledText, read, required, text, zone } from "./v3-values.ts";

const maxNameLength = 200;
const maxAddressLength = 300;
/** Of a login. */
const maxUsernameLength = 200;
const maxPasswordLength = 1000;

/** What an adopted player tells about itself; null: not reported (V3-112). */
export const playerFactsV3 = z.object({
  version: z.string().nullable(),
  model: z.string().nullable(),
  /** As the player writes it, such as `12G`. */
  free_space: z.string().nullable(),
  /** Of the last 15 minutes. */
  load_average: z.number().nullable(),
  uptime_seconds: z.number().nullable(),
  display_power: z.enum(["on", "off"]).nullable(),
});
export type PlayerFactsV3 = Readonly<z.infer<typeof playerFactsV3>>;

/** Of a screen in `GET /screens/states/` (V3-112). */
export const adoptedV3 = z.object({
  address: z.string(),
  /** The password is never returned (V3-111). */
  username: z.string().nullable(),
  /** Why the last contact failed; null when it succeeded, or before the first one. */
  problem: z.string().nullable(),
  facts: playerFactsV3,
  /** Assets on the player that this service did not create; null before the first contact. */
  kept_assets: z.int().nonnegative().nullable(),
});
export type AdoptedV3 = Readonly<z.infer<typeof adoptedV3>>;

/** The empty text and null stand for no login. */
const textOrNone = (most: number): Reader<string | null> => {
  const readText = text(most);
  const schema = { type: ["string", "null"], maxLength: most };
  return reader<string | null>(schema, (raw) =>
    raw === null || raw === "" ? { value: null } : readText(raw),
  );
};

const readUsername = textOrNone(maxUsernameLength);

/** HTTP Basic separates the two with a colon. */
const username = reader<string | null>(
  { ...readUsername.schema, pattern: "^[^:]*$" },
  (raw) => {
    const reading = readUsername(raw);
    return "value" in reading && reading.value?.includes(":")
      ? { sentence: fieldSentences.colon + got(raw) }
      : reading;
  },
);

/** The body of `POST /screens/adopted/` (V3-110, V3-111). */
export const adoptPlayerV3 = z.object({
  address: required(filledText(maxAddressLength)),
  /** Default: the host of its address. */
  name: read(text(maxNameLength)).optional(),
  username: read(username).optional(),
  password: read(textOrNone(maxPasswordLength)).optional(),
  timezone: read(zone).optional(),
});
export type AdoptPlayerV3 = Readonly<z.infer<typeof adoptPlayerV3>>;

/** The body of `PATCH /screens/adopted/{id}/`: fields that are left out stay (V3-111). */
export const adoptedChangeV3 = z.object({
  address: read(filledText(maxAddressLength)).optional(),
  username: read(username).optional(),
  password: read(textOrNone(maxPasswordLength)).optional(),
});
export type AdoptedChangeV3 = Readonly<z.infer<typeof adoptedChangeV3>>;
