// Who makes the changes of this moment, for the activity log (V2-792).

import type { ActivityActor } from "../../contract/v2/v2-logs.ts";
import { createRequestScope } from "../../platform/http/request-scope.ts";

/** Null while the player acts by itself. */
export const actorScope = createRequestScope<ActivityActor>();

/** A content service, which changes things by its content and its commands. */
export function serviceActor(name: string): ActivityActor {
  return { kind: "service", name, address: null };
}
