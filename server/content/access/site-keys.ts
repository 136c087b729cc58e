// Keys with which the players of one team recognize each other in their local network; another one every day (L-53, L-54).

import { createHmac, hkdfSync } from "node:crypto";
import type { SiteKeysLink } from "../../contract/link/link.ts";

const dayMs = 86_400_000;
const keyBytes = 32;
const idDigits = 16;

/** `secret`: the same for all instances of one database, so that all of them return the same keys without storing any. */
export function createSiteKeys(
  secret: string,
  now: () => number,
): (teamId: string) => SiteKeysLink {
  return (teamId) => {
    const today = Math.floor(now() / dayMs);
    return {
      // Two players that requested them within a day have one in common.
      keys: [today, today - 1].map((day) => keyOf(secret, teamId, day)),
    };
  };
}

function keyOf(
  secret: string,
  teamId: string,
  day: number,
): SiteKeysLink["keys"][number] {
  const purpose = `vitrine site key of day ${day}`;
  const key = Buffer.from(
    hkdfSync("sha256", secret, teamId, purpose, keyBytes),
  ).toString("hex");
  const id = createHmac("sha256", key).update("site key").digest("hex");
  return { id: id.slice(0, idDigits), secret: key };
}
