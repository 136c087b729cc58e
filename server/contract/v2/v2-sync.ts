// Sync in version 2: shapes of connections, status, plans and progress; beyond the specification (V2-200 to V2-219).

import * as z from "zod";
import { fieldSentences } from "../sentences/field-sentences.ts";
import { composeSentence } from "../sentence-templates.ts";
import {
  allAssetsModes,
  connectionKinds,
  cloudVersions,
  syncModes,
} from "../../core/sync-plan/sync-state.ts";
import { unusedReasons } from "../../core/sync-plan/unused-content.ts";
import { groupNames } from "./v2-settings.ts";
import { got, sentenceFor } from "../field-error.ts";
import { reader, type Reader } from "../reader.ts";
import {
  jsonOf,
  readBoolean,
  readMatching,
  readOneOf,
  readOr,
  readText,
  readInteger,
} from "./v2-values.ts";
import { count, inQuery, moment, optional, required, type Wire } from "./v2.ts";

const maybeMoment = moment.nullable();

const phases = [
  ...(["idle", "polling", "downloading", "waiting-for-hours"] as const),
  ...(["applying", "held", "failing", "off"] as const),
] as const;
const holds = ["ask", "tonight", "more-than-half", "postponed"] as const;
const problems = [
  ...(["unauthorized", "unavailable", "refused", "portal"] as const),
  ...(["certificate", "proxy", "malformed", "no-space"] as const),
  ...(["read-only", "no-token", "interrupted", "bug"] as const),
] as const;

/** A connection in the list; its token is never returned (V2-200). */
export const syncAccountV2 = z.object({
  account_id: z.string(),
  name: z.string(),
  base_url: z.string(),
  kind: z.enum(connectionKinds),
  version: z.enum(["auto", ...cloudVersions]),
  /** Where the token is stored; null when there is none (V2-201). */
  token_storage: z.enum(["sealed", "file"]).nullable(),
  labels: z.array(z.string()),
  screen_id: z.string().nullable(),
  asset_groups: z.array(z.string()),
  /** Where assets go that are in no playlist for this screen (V2-743). */
  all_assets: z.enum(allAssetsModes),
  mode: z.enum(syncModes),
  apply_at: z.string(),
  poll_seconds: count,
  rate_limit: count.nullable(),
  download_from: z.string().nullable(),
  download_until: z.string().nullable(),
  finish_current_item: z.boolean(),
  is_enabled: z.boolean(),
  skip_ssl_verify: z.boolean(),
  proxy_url: z.string().nullable(),
});
export type SyncAccountV2 = Wire<typeof syncAccountV2>;

/** What came from one connection, including the trash (V2-470). */
export const syncOriginV2 = z.object({
  account_id: z.string(),
  /** Local identifiers, not the content service's. */
  assets: z.array(z.string()),
  playlists: z.array(z.string()),
});
export type SyncOriginV2 = Wire<typeof syncOriginV2>;

/** Local changes to one asset or playlist of a connection (V2-560). */
export const localChangesV2 = z.object({
  account_id: z.string(),
  kind: z.enum(["asset", "playlist"]),
  /** Its local identifier. */
  id: z.string(),
  /** Its local name, else the service's; null where it is neither here nor in the desired state (V2-655). */
  name: z.string().nullable(),
  /** Deleted here, or in the trash (V2-562). */
  is_deleted: z.boolean(),
  /** Names of the fields that keep their local values. */
  fields: z.array(z.string()),
});
export type LocalChangesV2 = Wire<typeof localChangesV2>;

const readFieldNames = reader<readonly string[]>(
  { type: "string", pattern: "[^\\s,]" },
  (raw) => {
    const names = typeof raw === "string" ? raw.split(",") : [];
    const value = names.map((name) => name.trim()).filter(Boolean);
    return value.length > 0
      ? { value }
      : { sentence: `must be names of fields, separated by commas${got(raw)}` };
  },
);

export const discardLocalChangesQueryV2 = z.object({
  fields: inQuery(
    optional(readFieldNames),
    "Only these fields, separated by commas. Default: all fields.",
    "name,is_enabled",
  ),
});

export const discardAllLocalChangesQueryV2 = z.object({
  account_id: inQuery(
    required(readText(100)),
    "The connection whose local changes are discarded.",
    "3f9a1c2e",
  ),
});

export const deleteSyncAccountQueryV2 = z.object({
  keep: inQuery(
    optional(readBoolean),
    "1 keeps the synced content as local content.",
    "1",
  ),
});

const syncProgress = z.object({
  account_id: z.string(),
  phase: z.enum(phases),
  files_done: count,
  files_total: count,
  received_bytes: count,
  /** As far as the content service reports sizes. */
  total_bytes: count,
  bytes_per_second: count,
  /** Null while there is no estimate. */
  seconds_left: count.nullable(),
  /** Downloads in progress. */
  files: z.array(
    z.object({
      remote_id: z.string(),
      name: z.string(),
      received_bytes: count,
      total_bytes: count.nullable(),
    }),
  ),
});
/** The event `sync` (V2-210). */
export type SyncProgressV2 = Wire<typeof syncProgress>;

