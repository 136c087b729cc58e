// The real app synced from our own service over each version; then the service is gone, and the right pixels are there.

import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/folder.ts";
import { picture, type Colour } from "../support/media.ts";
import {
  isNear,
  meanOf,
  openScreen,
  watchScreen,
  type Frame,
} from "../support/screen.ts";
import { startApp, type RunningApp } from "../support/start-app.ts";
import {
  contentKey,
  startContent,
  type Row,
  type StartedContent,
} from "../support/start-content.ts";

const colours = {
  "v4.1": [200, 40, 40],
  v4: [40, 180, 60],
  v3: [50, 70, 210],
} as const satisfies Record<string, Colour>;

const versions = ["v4.1", "v4", "v3"] as const;
const flags = ["--no-manager", "--window", "fullscreen"];

/** One picture of this colour on every screen. */
async function showEverywhere(
  content: StartedContent,
  title: string,
  colour: Colour,
): Promise<void> {
  const answer = await content.upload(picture(colour, 1280, 720), { title });
  const [asset] = (await answer.json()) as Row[];
  const [list] = await content.add("/v4.1/playlists", { title });
  await content.add("/v4.1/playlist-items", {
    ...{ playlist_id: list?.id, asset_id: asset?.id, duration: 2 },
  });
  const [all] = await content.rows("/v4.1/labels?type=eq.all-screens");
  await content.add("/v4.1/labels/playlists", {
    ...{ playlist_id: list?.id, label_id: all?.id },
  });
  await expect
    .poll(() => content.rows("/v4.1/assets?status=neq.finished"), {
      timeout: 20_000,
    })
    .toEqual([]);
}

async function follow(
  { api }: RunningApp,
  baseUrl: string,
  version: string,
): Promise<void> {
  const answer = await fetch(`${api}/api/v2/sync/accounts`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ base_url: baseUrl, version, token: contentKey }),
  });
  expect(answer.status).toBe(201);
}

describe("the app", () => {
  it("shows what clouds of v4.1, v4 and v3 want, and goes on without them through three restarts", async () => {
    const screen = await openScreen();
    const glass = watchScreen(screen);
    let app = await startApp({ screen, flags });
    const { dataDir } = app;
    const shows = (version: keyof typeof colours) => (frame: Frame) =>
      isNear(meanOf(frame), colours[version]);
    const clouds: StartedContent[] = [];
    for (const version of versions) {
      const content = await startContent(await temporaryFolder());
      clouds.push(content);
      await showEverywhere(content, version, colours[version]);
      await follow(app, content.address, version);
      await glass.until(shows(version), `the picture over ${version}`);
    }
    for (const content of clouds) await content.stop();
    for (let start = 1; start <= 3; start += 1) {
      expect(await app.stop()).toBe(0);
      app = await startApp({ screen, flags, dataDir });
      for (const version of versions)
        await glass.until(shows(version), `${version} at restart ${start}`);
    }
    const status = (await (await fetch(`${app.api}/api/v2/sync`)).json()) as {
      accounts: unknown[];
    };
    expect(status.accounts).toMatchObject(
      versions.map((version) => ({ version, assets: 1, playlists: 1 })),
    );
    await glass.stop();
  }, 180_000);
});
