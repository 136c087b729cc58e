// An asset, its kinds, and when it is active.

import { createEdgeTable, type Edges } from "./edges.ts";
import { isInHours, type PlayHours } from "./play-hours.ts";
import { dayMs, wallClockOf } from "./wall-clock.ts";

/** The end of an asset that plays without an end date. */
export const noEndMs = Date.UTC(9999, 0, 1);

/** The bytes of an asset, identified by their hash. */
export interface AssetFile {
  /** SHA-256 of the content, 64 lower-case hex digits. */
  readonly hash: string;
  readonly sizeBytes: number;
  /** Media type detected from the bytes, never from a name. */
  readonly type: string;
  /** Length of a video or audio file; null if there is none or it is unknown. */
  readonly lengthSeconds: number | null;
  /** Why no PC of this kind can play it; null if it is worth trying. */
  readonly problem: string | null;
  /** In a sentence, what is not as intended although it plays; missing if there is nothing to remark. */
  readonly remark?: string | null;
  /** Its bytes have changed or are incomplete: it is not played, and `problem` gives the reason. */
  readonly isDamaged?: boolean;
}

export type Fit = "fit" | "fill" | "natural";

/** How an asset looks and sounds; null uses the player's setting. */
export interface Presentation {
  readonly fit: Fit | null;
  /** 0 to 100. */
  readonly volume: number | null;
  readonly isMuted: boolean;
  /** Pages of a PDF that are shown, from 1; null shows all. */
  readonly pages: readonly number[] | null;
  /** Clockwise orientation of a PDF's pages. */
  readonly rotation: 0 | 90 | 180 | 270;
}

/** How a web page is requested, and what is done to it. */
export interface WebOptions {
  /** Sent to the page's own origin only. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null: the browser's own, followed by the player's tokens. */
  readonly userAgent: string | null;
  /** 25 to 500; null is 100. */
  readonly zoomPercent: number | null;
  /** Run at every load of the page. */
  readonly script: string | null;
  /** Reload interval while it is on screen; null never reloads. */
  readonly refreshSeconds: number | null;
  /** Whether the page's server receives the metadata of the screen. */
  readonly isMetadataSent: boolean;
  /** False: a screenshot may stand in for the page. */
  readonly isRenderedHere: boolean;
  /** Maximum age of such a screenshot; null is 300. */
  readonly screenshotCacheSeconds: number | null;
  /** Accepts any certificate of the page's own host. */
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
  /** As the client sent it; the bytes decide what is shown, if there are any. */
  readonly mimetype: string;
  /** Milliseconds since 1970, UTC. */
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  /** 0 on a video means its own length. */
  readonly durationSeconds: number;
  readonly isEnabled: boolean;
  /** Its bytes have yet to be downloaded. */
  readonly isProcessing: boolean;
  /** The value a client sent for it, returned until the player's own processing ends (V2-402); it has no effect. */
  readonly processingSent?: boolean | null;
  readonly noCache: boolean;
  readonly skipAssetCheck: boolean;
  readonly playOrder: number;
  /** It is not in the local playlist: it only plays in playlists that contain it (V2-115). */
  readonly isPlaylistOnly: boolean;
  /** The operator's folder: names separated by slashes, empty at the top. It has no effect on playback. */
  readonly folder: string;
  /** Null: every day, all day. */
  readonly hours: PlayHours | null;
  readonly presentation: Presentation;
  readonly web: WebOptions;
  /** Stored for clients. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly file: AssetFile | null;
  /** Why it cannot be shown, in a sentence; null if no reason is known. */
  readonly problem: string | null;
}

export type AssetKind =
  | "image"
  | "video"
  | "audio"
  | "webpage"
  | "pdf"
  | "stream"
  | "app";

/** The kind that the stage renders: by the bytes if there are any, otherwise by the announced type. */
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

/** The same for an app whose files a service listed one by one: the store contains this description of it. */
export const appDescriptionType = "application/vnd.vitrine.app+json";

const streamAddress = /^[^?#]*\.(m3u8|mpd)(?:[?#]|$)/i;

/**
 * Duration of an asset that has none of its own, in whole seconds: the length of the clip; null if there is none or it is unknown.
 */
export function fullLengthSeconds(asset: Asset): number | null {
  const kind = kindOf(asset);
  const length = asset.file?.lengthSeconds ?? null;
  return length !== null && (kind === "video" || kind === "audio")
    ? Math.ceil(length)
    : null;
}

/** Remote images and videos only play from the store; pages and streams stay remote (V2-26). */
export function belongsInStore(
  asset: Pick<Asset, "uri" | "mimetype">,
): boolean {
  return (
    /image|video/.test(asset.mimetype) &&
    /^https?:/i.test(asset.uri) &&
    !streamAddress.test(asset.uri)
  );
}

/** What it shows is stored here, or need not be. */
export function isHere(asset: Asset): boolean {
  if (asset.isProcessing || asset.file?.isDamaged) return false;
  return asset.file !== null || !belongsInStore(asset);
}

/** Enabled and within its dates: `startsAt <= moment < endsAt` (V2-11). */
function isInDatesAt(
  asset: Pick<Asset, "isEnabled" | "startsAt" | "endsAt">,
  moment: number,
): boolean {
  if (!asset.isEnabled || asset.startsAt === null || asset.endsAt === null)
    return false;
  return asset.startsAt <= moment && moment < asset.endsAt;
}

/** Enabled, within its dates, and within its hours by the clock of the screen's zone (V2-95). */
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

/** All edges at which it may become active or stop being active. */
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

/** Until this moment (exclusive) no asset becomes active or stops being active; Infinity: never again. */
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
