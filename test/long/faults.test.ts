// Faults injected into the real app while its screen is sampled from outside: never an error, never white or black for long,
// and scheduled content is soon back.

import { createHash } from "node:crypto";
import { truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { openSqlite } from "../../server/platform/sqlite/sqlite.ts";
import { colouredPage, png, type Colour } from "../support/media/media.ts";
import {
  sharedScreen,
  problemOf,
  startAlone,
} from "../support/app/shared-screen.ts";
import { drawerOf, renderersOf } from "../support/app/renderers.ts";
import {
  meanOf,
  shows,
  type Frame,
  type Watch,
} from "../support/screen/screen.ts";
import type { RunningApp } from "../support/app/start-app.ts";
import { serveWeb, type WebServer } from "../support/http/web-server.ts";
import { createRandom } from "./kill/random.ts";

const { VITRINE_LONG, VITRINE_SEED, VITRINE_ROUNDS } = process.env;
const isLong = VITRINE_LONG === "1";
const seed = Number(VITRINE_SEED ?? 1);
/** Rounds of all faults, one after the other, in random order. */
const rounds = isLong ? Number(VITRINE_ROUNDS ?? 20) : 1;

const red: Colour = [200, 40, 40];
const green: Colour = [30, 160, 60];
const blue: Colour = [40, 60, 200];
/** The background of the idle screen and of a text takeover. */
const dark: Colour = [21, 28, 38];
const one = sharedScreen({ start: startAlone });

interface Setup {
  readonly app: RunningApp;
  readonly screenWatch: Watch;
  readonly web: WebServer;
  /** Ids of the assets that play, by name. */
  readonly ids: ReadonlyMap<string, string>;
}

interface Fault {
  readonly title: string;
  /** Another test covers it in the short run. */
  readonly isLongOnly?: boolean;
  /** The only wrong colour that may be seen for a moment, while the stage is gone or a page has just emptied itself. */
  readonly leaves?: "black" | "white";
  inject(setup: Setup): Promise<void>;
}

/** Maximum time for which something wrong may be visible, in the screen's own time. */
const maxWrongMs = 15_000;

const againMs = 60_000;
/** The page may rest for this long after the graphics process was lost with it twice (V2-735). */
const restMs = 60_000;

/** Maximum log lines reported with a failure, without those about what was shown. */
const maxReportedLines = 60;

/** Until when the page must have been seen again, after it may have rested; null while nothing is outstanding. */
let pageDueMs: number | null = null;

/**
 * Waits until both images are seen again, and the page, in whatever order they come. While it rests, the other faults are injected:
 * twenty rounds would wait for most of their time.
 */
async function untilAllPlay(
  { app, screenWatch }: Setup,
  outputBefore = 0,
): Promise<void> {
  const missing = new Map([
    ["red", shows(red)],
    ["green", shows(green)],
    ["the page", shows(blue)],
  ]);
  const isComplete = (frame: Frame): boolean => {
    for (const [what, isIt] of missing) if (isIt(frame)) missing.delete(what);
    const output = app.output().slice(outputBefore);
    if (output.includes('"event":"graphics.page-blamed"'))
      pageDueMs ??= Date.now() + restMs + againMs;
    if (!missing.has("the page")) pageDueMs = null;
    const isResting = pageDueMs !== null && Date.now() < pageDueMs;
    return missing.size === (isResting && missing.has("the page") ? 1 : 0);
  };
  try {
    await screenWatch.until(isComplete, "what plays", againMs);
  } catch (error) {
    const names = [...missing.keys()].join(", ");
    throw new Error(`not seen again: ${names}`, { cause: error });
  }
}

async function addPage(
  { app, web }: Setup,
  name: string,
  answer: string,
): Promise<string> {
  web.answers.set(`/${name}`, answer);
  const uri = `${web.address}/${name}`;
  const fields = { name, uri, duration: 600, skip_asset_check: true };
  return (await app.add(fields)).asset_id;
}

/** Waits until the asset has this reason, then deletes it. */
async function untilBlamed(
  { app }: Setup,
  id: string,
  reason: string,
): Promise<void> {
  await expect.poll(() => problemOf(app, id)).toContain(reason);
  await app.remove(id);
}

async function takeover(
  { app }: Setup,
  method: "POST" | "DELETE",
): Promise<void> {
  const answer = await fetch(`${app.api}/api/v2/takeover`, {
    method,
    ...(method === "POST" && {
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ text: "Leave by the stairs" }),
    }),
  });
  expect(answer.ok, `${method} takeover: ${answer.status}`).toBe(true);
}

