// Outbox, pairing, player link and offline bundles: request and response shapes of version 2 (V2-300 to V2-329).

import { fieldSentences } from "../sentences/field-sentences.ts";
import { outboxSentences } from "../sentences/outbox-sentences.ts";
import { composeSentence } from "../sentence-templates.ts";
import { assetLimits } from "../../core/asset-limits.ts";
import * as z from "zod";
import { Failure } from "../../core/failure.ts";
import {
  changeActions,
  changeChoices,
  madeBy,
  writtenCollections,
  type ChangeAction,
  type CloudFields,
  type WrittenCollection,
} from "../../core/sync-plan/outbox.ts";
import { withinLimits } from "./v2-extras.ts";
import { readPredicate } from "./v2-playlists.ts";
import { readBaseUrl } from "./v2-sync.ts";
import { got, sentenceFor } from "../field-error.ts";
import { reader, type Reader, type Reading } from "../reader.ts";
import {
  jsonOf,
  readBoolean,
  readMatching,
  readOneOf,
  readOr,
  readText,
  readInteger,
} from "./v2-values.ts";
import {
  count,
  inQuery,
  moment,
  optional,
  required,
  sentencesOf,
  type Wire,
} from "./v2.ts";

const anything = z.record(z.string(), z.unknown());

/** A player that waits to be claimed, or has been (V2-300). */
export const pairingV2 = z.object({
  base_url: z.string(),
  state: z.enum(["waiting", "claimed", "ended"]),
  /** To be typed at the service. */
  pin: z.string().nullable(),
  expires: moment.nullable(),
  account_id: z.string().nullable(),
  problem: z.string().nullable(),
});
export type PairingV2 = Wire<typeof pairingV2>;

/** `null` while no pairing is in progress. */
export const pairingOrNullV2 = pairingV2.nullable();

export const beginPairingV2 = z.object({ base_url: required(readBaseUrl) });

/** Connection status of a paired screen (V2-304). */
export const syncLinkV2 = z.object({
  account_id: z.string(),
  screen_id: z.string(),
  screen_name: z.string().nullable(),
  is_connected: z.boolean(),
  last_seen: moment.nullable(),
  playbacks_waiting: count,
  problem: z.string().nullable(),
});
export type SyncLinkV2 = Wire<typeof syncLinkV2>;

/** An outbox change for a content service, and its status (V2-310). */
export const syncChangeV2 = z.object({
  change_id: z.string(),
  collection: z.enum(writtenCollections),
  action: z.enum(changeActions),
  /** The content service's identifier, or `change:` and the change that creates it. */
  id: z.string().nullable(),
  fields: anything,
  state: z.enum(["waiting", "sending", "done", "conflict", "refused"]),
  attempts: count,
  reason: z.string().nullable(),
  /** In conflict: the row as it was read, and as the content service has it now; null where it was deleted. */
  base: anything.nullable(),
  theirs: anything.nullable(),
  conflicts: z.array(z.string()),
  file: z.object({ name: z.string(), size: count, sent: count }).nullable(),
  created: moment,
  done: moment.nullable(),
});
export type SyncChangeV2 = Wire<typeof syncChangeV2>;

/** Rows of a content service (V2-316). */
export const cloudPageV2 = z.object({
  rows: z.array(anything),
  next: z.string().nullable(),
});
export type CloudPageV2 = Wire<typeof cloudPageV2>;

/** Without `limit`. */
export const defaultRows = 100;
const maxRows = 500;

export const serviceContentQueryV2 = z.object({
  after: inQuery(
    optional(
      readMatching(
        { type: "string", pattern: "^[\\w-]{1,64}$" },
        64,
        /^[\w-]+$/,
        "must be the next value of an earlier page",
      ),
    ),
    "The next value of the previous page.",
    "01J9ZC0000000000000000000",
  ),
  limit: inQuery(
    optional(readInteger(1, maxRows)),
    `Maximum number of rows. Default: ${defaultRows}.`,
    "100",
  ),
});

/** Keys whose offline bundles this player accepts (V2-323). */
export const planKeysV2 = z.object({
  /** This player's own key, as others see it in its exports. */
  own: z.string(),
  trusted: z.array(
    z.object({ fingerprint: z.string(), name: z.string(), trusted: moment }),
  ),
});
export type PlanKeysV2 = Wire<typeof planKeysV2>;

export const importedPlanV2 = z.object({
  account_id: z.string(),
  from: z.string(),
  exported: moment,
  fingerprint: z.string(),
  assets: count,
  playlists: count,
  files: count,
  bytes: count,
});
export type ImportedPlanV2 = Wire<typeof importedPlanV2>;