const appliedPlan = z.object({
  plan_id: z.string(),
  applied: moment,
  assets: count,
  playlists: count,
  is_current: z.boolean(),
});
export type AppliedPlanV2 = Wire<typeof appliedPlan>;

const syncStatus = z.object({
  account_id: z.string(),
  name: z.string(),
  kind: z.enum(connectionKinds),
  phase: z.enum(phases),
  /** Detected or configured; null before the first response. */
  version: z.enum(cloudVersions).nullable(),
  hold: z.enum(holds).nullable(),
  problem: z
    .object({ code: z.enum(problems), message: z.string(), since: moment })
    .nullable(),
  last_contact: maybeMoment,
  last_applied: maybeMoment,
  next_poll: maybeMoment,
  in_sync: z.boolean().nullable(),
  item_counts: z.object({ wanted: count, here: count, failed: count }),
  assets: count,
  playlists: count,
  failures: z.array(
    z.object({
      remote_id: z.string(),
      name: z.string(),
      reason: z.string(),
      is_quarantined: z.boolean(),
    }),
  ),
  /** What the content service has while nothing of it comes here, and why (V2-741, V2-742). */
  unused_content: z
    .object({
      reason: z.enum(unusedReasons),
      assets: count.nullable(),
      processing: count.nullable(),
      playlists: count.nullable(),
      /** Labels that have playlists. */
      labels: z.array(z.string()),
    })
    .nullable(),
  /** Files received from other players of the site; null while none are shared (V2-829). */
  site: z
    .object({
      players: count,
      files: count,
      files_from_players: count,
      bytes: count,
      bytes_from_players: count,
    })
    .nullable(),
  /** Newest first. */
  applied_plans: z.array(appliedPlan),
  /** Changes the content service does not have yet, and those of them with a conflict to resolve (V2-386). */
  changes_waiting: count,
  changes_stuck: count,
  progress: syncProgress,
});
export type SyncStatusV2 = Wire<typeof syncStatus>;

/** The status of every connection (V2-205). */
export const syncV2 = z.object({ accounts: z.array(syncStatus) });
export type SyncV2 = Wire<typeof syncV2>;

/** What applying would do (V2-206). */
export const syncPlanV2 = z.object({
  account_id: z.string(),
  plan_id: z.string(),
  first_seen: moment,
  hold: z.enum(holds).nullable(),
  adds: count,
  changes: count,
  removes: count,
  /** Still to be downloaded, as far as the content service reports sizes. */
  bytes: count,
  entries: z.array(
    z.object({
      kind: z.enum(["asset", "playlist"]),
      action: z
        .enum(["add", "change", "remove"])
        .meta({ description: "What happens to it." }),
      remote_id: z.string(),
      name: z.string(),
      bytes: count.nullable(),
    }),
  ),
});
export type SyncPlanV2 = Wire<typeof syncPlanV2>;

export const appliedPlansV2 = z.array(appliedPlan);

const maxNames = 100;
const maxNameLength = 200;
const maxUrlLength = 2000;
/** A signed token may be long, but an HTTP header is limited. */
const maxTokenLength = 4000;

/** Printable, so that it fits into a header. */
const readToken = readMatching(
  { type: "string", minLength: 1, maxLength: maxTokenLength },
  maxTokenLength,
  /^[!-~]+$/,
  fieldSentences["token-characters"],
  true,
);

/** `https://example.org/` → `https://example.org`; no user name or password, no query (V2-202). */
export const readBaseUrl = reader<string>(
  { type: "string", examples: ["https://content.example.org"] },
  (raw) => {
    const reading = readText(maxUrlLength)(raw);
    if ("sentence" in reading) return reading;
    const url = webAddressOf(reading.value);
    if (!url)
      return {
        sentence: fieldSentences["service-address"] + got(raw),
      };
    if (url.username || url.password)
      return { sentence: fieldSentences["no-login"] };
    if (url.search || url.hash) return { sentence: fieldSentences["no-query"] };
    return { value: url.href.replace(/(?<!\/)\/+$/, "") };
  },
);

const readProxyUrl = reader<string>(
  { type: "string", examples: ["http://proxy.example.org:3128"] },
  (raw) => {
    const reading = readText(maxUrlLength)(raw);
    if ("sentence" in reading) return reading;
    const url = webAddressOf(reading.value);
    return url?.protocol === "http:" && !url.username && !url.password
      ? { value: url.origin }
      : {
          sentence: fieldSentences.proxy,
        };
  },
);

