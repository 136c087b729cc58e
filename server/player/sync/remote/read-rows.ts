// Reads the rows of a content service's answers, in version 4 or 3: which of them are rows of what was requested, and what the player
// is to have of an asset or playlist, or why it cannot.

import * as z from "zod";
import {
  extraFields,
  plainExtras,
  type ExtraName,
  type Extras,
} from "../../../contract/v2/v2-extras.ts";
import { goodHeaders } from "../../../contract/v2/v2-headers.ts";
import { sentenceFor } from "../../../contract/field-error.ts";
import { assetLimits } from "../../../core/asset-limits.ts";
import {
  noEndMs,
  plainPresentation,
  type WebOptions,
} from "../../../core/asset.ts";
import type { ItemFailure } from "../../../core/sync-plan/sync-state.ts";
import type {
  DesiredAsset,
  DesiredItem,
  DesiredPlaylist,
} from "../../../core/sync-plan/desired-content.ts";
import { cutText } from "../../../core/text-limit.ts";
import type { Transition } from "../../../core/playlist.ts";
import { parsePredicate } from "../../../core/predicate/predicate.ts";
import { RemoteError } from "./remote-error.ts";

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

const id = z.string();
const row = z.looseObject({});
const withId = z.looseObject({ id });

/** An embedded relation; a single row if the relation leads to one. */
const assetsOfItem = z.union([withId, z.array(withId), z.null()]);

const playlistV4 = z.looseObject({
  id,
  playlist_items: z.array(
    z.looseObject({ asset_id: id.nullable(), assets: assetsOfItem.optional() }),
  ),
});

/** The row shape of each requested list, by a name for it. */
const rowShapes = {
  anything: row,
  assets: withId,
  "asset groups": withId,
  labels: z.looseObject({ id, playlists: z.array(playlistV4) }),
  "labels of the screen": z.looseObject({ label_id: id }),
  "pages of documents": z.looseObject({ id, pdf_asset_id: id }),
  "files of an app": withId,
  installations: withId,
  channels: z.looseObject({ app_id: id, channel: z.string() }),
  versions: z.looseObject({ app_id: id, revision: z.number() }),
  settings: z.looseObject({ name: z.string() }),
  "groups of version 3": withId,
  "playlists of version 3": z.looseObject({ id, groups: z.array(withId) }),
} as const;

export type ListName = keyof typeof rowShapes;

/** The rows of a list. Throws `malformed` for anything but a list of such rows. */
export function rowsOf(body: unknown, what: ListName): readonly Row[] {
  const reading = z.array(rowShapes[what]).safeParse(body);
  if (reading.success) return reading.data;
  throw new RemoteError(
    "malformed",
    Array.isArray(body)
      ? "The content service's response contains an unexpected row."
      : "The content service's response is not a list.",
  );
}

const playlistV3 = z.looseObject({ id, assets: z.array(withId) });

/** A playlist of version 3 in a response of its own. Throws `malformed` for anything else, including another playlist. */
export function playlistOf(body: unknown, playlistId: string): Row {
  const reading = playlistV3.safeParse(body);
  if (reading.success && reading.data.id === playlistId) return reading.data;
  throw new RemoteError(
    "malformed",
    "The content service's response is not a playlist.",
  );
}

export interface ReadAsset {
  readonly asset: DesiredAsset;
  /** Address of its bytes; null for what stays remote. */
  readonly source: string | null;
  readonly mediaSeconds: number | null;
  /** Installation of an app, by which its content is fetched. */
  readonly installation: string | null;
  /** What the player does not take from it, in sentences. */
  readonly leftOut: readonly string[];
}

type Kind = "image" | "video" | "audio" | "pdf" | "web" | "streaming" | "app";

const mimetypes: Readonly<Record<Kind, string>> = {
  ...{ image: "image", video: "video", audio: "audio" },
  ...{ pdf: "application/pdf", web: "webpage", streaming: "streaming" },
  app: "edge-app",
};

const kinds: Readonly<Record<string, Kind>> = {
  ...({ image: "image", video: "video", audio: "audio" } as const),
  ...({ web: "web", streaming: "streaming" } as const),
  ...({ pdf: "pdf", "pdf-page": "pdf", "edge-app": "app" } as const),
};

/** The usual duration of an image or page that has none. */
const defaultSeconds = 10;
export interface ReadOptions {
  /** It plays without a playlist. */
  readonly isListedAlone: boolean;
  /** Address of the asset at the service, the same in every poll. */
  readonly addressOf: (remoteId: string) => string;
  /** The API version lists the files of apps. */
  readonly hasApps: boolean;
}

