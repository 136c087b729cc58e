// The one catalogue of all texts of the manager, in the operator's language, and its text direction.

import { english, type Texts } from "./english.ts";
import { formatsFor, type Formats } from "./formats.ts";
import { german } from "./german.ts";
import { isolated } from "./isolate.ts";

const catalogues: Readonly<Record<string, (formats: Formats) => Texts>> = {
  en: english,
  de: german,
};

interface Speech {
  /** As requested: `de-AT`. */
  readonly language: string;
  /** Of the requested language, whether it has a catalogue or not: a right-to-left language is laid out right to left. */
  readonly direction: "ltr" | "rtl";
  readonly texts: Texts;
  readonly formats: Formats;
}

/** `de-AT` returns German with Austrian dates; a language without a catalogue returns English. */
function speechFor(requestedLanguage: string): Speech {
  const spoken = requestedLanguage.toLowerCase().split("-")[0] ?? "en";
  const catalogue = catalogues[spoken];
  const language = catalogue ? requestedLanguage : "en";
  const formats = formatsFor(language);
  const texts = (catalogue ?? english)(formats);
  const direction = directionOf(requestedLanguage);
  // There is no right-to-left catalogue yet: such a manager uses one that is not.
  return direction === "rtl"
    ? { ...{ language, direction }, ...isolated({ formats, texts }) }
    : { language, direction, formats, texts };
}

const fromTheRight = new Set(["ar", "dv", "fa", "he", "ps", "ur", "yi"]);

function directionOf(requestedLanguage: string): Speech["direction"] {
  return fromTheRight.has(requestedLanguage.toLowerCase().split("-")[0] ?? "")
    ? "rtl"
    : "ltr";
}

const chosenUnder = "vitrine.language";

/** The language the operator chose for this manager; null follows the system. */
export function chosenLanguage(): string | null {
  return window.localStorage.getItem(chosenUnder);
}

/** Reloads the manager: all of its texts are created when it opens. */
export function chooseLanguage(language: string | null): void {
  if (language === null) window.localStorage.removeItem(chosenUnder);
  else window.localStorage.setItem(chosenUnder, language);
  window.location.reload();
}

export const { language, direction, texts, formats } = speechFor(
  withRegion(chosenLanguage() ?? navigator.language, navigator.language),
);

/** A chosen language has no region: dates and times keep the system's region where the language is the same. */
function withRegion(requestedLanguage: string, system: string): string {
  const spoken = (tag: string): string | undefined =>
    tag.toLowerCase().split("-")[0];
  return !requestedLanguage.includes("-") &&
    spoken(requestedLanguage) === spoken(system)
    ? system
    : requestedLanguage;
}
