// The one catalogue of everything the desk says, in the operator's language.

import { english, type Texts } from "./english.ts";
import { formatsFor, type Formats } from "./formats.ts";
import { german } from "./german.ts";

const catalogues: Readonly<Record<string, (formats: Formats) => Texts>> = {
  en: english,
  de: german,
};

/** `de-AT` is answered in German with Austrian dates; what is not spoken here is answered in English. */
function textsFor(wanted: string): {
  readonly language: string;
  readonly texts: Texts;
  readonly formats: Formats;
} {
  const spoken = wanted.toLowerCase().split("-")[0] ?? "en";
  const catalogue = catalogues[spoken];
  const language = catalogue ? wanted : "en";
  const formats = formatsFor(language);
  return { language, formats, texts: (catalogue ?? english)(formats) };
}

export const { language, texts, formats } = textsFor(navigator.language);
