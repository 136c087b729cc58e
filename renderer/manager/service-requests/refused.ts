// How the content service rejected a request, as the manager's pages expect it of a player.

import { rejectionCode } from "../../../server/contract/code-of-status.ts";
import type { ServiceAnswer } from "../../../server/contract/screens-client/service-access.ts";
import type { OperateOutcome } from "../../../server/contract/v2/operations/operation-client.ts";

export type Refused = Extract<OperateOutcome, { readonly isDone: false }>;

/** `nameOf` returns the page's name of a field of the service. */
export function refusedBy(
  { status, json, reason }: ServiceAnswer,
  nameOf: (field: string) => string,
): Refused {
  const fields = status === 400 ? fieldsIn(json, nameOf) : null;
  return {
    ...{ isDone: false, code: rejectionCode(status), message: reason },
    fields,
  };
}

function fieldsIn(
  json: unknown,
  nameOf: (field: string) => string,
): Refused["fields"] {
  if (typeof json !== "object" || json === null || Array.isArray(json))
    return null;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [
      nameOf(name),
      [value as unknown].flat().map(String),
    ]),
  );
}
