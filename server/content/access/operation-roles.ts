// Enforces the least role of each operation, on every interface, before its body is read (V4-361, V4-362).

import type { Request, RequestHandler, Response } from "express";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import type { OperationAccess } from "../../contract/operation-access.ts";
import { Failure } from "../../core/failure.ts";
import { isAtLeast } from "../../core/role.ts";
import { limitedTo, roleOf } from "./access.ts";

/** Null: not of this interface, or for everyone. `missing`: its table does not classify it, or it does not exist. */
export type FindAccess = (
  request: Request,
) => OperationAccess | "missing" | null;

interface Locals {
  isUnclassified?: boolean;
}

/** Only behind `requireKey`. The interfaces are asked in this order. */
export function requireRoles(
  ...interfaces: readonly FindAccess[]
): RequestHandler {
  return (request, response, next) => {
    for (const find of interfaces) {
      const access = find(request);
      if (access === null) continue;
      if (access === "missing")
        (response.locals as Locals).isUnclassified = true;
      else requireAccess(access, response);
      break;
    }
    next();
  };
}

function requireAccess(
  { least, limits }: OperationAccess,
  response: Response,
): void {
  const role = roleOf(response);
  if (!isAtLeast(role, least))
    throw new Failure(
      "forbidden",
      composeSentence(serviceSentences.role, { least, role }),
    );
  if (limits === "refused" && limitedTo(response) !== null)
    throw new Failure("forbidden", serviceSentences.limited);
}

/** Call where an operation exists: one that no table classifies is refused to everyone. */
export function refuseUnclassified(response: Response): void {
  if ((response.locals as Locals).isUnclassified === true)
    throw new Failure("forbidden", serviceSentences["unavailable-operation"]);
}