/** Resolves once the stage has been lost and has recovered again: on the screen that may take less than a sample. */
async function untilRestarted(
  { app }: Pick<Setup, "app">,
  before: number,
): Promise<void> {
  const restarts = () => restartsIn(app.output());
  await expect.poll(restarts).toBeGreaterThan(before);
}

function restartsIn(output: string): number {
  return output.split('"event":"stage.restarted"').length - 1;
}

/** Sends a signal to the stage's process alone: the page is disabled meanwhile. */
async function signalStage(
  setup: Setup,
  signal: NodeJS.Signals,
  act?: () => Promise<unknown>,
): Promise<void> {
  const { app, ids } = setup;
  const page = ids.get("page") ?? "";
  await app.change(page, { is_enabled: false });
  const pages = () => renderersOf(app.process.pid ?? 0);
  // The second process may be a spare one for the next page.
  await expect.poll(async () => (await pages()).length).toBeLessThan(3);
  const before = restartsIn(app.output());
  for (const pid of await pages()) process.kill(pid, signal);
  await (act ? act() : untilRestarted(setup, before));
  await app.change(page, { is_enabled: true });
}

/** Injected while the first page is prepared beneath the stage, whose process is still the oldest. */
const firstOfAll: Fault = {
  title: "the stage killed while a page gets ready, white as it still is",
  leaves: "black",
  inject: async (setup) => {
    const { app, screenWatch, web, ids } = setup;
    const page = ids.get("page") ?? "";
    await app.change(page, { is_enabled: false });
    await screenWatch.until(shows(red), "red");
    const id = await addPage(setup, "slow", "");
    web.answers.set("/slow", (response) => {
      response.setHeader("Content-Type", "text/html");
      response.write("<!doctype html><p>");
    });
    await app.control(`asset&${id}`);
    await expect
      .poll(() => web.requests.map(({ url }) => url))
      .toContain("/slow");
    const [stage = 0] = await renderersOf(app.process.pid ?? 0);
    const before = restartsIn(app.output());
    process.kill(stage, "SIGKILL");
    await untilRestarted(setup, before);
    await app.remove(id);
    await app.change(page, { is_enabled: true });
  },
};

