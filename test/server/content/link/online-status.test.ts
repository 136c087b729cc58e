// Online status of screens, on both databases.

import path from "node:path";
import { expect, it } from "vitest";
import type { Database } from "../../../../server/platform/database/database.ts";
import { openPostgres } from "../../../../server/platform/database/postgres.ts";
import { openSqliteDatabase } from "../../../../server/platform/sqlite/sqlite-database.ts";
import { afterThisTest } from "../../../support/after-this-test.ts";
import { eachContent } from "../../../support/content/each-content.ts";
import { clientV3, eachV3 } from "../../../support/content/each-v3.ts";
import { claimedPlayer } from "../../../support/content/linked-player.ts";
import {
  contentKey,
  startContent,
} from "../../../support/content/start-content.ts";

eachV3(
  (service) => {
    it("[L-7] a screen is offline when it sent nothing for long enough", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const shown = () => client.get(`/screens/${player.screenId}/`);
      // A busy machine may take longer between the two than that time.
      const screenRow = async () => {
        await player.beat();
        return shown();
      };
      await expect.poll(screenRow).toMatchObject({ status: "In Sync" });
      await expect.poll(shown).toMatchObject({
        ...{ status: "Offline", in_sync: false, ws_open: false },
      });
      await expect.poll(screenRow).toMatchObject({ status: "In Sync" });
    });
  },
  { offlineAfterMs: 1500 },
);

eachContent(({ ground }) => {
  it("[L-36] a screen last seen hours in the future, since the clock was set back, is offline until it is seen again", async () => {
    const { dataDir, databaseUrl } = await ground();
    const { address } = await startContent(dataDir, {
      ...{ databaseUrl, offlineAfterMs: 10_000 },
    });
    const client = clientV3(address, contentKey);
    const player = await claimedPlayer(client);
    const shown = () => client.get(`/screens/${player.screenId}/`);
    await player.beat();
    expect(await shown()).toMatchObject({ status: "In Sync" });
    const database: Database<never> =
      databaseUrl === undefined
        ? openSqliteDatabase(path.join(dataDir, "content.db"))
        : openPostgres(databaseUrl, { connections: 1 });
    afterThisTest(() => database.close());
    const hours = 3 * 3_600_000;
    await database.writeOne({
      text: `UPDATE screens SET last_ping = last_ping + ${hours}`,
      values: [],
    });
    await expect
      .poll(shown, { timeout: 45_000 })
      .toMatchObject({ status: "Offline", in_sync: false });
    await player.beat();
    expect(await shown()).toMatchObject({ status: "In Sync" });
  });
});
