// What if: a change simulated over all screens before it is made, and the assertions that an operator keeps (V3-100 to V3-109).

import * as z from "zod";
import { fieldSentences } from "../sentences/field-sentences.ts";
import { composeSentence } from "../sentence-templates.ts";
import { assetLimits } from "../../core/asset-limits.ts";
import { assertionKinds } from "../../core/what-if/assertion.ts";
import { got } from "../field-error.ts";
import { schemaOf } from "../json-schema.ts";
import { reader, type Reading } from "../reader.ts";
import {
  groupUpdateV3,
  playlistUpdateV3,
  predicate,
  screenUpdateV3,
  type GroupUpdateV3,
  type PlaylistUpdateV3,
  type ScreenUpdateV3,
} from "./v3.ts";
import { screenAssignmentsV3, type ScreenAssignmentsV3 } from "./v3-screens.ts";
import {
  elements,
  filledText,
  flag,
  integer,
  jsonOf,
  listSchema,
  oneOf,
  read,
  required,
} from "./v3-values.ts";

/** Of the request that writes anyway, although that breaks assertions (V3-108). */
export const applyAnywayHeader = "X-Vitrine-Apply-Anyway";

const maxChanges = 1000;
const maxAssignments = 20;
const maxGroups = 1000;
const maxAssets = 1000;
const maxFolders = 100;
/** A week. */
const maxEveryMinutes = 10_080;

const moment = z.iso.datetime({ offset: true });
const idAndName = z.object({ id: z.string(), name: z.string() });
const count = z.int().nonnegative();
const seconds = z.number().nonnegative();

/** A playlist that is new with the change has no identifier yet. */
const playlistRef = z.object({
  id: z.string().nullable(),
  title: z.string(),
});

const period = z.object({ from: moment, until: moment });

/** `count` and `seconds` are those of all periods; `first` are the first of them (V3-103). */
const brokenPeriodsV3 = z.object({
  count,
  seconds,
  first: z.array(period),
});

/** `count` is that of all screens; `first` are some of them (V3-103). */
const screensV3 = z.object({ count, first: z.array(idAndName) });

/** Screens that change in the same way. */
const changedScreensV3 = z.object({
  screens: screensV3,
  timezone: z.string(),
  /** How long they show something else. */
  changed_seconds: seconds,
  /** How long nothing is due, although something is due without the change. */
  emptied_seconds: seconds,
  /** Nothing is due at any time with the change. */
  is_empty: z.boolean(),
  periods: z.object({
    count,
    first: z.array(
      z.object({
        ...period.shape,
        /** Empty: nothing is due. */
        before: z.array(playlistRef),
        after: z.array(playlistRef),
      }),
    ),
  }),
});

const brokenAssertionV3 = z.object({
  id: z.string(),
  name: z.string(),
  holds_back: z.boolean(),
  /** The change breaks it: it holds the change back if `holds_back` is true. */
  is_newly_broken: z.boolean(),
  /** On which it is broken with the change. */
  screens: screensV3,
  /** Of these, those on which the change breaks it. */
  newly_broken_screens: screensV3,
  /** On the first of these screens. */
  periods: brokenPeriodsV3,
});
export type BrokenAssertionV3 = Readonly<z.infer<typeof brokenAssertionV3>>;

/** 200 of `POST /what-if/` (V3-100). */
export const whatIfV3 = z.object({
  ...period.shape,
  screens: z.object({
    /** All that were simulated. */
    total: count,
    /** Those that show something else at any time. */
    changed: count,
    /** Of these, those with nothing due at a time at which something is due without the change. */
    emptied: count,
    /** Of these, those with nothing due at any time. */
    empty: count,
  }),
  /** How many different ways to change there are; `changes` has the first of them. */
  change_count: count,
  changes: z.array(changedScreensV3),
  /** All that are broken with the change. */
  assertions: z.array(brokenAssertionV3),
});
export type WhatIfV3 = Readonly<z.infer<typeof whatIfV3>>;