const faults: readonly Fault[] = [
  {
    title: "a page that empties itself on the screen",
    leaves: "white",
    inject: async (setup) => {
      const { app, screenWatch, web } = setup;
      web.answers.set("/now", 404);
      const id = await addPage(
        setup,
        "emptied",
        `${colouredPage([200, 180, 40])}<script>setInterval(async () => {
          if ((await fetch("/now")).ok) document.documentElement.replaceChildren();
        }, 100)</script>`,
      );
      await app.control(`asset&${id}`);
      await screenWatch.until(shows([200, 180, 40]), "the page");
      await expect.poll(() => verdictOf(setup)).toBe("verified");
      web.answers.set("/now", 204);
      await untilBlamed(setup, id, "The screen is blank");
    },
  },
  {
    title: "a page that floods the player with dialogs",
    isLongOnly: true,
    inject: async (setup) => {
      const page =
        "<!doctype html>text<script>while (true) confirm();</script>";
      const id = await addPage(setup, "floods", page);
      await untilBlamed(setup, id, "too many");
    },
  },
  {
    title: "a page that takes memory without end",
    isLongOnly: true,
    inject: async (setup) => {
      const page = `<!doctype html>text<script>
        const kept = [];
        for (;;) kept.push(new Uint8Array(2 ** 26).fill(1));
      </script>`;
      const id = await addPage(setup, "grows", page);
      await untilBlamed(setup, id, "memory");
    },
  },
  {
    title: "a page that floods the network",
    isLongOnly: true,
    inject: async (setup) => {
      const page = `<!doctype html>text<script>
        setInterval(() => {
          for (let count = 0; count < 200; count += 1)
            navigator.sendBeacon("/data");
        }, 5);
      </script>`;
      const id = await addPage(setup, "requests", page);
      await untilBlamed(setup, id, "too many requests");
    },
  },
  {
    title: "a page with a hundred workers that compute",
    isLongOnly: true,
    inject: async (setup) => {
      const { app, screenWatch } = setup;
      const id = await addPage(
        setup,
        "computes",
        `${colouredPage([200, 180, 40])}<script>
          const code = URL.createObjectURL(new Blob(["for (;;);"]));
          for (let count = 0; count < 100; count += 1) new Worker(code);
        </script>`,
      );
      await app.control(`asset&${id}`);
      // It may take so much from itself that it is not ready in time, which is its own fault.
      const isLate = async () =>
        (await problemOf(app, id)).includes("did not load in time");
      const isSeen = () => screenWatch.frames.some(shows([200, 180, 40]));
      await expect
        .poll(async () => isSeen() || (await isLate()), {
          timeout: 2 * againMs,
        })
        .toBe(true);
      if (!(await isLate()))
        await expect.poll(() => verdictOf(setup)).toBe("verified");
      await app.remove(id);
    },
  },
  {
    title: "an SVG that refers to outside, and an image cut in half",
    isLongOnly: true,
    inject: async ({ app }) => {
      const complete = png([120, 120, 20], 1280, 720);
      const broken = {
        half: complete.subarray(0, complete.length / 2),
        outside: Buffer.from(
          `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="36"><image href="http://127.0.0.1:9/x.png" width="64" height="36"/></svg>`,
        ),
      };
      for (const [name, bytes] of Object.entries(broken))
        await expect(
          app.addFile(bytes, { name, mimetype: "image" }),
        ).rejects.toThrow();
    },
  },
  {
    title: "a file cut short while it plays",
    inject: async (setup) => {
      const { app } = setup;
      const bytes = png([120, 20, 120], 1280, 720);
      const about = { name: "short", mimetype: "image", duration: 1 };
      const { asset_id: id } = await app.addFile(bytes, about);
      const hash = createHash("sha256").update(bytes).digest("hex");
      const filesFolder = path.join(app.dataDir, "files", "kept");
      await truncate(path.join(filesFolder, hash.slice(0, 2), hash), 100);
      await untilBlamed(setup, id, "is damaged");
      await writeFile(
        path.join(filesFolder, hash.slice(0, 2), hash),
        bytes,
      ).catch(() => undefined);
    },
  },
  {
    title: "a text over a database that another process holds locked",
    inject: async (setup) => {
      const { app, screenWatch } = setup;
      const other = openSqlite(path.join(app.dataDir, "vitrine.db"));
      try {
        other.exec("BEGIN EXCLUSIVE");
        await takeover(setup, "POST");
        await screenWatch.until(shows(dark), "the text");
      } finally {
        other.close();
      }
      await takeover(setup, "DELETE");
    },
  },
  {
    title: "the stage killed three times with a text on it",
    leaves: "black",
    inject: async (setup) => {
      const { screenWatch } = setup;
      await takeover(setup, "POST");
      await screenWatch.until(shows(dark), "the text");
      for (let kills = 0; kills < 3; kills += 1) {
        await signalStage(setup, "SIGKILL");
        const from = Date.now();
        const isTextAgain = (frame: Frame) =>
          frame.atMs >= from && isText(frame);
        await screenWatch.until(isTextAgain, "the text again");
      }
      expect(await takeoverProblemOf(setup)).toBe("");
      await takeover(setup, "DELETE");
    },
  },
  {
    title: "the stage killed",
    isLongOnly: true,
    leaves: "black",
    inject: (setup) => signalStage(setup, "SIGKILL"),
  },
  {
    title: "what draws killed",
    isLongOnly: true,
    leaves: "black",
    inject: async ({ app }) => {
      process.kill(await drawerOf(app.process.pid ?? 0), "SIGKILL");
    },
  },
  {
    title: "the stage standing still",
    isLongOnly: true,
    leaves: "black",
    inject: (setup) =>
      signalStage(setup, "SIGSTOP", async () => {
        const from = setup.screenWatch.frames.length;
        const isSeen = (colour: Colour): boolean =>
          setup.screenWatch.frames.slice(from).some(shows(colour));
        await setup.screenWatch.until(
          () => isSeen(red) && isSeen(green),
          "both",
          60_000,
        );
      }),
  },
  {
    title: "what draws standing still",
    isLongOnly: true,
    leaves: "black",
    inject: async ({ app }) => {
      process.kill(await drawerOf(app.process.pid ?? 0), "SIGSTOP");
    },
  },
  {
    title: "an image of 20,000 by 20,000",
    isLongOnly: true,
    inject: async ({ app }) => {
      const huge = { name: "huge", mimetype: "image", duration: 1 };
      // Created off the main thread, on which the server of the page on the screen runs.
      const size = { width: 20_000, height: 20_000 };
      const grey = { channels: 3, background: "#5a5a5a" } as const;
      const create = { ...size, ...grey };
      const bytes = await sharp({ create, limitInputPixels: false })
        .png()
        .toBuffer();
      const added = await app.addFile(bytes, huge).catch(() => null);
      if (added) await app.remove(added.asset_id);
    },
  },
];

async function nowOf({ app }: Setup): Promise<{
  readonly showing: { readonly verdict: string | null } | null;
  readonly takeover?: { readonly error_message?: string | null } | null;
}> {
  return (await (await fetch(`${app.api}/api/v2/now`)).json()) as never;
}

