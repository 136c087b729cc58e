// Faults on the stage: what is on the screen while something is broken.

import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isAlive } from "../../electron/lifecycle/process-alive.ts";
import type { AssetV2 } from "../../server/contract/v2/v2.ts";
import {
  clip,
  colouredPage,
  png,
  servePages,
  type Colour,
} from "../support/media/media.ts";
import { sharedScreen, startAlone } from "../support/app/shared-screen.ts";
import {
  isBlank,
  openScreen,
  watchScreen,
  shows,
  type Frame,
  type Watch,
} from "../support/screen/screen.ts";
import {
  audioProcessOf,
  drawerOf,
  launchersOf,
  networkProcessOf,
  renderersOf,
} from "../support/app/renderers.ts";
import { startApp, type RunningApp } from "../support/app/start-app.ts";
import { serveWeb } from "../support/http/web-server.ts";

const red: Colour = [200, 40, 40];
const green: Colour = [30, 160, 60];
const blue: Colour = [40, 60, 200];

const one = sharedScreen({ start: startAlone });

async function playing({
  app,
  screenWatch,
}: Pick<typeof one, "app" | "screenWatch"> = one): Promise<{
  app: RunningApp;
  screenWatch: Watch;
  shownFrom: number;
}> {
  await app.addFile(png(red, 1280, 720), {
    name: "red",
    mimetype: "image",
    duration: 2,
  });
  await screenWatch.until(shows(red), "red");
  return { app, screenWatch, shownFrom: screenWatch.frames.length };
}

/** An app of its own, with red and green: its graphics process is disturbed, so no other test may start with it. */
async function playingAlone(): ReturnType<typeof playing> {
  const screen = await openScreen();
  const app = await startApp({ screen, flags: ["--no-manager"] });
  const screenWatch = watchScreen(screen);
  const alone = await playing({ app, screenWatch });
  await app.addFile(png(green, 1280, 720), {
    ...{ name: "green", mimetype: "image", duration: 2 },
  });
  await screenWatch.until(shows(green), "green");
  return alone;
}

/** The last frame stays visible, so only changes prove playback: waits for both colours, after the frames in progress. */
async function untilBothAgain(screenWatch: Watch): Promise<void> {
  const from = screenWatch.frames.length + 60;
  const isSeen = (colour: Colour) =>
    screenWatch.frames.slice(from).some(shows(colour));
  await screenWatch.until(
    () => isSeen(red) && isSeen(green),
    "red and green",
    60_000,
  );
}

/** How many times the screen became blank. */
const gapsIn = (frames: readonly Frame[]): number =>
  frames.filter(
    (frame, at) => isBlank(frame) && !isBlank(frames[at - 1] ?? frame),
  ).length;

async function reasonOf(app: RunningApp, name: string): Promise<string> {
  const assets = (await (
    await fetch(`${app.api}/api/v2/assets`)
  ).json()) as AssetV2[];
  return (
    assets.find((asset) => asset.name === name)?.metadata.error_message ?? ""
  );
}

/** With a name, null while anything else is showing. */
async function verdictOf(
  app: RunningApp,
  name?: string,
): Promise<string | null> {
  const answer = await fetch(`${app.api}/api/v2/now`);
  const { showing } = (await answer.json()) as {
    showing: { name: string; verdict: string | null } | null;
  };
  if (name !== undefined && showing?.name !== name) return null;
  return showing?.verdict ?? null;
}

/** How often it has logged this event. */
const countOf = (app: RunningApp, event: string) => (): number =>
  app.output().split(`"event":"${event}"`).length - 1;

async function killPages(app: RunningApp): Promise<void> {
  for (const pid of await renderersOf(app.process.pid ?? 0))
    process.kill(pid, "SIGKILL");
}

