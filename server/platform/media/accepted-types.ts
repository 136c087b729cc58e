// List of playable media types: what players show and the content service accepts; everything else is rejected or skipped with a
// reason.

/** Images that the stage renders; all but the last two are decoded here too. */
const imageTypes = new Set([
  "image/png",
  "image/apng",
  "image/jpeg",
  "image/webp",
  "image/avif",
  "image/gif",
  "image/svg+xml",
  "image/bmp",
  "image/x-icon",
]);

/** Containers that Chromium opens; the codecs inside decide the rest. */
const videoTypes = new Set([
  "video/mp4",
  "video/x-m4v",
  "video/quicktime",
  "video/3gpp",
  "video/webm",
  "video/matroska",
  "video/x-matroska",
]);

const sounds = new Set([
  "audio/mpeg",
  "audio/mp4",
  "audio/x-m4a",
  "audio/aac",
  "audio/ogg",
  "audio/ogg; codecs=opus",
  "audio/flac",
  "audio/wav",
]);

/** mediabunny's names. */
const videoCodecs = new Set(["avc", "hevc", "vp8", "vp9", "av1"]);
/** May be playable: Chromium has no decoder of its own for it, but some PCs have. */
const videoCodecsOfSomePcs = new Set(["hevc"]);
const silentCodecs = new Set(["ac3", "eac3", "dts"]);

/** A sentence; null for a playable type. */
export function problemOfType(type: string): string | null {
  if (type.startsWith("image/"))
    return imageTypes.has(type)
      ? null
      : `${type} images are not supported; use PNG, JPEG, WebP, AVIF, GIF or SVG.`;
  if (type.startsWith("video/"))
    return videoTypes.has(type) ? null : `${type} files are not supported.`;
  if (type.startsWith("audio/"))
    return sounds.has(type) ? null : `${type} files are not supported.`;
  return null;
}

/** `codec` as mediabunny names it; null when it has no name for it, and then Chromium does not support it either. */
export function isVideoCodecPlayed(codec: string | null): boolean {
  return codec !== null && videoCodecs.has(codec);
}

export function isVideoCodecOfSomePcs(codec: string | null): boolean {
  return codec !== null && videoCodecsOfSomePcs.has(codec);
}

export function isAudioCodecPlayed(codec: string | null): boolean {
  return codec !== null && !silentCodecs.has(codec);
}
