// Says how many files knip looked at, so that a look at nothing does not pass.

import type { ReporterOptions } from "knip";

export default function reportCheckedFiles({
  counters,
}: ReporterOptions): void {
  console.log(`looked at ${String(counters.processed)} files`);
}
