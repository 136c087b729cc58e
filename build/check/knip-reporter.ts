// Reports how many files knip examined, so that a run that examined nothing does not pass.

import type { ReporterOptions } from "knip";

export default function reportCheckedFiles({
  counters,
}: ReporterOptions): void {
  console.log(`looked at ${String(counters.processed)} files`);
}
