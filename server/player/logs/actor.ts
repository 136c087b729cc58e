// Who makes the changes of this moment, for the activity log (V2-792).

import type { ActivityActor } from "../../contract/v2/v2-logs.ts";
import { createRequestScope } from "../../platform/http/request-scope.ts";

/** Null while the player acts by itself. */
export const actorScope = createRequestScope<ActivityActor>();
