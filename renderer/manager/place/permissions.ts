// What the person who is signed in to a content service may do there: what they may not do is not rendered, and the service refuses it
// anyway (V4-361, V4-362). In the player's window there is nobody to sign in: the service alone decides, by the key.

import { createContext, useContext } from "react";
import type { OperationAccess } from "../../../server/contract/operation-access.ts";
import { accessOfRoutesV3 } from "../../../server/contract/v3/operations/v3-operation-roles.ts";
import { isAtLeast, type Role } from "../../../server/core/role.ts";

/** Null: as in the player's window. */
export type Grant = {
  readonly role: Role;
  /** Null: no limit. */
  readonly labels: readonly { readonly id: string }[] | null;
} | null;

export const GrantContext = createContext<Grant>(null);

type Routes = typeof accessOfRoutesV3;
type RouteV3 = keyof Routes;

/** What a request affects, with its labels. */
interface Labelled {
  readonly groups: readonly { readonly id: string }[];
}

/** `affected` is what it would change; without it, whether there is anything that it could change. */
export type MayRequest = <Route extends RouteV3>(
  method: Extract<keyof Routes[Route], string>,
  route: Route,
  affected?: readonly Labelled[],
) => boolean;

/** `mayRequest("PATCH", "/screens/:id", [screen])` */
export function permissionsOf(grant: Grant): MayRequest {
  return (method, route, affected = []) => {
    if (grant === null) return true;
    const { least, limits } = (
      accessOfRoutesV3[route] as Readonly<Record<string, OperationAccess>>
    )[method] ?? { least: "admin", limits: "refused" };
    if (!isAtLeast(grant.role, least)) return false;
    const { labels } = grant;
    if (labels === null || limits === "none") return true;
    if (limits === "refused") return false;
    return affected.every(({ groups }) =>
      groups.some(({ id }) => labels.some((label) => label.id === id)),
    );
  };
}

export function useMayRequest(): MayRequest {
  return permissionsOf(useContext(GrantContext));
}
