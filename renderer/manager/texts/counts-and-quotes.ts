// Building blocks of the sentences in every catalogue: counted nouns and quoted names.

import type { Formats } from "../../locales/formats.ts";
import { isolate } from "../../locales/isolate.ts";

/** `counted(formats, "asset", "assets")(3)` is "3 assets". */
export function counted(
  formats: Formats,
  one: string,
  many: string,
): (number: number) => string {
  return (number) =>
    `${formats.count(number)} ${formats.plural(number) === "one" ? one : many}`;
}

/** “A name” as English quotes it. */
export function inEnglishQuotes(name: string): string {
  return `“${isolate(name)}”`;
}

/** „A name“ as German quotes it. */
export function inGermanQuotes(name: string): string {
  return `„${isolate(name)}“`;
}
