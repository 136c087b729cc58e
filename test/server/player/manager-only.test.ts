// A player on a PC that is only a manager: everything is stored and scheduled, nothing is shown.

import { expect, it } from "vitest";
import { startPlayer } from "../../support/player/start-player.ts";

it("[V2-263] shows nothing, reports nothing and ignores playback commands on a PC that is only a manager", async () => {
  const still = await startPlayer({ isStill: true });
  const { asset_id: id } = await still.add({ name: "Lobby" });
  await still.clock.advance(60_000);
  expect(still.stage.prepared()).toBeNull();
  expect(still.stage.shown).toEqual([]);
  const now = await (await still.request("/now")).json();
  expect(now).toMatchObject({ showing: null });
  const why = await (await still.request("/why")).json();
  expect(JSON.stringify(why)).toContain("Lobby");
  for (const command of ["next", "previous", `asset&${id}`]) {
    const answer = await still.request(`/assets/control/${command}`);
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain("runs the manager only");
  }
  const reports = await still.request("/playbacks/report");
  expect(await reports.text()).not.toContain("Lobby");
});
