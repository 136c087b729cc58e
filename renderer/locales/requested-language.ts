// The language in which the texts of this page are requested: the one that the operator chose, or the system's.

import { baseOf } from "./base-language.ts";

const storageKey = "vitrine.language";

/** The language that the operator chose for this manager; null follows the system. */
export function chosenLanguage(): string | null {
  return window.localStorage.getItem(storageKey);
}

/** For the next time the page opens, when all of its texts are created. */
export function storeLanguage(chosen: string | null): void {
  if (chosen === null) window.localStorage.removeItem(storageKey);
  else window.localStorage.setItem(storageKey, chosen);
}

export function requestedLanguage(): string {
  return withRegion(chosenLanguage() ?? navigator.language, navigator.language);
}

/** A chosen language has no region: dates and times keep the system's region where the language is the same. */
function withRegion(requestedLanguage: string, system: string): string {
  return !requestedLanguage.includes("-") &&
    baseOf(requestedLanguage) === baseOf(system)
    ? system
    : requestedLanguage;
}
