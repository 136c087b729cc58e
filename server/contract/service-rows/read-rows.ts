// Reads the rows of a content service's answers, in version 4 or 3: what a player is to have of an asset or playlist, or why it
// cannot.

import { connectionSentences } from "../sentences/connection-sentences.ts";
import { composeSentence } from "../sentence-templates.ts";
import {
  extraFields,
  plainExtras,
  type ExtraName,
  type Extras,
} from "../v2/v2-extras.ts";
import { goodHeaders } from "../v2/v2-headers.ts";
import { sentenceFor } from "../field-error.ts";
import { assetLimits } from "../../core/asset-limits.ts";
import type { WebOptions } from "../../core/asset.ts";
import type { ItemFailure } from "../../core/sync-plan/sync-state.ts";
import type {
  DesiredItem,
  DesiredPlaylist,
} from "../../core/sync-plan/desired-content.ts";
import { cutText } from "../../core/text-limit.ts";
import type { Transition } from "../../core/playlist.ts";
import { parsePredicate } from "../../core/predicate/predicate.ts";

export type Row = Readonly<Record<string, unknown>>;

export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Rows embedded in a row; empty if it has no such list. */
export function rowsIn(row: Row, name: string): readonly Row[] {
  const value = row[name];
  if (Array.isArray(value)) return value.filter(isRow);
  return isRow(value) ? [value] : [];
}

export function textIn(row: Row, name: string): string {
  const value = row[name];
  return typeof value === "string" ? value : "";
}

