// The message catalogue of the language that the operator chose; those of the other languages are never loaded.

import { baseOf } from "./base-language.ts";
import type { Catalogue, NamedCatalogue } from "./catalogues.ts";
import { requestedLanguage } from "./requested-language.ts";

const loaders: Readonly<
  Record<string, () => Promise<{ readonly default: Catalogue }>>
> = {
  en: () => import("./en.json"),
  de: () => import("./de.json"),
};

export const availableLanguages: readonly string[] = Object.keys(loaders);

const requested = baseOf(requestedLanguage());
const name = Object.hasOwn(loaders, requested) ? requested : "en";
const loaded = await loaders[name]?.();
if (loaded === undefined) throw new Error(`There are no messages in ${name}.`);
const own: NamedCatalogue = { name, catalogue: loaded.default };

/** The page is loaded anew for another language. */
export function catalogueOf(): NamedCatalogue {
  return own;
}
