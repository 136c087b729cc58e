// What one look at a place finds: good or not, in a sentence, and what to do about it.

export type Verdict = "good" | "advice" | "fault" | "unknown";

export interface Look {
  readonly verdict: Verdict;
  /** What was found, in a sentence. */
  readonly found: string;
  /** What to do about it; null where there is nothing to do. */
  readonly advice: string | null;
}
