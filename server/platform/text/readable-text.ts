// Decodes texts that arrive as bytes without a declared encoding.

import { isUtf8 } from "node:buffer";

const western = new TextDecoder("windows-1252");

/** As UTF-8 where valid, else as Windows-1252, which Windows and older systems use; every byte is a character there. */
export function readableText(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString("utf8") : western.decode(bytes);
}

/**
 * The same for text whose bytes were passed on as characters (`latin1`); text with any other character has been decoded already.
 */
export function readableLetters(letters: string): string {
  const bytes = Buffer.from(letters, "latin1");
  return bytes.toString("latin1") === letters ? readableText(bytes) : letters;
}
