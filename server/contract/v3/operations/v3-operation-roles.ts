// Which role each operation of version 3 needs at least, and what a limit to labels means for it (V4-361, V4-362).

import {
  reads,
  writes,
  writesWithin,
  type OperationAccess,
} from "../../operation-access.ts";
import type { MethodOfRouteV3, RouteV3 } from "./v3-operations.ts";

const reading = { GET: reads("viewer") };
/** A simulation, a check, a preview: nothing is changed. */
const readOnly = { POST: reads("viewer") };
const changes = (access: OperationAccess) => ({
  ...{ PUT: access, PATCH: access, DELETE: access },
});

/** Of each operation that needs credentials, by path and method. */
export const accessOfRoutesV3 = {
  // The description.
  "/": reading,
  // Each person's own; a key has none.
  "/account": { GET: reads("viewer"), PATCH: reads("viewer") },
  "/account/passkeys": { GET: reads("viewer"), POST: reads("viewer") },
  "/account/passkeys/options": { POST: reads("viewer") },
  "/account/passkeys/:id": { DELETE: reads("viewer") },
  "/account/second-factor": {
    POST: reads("viewer"),
    PUT: reads("viewer"),
    DELETE: reads("viewer"),
  },
  "/account/sessions": { GET: reads("viewer"), DELETE: reads("viewer") },
  "/account/sessions/:id": { DELETE: reads("viewer") },
  "/activity": { GET: reads("admin") },
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
  "/edge-apps/:id/deploy/preview": readOnly,
  "/groups": { ...reading, POST: writes("operator") },
  "/groups/:id": { ...reading, ...changes(writes("operator")) },
  "/invitations": { GET: reads("admin"), POST: writes("admin") },
  "/invitations/:id": { DELETE: writes("admin") },
  "/keys": { GET: reads("admin"), POST: writes("admin") },
  "/keys/:id": { GET: reads("admin"), DELETE: writes("admin") },
  "/mail": { GET: reads("admin") },
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
  "/predicate-validation": readOnly,
  "/predicate/evaluate": readOnly,
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
  "/what-if": readOnly,
  "/screens/:id/watch": readOnly,
} as const satisfies {
  readonly [Route in RouteV3]: Readonly<
    Record<MethodOfRouteV3<Route>, OperationAccess>
  >;
};