/** Null: nothing to show and nothing to report. */
export function readAssetRow(
  row: Row,
  { isListedAlone, addressOf, hasApps }: ReadOptions,
): ReadAsset | ItemFailure | null {
  const remoteId = idIn(row);
  if (remoteId === null) return null;
  const type = textIn(row, "type");
  // Files of apps are not content of their own.
  if (type === "edge-app-file") return null;
  const name = nameOf(row, remoteId);
  const failure = (reason: string): ItemFailure => ({
    ...{ remoteId, name, reason, isGivenUp: true },
  });
  const status = textIn(row, "status");
  if (status === "error")
    return failure(
      `The content service failed to process it${textIn(row, "processing_error") ? `: ${cutText(textIn(row, "processing_error"), 300)}` : "."}`,
    );
  if (status !== "finished")
    return failure(
      status === "" || status in waitingStatuses
        ? "The content service is still processing it."
        : `Its status "${cutText(status, 40)}" is not known to this player.`,
    );
  const kind = kinds[type] ?? kindOfMimetype(textIn(row, "mimetype"));
  if (!kind)
    return failure(
      `This player cannot show assets of type "${cutText(type, 40)}".`,
    );
  const isApp = kind === "app";
  const installation = isApp ? idIn(row, "app_installation_id") : null;
  if (isApp && !hasApps)
    return failure(
      "Version 3 does not include edge apps: connect to this content service with version 4.1 or 4.",
    );
  if (isApp && installation === null)
    return failure(
      "The content service does not report the app's installation.",
    );
  const address = textIn(row, "asset_url") || textIn(row, "source_url");
  if (!isApp && !isWebAddress(address, kind === "streaming"))
    return failure("The content service reports no usable address for it.");
  const isRemote = kind === "web" || kind === "streaming" || isApp;
  const md5 = textIn(row, "md5").toLowerCase();
  if (!isRemote && !/^[0-9a-f]{32}$/.test(md5))
    return failure(
      "The content service reports no MD5 for it, so the file cannot be verified.",
    );
  const isMoving = kind === "video" || kind === "audio";
  const { web, metadata, leftOut } = takeValues(row, kind === "web" || isApp);
  return {
    leftOut: isNameCut(row) ? [longName, ...leftOut] : leftOut,
    asset: {
      remoteId,
      file: isRemote ? null : { md5, sizeBytes: sizeOf(row, md5) },
      facts: {
        name,
        // An asset whose bytes are stored here is identified by what does not change from hour to hour.
        uri: isRemote && !isApp ? address : addressOf(remoteId),
        mimetype: mimetypes[kind],
        startsAt: isListedAlone ? 0 : null,
        endsAt: isListedAlone ? noEndMs : null,
        durationSeconds: isMoving ? 0 : defaultSeconds,
        isEnabled: row["pdf_page_enabled"] !== false || type !== "pdf-page",
        isPlaylistOnly: !isListedAlone,
        presentation: {
          ...plainPresentation,
          rotation: type === "pdf-page" ? rotationOf(row) : 0,
        },
        ...{ web, metadata },
      },
    },
    source: isRemote ? null : address,
    mediaSeconds: isMoving ? numberIn(row, "duration") : null,
    installation,
  };
}

export function isItemFailure(
  read: ReadAsset | ItemFailure,
): read is ItemFailure {
  return "reason" in read;
}

const waitingStatuses = {
  ...{ none: true, downloading: true, processing: true, "not-promoted": true },
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

const longName = `title must have at most ${assetLimits.nameLetters} characters`;

function isNameCut(row: Row): boolean {
  const given = textIn(row, "title").replaceAll("\0", "").trim();
  return cutText(given, assetLimits.nameLetters) !== given;
}

function kindOfMimetype(mimetype: string): Kind | undefined {
  if (mimetype === "application/pdf") return "pdf";
  const family = /^(image|video|audio)\//.exec(mimetype)?.[1];
  return family as Kind | undefined;
}

function isWebAddress(address: string, isStream: boolean): boolean {
  if (address.length > assetLimits.addressLetters || !URL.canParse(address))
    return false;
  const scheme = /^([a-z]+):\/\/[^/?#]/i.exec(address)?.[1]?.toLowerCase();
  return (
    scheme === "http" || scheme === "https" || (isStream && scheme === "rtsp")
  );
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

function takeValues(row: Row, isPage: boolean): TakenValues {
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
      reason: `Its predicate is not valid: at position ${problem.position}, ${problem.message}`,
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
