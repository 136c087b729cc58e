// Settings search: every word has to occur in a name, an effect, a choice or a synonym.

import type { SettingView } from "./setting-sections.ts";

/** Without diacritics, in lower case: "uber" finds "Über". */
function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();
}

export function isFound(
  searchText: string,
  ...texts: readonly string[]
): boolean {
  const place = plain(texts.join(" "));
  return plain(searchText)
    .split(/\s+/)
    .every((word) => place.includes(word));
}

export function isSettingFound(
  searchText: string,
  { wireName, words }: SettingView,
  sectionName: string,
): boolean {
  return isFound(
    searchText,
    ...[words.name, words.effect, words.synonyms ?? "", sectionName],
    ...[wireName, wireName.replaceAll("_", " ")],
    ...Object.values(words.choices ?? {}),
  );
}
