// One request, as it is sent to our service and to the bare server compared with it.

import type { RequestSpec } from "../api/load.ts";

export interface Pair {
  readonly figure: string;
  readonly ours: RequestSpec;
  readonly theirs: RequestSpec;
}
