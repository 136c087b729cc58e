// The limit to labels of a request, for the checks within the transaction of its write (V4-362).

import type { Response } from "express";
import { limitedTo, teamOf } from "../../access/access.ts";
import type { LabelLimits } from "../../v4/write/label-limits.ts";
import type { RunQuery, V3 } from "./v3.ts";

export function limitsOf(
  { dialect }: Pick<V3, "dialect">,
  runQuery: RunQuery,
  response: Response,
): LabelLimits | null {
  const labelIds = limitedTo(response);
  return labelIds && { dialect, runQuery, labelIds, team: teamOf(response) };
}
