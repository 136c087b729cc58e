// How the content service rejected a request, as the manager's pages expect it of a player.

import { rejectionCode } from "../../../../server/contract/code-of-status.ts";
import type { ServiceAnswer } from "../../../../server/contract/screens-client/service-access.ts";
import { assetFieldFromV3 } from "../../../../server/contract/service-rows/asset-from-row.ts";
import type { OperateOutcome } from "../../../../server/contract/v2/operations/operation-client.ts";

export type Refused = Extract<OperateOutcome, { readonly isDone: false }>;

export function refusedBy({ status, json, reason }: ServiceAnswer): Refused {
  const fields = status === 400 ? fieldsIn(json) : null;
  return {
    ...{ isDone: false, code: rejectionCode(status), message: reason },
    fields,
  };
}

function fieldsIn(json: unknown): Refused["fields"] {
  if (typeof json !== "object" || json === null || Array.isArray(json))
    return null;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [
      assetFieldFromV3(name),
      [value as unknown].flat().map(String),
    ]),
  );
}
