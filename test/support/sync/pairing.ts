// A player that waits to be paired with a service as its screen, as version 2 shows it.

import { expect, vi } from "vitest";
import type {
  PairingV2,
  SyncLinkV2,
} from "../../../server/contract/v2/v2-sync-outbox.ts";
import type { ClientV3 } from "../content/each-v3.ts";
import type { RunningFullSync } from "./start-full-sync.ts";
import { pollOptions } from "./outbox.ts";

export async function pair(
  running: RunningFullSync,
  base_url: string,
): Promise<PairingV2> {
  const { status, body } = await running.send("POST", "/sync/pairing", {
    base_url,
  });
  expect([status, body]).toEqual([201, expect.anything()]);
  return body as PairingV2;
}

export const pairingOf = async (
  running: RunningFullSync,
): Promise<PairingV2 | null> =>
  (await running.request("/sync/pairing")).json() as Promise<PairingV2 | null>;

/** Paired by a pin that is typed at the service; returns the screen and the connection. */
export async function claimed(
  running: RunningFullSync,
  base: string,
  v3: ClientV3,
) {
  const { pin } = await pair(running, base);
  const screen = (await v3.make("/screens/", { pin, name: "Window" })) as {
    id: string;
  };
  const connectionId = await vi.waitUntil(async () => {
    const now = await pairingOf(running);
    return now?.state === "claimed" ? now.account_id : null;
  }, pollOptions);
  return { screenId: screen.id, connectionId };
}

export const linksOf = async (
  running: RunningFullSync,
): Promise<SyncLinkV2[]> =>
  (await running.request("/sync/links")).json() as Promise<SyncLinkV2[]>;
