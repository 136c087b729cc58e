// Which role each operation of version 3 needs at least, and what a limit to labels means for it (V4-361, V4-362).

import {
  reads,
  writes,
  writesWithin,
  type FindAccess,
  type OperationAccess,
} from "../access/operation-roles.ts";
import { createPathMatcher, type MethodName } from "../http/routes.ts";

type OfMethods = Readonly<Partial<Record<MethodName, OperationAccess>>>;

const reading: OfMethods = { GET: reads("viewer") };
/** A simulation, a check, a preview: nothing is changed. */
const asking: OfMethods = { POST: reads("viewer") };
const changes = (access: OperationAccess): OfMethods => ({
  ...{ PUT: access, PATCH: access, DELETE: access },
});

/** Every path of the router has an entry here; one that is missing is refused. */
export const accessOfPaths = {
  // The description.
  "/": reading,
  // Each person's own; a key has none.
  "/account": { GET: reads("viewer"), PATCH: reads("viewer") },
  "/account/second-factor": {
    POST: reads("viewer"),
    PUT: reads("viewer"),
    DELETE: reads("viewer"),
  },
  "/account/sessions": { GET: reads("viewer"), DELETE: reads("viewer") },
  "/account/sessions/:id": { DELETE: reads("viewer") },
  "/alerts/incidents": reading,
  "/alerts/incidents/:id": reading,
  "/alerts/incidents/:id/acknowledge": { POST: writesWithin("operator") },
  "/alerts/rules": { ...reading, POST: writes("operator") },
  "/alerts/rules/:id": { ...reading, ...changes(writes("operator")) },
  "/alerts/rules/:id/test": { POST: writes("operator") },
  "/assertions": { ...reading, POST: writes("operator") },
  "/assertions/:id": { ...reading, ...changes(writes("operator")) },
  "/assets": { ...reading, POST: writesWithin("editor") },
  "/assets/upload": { POST: writesWithin("editor") },
  "/assets/:id": { ...reading, ...changes(writesWithin("editor")) },
  // Takes a screenshot of a page, for people only.
  "/assets/:id/capture": { GET: reads("editor") },
  // Tokens of accounts elsewhere; apps have credentials of their own.
  "/edge-apps/oauth/tokens/:name": { GET: reads("admin") },
  "/edge-apps/:id/deploy": { POST: writes("editor") },
  "/edge-apps/:id/deploy/preview": asking,
  "/groups": { ...reading, POST: writes("operator") },
  "/groups/:id": { ...reading, ...changes(writes("operator")) },
  "/invitations": { GET: reads("admin"), POST: writes("admin") },
  "/invitations/:id": { DELETE: writes("admin") },
  "/keys": { GET: reads("admin"), POST: writes("admin") },
  "/keys/:id": { GET: reads("admin"), DELETE: writes("admin") },
  "/me": reading,
  "/people": { GET: reads("admin") },
  "/people/:id": {
    GET: reads("admin"),
    PATCH: writes("admin"),
    DELETE: writes("admin"),
  },
  "/people/:id/reset": { POST: writes("admin") },
  "/playbacks": reading,
  "/playbacks/report": reading,
  "/playlists": { ...reading, POST: writesWithin("editor") },
  "/playlists/:id": { ...reading, ...changes(writesWithin("editor")) },
  "/predicate-validation": asking,
  "/predicate/evaluate": asking,
  "/screens": { ...reading, POST: writes("operator") },
  "/screens/assignments": { POST: writesWithin("operator") },
  "/screens/adopted": { POST: writes("operator") },
  "/screens/adopted/:id": { PATCH: writesWithin("operator") },
  "/screens/geocode": reading,
  "/screens/commands": { ...reading, POST: writesWithin("operator") },
  "/screens/commands/totals": reading,
  // Logs of a player.
  "/screens/commands/:id/bundle": { GET: reads("operator") },
  "/screens/outages": reading,
  "/screens/outages/totals": reading,
  "/screens/states": reading,
  "/screens/:id": { ...reading, ...changes(writesWithin("operator")) },
  "/screens/:id/commands": { POST: writesWithin("operator") },
  "/screens/:id/replace": { POST: writesWithin("operator") },
  "/screens/:id/schedule": reading,
  "/what-if": asking,
  "/screens/:id/watch": asking,
} as const satisfies Readonly<Record<string, OfMethods>>;

export type PathWithRoles = keyof typeof accessOfPaths;

const isBelow = /^(?:\/api)?\/v3(?:\/|$)/;
const pathOf = createPathMatcher("/v3", Object.keys(accessOfPaths));

export const findAccessV3: FindAccess = ({ path, method }) => {
  if (!isBelow.test(path) || method === "OPTIONS") return null;
  const found = pathOf(path);
  if (found === null) return "missing";
  const ofMethods: OfMethods = accessOfPaths[found as PathWithRoles];
  const name = method === "HEAD" ? "GET" : method;
  return ofMethods[name as MethodName] ?? "missing";
};
