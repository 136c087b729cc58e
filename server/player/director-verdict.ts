// What was last seen on the glass, since when, and when it has been wrong for too long.

import type { GlassVerdict } from "./stage.ts";

export interface Verdicts {
  /** What is amiss; null when nothing is. */
  hear(verdict: GlassVerdict): Trouble | null;
  /** The last one of this slide; null when nobody has looked yet and nothing is known to be over it. */
  of(slideId: string): Seen | null;
  /** Since when something else covers the glass, whatever the slide; null while nothing does. */
  coveredSince(): number | null;
}

export interface Seen extends GlassVerdict {
  /** Wall milliseconds of the first look in a row that found this. */
  readonly since: number;
}

export interface Trouble {
  readonly sentence: string;
  /** It was not so at the look before. */
  readonly isEdge: boolean;
  /** It cannot go on like this: the slide has failed. */
  readonly isHopeless: boolean;
}

/** A slide that has not come about by then will not: at a look every few seconds, a quarter of a minute. */
const mostInARow = 3;

const sentences = {
  blank: "Nothing of it is seen on the glass.",
  wrong: "Something else is seen on the glass.",
  frozen: "It no longer moves on the glass.",
} as const;

export function createVerdicts(): Verdicts {
  let last: Seen | null = null;
  /** What lies over the glass is not gone because the slide beneath it is another (V2-380). */
  let covered: Seen | null = null;
  /** Looks in a row at one slide that found nothing of it. */
  let missing = 0;

  return {
    hear: (heard) => {
      const own = last?.slideId === heard.slideId ? last : null;
      const { verdict } = heard;
      const before = verdict === "wrong" ? (covered ?? own) : own;
      const since = before?.verdict === verdict ? before.since : heard.at;
      last = { ...heard, since };
      if (verdict === "wrong") covered = last;
      if (own === null || verdict === "verified") missing = 0;
      if (verdict === "blank") missing += 1;
      if (verdict === "verified") {
        covered = null;
        return null;
      }
      // What something else covers is right beneath it: no other slide would be seen in its place (V2-149).
      const isHopeless = verdict === "blank" && missing === mostInARow;
      // Told when it begins, not as long as it lasts.
      const isEdge = before?.verdict !== verdict;
      return { sentence: sentences[verdict], isEdge, isHopeless };
    },
    of: (slideId) =>
      last?.slideId === slideId ? last : covered && { ...covered, slideId },
    coveredSince: () => covered?.since ?? null,
  };
}
