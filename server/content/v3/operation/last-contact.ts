// When a screen was last in contact: one with a socket, when the instance that has it last noted that it runs (L-63).

import { sql } from "../../sql.ts";

const seenAt = sql`(SELECT i.seen_at FROM link_instances i WHERE i.id = s.ws_instance)`;

/** The screen is `s`. */
export const lastContact = sql`CASE WHEN s.ws_open AND ${seenAt} > s.last_ping THEN ${seenAt} ELSE s.last_ping END`;
