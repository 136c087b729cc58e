// A screen that is heard, and one that is not: how it is shown, on both databases.

import { expect, it } from "vitest";
import { eachV3 } from "../../../support/each-v3.ts";
import { claimedPlayer } from "../../../support/linked-player.ts";

eachV3(
  (service) => {
    it("[L-7] a screen is offline when it was not heard for long enough", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const shown = () => client.get(`/screens/${player.screenId}/`);
      // A busy machine may take longer from the one to the other than the time that is long enough.
      const heard = async () => {
        await player.beat();
        return shown();
      };
      await expect.poll(heard).toMatchObject({ status: "In Sync" });
      await expect.poll(shown).toMatchObject({
        ...{ status: "Offline", in_sync: false, ws_open: false },
      });
      await expect.poll(heard).toMatchObject({ status: "In Sync" });
    });
  },
  { offlineAfterMs: 1500 },
);
