// Facts that a player reports about itself: valid for its service, with what tells why it was away.

import os from "node:os";
import { expect, it } from "vitest";
import { heartbeatLink } from "../../../../server/contract/link/link.ts";
import { linkFactsOf } from "../../../../server/player/sync/link-client/player-facts.ts";

it.each([null, "requested", "unexpected"] as const)(
  "[L-51] reports since when it and its PC run, and how its last run ended: %s",
  (lastRunEnd) => {
    const before = Math.floor(os.uptime());
    const facts = linkFactsOf({ name: "Lobby", version: "1.0", lastRunEnd });
    const { uptime = -1, machine_uptime = -1 } = facts;
    expect(machine_uptime).toBeGreaterThanOrEqual(before);
    expect(uptime).toBeGreaterThanOrEqual(0);
    expect(machine_uptime).toBeGreaterThanOrEqual(uptime);
    expect(facts.last_run_end).toBe(lastRunEnd ?? undefined);
    expect(heartbeatLink.parse({ sync: "in-sync", facts }).facts).toEqual(
      facts,
    );
  },
);
