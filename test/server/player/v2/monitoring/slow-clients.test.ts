// Two hundred slow and half-open clients: the screen keeps changing, and others are answered as before.

import { expect, it } from "vitest";
import { readEvents } from "../../../../support/http/event-reader.ts";
import { temporaryFolder } from "../../../../support/folder.ts";
import { servePlayer } from "../../../../support/player/serve-player.ts";
import {
  addPages,
  openSlowClients,
} from "../../../../support/http/slow-clients.ts";

it("[V2-71] two hundred slow clients stop neither the swaps nor another client's lists", async () => {
  const { address } = await servePlayer(await temporaryFolder());
  await addPages(address, 100);
  const request = (path: string): Promise<Response> =>
    fetch(`${address}/api/v2${path}`);
  const reader = await readEvents(request("/events"));
  await reader.nextOf("showing");
  const slow = await openSlowClients(address);
  slow.send();
  for (let swap = 0; swap < 3; swap += 1) {
    expect(await (await request("/assets")).json()).toHaveLength(100);
    await reader.nextOf("showing");
  }
  expect(slow.sockets.filter(({ destroyed }) => destroyed)).toHaveLength(0);
});
