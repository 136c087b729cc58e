// An asset, its kinds, and when it is active.

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
}

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
  readonly isProcessing: boolean;
  readonly noCache: boolean;
  readonly skipAssetCheck: boolean;
  readonly playOrder: number;
  readonly file: AssetFile | null;
  /** Why it cannot be shown, in a sentence; null while nothing is known against it. */
  readonly problem: string | null;
}

export type AssetKind = "image" | "video" | "webpage";

/** What the stage makes of an asset: by its bytes, else by the type it was announced with. */
export function kindOf(asset: Pick<Asset, "file" | "mimetype">): AssetKind {
  const type = asset.file?.type ?? asset.mimetype;
  if (type.includes("image")) return "image";
  if (type.includes("video") || type.includes("streaming")) return "video";
  return "webpage";
}

const streamAddress = /^[^?#]*\.(m3u8|mpd)(?:[?#]|$)/i;

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
  if (asset.isProcessing) return false;
  return asset.file !== null || !belongsInStore(asset);
}

/** Enabled and inside its dates: `startsAt <= moment < endsAt` (V2-11). */
export function isActiveAt(
  asset: Pick<Asset, "isEnabled" | "startsAt" | "endsAt">,
  moment: number,
): boolean {
  if (!asset.isEnabled || asset.startsAt === null || asset.endsAt === null)
    return false;
  return asset.startsAt <= moment && moment < asset.endsAt;
}
