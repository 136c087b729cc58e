// What one look at a place finds: good or not, by its code and in a sentence, and what to do about it.

import type { SiteFact } from "../../server/contract/site.ts";

export type Verdict = "good" | "advice" | "fault" | "unknown";

export interface CheckResult {
  readonly verdict: Verdict;
  /** What was found, for the desk to word. */
  readonly fact: SiteFact;
  /** What was found, in a sentence for the command line. */
  readonly found: string;
  /** What to do about it; null where there is nothing to do. */
  readonly advice: string | null;
}
