// Message catalogues of all languages. A browser loads only its own: there, the bundler puts `lazy-catalogues.ts` in the place of this file.

import de from "./de.json" with { type: "json" };
import en from "./en.json" with { type: "json" };
import { baseOf } from "./base-language.ts";

export type Catalogue = typeof en;

/** By language; English defines the keys. */
const catalogues = { en, de } satisfies Record<string, Catalogue>;

export const availableLanguages: readonly string[] = Object.keys(catalogues);

/** English where there is none for the language. */
export function catalogueOf(language: string): NamedCatalogue {
  const name = baseOf(language);
  return Object.hasOwn(catalogues, name)
    ? { name, catalogue: catalogues[name as keyof typeof catalogues] }
    : { name: "en", catalogue: en };
}

export interface NamedCatalogue {
  readonly name: string;
  readonly catalogue: Catalogue;
}
