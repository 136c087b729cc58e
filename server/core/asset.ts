// An asset, its kinds, and when it is active.

import { createEdgeTable, type Edges } from "./edges.ts";
import { dayMs, wallClockOf, type WallTime } from "./wall-clock.ts";

/** The bytes behind an asset, known by their hash. */
export interface AssetFile {
  /** SHA-256 of the content, 64 lower-case hex digits. */
  readonly hash: string;
  readonly sizeBytes: number;
  /** Media type read from the bytes, never from a name. */
  readonly type: string;
  /** A video's own length; null where there is none or it is unknown. */
  readonly lengthSeconds: number | null;
  /** Why no PC of this kind can play it; null where it is worth a try. */
  readonly problem: string | null;
  /** What of it is not as it is meant although it plays, in a sentence; nothing where all is. */
  readonly remark?: string | null;
  /** Its bytes are not what they were, or not whole: it is not played, and `problem` says why. */
  readonly isDamaged?: boolean;
}

/** Weekdays and times of day, by the screen's own clock. A window over midnight belongs to the day it starts on. */
export interface PlayHours {
  /** 1 Monday to 7 Sunday, each at most once; all seven where nothing was said. */
  readonly days: readonly number[];
  /** Milliseconds since midnight, from the first to before the second; both null: all day. */
  readonly fromMs: number | null;
  readonly untilMs: number | null;
}

export type Fit = "fit" | "fill" | "natural";

/** How an asset looks and sounds; null goes by the player's setting. */
export interface Presentation {
  readonly fit: Fit | null;
  /** 0 to 100. */
  readonly volume: number | null;
  readonly isMuted: boolean;
  /** Of a PDF: the pages that are shown, from 1; null shows all. */
  readonly pages: readonly number[] | null;
  /** Of a PDF's pages, clockwise. */
  readonly rotation: 0 | 90 | 180 | 270;
}

/** What a web page is asked with, and what is done to it. */
export interface WebOptions {
  /** Sent to the page's own origin only. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null: the browser's own, with the player's tokens behind it. */
  readonly userAgent: string | null;
  /** 25 to 500; null is 100. */
  readonly zoomPercent: number | null;
  /** Run at every load of the page. */
  readonly script: string | null;
  /** How often it is loaded anew while it stays; null never. */
  readonly refreshSeconds: number | null;
  /** Whether the page's server is told which screen asks. */
  readonly isMetadataSent: boolean;
  /** False: a picture of the page may stand for it. */
  readonly isRenderedHere: boolean;
  /** How old such a picture may be; null is 300. */
  readonly screenshotCacheSeconds: number | null;
  /** Takes any certificate of the page's own host. */
  readonly isCertificateSkipped: boolean;
}

export const plainPresentation: Presentation = {
  fit: null,
  volume: null,
  isMuted: false,
  pages: null,
  rotation: 0,
};

export const plainWebOptions: WebOptions = {
  headers: {},
  userAgent: null,
  zoomPercent: null,
  script: null,
  refreshSeconds: null,
  isMetadataSent: false,
  isRenderedHere: true,
  screenshotCacheSeconds: null,
  isCertificateSkipped: false,
};

export interface Asset {
  readonly id: string;
  readonly name: string;
  readonly uri: string;
  /** As the client sent it; what is shown goes by the bytes where there are any. */
  readonly mimetype: string;
  /** Milliseconds since 1970, UTC. */
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  /** 0 on a video means its own length. */
  readonly durationSeconds: number;
  readonly isEnabled: boolean;
  /** Its bytes are still to be fetched. */
  readonly isProcessing: boolean;
  /** What a client sent in its place, until the player's own processing ends (V2-402); it decides nothing. */
  readonly processingSent?: boolean | null;
  readonly noCache: boolean;
  readonly skipAssetCheck: boolean;
  readonly playOrder: number;
  /** It has no turn of its own in the local playlist: it plays where another playlist names it (V2-115). */
  readonly isPlaylistOnly: boolean;
  /** Where the operator keeps it: names with slashes between them, empty at the top. It plays no part in what plays. */
  readonly folder: string;
  /** Null: on every day, all day. */
  readonly hours: PlayHours | null;
  readonly presentation: Presentation;
  readonly web: WebOptions;
  /** What clients keep with it. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly file: AssetFile | null;
  /** Why it cannot be shown, in a sentence; null while nothing is known against it. */
  readonly problem: string | null;
}

export type AssetKind =
  "image" | "video" | "audio" | "webpage" | "pdf" | "stream" | "app";

