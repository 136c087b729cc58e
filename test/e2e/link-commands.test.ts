// Commands of a content service on the screen of the real app: a takeover, the screen's name over it, and the results.

import { expect, it } from "vitest";
import { clientV3, type ClientV3 } from "../support/content/each-v3.ts";
import { waitUntilProcessed } from "../support/content/ingest-asset.ts";
import { claimedPlayer } from "../support/content/linked-player.ts";
import { temporaryFolder } from "../support/folder.ts";
import { png, type Colour } from "../support/media/media.ts";
import {
  isNear,
  meanOf,
  openScreen,
  watchScreen,
  type Frame,
} from "../support/screen/screen.ts";
import { startApp } from "../support/app/start-app.ts";
import {
  contentKey,
  startContent,
  type Row,
} from "../support/content/start-content.ts";

const scheduled = [200, 40, 40] as const satisfies Colour;
const alarm = [40, 60, 210] as const satisfies Colour;

async function addImage(client: ClientV3, title: string, colour: Colour) {
  const answer = await client.upload(png(colour, 1280, 720), { title });
  const [row] = (await answer.json()) as Row[];
  await waitUntilProcessed(client, row?.id ?? "");
  return row?.id ?? "";
}

it("[L-41] [L-42] takes the screen over, lays its name over that, and shows the schedule again: each is done once it is on the screen", async () => {
  const screen = await openScreen();
  const screenWatch = watchScreen(screen);
  const content = await startContent(await temporaryFolder());
  const client = clientV3(content.address, contentKey);
  const [one, two] = [
    await addImage(client, "Scheduled", scheduled),
    await addImage(client, "Alarm", alarm),
  ];
  await client.make("/playlists/", {
    ...{ title: "Shop", predicate: "TRUE", groups: [{ id: "all-screens" }] },
    assets: [one, two].map((id) => ({ id, duration: 3600 })),
  });
  const app = await startApp({
    ...{ screen, flags: ["--no-manager", "--window", "fullscreen"] },
  });
  const { credential, screenId } = await claimedPlayer(client);
  await fetch(`${app.api}/api/v2/sync/accounts`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      ...{ base_url: content.address, version: "v4.1" },
      ...{ token: credential, screen_id: screenId },
    }),
  });
  const shows = (colour: Colour) => (frame: Frame) =>
    isNear(meanOf(frame), colour);
  await screenWatch.until(shows(scheduled), "the schedule");
  const order = async (kind: string, fields: object = {}) => {
    const { id } = (await client.make(`/screens/${screenId}/commands/`, {
      ...{ kind, arguments: fields },
    })) as { id: string };
    return () =>
      expect
        .poll(() => client.get(`/screens/commands/?id=${id}`), {
          timeout: 40_000,
        })
        .toMatchObject([{ state: "done", message: null }]);
  };
  const isTakenOver = await order("takeover", { asset_id: two });
  await screenWatch.until(shows(alarm), "the takeover");
  await isTakenOver();
  const isNamed = await order("identify");
  await screenWatch.until(
    (frame) => !isNear(meanOf(frame), alarm),
    "the name of the screen",
  );
  await isNamed();
  await expect
    .poll(() => client.get("/screens/states/"), { timeout: 40_000 })
    .toMatchObject([
      {
        ...{ id: screenId, state: "right" },
        report: { showing: { asset_id: two, reason: "takeover" } },
      },
    ]);
  // The name goes at once.
  const isEnded = await order("end-takeover");
  await screenWatch.until(shows(scheduled), "the schedule again");
  await isEnded();
  await screenWatch.stop();
}, 180_000);
