// Screenshots of other players as data URLs: recognized by their bytes, since a service may name any type.

import { Failure } from "../../core/failure.ts";

/** PNG, JPEG or WebP, as a service accepts them (L-13). Decoded only by the page, which has a sandbox. */
export function imageDataUrl(
  bytes: Uint8Array,
  base64: (bytes: Uint8Array) => string,
): string {
  const type = typeOf(bytes);
  if (type === null)
    throw new Failure("unsupported", "The screenshot is not an image.");
  return `data:${type};base64,${base64(bytes)}`;
}

function typeOf(bytes: Uint8Array): string | null {
  const begins = (text: string, at = 0): boolean =>
    [...text].every((letter, index) => {
      return bytes[at + index] === letter.charCodeAt(0);
    });
  if (begins("\x89PNG\r\n\x1a\n")) return "image/png";
  if (begins("\xff\xd8\xff")) return "image/jpeg";
  if (begins("RIFF") && begins("WEBP", 8)) return "image/webp";
  return null;
}
