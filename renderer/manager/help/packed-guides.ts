// The guides that are packed into the manager, so that Help works offline.

import { createGuideSearch, type GuideSearch } from "./guide-search.ts";
import { readGuides, type Guide, type GuideSource } from "./guide-text.ts";

declare global {
  /** A JSON list of `GuideSource`, put in place by the bundler (build/bundle/help-texts.ts). */
  const vitrineHelpTexts: string;
}

let guides: readonly Guide[] | null = null;
let search: GuideSearch | null = null;

/** Read when Help is opened for the first time, not when the manager starts. */
export function packedGuides(): readonly Guide[] {
  guides ??= readGuides(JSON.parse(vitrineHelpTexts) as readonly GuideSource[]);
  return guides;
}

export function packedSearch(): GuideSearch {
  search ??= createGuideSearch(packedGuides());
  return search;
}