export function numberIn(row: Row, name: string): number | null {
  const value = row[name];
  const number =
    typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** Identifiers become parts of ours and of file names: letters, digits and dashes only. */
export function idIn(row: Row, name = "id"): string | null {
  const value = row[name];
  return typeof value === "string" && /^[\w-]{1,48}$/.test(value)
    ? value
    : null;
}

/** Of an asset; what it plays as is decided by the media type. */
export type RowKind =
  | "image"
  | "video"
  | "audio"
  | "pdf"
  | "web"
  | "streaming"
  | "app";

export const mimetypesOfRows: Readonly<Record<RowKind, string>> = {
  ...{ image: "image", video: "video", audio: "audio" },
  ...{ pdf: "application/pdf", web: "webpage", streaming: "streaming" },
  app: "edge-app",
};

const kinds: Readonly<Record<string, RowKind>> = {
  ...({ image: "image", video: "video", audio: "audio" } as const),
  ...({ web: "web", streaming: "streaming" } as const),
  ...({ pdf: "pdf", "pdf-page": "pdf", "edge-app": "app" } as const),
};

/** The name as it is stored: cut at a character boundary, or the identifier if nothing is left of it (V2-548). */
export function nameOf(row: Row, remoteId: string): string {
  const given =
    textIn(row, "title") ||
    textIn(row, "source_url").replace(/^https?:\/\//, "");
  const name = cutText(
    given.replaceAll("\0", "").trim(),
    assetLimits.nameLetters,
  );
  return name.trim() === "" ? remoteId : name.trim();
}

/** Undefined while it is not known. */
export function kindOfRow(row: Row): RowKind | undefined {
  return kinds[textIn(row, "type")] ?? kindOfMimetype(textIn(row, "mimetype"));
}

/** What stays at its address. */
export function isRemoteKind(kind: RowKind): boolean {
  return kind === "web" || kind === "streaming" || kind === "app";
}

function kindOfMimetype(mimetype: string): RowKind | undefined {
  if (mimetype === "application/pdf") return "pdf";
  const family = /^(image|video|audio)\//.exec(mimetype)?.[1];
  return family as RowKind | undefined;
}

/** The size of the source is the asset's size if both have the same bytes. */
export function sizeOf(row: Row, md5: string): number | null {
  const size = numberIn(row, "source_size");
  const isSame = textIn(row, "source_md5").toLowerCase() === md5;
  return isSame && size !== null && Number.isSafeInteger(size) && size >= 0
    ? size
    : null;
}

export function rotationOf(row: Row): 0 | 90 | 180 | 270 {
  const rotation = numberIn(row, "pdf_page_rotation");
  return rotation === 90 || rotation === 180 || rotation === 270 ? rotation : 0;
}

/** Values of an asset that are valid by the limits of the player's own interface; what is left out, in sentences (V2-548). */
interface TakenValues {
  readonly web: WebOptions;
  readonly metadata: Extras["metadata"];
  readonly leftOut: readonly string[];
}

export function takeValues(row: Row, isPage: boolean): TakenValues {
  const leftOut: string[] = [];
  const take = <Name extends ExtraName>(
    name: Name,
    raw: unknown,
  ): Extras[Name] => {
    if (raw === undefined || raw === null) return plainExtras[name];
    const reading = extraFields[name].read(raw);
    if ("value" in reading) return reading.value as Extras[Name];
    leftOut.push(sentenceFor(extraFields[name].wireName, reading.sentence));
    return plainExtras[name];
  };
  const metadata = take("metadata", row["metadata"]);
  if (!isPage) return { web: plainWeb, metadata, leftOut };
  const headers = goodHeaders(row["headers"]);
  leftOut.push(
    ...headers.leftOut.map((sentence) => sentenceFor("headers", sentence)),
  );
  return {
    metadata,
    web: {
      headers: headers.value,
      userAgent: take("userAgent", row["user_agent"]),
      zoomPercent: take("zoomPercent", row["zoom_level"]),
      script: take("script", row["js_injection"] || null),
      refreshSeconds: null,
      isMetadataSent: row["send_metadata"] === true,
      // This player has its own browser and never depends on an image of the page.
      isRenderedHere: true,
      screenshotCacheSeconds: take(
        "screenshotCacheSeconds",
        row["screenshot_cache_seconds"],
      ),
      isCertificateSkipped: row["disable_verification"] === true,
    },
    leftOut,
  };
}

const plainWeb: WebOptions = takeValues({}, true).web;

export type ReadPlaylist = DesiredPlaylist | ItemFailure | null;

const maxSeconds = assetLimits.durationSeconds;
const maxPriority = 100;

type SecondsOf = (assetId: string) => number | null;

export function readPlaylistV4(row: Row, secondsOf: SecondsOf): ReadPlaylist {
  const items = [...rowsIn(row, "playlist_items")]
    .sort(byPosition)
    .map((item) => itemOf(idIn(item, "asset_id"), item, secondsOf));
  const { transitions } = row;
  return readPlaylist(row, items, {
    priority: row["priority"] === true ? 1 : levelOf(row),
    transition:
      typeof transitions === "boolean"
        ? transitions
          ? "cross-fade"
          : "cut"
        : null,
  });
}

export function readPlaylistV3(
  row: Row,
  place: number,
  secondsOf: SecondsOf,
): ReadPlaylist {
  const items = rowsIn(row, "assets").map((item) =>
    itemOf(idIn(item), item, secondsOf),
  );
  // Version 3 has no creation time: its list is in order of creation.
  return readPlaylist({ created_at: place, ...row }, items, {
    priority: levelOf(row),
    transition: null,
  });
}

function readPlaylist(
  row: Row,
  items: readonly (DesiredItem | null)[],
  {
    priority,
    transition,
  }: { readonly priority: number; readonly transition: Transition | null },
): ReadPlaylist {
  const remoteId = idIn(row);
  if (remoteId === null) return null;
  const name = nameOf(row, remoteId);
  const predicate = textIn(row, "predicate").trim() || "TRUE";
  const { problem } = parsePredicate(predicate);
  if (problem)
    return {
      ...{ remoteId, name, isGivenUp: true },
      reason: composeSentence(connectionSentences["predicate-invalid"], {
        position: problem.position,
        what: problem.message,
      }),
    };
  return {
    remoteId,
    facts: {
      ...{ name, predicate, priority, transition, isShuffled: null },
      isEnabled: row["is_enabled"] !== false,
      createdAt: momentOf(row["created_at"]),
      items: items.filter((item) => item !== null),
    },
  };
}

function itemOf(
  assetId: string | null,
  row: Row,
  secondsOf: SecondsOf,
): DesiredItem | null {
  if (assetId === null) return null;
  const seconds = numberIn(row, "duration");
  const assetSeconds = secondsOf(assetId);
  // An item with exactly the length of its video was not given one by a person: the video is played whole.
  const isOwn =
    assetSeconds !== null &&
    seconds !== null &&
    Math.abs(seconds - assetSeconds) < 0.5;
  return {
    assetId,
    durationSeconds:
      seconds === null || seconds <= 0 || isOwn
        ? null
        : Math.min(maxSeconds, Math.max(1, Math.round(seconds))),
  };
}

function byPosition(a: Row, b: Row): number {
  const distance =
    (numberIn(a, "position") ?? Infinity) -
    (numberIn(b, "position") ?? Infinity);
  if (distance < 0 || distance > 0) return distance;
  return textIn(a, "id") < textIn(b, "id") ? -1 : 1;
}

function levelOf(row: Row): number {
  const level = Math.floor(numberIn(row, "priority") ?? 0);
  return Math.min(maxPriority, Math.max(0, level));
}

/** Milliseconds since 1970; 0 if not given. */
function momentOf(value: unknown): number {
  const moment =
    typeof value === "number"
      ? value
      : typeof value === "string"
        ? Date.parse(value)
        : NaN;
  return Number.isFinite(moment) ? Math.round(moment) : 0;
}