async function verdictOf(setup: Setup): Promise<string | null> {
  return (await nowOf(setup)).showing?.verdict ?? null;
}

async function takeoverProblemOf({ app }: Setup): Promise<string> {
  const answer = await fetch(`${app.api}/api/v2/takeover`);
  const now = (await answer.json()) as {
    readonly error_message?: string | null;
  } | null;
  return now?.error_message ?? "";
}

/**
 * On the whole: while a new graphics process draws nothing yet, a page beneath that is not painted either leaves a white rim, one
 * pixel wide, around the black screen.
 */
function isBlack(frame: Frame): boolean {
  return meanOf(frame).every((value) => value < 4);
}

/** Letters on the dark background. */
function isText(frame: Frame): boolean {
  return !isBlack(frame) && shows(dark)(frame);
}

function isWhite({ pixels }: Frame): boolean {
  return pixels.every((value) => value > 243);
}

/** Frames that show neither scheduled content nor the idle screen: what they show, and for how long without a break. */
function wrongsIn(
  frames: readonly Frame[],
): readonly { readonly what: string; readonly ms: number }[] {
  const due = [red, green, blue, dark, [200, 180, 40], [120, 20, 120]] as const;
  const wrongs: { what: string; fromMs: number; ms: number }[] = [];
  let last = "";
  for (const frame of frames) {
    const isDue = !isBlack(frame) && due.some((one) => shows(one)(frame));
    const what = isDue
      ? ""
      : isBlack(frame)
        ? "black"
        : isWhite(frame)
          ? "white"
          : String(meanOf(frame));
    if (what !== "" && what !== last)
      wrongs.push({ what, fromMs: frame.atMs, ms: 0 });
    const wrong = what === "" ? undefined : wrongs.at(-1);
    if (wrong) wrong.ms = frame.atMs - wrong.fromMs;
    last = what;
  }
  return wrongs.map(({ what, ms }) => ({ what, ms }));
}

describe("the screen", () => {
  it(`recovers soon after each fault and never shows an error: ${rounds} rounds, seed ${seed}`, async () => {
    const { app, screenWatch } = one;
    const web = await serveWeb({ "/": colouredPage(blue) });
    const about = { mimetype: "image", duration: 1 };
    const ids = new Map<string, string>();
    for (const [name, colour] of Object.entries({ red, green })) {
      const bytes = png(colour, 1280, 720);
      const { asset_id: id } = await app.addFile(bytes, { name, ...about });
      ids.set(name, id);
    }
    const page = { name: "page", uri: `${web.address}/`, duration: 1 };
    ids.set("page", (await app.add(page)).asset_id);
    const setup: Setup = { app, screenWatch, web, ids };
    await untilAllPlay(setup);
    const random = createRandom(seed);
    const own = faults.filter(({ isLongOnly }) => isLong || !isLongOnly);
    for (let round = 0; round < rounds; round += 1)
      for (const fault of [
        ...(round === 0 ? [firstOfAll] : []),
        ...random.shuffled(own),
      ]) {
        screenWatch.forget();
        const startedMs = performance.now();
        const outputBefore = app.output().length;
        try {
          await fault.inject(setup);
          await untilAllPlay(setup, outputBefore);
        } catch (error) {
          const lines = app.output().split("\n");
          const rare = lines.filter((line) => !line.includes("showing.shown"));
          const output = rare.slice(-maxReportedLines).join("\n");
          const where = `${fault.title}, round ${round}`;
          throw new Error(`${where}: ${String(error)}\n${output}`, {
            cause: error,
          });
        }
        if (isLong)
          console.info(
            `${round + 1}/${rounds}, ${Math.round((performance.now() - startedMs) / 1000)} s: ${fault.title}`,
          );
        for (const { what, ms } of wrongsIn(screenWatch.frames)) {
          expect(what, fault.title).toBe(fault.leaves);
          expect(ms, fault.title).toBeLessThan(maxWrongMs);
        }
        for (const [name, id] of ids)
          expect(await problemOf(app, id), `${name}, ${fault.title}`).toBe("");
        expect(app.process.exitCode, fault.title).toBeNull();
        // Of the app: it names what is not cleaned up.
        expect(warningsIn(app.output()), fault.title).toEqual([]);
      }
    const isPage = shows(blue);
    if (pageDueMs !== null)
      await screenWatch.until(isPage, "the page", restMs + againMs);
  });
});

function warningsIn(output: string): readonly string[] {
  return output
    .split("\n")
    .filter((line) => line.includes("MaxListenersExceededWarning"));
}
