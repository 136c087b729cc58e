// Who may call an operation of version 3, and with which credentials, as its OpenAPI description states it (V3-178).

import { canHaveLimits } from "../../../core/role.ts";
import type { OpenApiSecurity } from "../../openapi.ts";
import type { OperationAccess } from "../../operation-access.ts";
import { accessOfRoutesV3 } from "./v3-operation-roles.ts";
import type { OperationV3 } from "./v3-operation.ts";

const accessOfRoutes: Readonly<
  Record<string, Readonly<Partial<Record<string, OperationAccess>>>>
> = accessOfRoutesV3;

export function permissionOfV3(operation: OperationV3): string {
  const { credentials, method, path } = operation;
  if (credentials === "session")
    return "For the person who is signed in, in any role.";
  const route = path.replace(/(?<=.)\/$/, "");
  const access = accessOfRoutes[route]?.[method.toUpperCase()];
  return access ? sentenceOf(access) : "Needs no key.";
}

function sentenceOf({ least, limits }: OperationAccess): string {
  const needed = `Needs at least the role ${least}`;
  if (limits === "none" || !canHaveLimits(least)) return `${needed}.`;
  return limits === "checked"
    ? `${needed}; what it affects must be within the limit to labels.`
    : `${needed}, without a limit to labels.`;
}

export function securityOfV3({
  credentials,
  method,
}: OperationV3): OpenApiSecurity {
  const header = method === "get" ? {} : { manager: [] };
  const session = { session: [], ...header };
  if (credentials === "none") return [header];
  if (credentials === "session") return [session];
  return credentials === "session-or-none"
    ? [header, session]
    : [{ key: [] }, session];
}
