// What was last seen on the glass, and when it has been wrong for too long.

import type { GlassVerdict } from "./stage.ts";

export interface Verdicts {
  /** What is amiss; null when nothing is. */
  hear(verdict: GlassVerdict): Trouble | null;
  /** The last one of this slide; null when nobody has looked yet. */
  of(slideId: string): GlassVerdict | null;
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
  let last: GlassVerdict | null = null;
  /** Looks in a row at one slide that found nothing of it. */
  let missing = 0;

  return {
    hear: (heard) => {
      const before = last?.slideId === heard.slideId ? last.verdict : null;
      last = heard;
      const { verdict } = heard;
      if (before === null || verdict === "verified") missing = 0;
      if (verdict === "blank") missing += 1;
      if (verdict === "verified") return null;
      // What something else covers is right beneath it: no other slide would be seen in its place (V2-149).
      const isHopeless = verdict === "blank" && missing === mostInARow;
      // Told when it begins, not as long as it lasts.
      const isEdge = before !== verdict;
      return { sentence: sentences[verdict], isEdge, isHopeless };
    },
    of: (slideId) => (last?.slideId === slideId ? last : null),
  };
}
