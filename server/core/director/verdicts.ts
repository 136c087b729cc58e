// What verification found last on the screen, since when, and when it has been wrong for too long.

/** What a look at the screen has found. */
export interface Verdict {
  readonly showingId: string;
  /** As it should be; one colour all over; the same though it should move; something else. */
  readonly verdict: "verified" | "blank" | "frozen" | "wrong";
  /** When the look ended, in wall milliseconds. */
  readonly at: number;
  /** How long the look took, in milliseconds; none where that is not known. */
  readonly tookMs?: number;
  /** Its view has what should be there and only the screen does not, or nothing is drawn at all: the slide is not to blame (V2-650). */
  readonly isBlameless?: boolean;
}

export interface Seen extends Verdict {
  /** Steady moment at which the look ended: a clock that is set makes it neither younger nor older. */
  readonly steady: number;
  /** Wall milliseconds of the first look in a row that found this. */
  readonly since: number;
}

export interface Verdicts {
  readonly last: Seen | null;
  /** What lies over the screen is not gone because the slide beneath it is another (V2-380). */
  readonly covered: Seen | null;
  /** Looks in a row at one slide that found nothing of it. */
  readonly missing: number;
}

export interface VerdictProblem {
  readonly sentence: string;
  /** It was not so at the look before. */
  readonly isEdge: boolean;
  /** It cannot go on like this: the slide has failed. */
  readonly isUnrecoverable: boolean;
}

export const noVerdicts: Verdicts = { last: null, covered: null, missing: 0 };

/** A slide that has not come about by then will not: at a look every few seconds, a quarter of a minute. */
const maxInARow = 3;

const sentences = {
  blank: "Nothing of it is seen on the glass.",
  wrong: "Something else is seen on the glass.",
  frozen: "It no longer moves on the glass.",
} as const;

/** What is amiss; null when nothing is. */
export function withVerdict(
  { last, covered, missing }: Verdicts,
  found: Verdict,
  steady: number,
): { readonly verdicts: Verdicts; readonly problem: VerdictProblem | null } {
  const own = last?.showingId === found.showingId ? last : null;
  const { verdict } = found;
  const before = verdict === "wrong" ? (covered ?? own) : own;
  const since = before?.verdict === verdict ? before.since : found.at;
  const seen = { ...found, since, steady };
  if (verdict === "verified")
    return {
      verdicts: { last: seen, covered: null, missing: 0 },
      problem: null,
    };
  const isItsFault = verdict === "blank" && found.isBlameless !== true;
  const blanks = (own ? missing : 0) + (isItsFault ? 1 : 0);
  return {
    verdicts: {
      last: seen,
      covered: verdict === "wrong" ? seen : covered,
      missing: blanks,
    },
    problem: {
      sentence: sentences[verdict],
      // What something else covers is right beneath it: no other slide would be seen in its place (V2-149).
      isUnrecoverable: isItsFault && blanks === maxInARow,
      // Told when it begins, not as long as it lasts.
      isEdge: before?.verdict !== verdict,
    },
  };
}

/** The last one of this slide; null when nobody has looked yet and nothing is known to be over it. */
export function verdictOf(
  { last, covered }: Verdicts,
  showingId: string,
): Seen | null {
  if (last?.showingId === showingId) return last;
  return covered && { ...covered, showingId };
}

/** What was seen of the screen before it was lost or stood still is nobody's knowledge any more. */
export function withoutLast(verdicts: Verdicts): Verdicts {
  return { ...verdicts, last: null, missing: 0 };
}