/** This folder is compiled without the DOM and Node types, which declare URL: the address is parsed by its characters. */
function webAddressOf(text: string): WebAddress | null {
  const parts =
    /^(https?:)\/\/(?:([^/?#@]*)@)?((?:\[[0-9a-f:.]+\]|[^/?#@:\s\\]+)(?::(\d{1,5}))?)(\/[^?#\s]*)?(\?[^#]*)?(#.*)?$/i.exec(
      text,
    );
  if (!parts || Number(parts[4] ?? 0) > 65_535) return null;
  const [, protocol = "", user = "", host = "", , path = ""] = parts;
  const origin = `${protocol.toLowerCase()}//${host.toLowerCase()}`;
  return {
    ...{ protocol: protocol.toLowerCase(), origin, href: origin + path },
    ...{ username: user, password: "" },
    ...{ search: parts[6] ?? "", hash: parts[7] ?? "" },
  };
}

interface WebAddress {
  readonly protocol: string;
  readonly origin: string;
  readonly href: string;
  readonly username: string;
  readonly password: string;
  readonly search: string;
  readonly hash: string;
}

const readName = readText(maxNameLength);

/** Names, as an array, its JSON text, or separated by commas. */
const readNames = reader<readonly string[]>(
  {
    ...{ type: "array", maxItems: maxNames },
    items: { type: "string", minLength: 1, maxLength: maxNameLength },
  },
  (raw) => {
    const given = jsonOf(raw);
    const list =
      typeof given === "string"
        ? groupNames(given)
        : given === null
          ? []
          : given;
    if (!Array.isArray(list))
      return { sentence: `must be an array of names${got(given)}` };
    const names = new Set<string>();
    for (const [index, one] of list.entries()) {
      const reading = readName(one);
      if ("sentence" in reading)
        return { sentence: sentenceFor(`[${index}]`, reading.sentence) };
      names.add(reading.value);
    }
    return names.size > maxNames
      ? { sentence: composeSentence(fieldSentences.names, { limit: maxNames }) }
      : { value: [...names] };
  },
);

const readScreenId = readMatching(
  { type: "string", pattern: "^[\\w-]{1,64}$" },
  64,
  /^[\w-]{1,64}$/,
  "must be the identifier of a screen",
);

/** `HH:MM` or `HH:MM:SS` → milliseconds since midnight. */
const readTimeOfDay = reader<number>(
  { type: "string", pattern: "^([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?$" },
  (raw) => {
    const parts =
      typeof raw === "string"
        ? /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(raw.trim())
        : null;
    if (!parts)
      return {
        sentence: fieldSentences["time-morning"] + got(raw),
      };
    const [hours = 0, minutes = 0, seconds = 0] = parts
      .slice(1)
      .map((part) => Number(part ?? 0));
    return { value: ((hours * 60 + minutes) * 60 + seconds) * 1000 };
  },
);

/** Milliseconds since midnight → `03:00:00`. */
export function timeOfDayToV2(ms: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const seconds = Math.floor(ms / 1000);
  return [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map((part) => two(Math.floor(part)))
    .join(":");
}

const orNone = <T>(read: Reader<T>): Reader<T | null> =>
  readOr<T | null>(read, null);

/** A gigabyte per second exceeds any line; below a kilobyte no download ever completes. */
const readRateLimit = readInteger(1024, 1_000_000_000);

const connectionFields = {
  version: optional(readOneOf("auto", ...cloudVersions)),
  labels: optional(readNames),
  screen_id: optional(orNone(readScreenId)),
  asset_groups: optional(readNames),
  all_assets: optional(readOneOf(...allAssetsModes)),
  mode: optional(readOneOf(...syncModes)),
  apply_at: optional(readTimeOfDay),
  poll_seconds: optional(readInteger(5, 86_400)),
  rate_limit: optional(orNone(readRateLimit)),
  download_from: optional(orNone(readTimeOfDay)),
  download_until: optional(orNone(readTimeOfDay)),
  finish_current_item: optional(readBoolean),
  is_enabled: optional(readBoolean),
  skip_ssl_verify: optional(readBoolean),
  proxy_url: optional(orNone(readProxyUrl)),
};

/** A new connection needs an address and a token; its name defaults to the host (V2-200). */
export const createSyncAccountV2 = z.object({
  name: optional(readName),
  base_url: required(readBaseUrl),
  token: required(readToken),
  ...connectionFields,
});

/** Partial update. */
export const patchSyncAccountV2 = z.object({
  name: optional(readName),
  base_url: optional(readBaseUrl),
  token: optional(readToken),
  ...connectionFields,
});

const readId = reader<string>(
  { type: "string", pattern: "^[0-9a-f]{8,32}$" },
  readText(64),
);

/** Selects a connection; all of them by default (V2-205). */
export const syncTargetV2 = z.object({ account_id: optional(readId) });

/** With a plan, only that one is applied: the one the operator has seen (V2-375). */
export const applySyncV2 = syncTargetV2.extend({ plan_id: optional(readId) });
