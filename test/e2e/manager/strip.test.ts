// The film strip by pointer: drag to reorder, drag an edge to set the duration, in both writing directions.

import { expect, it, onTestFinished } from "vitest";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import { centreOf, drag, goTo } from "../../support/manager/manager-page.ts";
import { openManager } from "../../support/manager/manager-app.ts";
import { png } from "../../support/media/media.ts";

it.each([
  ["left", "en_GB.UTF-8", 1],
  ["right", "ar_EG.UTF-8", -1],
])(
  "the film strip read from the %s is reordered by dragging, resized at an edge to change the duration, and both are undone",
  async (_side, language, onwards) => {
    const manager = await openManager({ language });
    onTestFinished(async () => {
      await manager.close();
      await manager.screen.close();
    });
    const { page, api } = manager;
    const names: Record<string, string> = {};
    for (const name of ["Red", "Green", "Blue"]) {
      const fields = { name, mimetype: "image", duration: 10 };
      const { asset_id: id } = await manager.addFile(
        png([name.length * 40, 80, 90]),
        { ...fields, playlist_only: true },
      );
      names[id] = name;
    }
    const items = Object.keys(names).map((id) => ({ asset_id: id }));
    const created = await fetch(`${api}/api/v2/playlists`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ name: "Window", items }),
    });
    const { playlist_id: id } = (await created.json()) as PlaylistV2;
    const film = async (): Promise<string> => {
      const answer = await fetch(`${api}/api/v2/playlists`);
      const [playlist] = (await answer.json()) as PlaylistV2[];
      return (playlist?.items ?? [])
        .map((item) => `${names[item.asset_id]} ${item.duration ?? "its own"}`)
        .join(", ");
    };
    await goTo(page, `#/playlists/${id}`);
    const tile = (name: string) => page.locator(`.strip-tile[title="${name}"]`);
    await tile("Blue").waitFor();
    const [red, blue] = [
      await centreOf(tile("Red")),
      await centreOf(tile("Blue")),
    ];
    expect(Math.sign(blue.x - red.x)).toBe(onwards);

    await drag(page, red, { x: blue.x + onwards * 20, y: blue.y });
    const moved = "Green its own, Blue its own, Red its own";
    await expect.poll(film).toBe(moved);
    // The next tile has come to rest in the first position.
    await expect
      .poll(async () => Math.abs((await centreOf(tile("Green"))).x - red.x))
      .toBeLessThan(2);

    const edge = await centreOf(tile("Green").locator(".strip-edge"));
    const { width } = (await tile("Green").boundingBox()) ?? { width: 0 };
    // 1.5 times the width is 1.5 times the duration.
    await drag(page, edge, { x: edge.x + (onwards * width) / 2, y: edge.y });
    await expect.poll(film).toBe("Green 15, Blue its own, Red its own");

    await page.keyboard.press("Control+z");
    await expect.poll(film).toBe(moved);
    await page.keyboard.press("Control+z");
    await expect.poll(film).toBe("Red its own, Green its own, Blue its own");
  },
);
