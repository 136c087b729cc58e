// The language and text direction of the user interface, and its number and date formats.

import de from "./de.json";
import en from "./en.json";
import { formatsFor, type Formats } from "./formats.ts";

/** Message catalogues by language; English defines the keys. */
const catalogues = { en, de } satisfies Record<string, typeof en>;

export const availableLanguages: readonly string[] = Object.keys(catalogues);

interface Locale {
  /** As requested, such as `de-AT`; `en` where there is no catalogue for it. */
  readonly language: string;
  /** Of the requested language, whether it has a catalogue or not: a right-to-left language is laid out right to left. */
  readonly direction: "ltr" | "rtl";
  readonly catalogue: typeof en;
  readonly formats: Formats;
}

function localeFor(requestedLanguage: string): Locale {
  const name = baseOf(requestedLanguage);
  const isTranslated = Object.hasOwn(catalogues, name);
  const language = isTranslated ? requestedLanguage : "en";
  return {
    language,
    direction: rightToLeft.has(name) ? "rtl" : "ltr",
    catalogue: isTranslated ? catalogues[name as keyof typeof catalogues] : en,
    formats: formatsFor(language),
  };
}

const rightToLeft = new Set(["ar", "dv", "fa", "he", "ps", "ur", "yi"]);

/** `de-AT` returns `de`. */
function baseOf(language: string): string {
  return language.toLowerCase().split("-")[0] ?? "en";
}

const storageKey = "vitrine.language";

/** The language that the operator chose for this manager; null follows the system. */
export function chosenLanguage(): string | null {
  return window.localStorage.getItem(storageKey);
}

/** Reloads the page: all of its texts are created when it opens. */
export function chooseLanguage(chosen: string | null): void {
  if (chosen === null) window.localStorage.removeItem(storageKey);
  else window.localStorage.setItem(storageKey, chosen);
  window.location.reload();
}

export const { language, direction, catalogue, formats } = localeFor(
  withRegion(chosenLanguage() ?? navigator.language, navigator.language),
);

/** A chosen language has no region: dates and times keep the system's region where the language is the same. */
function withRegion(requestedLanguage: string, system: string): string {
  return !requestedLanguage.includes("-") &&
    baseOf(requestedLanguage) === baseOf(system)
    ? system
    : requestedLanguage;
}
