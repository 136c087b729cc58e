// Local player interface, version 2: shapes of its bodies. The rules are in v2.md and rules/.

import { fieldSentences } from "../sentences/field-sentences.ts";
import { assetLimits } from "../../core/asset-limits.ts";
import * as z from "zod";
import type { FieldSentences } from "../../core/failure.ts";
import { extraFields, type ExtrasV2 } from "./v2-extras.ts";
import { sentenceFor } from "../field-error.ts";
import { reader, type Reader } from "../reader.ts";
import {
  readBoolean,
  readDuration,
  readMatching,
  readMoment,
  readPlayOrder,
  readText,
} from "./v2-values.ts";

/** A date and time in answers. */
export const moment = z.string().meta({ format: "date-time" });
export const count = z.int().nonnegative();

/** The type of a schema, deeply read-only. */
export type Wire<Schema extends z.ZodType> = Unchanging<z.infer<Schema>>;
type Unchanging<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Unchanging<Value[Key]> }
  : Value;

const extras = Object.fromEntries(
  Object.values(extraFields).map(({ wireName, answer }) => [
    wireName,
    z.unknown().meta(answer),
  ]),
) as unknown as {
  readonly [Name in keyof ExtrasV2]: z.ZodType<ExtrasV2[Name]>;
};

/** Asset (AssetSerializerV2) as this interface returns it; the extras beyond the specification follow (V2-109). */
export const assetV2 = z.object({
  asset_id: z.string(),
  name: z.string().nullable(),
  uri: z.string().nullable(),
  start_date: moment.nullable(),
  end_date: moment.nullable(),
  duration: count.nullable(),
  mimetype: z.string().nullable(),
  is_enabled: z.boolean(),
  nocache: z.boolean(),
  play_order: z.int(),
  skip_asset_check: z.boolean(),
  /** `"true"` or `"false"`; a boolean if the setting says so (V2-9). */
  is_active: z.union([z.enum(["true", "false"]), z.boolean()]),
  is_processing: z.boolean(),
  ...extras,
  /**
   * Data that clients store with it; `error_message` says why it cannot be shown (V2-10, V2-105), `remark` what is not
   * as intended although it plays (V2-424).
   */
  metadata: z.looseObject({
    error_message: z.string().optional(),
    remark: z.string().optional(),
  }),
  /** What the player itself has; ignored in a body (V2-713). */
  stored: z.object({
    /** As it was set: 0 for a clip that plays its own length, whose `duration` is that length (V2-403). */
    duration: count,
    /** Its file has yet to arrive, whatever a client sent as `is_processing` (V2-402). */
    is_downloading: z.boolean(),
    /** Null for remote content, and until the file has arrived. */
    file: z
      .object({
        sha256: z.string().meta({ pattern: "^[0-9a-f]{64}$" }),
        /** Detected from the bytes. */
        media_type: z.string(),
        /** In bytes. */
        size: count,
        /** Of a video or audio, in seconds; null where there is none, or it is unknown. */
        length: z.number().nonnegative().nullable(),
      })
      .nullable(),
  }),
});
export type AssetV2 = Wire<typeof assetV2>;

/** Far longer than any registered media type. */
const maxTypeLength = 255;

const name = readText(assetLimits.nameLetters);
const uri = readText(assetLimits.addressLetters);
const mimetype = readText(maxTypeLength);

/** `.png` or `png`: up to ten letters and digits (V2-14). */
const readExt = readMatching(
  { type: "string", pattern: "^\\.?[A-Za-z0-9]{1,10}$" },
  11,
  /^\.?[a-z0-9]{1,10}$/i,
  "must be a file name extension such as .png",
);

/** Each may be omitted; null resets it (V2-109). */
const extraShape = Object.fromEntries(
  Object.values(extraFields).map(({ wireName, read }) => [
    wireName,
    optional<unknown>(read),
  ]),
) as unknown as {
  readonly [Wire in keyof ExtrasV2]: z.ZodOptional<z.ZodType<ExtrasV2[Wire]>>;
};

/** CreateAssetSerializerV2; unknown and read-only fields are dropped (V2-6). */
export const createAssetV2 = z.object({
  name: required(name),
  uri: required(uri),
  start_date: required(readMoment),
  end_date: required(readMoment),
  duration: required(readDuration),
  mimetype: required(mimetype),
  is_enabled: required(readBoolean),
  is_processing: optional(readBoolean),
  ext: optional(readExt),
  nocache: optional(readBoolean),
  play_order: optional(readPlayOrder),
  skip_asset_check: optional(readBoolean),
  ...extraShape,
});

/** PatchedUpdateAssetSerializerV2. */
export const patchAssetV2 = z.object({
  name: optional(name),
  start_date: optional(readMoment),
  end_date: optional(readMoment),
  duration: optional(readDuration),
  is_enabled: optional(readBoolean),
  is_processing: optional(readBoolean),
  nocache: optional(readBoolean),
  play_order: optional(readPlayOrder),
  skip_asset_check: optional(readBoolean),
  ...extraShape,
});

/** UpdateAssetSerializerV2: the same with five required fields. */
export const updateAssetV2 = patchAssetV2.extend({
  name: required(name),
  start_date: required(readMoment),
  end_date: required(readMoment),
  duration: required(readDuration),
  is_enabled: required(readBoolean),
});

/** Four thousand identifiers of the usual 32 characters fit into a form of 128 KiB; far above any screen's list. */
const maxIds = 100_000;

const idsSchema = {
  anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
};

const readIds = reader<readonly string[]>(idsSchema, (raw) => {
  const list = typeof raw === "string" ? raw.split(",") : raw;
  if (!Array.isArray(list) || !list.every((id) => typeof id === "string"))
    return {
      sentence: "must be identifiers separated by commas, or an array of them",
    };
  if (list.length > maxIds)
    return { sentence: `must have at most ${maxIds} identifiers` };
  return { value: list.map((id) => id.trim()).filter((id) => id !== "") };
});

/** Identifiers separated by commas, or a list of them. */
export const idsV2 = optional(readIds);

/** What the player completes: the rest of a creation has defaults (V2-714). */
export const addAssetV2 = z.object({
  uri: required(uri),
  name: optional(name),
  skip_asset_check: optional(readBoolean),
  ...extraShape,
});

/** Another file, by the token of its upload, or another address. */
export const replaceSourceV2 = z.object({ uri: required(uri) });

/** Body of the order operation. */
export const orderV2 = z.object({ ids: idsV2 });

/** The sentences of an invalid body, by field; a body that is not an object is reported under `non_field_errors` (V2-3). */
export function sentencesOf(error: z.ZodError): FieldSentences {
  const sentences: Record<string, string[]> = {};
  for (const issue of error.issues) {
    const field = issue.path.length ? String(issue.path[0]) : undefined;
    const sentence = field
      ? sentenceFor(field, issue.message)
      : "The body must be an object.";
    (sentences[field ?? "non_field_errors"] ??= []).push(sentence);
  }
  return sentences;
}

export function required<T>(read: Reader<T>) {
  return z
    .unknown()
    .transform((raw, context): T => {
      const reading =
        raw === undefined ? { sentence: fieldSentences.required } : read(raw);
      if ("value" in reading) return reading.value;
      context.addIssue({ code: "custom", message: reading.sentence });
      return z.NEVER;
    })
    .meta(read.schema);
}

export function optional<T>(read: Reader<T>) {
  return required(read).optional();
}

/** A parameter of the query, with how the description explains it (V2-755). */
export function inQuery<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  example: string,
): Schema {
  return schema.meta({ description, example });
}