export const importPlanQueryV2 = z.object({
  account_id: inQuery(
    optional(
      readMatching(
        { type: "string", pattern: "^[0-9a-f]{8,32}$" },
        32,
        /^[0-9a-f]{8,}$/,
        "must be the identifier of a connection",
      ),
    ),
    "The connection to import into. Default: one for its origin.",
    "3f9a1c2e",
  ),
  trust: inQuery(
    optional(
      readMatching(
        { type: "string", pattern: "^[0-9a-f]{64}$" },
        64,
        /^[0-9a-f]{64}$/,
        "must be the fingerprint of a key, 64 hexadecimal digits",
      ),
    ),
    "Trust the key with this fingerprint from now on.",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  ),
});

const maxNameLength = assetLimits.titleLetters;
const maxUrlLength = assetLimits.addressLetters;
const maxElements = 10_000;
const maxSeconds = assetLimits.durationSeconds;

const idPattern = "^(change:)?[\\w-]{1,64}$";
const readId = reader<string>({ type: "string", pattern: idPattern }, (raw) =>
  typeof raw === "string" && new RegExp(idPattern).test(raw)
    ? { value: raw }
    : {
        sentence: `must be an identifier, or ${madeBy} followed by the identifier of a change${got(raw)}`,
      },
);

function readList<T>(read: Reader<T>): Reader<readonly T[]> {
  return reader(
    { type: "array", maxItems: maxElements, items: read.schema },
    (raw) => {
      const given = jsonOf(raw);
      if (!Array.isArray(given))
        return { sentence: `must be an array${got(given)}` };
      if (given.length > maxElements)
        return {
          sentence: composeSentence(fieldSentences.elements, {
            limit: maxElements,
          }),
        };
      const values: T[] = [];
      for (const [index, one] of given.entries()) {
        const reading = read(one);
        if ("sentence" in reading)
          return { sentence: sentenceFor(`[${index}]`, reading.sentence) };
        values.push(reading.value);
      }
      return { value: values };
    },
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const readItem = reader<CloudFields>(
  {
    type: "object",
    properties: {
      asset_id: readId.schema,
      duration: { type: ["number", "null"] },
    },
    required: ["asset_id"],
  },
  (raw) => {
    if (!isObject(raw))
      return { sentence: `must be an object with an asset_id${got(raw)}` };
    const id = readId(raw["asset_id"]);
    if ("sentence" in id)
      return { sentence: sentenceFor(".asset_id", id.sentence) };
    const duration = raw["duration"] ?? null;
    if (
      duration !== null &&
      !(typeof duration === "number" && duration > 0 && duration <= maxSeconds)
    )
      return {
        sentence: `.duration must be a number of seconds up to ${maxSeconds}, or null${got(duration)}`,
      };
    return { value: { asset_id: id.value, duration } };
  },
);

const readObject = reader<CloudFields>({ type: "object" }, (raw) => {
  const given = jsonOf(raw);
  return isObject(given)
    ? { value: given }
    : { sentence: `must be an object${got(given)}` };
});

/** What a player would leave out of it is not sent to the service (V2-548). */
const readMetadata = reader<CloudFields>(readObject.schema, (raw) => {
  const reading = readObject(raw);
  return "sentence" in reading ? reading : withinLimits(reading.value);
});

const headerName = new RegExp(
  `^[\\w!#$%&'*+.^\`|~-]{1,${assetLimits.headerNameLetters}}$`,
);
const headerValue = new RegExp(
  `^[\\t\\x20-\\x7e\\x80-\\xff]{0,${assetLimits.headerValueLetters}}$`,
);

/** Names and values as in an HTTP request. */
const readHeaders = reader<CloudFields>(
  { type: "object", additionalProperties: { type: "string" } },
  (raw) => {
    const reading = readObject(raw);
    if ("sentence" in reading) return reading;
    const headers = Object.entries(reading.value);
    if (headers.length > assetLimits.headers)
      return {
        sentence: composeSentence(fieldSentences.headers, {
          limit: assetLimits.headers,
        }),
      };
    return headers.every(
      ([name, value]) =>
        headerName.test(name) &&
        typeof value === "string" &&
        headerValue.test(value),
    )
      ? reading
      : { sentence: "must be an object of header names and one-line values" };
  },
);

const readWebAddress = readMatching(
  { type: "string", examples: ["https://example.org/"] },
  maxUrlLength,
  /^https?:\/\/[^\s/?#]\S*$/i,
  fieldSentences["web-address"],
);

/** An upload of `file_asset`, or an asset of this player. */
const readFileUri = reader<string>(
  { type: "string", pattern: "^(upload|asset):[\\w-]{1,64}$" },
  (raw) =>
    typeof raw === "string" && /^(upload|asset):[\w-]{1,64}$/.test(raw)
      ? { value: raw }
      : {
          sentence: `must be upload: or asset: followed by an identifier${got(raw)}`,
        },
);

const name = readText(maxNameLength);
const ids = readList(readId);

/** By collection; a service version without one rejects the change when it is sent. */
const fieldsOf: Readonly<
  Record<WrittenCollection, Readonly<Record<string, Reader<unknown>>>>
> = {
  assets: {
    ...{ title: name, source_url: readWebAddress, file: readFileUri },
    group_id: readOr<string | null>(readId, null),
    folder: readOr(name, ""),
    ...{ headers: readHeaders, metadata: readMetadata },
    js_injection: readOr(readText(assetLimits.scriptLetters), ""),
    ...{ disable_verification: readBoolean, send_metadata: readBoolean },
    user_agent: readOr<string | null>(name, null),
    zoom_level: readOr<number | null>(readInteger(25, 500), null),
  },
  groups: { title: name },
  labels: { name, screens: ids },
  playlists: {
    ...{
      title: name,
      predicate: readPredicate(maxNameLength, "TRUE"),
      is_enabled: readBoolean,
    },
    ...{ priority: readInteger(0, 100), transitions: readBoolean },
    ...{ items: readList(readItem), labels: ids },
  },
};

const requiredNames: Readonly<Record<WrittenCollection, string>> = {
  ...{ assets: "title", groups: "title", labels: "name", playlists: "title" },
};

/** The body of a new change; its fields are validated by `readChange`. */
export const createSyncChangeV2 = z.object({
  collection: required(readOneOf(...writtenCollections)),
  action: required(readOneOf(...changeActions)),
  id: optional(readId),
  fields: optional(readObject),
  base: optional(readObject),
});

export const retrySyncChangeV2 = z.object({
  choose: optional(readOneOf(...changeChoices)),
});

export interface ReadChange {
  readonly collection: WrittenCollection;
  readonly action: ChangeAction;
  readonly target: string | null;
  readonly fields: CloudFields;
  readonly base: CloudFields | null;
}

/** Throws `invalid` with sentences by field; `fields.title` names a field within `fields` (V2-311). */
export function readChange(input: unknown): ReadChange {
  const parsed = createSyncChangeV2.safeParse(input);
  if (!parsed.success)
    throw new Failure(
      "invalid",
      outboxSentences.invalid,
      sentencesOf(parsed.error),
    );
  const { collection, action, id, fields, base } = parsed.data;
  const wrong: Record<string, readonly string[]> = {};
  const refuse = (field: string, sentence: string): void => {
    wrong[field] = [sentenceFor(field, sentence)];
  };
  const known = fieldsOf[collection];
  const read =
    action === "delete" ? {} : readFields(known, fields ?? {}, refuse);
  if (action === "create") {
    if (id !== undefined)
      refuse("id", "must be left out when action is create");
    const needed = requiredNames[collection];
    if (read[needed] === undefined && !wrong[`fields.${needed}`])
      refuse(`fields.${needed}`, fieldSentences.required);
    if (
      collection === "assets" &&
      (fields?.["file"] === undefined) ===
        (fields?.["source_url"] === undefined)
    )
      refuse("fields.file", "or fields.source_url is required, and not both");
  } else {
    if (id === undefined) refuse("id", fieldSentences.required);
    for (const one of ["file", "source_url"])
      if (one in read)
        refuse(`fields.${one}`, "is only allowed when action is create");
  }
  if (action === "change" && Object.keys(read).length === 0)
    refuse("fields", "must contain at least one field");
  const asRead = action === "create" ? null : readBase(known, base);
  const isMade = id?.startsWith(madeBy) === true;
  if (asRead && !isMade)
    for (const one of action === "change"
      ? Object.keys(read)
      : [requiredNames[collection]])
      if (!(one in asRead))
        refuse("base", `must contain ${one} as read from the content service`);
  if (Object.keys(wrong).length > 0)
    throw new Failure("invalid", outboxSentences.invalid, wrong);
  return {
    ...{ collection, action, target: id ?? null, fields: read },
    base: asRead,
  };
}

function readFields(
  known: Readonly<Record<string, Reader<unknown>>>,
  fields: CloudFields,
  refuse: (field: string, sentence: string) => void,
): CloudFields {
  const read: Record<string, unknown> = {};
  for (const [field, raw] of Object.entries(fields)) {
    const reading: Reading<unknown> = Object.hasOwn(known, field)
      ? (known[field]?.(raw) ?? unknownField)
      : unknownField;
    if ("sentence" in reading) refuse(`fields.${field}`, reading.sentence);
    else read[field] = reading.value;
  }
  return read;
}

const unknownField = { sentence: "is not a known field" };

/** As it was read, without validation; fields that cannot be written are ignored. */
function readBase(
  known: Readonly<Record<string, unknown>>,
  base: CloudFields | undefined,
): CloudFields {
  return Object.fromEntries(
    Object.entries(base ?? {}).filter(
      ([field]) => Object.hasOwn(known, field) && field !== "file",
    ),
  );
}