/** The response to a write that is held back, or can't be checked (V3-107, V3-196). */
export const heldBackV3 = z.object({
  detail: z.string(),
  /** Null: it can't be checked. */
  what_if: whatIfV3.nullable(),
});
export type HeldBackV3 = Readonly<z.infer<typeof heldBackV3>>;

/** A change of one thing, with the fields of its own PATCH; without an identifier it is a new one. */
export interface ProposedV3<Fields> {
  readonly id: string | null;
  readonly isRemoved: boolean;
  readonly fields: Fields;
}

/** Objects with the fields of a PATCH, an `id`, and `is_removed`. */
function proposals<Fields>(
  schema: z.ZodType<Fields>,
  { mayBeNew }: { readonly mayBeNew: boolean },
) {
  const changes = schemaOf(schema);
  const element = {
    ...changes,
    properties: {
      id: { type: "string" },
      is_removed: { type: "boolean", default: false },
      ...(changes["properties"] as object),
    },
    ...(!mayBeNew && { required: ["id"] }),
  };
  const all = listSchema(maxChanges, element);
  return reader<readonly ProposedV3<Fields>[]>(all, (raw) => {
    const json = jsonOf(raw);
    if (!Array.isArray(json))
      return { sentence: `must be an array of objects${got(json)}` };
    if (json.length > maxChanges)
      return {
        sentence: composeSentence(fieldSentences.elements, {
          limit: maxChanges,
        }),
      };
    const list: ProposedV3<Fields>[] = [];
    for (const [at, each] of (json as unknown[]).entries()) {
      const reading = proposal(schema, each, mayBeNew);
      if ("sentence" in reading)
        return { sentence: `[${at}]${reading.sentence}` };
      list.push(reading.value);
    }
    return { value: list };
  });
}

function proposal<Fields>(
  schema: z.ZodType<Fields>,
  raw: unknown,
  mayBeNew: boolean,
): Reading<ProposedV3<Fields>> {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw))
    return { sentence: " must be an object" };
  const { id = null, is_removed = false } = raw as Readonly<
    Record<string, unknown>
  >;
  const isNew = id === null && mayBeNew;
  if (!isNew && (typeof id !== "string" || id === "" || id.length > 100))
    return { sentence: " must be an object with an id" };
  const removed = flag(is_removed);
  if ("sentence" in removed)
    return { sentence: `.is_removed ${removed.sentence}` };
  const parsed = schema.safeParse(raw);
  if (parsed.success)
    return {
      value: {
        id: typeof id === "string" ? id : null,
        isRemoved: removed.value,
        fields: parsed.data,
      },
    };
  const [issue] = parsed.error.issues;
  return {
    sentence: `.${issue?.path.join(".") ?? ""} ${issue?.message ?? "is not valid"}`,
  };
}

/** Bodies of `POST /screens/assignments/` (V3-127). */
const assignments = reader<readonly ScreenAssignmentsV3[]>(
  listSchema(maxAssignments, schemaOf(screenAssignmentsV3)),
  (raw) => {
    const json = jsonOf(raw);
    if (!Array.isArray(json))
      return { sentence: `must be an array of objects${got(json)}` };
    if (json.length > maxAssignments)
      return {
        sentence: composeSentence(fieldSentences.elements, {
          limit: maxAssignments,
        }),
      };
    const list: ScreenAssignmentsV3[] = [];
    for (const [at, each] of (json as unknown[]).entries()) {
      if (typeof each !== "object" || each === null || Array.isArray(each))
        return { sentence: `[${at}] must be an object` };
      const parsed = screenAssignmentsV3.safeParse(each);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        return {
          sentence: `[${at}].${issue?.path.join(".") ?? ""} ${issue?.message ?? "is not valid"}`,
        };
      }
      list.push(parsed.data);
    }
    return { value: list };
  },
);

