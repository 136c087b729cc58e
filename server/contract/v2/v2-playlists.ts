// Playlists of version 2: request and response shapes, beyond the specification (V2-110 to V2-117).

import * as z from "zod";
import { fieldSentences } from "../sentences/field-sentences.ts";
import { composeSentence } from "../sentence-templates.ts";
import type { Transition } from "../../core/playlist.ts";
import { parsePredicate } from "../../core/predicate/predicate.ts";
import { groupNames } from "./v2-settings.ts";
import { got, sentenceFor } from "../field-error.ts";
import { reader, type Reader } from "../reader.ts";
import {
  jsonOf,
  readBoolean,
  readDuration,
  readOneOf,
  readOr,
  readText,
  readInteger,
} from "./v2-values.ts";
import { count, moment, optional, required, type Wire } from "./v2.ts";

/** A playlist in answers. */
export const answeredPlaylistV2 = z.object({
  playlist_id: z.string(),
  name: z.string(),
  predicate: z.string(),
  priority: count.max(100),
  is_enabled: z.boolean(),
  groups: z.array(z.string()),
  transition: z.enum(["cut", "cross-fade"]).nullable(),
  shuffle: z.boolean().nullable(),
  items: z.array(
    z.object({
      item_id: z.string(),
      asset_id: z.string(),
      /** Null: the asset's own duration. */
      duration: count.nullable(),
    }),
  ),
  /** Changes whenever the items change (V2-431). */
  items_revision: z.string(),
  created: moment,
});
export type PlaylistV2 = Wire<typeof answeredPlaylistV2>;
export type PlaylistItemV2 = PlaylistV2["items"][number];

/** As sent by a client. */
export interface ItemInput {
  /** Its existing identifier; null when none, or an invalid one, was sent. */
  readonly id: string | null;
  readonly assetId: string;
  readonly durationSeconds: number | null;
}

const maxNameLength = 1000;
/** Longer than a predicate may be, so that its parser can report what is wrong with a long one. */
const maxPredicateLength = 100_000;
export const maxPriority = 100;
const maxGroups = 100;
const maxGroupLength = 200;
/** A day of ten-second items. */
export const maxPlaylistItems = 10_000;
/** Longer than any identifier. */
const maxIdLength = 100;

/** A predicate that parses; otherwise the position and the error (V2-111). */
export function readPredicate(
  lengthLimit: number,
  example: string,
): Reader<string> {
  const read = readText(lengthLimit);
  return reader({ type: "string", examples: [example] }, (raw) => {
    const reading = read(raw);
    if ("sentence" in reading) return reading;
    const { problem } = parsePredicate(reading.value);
    return problem
      ? {
          sentence: composeSentence(fieldSentences.predicate, {
            position: problem.position,
            what: problem.message,
          }),
        }
      : reading;
  });
}

const readGroupName = readText(maxGroupLength);

/** Names, as an array, its JSON text, or separated by commas (V2-114). */
const readGroups = reader<readonly string[]>(
  {
    ...{ type: "array", maxItems: maxGroups },
    items: {
      type: "string",
      pattern: "^[^,]*[^,\\s][^,]*$",
      maxLength: maxGroupLength,
    },
  },
  (raw) => {
    const given = jsonOf(raw);
    const list = typeof given === "string" ? groupNames(given) : given;
    if (!Array.isArray(list))
      return { sentence: `must be an array of names${got(given)}` };
    const names = new Set<string>();
    for (const [index, one] of list.entries()) {
      const reading = readGroupName(one);
      if ("sentence" in reading)
        return { sentence: sentenceFor(`[${index}]`, reading.sentence) };
      if (reading.value.includes(","))
        return {
          sentence: fieldSentences.commas + got(reading.value),
        };
      names.add(reading.value);
    }
    return names.size > maxGroups
      ? {
          sentence: composeSentence(fieldSentences.names, { limit: maxGroups }),
        }
      : { value: [...names] };
  },
);

const readId = readText(maxIdLength);
const readStay = readOr<number | null>(readDuration, null);

const itemSchema = {
  type: "object",
  properties: {
    item_id: { type: "string" },
    asset_id: { type: "string", minLength: 1, maxLength: maxIdLength },
    duration: readStay.schema,
  },
  required: ["asset_id"],
};

/** In order, each an asset and its duration; a bare identifier has the asset's own duration (V2-112). */
const readItems = reader<readonly ItemInput[]>(
  { type: "array", items: itemSchema, maxItems: maxPlaylistItems },
  (raw) => {
    const given = jsonOf(raw);
    if (!Array.isArray(given))
      return { sentence: `must be an array of items${got(given)}` };
    if (given.length > maxPlaylistItems)
      return {
        sentence: composeSentence(fieldSentences.items, {
          limit: maxPlaylistItems,
        }),
      };
    const items: ItemInput[] = [];
    for (const [index, one] of given.entries()) {
      const {
        item_id: ownId,
        asset_id: rawId,
        duration = null,
      } = typeof one === "string"
        ? { asset_id: one }
        : (Object(one) as ItemBody);
      const id = readId(rawId ?? null);
      const stay = readStay(duration);
      if ("sentence" in id)
        return { sentence: sentenceFor(`[${index}].asset_id`, id.sentence) };
      if ("sentence" in stay)
        return { sentence: sentenceFor(`[${index}].duration`, stay.sentence) };
      items.push({
        ...{ id: itemIdOf(ownId), assetId: id.value },
        durationSeconds: stay.value,
      });
    }
    return { value: items };
  },
);

/** In the form of the player's own identifiers; anything else is not an item's identifier (V2-432). */
function itemIdOf(raw: unknown): string | null {
  return typeof raw === "string" && /^[\w-]{1,64}$/.test(raw) ? raw : null;
}

interface ItemBody {
  readonly item_id?: unknown;
  readonly asset_id?: unknown;
  readonly duration?: unknown;
}

const name = readText(maxNameLength);

const fields = {
  predicate: optional(
    readPredicate(maxPredicateLength, "$WEEKDAY IN {1, 2, 3, 4, 5}"),
  ),
  priority: optional(readInteger(0, maxPriority)),
  is_enabled: optional(readBoolean),
  groups: optional(readGroups),
  transition: optional(
    readOr<Transition | null>(readOneOf("cut", "cross-fade"), null),
  ),
  shuffle: optional(readOr<boolean | null>(readBoolean, null)),
  items: optional(readItems),
  items_revision: optional(readText(maxIdLength)),
};

/** Creation and full update: omitted fields take their defaults (V2-110). */
export const playlistV2 = z.object({ name: required(name), ...fields });

/** Fields as they were read, in the form in which they are returned. */
const readExpected = reader<Readonly<Record<string, unknown>>>(
  { type: "object" },
  (raw) => {
    const value = jsonOf(raw);
    const isFields =
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value) &&
      Object.keys(value).every((name) =>
        Object.hasOwn(answeredPlaylistV2.shape, name),
      );
    return isFields
      ? { value: value as Readonly<Record<string, unknown>> }
      : {
          sentence: `must be an object with fields of the playlist${got(raw)}`,
        };
  },
);

/** Partial update. */
export const patchPlaylistV2 = z.object({
  name: optional(name),
  ...fields,
  expected: optional(readExpected),
});

/** Items to append to a playlist (V2-430). */
export const appendItemsV2 = z.object({
  items: required(readItems),
  items_revision: fields.items_revision,
});
