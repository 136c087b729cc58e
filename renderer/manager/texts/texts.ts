// The one catalogue of everything the desk says, in the operator's language, and the direction it is read in.

import { english, type Texts } from "./english.ts";
import { formatsFor, type Formats } from "./formats.ts";
import { german } from "./german.ts";
import { isolated } from "./isolate.ts";

const catalogues: Readonly<Record<string, (formats: Formats) => Texts>> = {
  en: english,
  de: german,
};

interface Speech {
  /** As it is wanted: `de-AT`. */
  readonly language: string;
  /** Wanted, whether it is spoken here or not: what is read from the right is laid out so. */
  readonly direction: "ltr" | "rtl";
  readonly texts: Texts;
  readonly formats: Formats;
}

/** `de-AT` is answered in German with Austrian dates; what is not spoken here is answered in English. */
function speechFor(requestedLanguage: string): Speech {
  const spoken = requestedLanguage.toLowerCase().split("-")[0] ?? "en";
  const catalogue = catalogues[spoken];
  const language = catalogue ? requestedLanguage : "en";
  const formats = formatsFor(language);
  const texts = (catalogue ?? english)(formats);
  const direction = directionOf(requestedLanguage);
  // No catalogue is read from the right yet: such a desk speaks one that is not.
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

/** What the operator chose for this desk; null follows the system. */
export function chosenLanguage(): string | null {
  return window.localStorage.getItem(chosenUnder);
}

/** The desk is drawn anew: every text of it is made when it opens. */
export function chooseLanguage(language: string | null): void {
  if (language === null) window.localStorage.removeItem(chosenUnder);
  else window.localStorage.setItem(chosenUnder, language);
  window.location.reload();
}

export const { language, direction, texts, formats } = speechFor(
  withRegion(chosenLanguage() ?? navigator.language, navigator.language),
);

/** A language that is chosen says nothing of a region: dates and times stay as the system has them where it speaks the same. */
function withRegion(requestedLanguage: string, system: string): string {
  const spoken = (tag: string): string | undefined =>
    tag.toLowerCase().split("-")[0];
  return !requestedLanguage.includes("-") &&
    spoken(requestedLanguage) === spoken(system)
    ? system
    : requestedLanguage;
}