/** The body of `POST /what-if/` (V3-100). */
export const whatIfRequestV3 = z.object({
  playlists: read(
    proposals<PlaylistUpdateV3>(playlistUpdateV3, { mayBeNew: true }),
  ).default([]),
  groups: read(
    proposals<GroupUpdateV3>(groupUpdateV3, { mayBeNew: false }),
  ).default([]),
  screens: read(
    proposals<ScreenUpdateV3>(screenUpdateV3, { mayBeNew: false }),
  ).default([]),
  assignments: read(assignments).default([]),
});
export type WhatIfRequestV3 = Readonly<z.infer<typeof whatIfRequestV3>>;

/** What the last check found (V3-109). */
const checkV3 = z.object({
  checked_at: moment,
  /** Why nothing could be checked, and so nothing was found (V3-125); left out where it was. */
  problem: z
    .object({
      /** `too-large`; a client accepts codes of later services. */
      code: z.string().max(40),
      message: z.string().max(300),
    })
    .optional(),
  is_broken: z.boolean(),
  screens: screensV3,
  /** On the first of these screens. */
  periods: brokenPeriodsV3,
});
export type AssertionCheckV3 = Readonly<z.infer<typeof checkV3>>;

/** An assertion as every operation returns it (V3-104). */
export const assertionV3 = z.object({
  id: z.string(),
  name: z.string(),
  is_enabled: z.boolean(),
  holds_back: z.boolean(),
  kind: z.enum(assertionKinds),
  /** A deleted asset has no title. */
  assets: z.array(z.object({ id: z.string(), title: z.string().nullable() })),
  folders: z.array(z.string()),
  /** Empty: all screens. A deleted group has no name, and no screens. */
  groups: z.array(z.object({ id: z.string(), name: z.string().nullable() })),
  /** When it applies. */
  predicate: z.string(),
  /** Null unless `kind` is `at-least`. */
  every_minutes: z.int().nullable(),
  created_at: moment,
  /** Null before the first check. */
  last_check: checkV3.nullable(),
});
export type AssertionV3 = Readonly<z.infer<typeof assertionV3>>;

const readFolder = filledText(assetLimits.titleLetters);

const folders = reader<readonly string[]>(
  listSchema(maxFolders, readFolder.schema),
  (raw) => {
    const json = jsonOf(raw);
    if (!Array.isArray(json))
      return { sentence: `must be an array${got(json)}` };
    if (json.length > maxFolders)
      return {
        sentence: composeSentence(fieldSentences.elements, {
          limit: maxFolders,
        }),
      };
    const names = new Set<string>();
    for (const [at, each] of (json as unknown[]).entries()) {
      const reading = readFolder(each);
      if ("sentence" in reading)
        return { sentence: `[${at}] ${reading.sentence}` };
      names.add(reading.value);
    }
    return { value: [...names] };
  },
);

const idsUpTo = (most: number) =>
  elements<string>(most, (_element, id) => ({ value: id }));
const readMinutes = integer(1, maxEveryMinutes);
const everyMinutes = reader<number | null>(
  { ...readMinutes.schema, type: ["integer", "null"] },
  (raw) => (raw === null ? { value: null } : readMinutes(raw)),
);

const optionalFields = {
  is_enabled: read(flag).optional(),
  holds_back: read(flag).optional(),
  assets: read(idsUpTo(maxAssets)).optional(),
  folders: read(folders).optional(),
  groups: read(idsUpTo(maxGroups)).optional(),
  predicate: read(predicate).optional(),
  every_minutes: read(everyMinutes).optional(),
};

const name = filledText(assetLimits.titleLetters);
const kind = oneOf(assertionKinds);

/** The body of `POST /assertions/` (V3-104). */
export const assertionCreateV3 = z.object({
  ...optionalFields,
  name: required(name),
  kind: required(kind),
});

/** The body of PUT and PATCH; omitted fields stay (V3-8). */
export const assertionUpdateV3 = z.object({
  ...optionalFields,
  name: read(name).optional(),
  kind: read(kind).optional(),
});
export type AssertionUpdateV3 = Readonly<z.infer<typeof assertionUpdateV3>>;
