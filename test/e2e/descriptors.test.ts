// An app with hardly a file descriptor left: the screen stays, what can be shown keeps playing, no asset is reported as failed.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  hasDescriptorLimits,
  limitDescriptors,
  openDescriptors,
} from "../support/machine/descriptors.ts";
import { colouredPage, png, type Colour } from "../support/media/media.ts";
import {
  sharedScreen,
  problemOf,
  startAlone,
} from "../support/app/shared-screen.ts";
import { launchersOf } from "../support/app/renderers.ts";
import { shows } from "../support/screen/screen.ts";
import type { RunningApp } from "../support/app/start-app.ts";
import { serveWeb } from "../support/http/web-server.ts";

const red: Colour = [200, 40, 40];
const green: Colour = [30, 160, 60];
const blue: Colour = [40, 60, 200];

const one = sharedScreen({ start: startAlone });

/** The app's main process, the ancestor of all others. */
async function mainOf({ process: { pid = 0 } }: RunningApp): Promise<number> {
  const [launcher = 0] = await launchersOf(pid);
  const status = readFileSync(`/proc/${launcher}/status`, "utf8");
  return Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
}

/** Waits until each colour is seen, one after the other, in two rounds from now on. */
async function untilSeen(...colours: readonly Colour[]): Promise<void> {
  const { screenWatch } = one;
  for (let round = 0; round < 2; round += 1)
    for (const colour of colours)
      await screenWatch.until(shows(colour), String(colour), 60_000);
}

describe.runIf(hasDescriptorLimits)("an app without file descriptors", () => {
  it.each([
    ["20 left", 20],
    ["none left", 0],
  ])(
    "[V2-653] with %s keeps playing images, holds back web pages, blames no asset, and shows the pages again once there are descriptors",
    async (_title, left) => {
      const { app } = one;
      const web = await serveWeb({ "/": colouredPage(blue) });
      const ids: string[] = [];
      for (const [name, colour] of Object.entries({ red, green })) {
        const about = { name, mimetype: "image", duration: 1 };
        const bytes = png(colour, 1280, 720);
        ids.push((await app.addFile(bytes, about)).asset_id);
      }
      const page = { name: "page", uri: `${web.address}/`, duration: 1 };
      ids.push((await app.add(page)).asset_id);
      await untilSeen(red, green, blue);
      const main = await mainOf(app);
      const before = 8192;
      const from = app.output().length;
      // Running work may take some until the app notices that few are left: only a limit set from outside takes them all at once.
      const open = openDescriptors(main);
      limitDescriptors(main, open + 20);
      try {
        await expect
          .poll(() => app.output().slice(from))
          .toContain("descriptors.exhausted");
        limitDescriptors(main, open + left);
        await untilSeen(red, green);
        const text = { text: "Leave by the stairs" };
        const takeover = await fetch(`${app.api}/api/v2/takeover`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(text),
        });
        expect(takeover.status).toBe(201);
        await one.screenWatch.until(shows([21, 28, 38]), "the text");
        await fetch(`${app.api}/api/v2/takeover`, { method: "DELETE" });
        await untilSeen(red, green);
        for (const id of ids) expect(await problemOf(app, id)).toBe("");
      } finally {
        limitDescriptors(main, before);
      }
      await untilSeen(blue);
      for (const id of ids) expect(await problemOf(app, id)).toBe("");
      expect(app.process.exitCode).toBeNull();
    },
  );
});
