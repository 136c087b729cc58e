// Finds the access that an operation of version 3 needs, in the table of its contract (V4-361, V4-362).

import type { OperationAccess } from "../../contract/operation-access.ts";
import { accessOfRoutesV3 } from "../../contract/v3/operations/v3-operation-roles.ts";
import type { FindAccess } from "../access/operation-roles.ts";
import { createPathMatcher } from "../http/routes.ts";

const accessOfRoutes: Readonly<
  Record<string, Readonly<Partial<Record<string, OperationAccess>>>>
> = accessOfRoutesV3;

const isBelow = /^(?:\/api)?\/v3(?:\/|$)/;
const routeOf = createPathMatcher("/v3", Object.keys(accessOfRoutes));

export const findAccessV3: FindAccess = ({ path, method }) => {
  if (!isBelow.test(path) || method === "OPTIONS") return null;
  const route = routeOf(path);
  if (route === null) return "missing";
  const name = method === "HEAD" ? "GET" : method;
  return accessOfRoutes[route]?.[name] ?? "missing";
};