describe("the screen", () => {
  it("never shows a file that cannot be decoded: it is rejected with the reason, the rest keeps playing", async () => {
    const { app, screenWatch, shownFrom } = await playing();
    // A JPEG by its first bytes, with no image data.
    const torn = Buffer.concat([
      Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
      Buffer.alloc(400, 7),
    ]);
    await expect(
      app.addFile(torn, { name: "torn", mimetype: "image" }),
    ).rejects.toThrow("cannot be decoded");
    await app.addFile(png(green, 1280, 720), {
      name: "green",
      mimetype: "image",
      duration: 1,
    });
    await screenWatch.until(shows(green), "green");
    await screenWatch.until(shows(red), "red again");
    expect(screenWatch.frames.slice(shownFrom).filter(isBlank)).toEqual([]);
  });

  it("never shows a page that responds with 404 or 500, and shows it once it is back", async () => {
    const { app, screenWatch, shownFrom } = await playing();
    const pages = await servePages({ "/": 500 });
    await app.add({
      name: "page",
      uri: `${pages.address}/`,
      skip_asset_check: true,
      duration: 1,
    });
    await expect.poll(() => reasonOf(app, "page")).toContain("500");
    pages.pages.set("/", colouredPage(green));
    // Any change of the asset's content triggers an immediate retry.
    const [, page] = (await (
      await fetch(`${app.api}/api/v2/assets`)
    ).json()) as AssetV2[];
    await app.change(page?.asset_id ?? "", { nocache: true });
    await screenWatch.until(shows(green), "the page that is back");
    expect(screenWatch.frames.slice(shownFrom).filter(isBlank)).toEqual([]);
    await pages.stop();
  });

  it("recovers its image when the stage is killed", async () => {
    const { app, screenWatch } = await playing();
    const restarts = countOf(app, "stage.restarted");
    const before = restarts();
    await killPages(app);
    await expect.poll(restarts).toBe(before + 1);
    await expect.poll(() => verdictOf(app)).toBe("verified");
    await screenWatch.until(shows(red), "the image again");
  });

  it.runIf(process.platform === "linux")(
    "[V2-736] shows the last verified frame while the stage restarts, and a takeover as soon as there is one",
    async () => {
      const { app, screenWatch } = await playing();
      await expect.poll(() => verdictOf(app)).toBe("verified");
      const restarts = countOf(app, "stage.restarted");
      const before = restarts();
      const from = screenWatch.frames.length;
      await killPages(app);
      await expect.poll(restarts).toBe(before + 1);
      await expect.poll(() => verdictOf(app)).toBe("verified");
      const frames = screenWatch.frames.slice(from);
      expect(frames.filter(shows(red)).length).toBe(frames.length);
      await killPages(app);
      await fetch(`${app.api}/api/v2/takeover`, {
        ...{ method: "POST" },
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ text: "Leave by the stairs" }),
      });
      await screenWatch.until(shows([21, 28, 38]), "the text", 30_000);
      expect(screenWatch.frames.slice(from).filter(isBlank)).toEqual([]);
    },
  );

  it("[V2-727] has no verdict while there is no stage", async () => {
    const { app, screenWatch } = await playing();
    const restarts = countOf(app, "stage.restarted");
    const losses = countOf(app, "stage.lost");
    // From the fourth loss within a minute on, its successor starts after a pause: a slow machine has no time for more than these.
    for (let count = 1; count <= 3; count += 1) {
      const before = restarts();
      await killPages(app);
      await expect.poll(restarts).toBeGreaterThan(before);
    }
    await expect.poll(() => verdictOf(app)).toBe("verified");
    const before = losses();
    await killPages(app);
    await expect.poll(losses).toBeGreaterThan(before);
    expect(await verdictOf(app)).toBeNull();
    await screenWatch.until(shows(red), "the picture again");
  });

  it("[V2-460] keeps showing what is due when the stage hangs: its process is terminated, its view replaced, no asset is blamed", async () => {
    const { app, screenWatch } = await playing();
    await app.addFile(png(green, 1280, 720), {
      ...{ name: "green", mimetype: "image", duration: 2 },
    });
    await screenWatch.until(shows(green), "green");
    for (const pid of await renderersOf(app.process.pid ?? 0))
      process.kill(pid, "SIGSTOP");
    await untilBothAgain(screenWatch);
    expect(await reasonOf(app, "red")).toBe("");
    expect(await reasonOf(app, "green")).toBe("");
  });

  it("[V2-663] shows its pages again soon when the network service hangs: its process is terminated, no asset is blamed, and skip_ssl_verify still applies", async () => {
    const { app, screenWatch } = await playing();
    const pages = await serveWeb({ "/": colouredPage(green) });
    const secure = await serveWeb(
      { "/": colouredPage(blue) },
      { isSecure: true },
    );
    const add = (name: string, uri: string) =>
      app.add({
        ...{ name, uri, skip_asset_check: true, duration: 2 },
        skip_ssl_verify: true,
      });
    await add("page", `${pages.address}/`);
    await add("secure", `${secure.address}/`);
    await screenWatch.until(shows(green), "the page");
    await screenWatch.until(shows(blue), "the one over TLS");
    await screenWatch.until(shows(red), "red again");
    const stopped = await networkProcessOf(app.process.pid ?? 0);
    process.kill(stopped, "SIGSTOP");
    await expect.poll(() => isAlive(stopped), { timeout: 40_000 }).toBe(false);
    const from = screenWatch.frames.length;
    const isSeen = (colour: Colour) =>
      screenWatch.frames.slice(from).some(shows(colour));
    // A page reported as failed would be in quarantine for a minute.
    await screenWatch.until(
      () => isSeen(green) && isSeen(blue),
      "both",
      30_000,
    );
    for (const name of ["red", "page", "secure"])
      expect(await reasonOf(app, name)).toBe("");
  });

  it("[V2-728] plays videos with sound again soon when the audio process hangs: it is terminated, no asset is blamed", async () => {
    const { app, screenWatch } = await playing();
    const film = await clip({ colour: green, seconds: 3 });
    await app.addFile(film, { name: "film", mimetype: "video", duration: 0 });
    await screenWatch.until(shows(green), "the film");
    const stopped = await audioProcessOf(app.process.pid ?? 0);
    process.kill(stopped, "SIGSTOP");
    await expect.poll(() => isAlive(stopped), { timeout: 40_000 }).toBe(false);
    await screenWatch.until(shows(red), "red", 30_000);
    // In quarantine it would not be seen for minutes.
    await screenWatch.until(shows(green), "the film again", 30_000);
    await expect.poll(() => reasonOf(app, "film")).toBe("");
    expect(await reasonOf(app, "red")).toBe("");
  });

  it.runIf(process.platform === "linux")(
    "[V2-674] keeps showing what is due, pages included, and reports no asset as failed while the launcher of the pages' processes is stopped",
    async () => {
      const { app, screenWatch } = await playing();
      const pages = await serveWeb({
        ...{ "/green": colouredPage(green), "/blue": colouredPage(blue) },
      });
      const launchers = await launchersOf(app.process.pid ?? 0);
      expect(launchers).not.toEqual([]);
      const signal = (name: "SIGSTOP" | "SIGCONT") => {
        for (const pid of launchers) process.kill(pid, name);
      };
      onTestFinished(() => signal("SIGCONT"));
      signal("SIGSTOP");
      // The process of one page may have been launched in advance.
      for (const name of ["green", "blue"])
        await app.add({
          ...{ name, uri: `${pages.address}/${name}`, duration: 2 },
          skip_asset_check: true,
        });
      await screenWatch.until(shows(green), "a page", 30_000);
      await screenWatch.until(shows(blue), "another page", 30_000);
      await screenWatch.until(shows(red), "red again", 30_000);
      for (const name of ["red", "green", "blue"])
        expect(await reasonOf(app, name)).toBe("");
    },
  );

  it("[V2-669] keeps showing what is due, and a message, when the stage and the GPU process hang at once: both are terminated, no asset is blamed", async () => {
    const { app, screenWatch } = await playingAlone();
    const main = app.process.pid ?? 0;
    for (const pid of [await drawerOf(main), ...(await renderersOf(main))])
      process.kill(pid, "SIGSTOP");
    const takeover = (method: string, init: RequestInit = {}) =>
      fetch(`${app.api}/api/v2/takeover`, { method, ...init });
    await takeover("POST", {
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ text: "Leave by the stairs" }),
    });
    await screenWatch.until(shows([21, 28, 38]), "the text", 60_000);
    await takeover("DELETE");
    await untilBothAgain(screenWatch);
    for (const name of ["red", "green"])
      expect(await reasonOf(app, name)).toBe("");
  });

  it("[V2-735] closes a page that hangs the GPU process twice: it has the reason, the images keep playing without blame", async () => {
    const { app, screenWatch, shownFrom } = await playingAlone();
    // Layers that blur what is beneath them: the GPU process needs half a minute for one frame of them.
    const web = await serveWeb({
      "/": `${colouredPage(blue)}<p>Text</p><script>
        for (let count = 0; count < 3000; count += 1) {
          const layer = document.createElement("div");
          layer.style = "position:fixed; inset:0; will-change:transform; " +
            "backdrop-filter:blur(90px) hue-rotate(3deg)";
          document.body.append(layer);
        }
      </script>`,
    });
    await app.add({ name: "hangs", uri: `${web.address}/`, duration: 2 });
    await expect
      .poll(() => reasonOf(app, "hangs"), { timeout: 90_000 })
      .toContain("The graphics process hung or crashed twice");
    await untilBothAgain(screenWatch);
    for (const name of ["red", "green"])
      expect(await reasonOf(app, name)).toBe("");
    // Only while a GPU process starts does the screen have no picture, however long a busy machine takes for it.
    const log = path.join(app.dataDir, "log", "vitrine.log");
    const lost = readFileSync(log, "utf8").match(/"graphics\.lost"/g) ?? [];
    expect(gapsIn(screenWatch.frames.slice(shownFrom))).toBeLessThanOrEqual(
      lost.length,
    );
    expect(app.process.exitCode).toBeNull();
  });

  it.runIf(process.platform === "linux")(
    "[V2-702] shows the last verified frame while the graphics process restarts, and a takeover at once",
    async () => {
      const screen = await openScreen();
      const app = await startApp({ screen, flags: ["--no-manager"] });
      const screenWatch = watchScreen(screen);
      await app.addFile(png(red, 1280, 720), {
        ...{ name: "red", mimetype: "image", duration: 600 },
      });
      const main = app.process.pid ?? 0;
      // Not that of the idle screen before it.
      await screenWatch.until(shows(red), "red");
      await expect.poll(() => verdictOf(app, "red")).toBe("verified");
      const from = screenWatch.frames.length;
      const lost = await drawerOf(main);
      process.kill(lost, "SIGKILL");
      await expect.poll(() => drawerOf(main).catch(() => lost)).not.toBe(lost);
      const seen = screenWatch.frames.length;
      await screenWatch.until(
        () => screenWatch.frames.length > seen + 60,
        "frames of the new process",
      );
      const frames = screenWatch.frames.slice(from);
      expect(frames.filter(shows(red)).length).toBe(frames.length);
      // Once more: a third time within a minute would end the app [V2-463].
      await expect.poll(() => verdictOf(app, "red")).toBe("verified");
      process.kill(await drawerOf(main), "SIGKILL");
      await fetch(`${app.api}/api/v2/takeover`, {
        ...{ method: "POST" },
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ text: "Leave by the stairs" }),
      });
      await screenWatch.until(shows([21, 28, 38]), "the text", 30_000);
    },
  );

  it("[V2-463][V2-651] keeps showing what is due when the GPU process hangs, and however often it is killed; a hanging page process ends with the app", async () => {
    const { app, screenWatch } = await playingAlone();
    const main = app.process.pid ?? 0;
    let last = await drawerOf(main);
    process.kill(last, "SIGSTOP");
    // A screenshot that never arrives times out (V2-465), unless Chromium replaces the process before that.
    const { status } = await fetch(`${app.api}/api/v2/screenshot`);
    expect([200, 503]).toContain(status);
    if (status === 200) expect(await drawerOf(main)).not.toBe(last);
    await untilBothAgain(screenWatch);
    for (let kills = 0; kills < 8; kills += 1) {
      await expect.poll(() => drawerOf(main).catch(() => last)).not.toBe(last);
      last = await drawerOf(main);
      process.kill(last, "SIGKILL");
    }
    await untilBothAgain(screenWatch);
    expect(app.process.exitCode).toBeNull();
    expect(await reasonOf(app, "red")).toBe("");
    expect(await reasonOf(app, "green")).toBe("");
    const pages = await renderersOf(main);
    expect(pages).not.toEqual([]);
    for (const pid of pages) process.kill(pid, "SIGSTOP");
    expect(await app.stop()).toBe(0);
    await expect.poll(() => pages.filter(isAlive)).toEqual([]);
  });
});
