// Results of verification: what was last found on the screen, since when, and when it has been wrong for too long.

/** Result of one verification of the screen. */
export interface Verdict {
  readonly showingId: string;
  /** As it should be; one colour all over; unchanged although it should move; something else. */
  readonly verdict: "verified" | "blank" | "frozen" | "wrong";
  /** When the verification ended, in wall milliseconds. */
  readonly at: number;
  /** Duration of the verification in milliseconds; missing if unknown. */
  readonly tookMs?: number;
  /** The view is correct and only the screen is not, or nothing is drawn at all: the showing is not to blame (V2-650). */
  readonly isBlameless?: boolean;
}

export interface Seen extends Verdict {
  /** Steady time at which the verification ended: setting the clock makes it neither newer nor older. */
  readonly steady: number;
  /** Wall time, in milliseconds, of the first consecutive verification with this result. */
  readonly since: number;
}

export interface Verdicts {
  readonly last: Seen | null;
  /** What covers the screen does not disappear because the showing beneath it changes (V2-380). */
  readonly covered: Seen | null;
  /** Consecutive verifications of one showing that found nothing of it. */
  readonly missing: number;
}

export interface VerdictProblem {
  readonly sentence: string;
  /** The verification before had another result. */
  readonly isEdge: boolean;
  /** It will not recover: the showing has failed. */
  readonly isUnrecoverable: boolean;
}

export const noVerdicts: Verdicts = { last: null, covered: null, missing: 0 };

/** A showing that is not visible by then never will be: with a verification every few seconds, a quarter of a minute. */
const maxInARow = 3;

const sentences = {
  blank: "Nothing of it is seen on the screen.",
  wrong: "Something else is seen on the screen.",
  frozen: "It no longer moves on the screen.",
} as const;

/** The problem; null if there is none. */
export function withVerdict(
  { last, covered, missing }: Verdicts,
  seenVerdict: Verdict,
  steady: number,
): { readonly verdicts: Verdicts; readonly problem: VerdictProblem | null } {
  const lastOfShowing = last?.showingId === seenVerdict.showingId ? last : null;
  const { verdict } = seenVerdict;
  const before =
    verdict === "wrong" ? (covered ?? lastOfShowing) : lastOfShowing;
  const since = before?.verdict === verdict ? before.since : seenVerdict.at;
  const seen = { ...seenVerdict, since, steady };
  if (verdict === "verified")
    return {
      verdicts: { last: seen, covered: null, missing: 0 },
      problem: null,
    };
  const isItsFault = verdict === "blank" && seenVerdict.isBlameless !== true;
  const blanks = (lastOfShowing ? missing : 0) + (isItsFault ? 1 : 0);
  return {
    verdicts: {
      last: seen,
      covered: verdict === "wrong" ? seen : covered,
      missing: blanks,
    },
    problem: {
      sentence: sentences[verdict],
      // What something else covers is correct beneath it: no other showing would be visible in its place (V2-149).
      isUnrecoverable: isItsFault && blanks === maxInARow,
      // Reported when it begins, not as long as it lasts.
      isEdge: before?.verdict !== verdict,
    },
  };
}

/** The last one of this showing; null if it has not been verified yet and nothing is known to cover it. */
export function verdictOf(
  { last, covered }: Verdicts,
  showingId: string,
): Seen | null {
  if (last?.showingId === showingId) return last;
  return covered && { ...covered, showingId };
}

/** Results from before the screen was lost or hung no longer count. */
export function withoutLast(verdicts: Verdicts): Verdicts {
  return { ...verdicts, last: null, missing: 0 };
}
