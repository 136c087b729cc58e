// The guides that are packed into the manager, so that Help works offline.

import { createGuideSearch, type GuideSearch } from "./guide-search.ts";
import { readGuides, type Guide, type GuideSource } from "./guide-text.ts";

declare global {
  /** Put in place by the bundler (build/bundle/help-texts.ts). */
  const vitrineHelpTexts: readonly GuideSource[];
}

let guides: readonly Guide[] | null = null;
let search: GuideSearch | null = null;

/** Read when Help is opened for the first time, not when the manager starts. */
export function packedGuides(): readonly Guide[] {
  guides ??= readGuides(vitrineHelpTexts);
  return guides;
}

export function packedSearch(): GuideSearch {
  search ??= createGuideSearch(packedGuides());
  return search;
}