/** What the stage makes of an asset: by its bytes, else by the type it was announced with. */
export function kindOf(
  asset: Pick<Asset, "file" | "mimetype"> & { readonly uri?: string },
): AssetKind {
  const type = asset.file?.type ?? asset.mimetype;
  if (type.includes("image")) return "image";
  if (type.includes("pdf")) return "pdf";
  if (type === appType || type === appDescriptionType) return "app";
  if (/^(appweb|edge-app)$/.test(type)) return "app";
  if (type.includes("audio")) return "audio";
  if (type.includes("video"))
    return asset.file === null && streamAddress.test(asset.uri ?? "")
      ? "stream"
      : "video";
  if (type.includes("streaming") || type.includes("mpegurl")) return "stream";
  return "webpage";
}

/** The type of a folder of web files in the store. */
export const appType = "application/vnd.vitrine.app";

/** The same where a cloud told of its files one by one: what stands in the store is what it said. */
export const appDescriptionType = "application/vnd.vitrine.app+json";

const streamAddress = /^[^?#]*\.(m3u8|mpd)(?:[?#]|$)/i;

/** What an asset without a time of its own lasts, in whole seconds: a clip's length; null where there is none or it is unknown. */
export function fullLengthSeconds(asset: Asset): number | null {
  const kind = kindOf(asset);
  const length = asset.file?.lengthSeconds ?? null;
  return length !== null && (kind === "video" || kind === "audio")
    ? Math.ceil(length)
    : null;
}

/** Remote pictures and videos play from the store alone; pages and streams stay where they are (V2-26). */
export function belongsInStore(
  asset: Pick<Asset, "uri" | "mimetype">,
): boolean {
  return (
    /image|video/.test(asset.mimetype) &&
    /^https?:/i.test(asset.uri) &&
    !streamAddress.test(asset.uri)
  );
}

/** What it shows is here, or need not be. */
export function isHere(asset: Asset): boolean {
  if (asset.isProcessing || asset.file?.isDamaged) return false;
  return asset.file !== null || !belongsInStore(asset);
}

/** Enabled and inside its dates: `startsAt <= moment < endsAt` (V2-11). */
function isInDatesAt(
  asset: Pick<Asset, "isEnabled" | "startsAt" | "endsAt">,
  moment: number,
): boolean {
  if (!asset.isEnabled || asset.startsAt === null || asset.endsAt === null)
    return false;
  return asset.startsAt <= moment && moment < asset.endsAt;
}

/** Enabled, inside its dates, and inside its hours by the clock of the screen's zone (V2-95). */
export function isActiveAt(
  asset: Pick<Asset, "isEnabled" | "startsAt" | "endsAt" | "hours">,
  moment: number,
  zone: string,
): boolean {
  if (!isInDatesAt(asset, moment)) return false;
  return (
    asset.hours === null ||
    isInHours(asset.hours, wallClockOf(zone).wallTimeAt(moment))
  );
}

/** A window that ends where or before it starts goes over midnight, and belongs to the day it starts on (V2-95). */
export function isInHours(
  { days, fromMs, untilMs }: PlayHours,
  { timeMs, weekday }: Pick<WallTime, "timeMs" | "weekday">,
): boolean {
  const from = fromMs ?? 0;
  const until = untilMs ?? dayMs;
  if (from < until)
    return timeMs >= from && timeMs < until && days.includes(weekday || 7);
  if (timeMs >= from && days.includes(weekday || 7)) return true;
  return (
    timeMs < until && days.includes(weekday === 1 ? 7 : (weekday || 7) - 1)
  );
}

/** Everywhere that it may become active, or cease to be. */
export function edgesOfAsset({
  startsAt,
  endsAt,
  hours,
}: Pick<Asset, "startsAt" | "endsAt" | "hours">): Edges {
  const times = [hours?.fromMs, hours?.untilMs].filter((edge) => edge != null);
  return {
    timesMs: hours ? [0, ...times.filter((edge) => edge < dayMs)] : [],
    days: [],
    moments: [startsAt, endsAt].filter((edge) => edge !== null),
  };
}

/** From this moment to before the answer no asset becomes active and none ceases to be; Infinity: never again. */
export function unchangedUntil(
  assets: readonly Asset[],
  moment: number,
  zone: string,
): number {
  const enabled = assets.filter(({ isEnabled }) => isEnabled);
  const edges = createEdgeTable(
    enabled.map((asset) => [asset, edgesOfAsset(asset)] as const),
    wallClockOf(zone),
  );
  return edges.nextAfter(moment)?.at ?? Infinity;
}
