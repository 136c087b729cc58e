// Texts that arrive as bytes and do not say how they were written.

import { isUtf8 } from "node:buffer";

const western = new TextDecoder("windows-1252");

/** UTF-8 where they are that, else what Windows and older systems write; every byte is a letter there. */
export function readableText(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString("utf8") : western.decode(bytes);
}

/** The same where each byte was handed on as a letter (`latin1`); what has other letters was read already. */
export function readableLetters(letters: string): string {
  const bytes = Buffer.from(letters, "latin1");
  return bytes.toString("latin1") === letters ? readableText(bytes) : letters;
}
