// Result of one site check: a verdict, and a finding that is worded where it is shown.

import type { SiteFact } from "../../server/contract/site-check.ts";

export type Verdict = "good" | "advice" | "fault" | "unknown";

export interface CheckResult {
  readonly verdict: Verdict;
  /** What was found. */
  readonly fact: SiteFact;
}
