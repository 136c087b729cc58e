// Texts of `says` in the sync history, and the reverse, for display in another language (V2-382).

import type { HoldReason } from "../../core/sync-plan/sync-state.ts";

/** The content of a plan. */
export interface PlanContent {
  readonly assets: number;
  readonly playlists: number;
}

/** The text with `applied`, `undone` and `imported`. */
export function contentText({ assets, playlists }: PlanContent): string {
  return `Assets: ${assets}, playlists: ${playlists}.`;
}

/** Null for any other text. */
export function contentOf(says: string): PlanContent | null {
  const [, assets, playlists] =
    /^Assets: (\d+), playlists: (\d+)\.$/.exec(says) ?? [];
  if (assets === undefined || playlists === undefined) return null;
  return { assets: Number(assets), playlists: Number(playlists) };
}

/** The text with `held`. */
export const holdTexts: Readonly<Record<HoldReason, string>> = {
  ask: "The changes need approval.",
  tonight: "The changes will be applied at the set time.",
  "more-than-half": "The changes would remove most of the content.",
  postponed: "The changes were postponed.",
};

/** The texts of earlier versions, which stay in the logs they wrote. */
const earlierHoldTexts: Readonly<Record<HoldReason, string>> = {
  ask: "It waits until somebody applies it.",
  tonight: "It waits for its hour.",
  "more-than-half": "It would remove nearly all of what is here.",
  postponed: "It was put off.",
};

/** Null for any other text. */
export function holdOf(says: string): HoldReason | null {
  const reasons = Object.keys(holdTexts) as HoldReason[];
  return (
    reasons.find(
      (reason) =>
        holdTexts[reason] === says || earlierHoldTexts[reason] === says,
    ) ?? null
  );
}
