// One question, as our service is asked it and as the bare server beside it is.

import type { RequestSpec } from "../api/load.ts";

export interface Pair {
  readonly figure: string;
  readonly ours: RequestSpec;
  readonly theirs: RequestSpec;
}
