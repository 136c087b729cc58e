// Result of one site check: a verdict, a code with a sentence, and advice.

import type { SiteFact } from "../../server/contract/site-check.ts";

export type Verdict = "good" | "advice" | "fault" | "unknown";

export interface CheckResult {
  readonly verdict: Verdict;
  /** What was found, for the manager to phrase. */
  readonly fact: SiteFact;
  /** What was found, in a sentence for the command line. */
  readonly found: string;
  /** What to do about it; null where there is nothing to do. */
  readonly advice: string | null;
}
