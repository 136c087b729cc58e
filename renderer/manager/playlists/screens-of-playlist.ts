// The screens of a content service on which a playlist plays: those that have one of its labels.

import { allScreensId } from "../../../server/contract/service-rows/playlist-from-row.ts";
import { language } from "../../locales/language.ts";
import type { ScreenItem } from "../fleet/find-screens.ts";

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** Those that have one of the labels, the built-in one of all screens and each screen's own included; in the order of `all`. */
export function screensOf(
  groups: readonly string[],
  all: readonly ScreenItem[],
): readonly Named[] {
  const chosen = new Set(groups);
  return all
    .filter(
      ({ screen }) =>
        chosen.has(allScreensId) ||
        chosen.has(screen.id) ||
        screen.groups.some(({ id }) => chosen.has(id)),
    )
    .map(({ key, screen: { name } }) => ({ id: key, name }));
}

export function byName<One extends Named>(
  list: readonly One[],
): readonly One[] {
  const collator = new Intl.Collator(language, { numeric: true });
  return list.toSorted((one, other) => collator.compare(one.name, other.name));
}
