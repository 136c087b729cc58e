// Random use of the real app: at any moment the screen's pixels match what the API reports, and verification finds no fault.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFailed } from "vitest";
import type { NowV2, WhyV2 } from "../../server/contract/v2/v2-screen.ts";
import type { AssetV2 } from "../../server/contract/v2/v2.ts";
import {
  clip,
  colouredPage,
  png,
  servePages,
  type Colour,
} from "../support/media/media.ts";
import {
  isBlank,
  isNear,
  meanOf,
  openScreen,
  watchScreen,
  type Frame,
} from "../support/screen/screen.ts";
import { startApp, type RunningApp } from "../support/app/start-app.ts";
import { createRandom, type Random } from "./kill/random.ts";

const { VITRINE_LONG, VITRINE_SEED } = process.env;
const isLong = VITRINE_LONG === "1";
const seeds =
  VITRINE_SEED === undefined
    ? isLong
      ? [1, 2, 3, 4]
      : [1]
    : [Number(VITRINE_SEED)];
const actions = isLong ? 300 : 8;

/** The API reports a showing a little before it is visible. */
const quietPeriodMs = 700;
const fewest = 4;
const most = 9;

/** Far enough apart that the mean of a sample identifies the colour. */
const palette: readonly Colour[] = [
  ...([
    [200, 40, 40],
    [30, 160, 60],
    [40, 60, 200],
    [200, 180, 30],
  ] as const),
  ...([
    [150, 50, 170],
    [30, 160, 180],
    [230, 120, 30],
    [110, 110, 110],
  ] as const),
  [240, 160, 200],
];

interface Made {
  readonly id: string;
  readonly name: string;
  readonly colour: Colour;
}

interface User {
  readonly app: RunningApp;
  readonly random: Random;
  readonly pages: { readonly address: string };
  readonly made: Made[];
}

type Action = (user: User) => Promise<void>;

async function call<T>(
  { api }: RunningApp,
  method: string,
  address: string,
  body?: unknown,
): Promise<T> {
  const answer = await fetch(`${api}/api/v2${address}`, {
    method,
    ...(body !== undefined && {
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  });
  if (!answer.ok)
    throw new Error(`${method} ${address}: ${await answer.text()}`);
  const text = await answer.text();
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

let number = 0;

const make: Action = async ({ app, random, pages, made }) => {
  const free = palette.filter((one) => !made.some((m) => m.colour === one));
  if (made.length >= most || free.length === 0) return;
  const colour = random.oneOf(free);
  const name = `${(number += 1)}`;
  const fields = { name, duration: 2 + random.below(5) };
  const make = {
    image: () =>
      app.addFile(png(colour, 1280, 720), { ...fields, mimetype: "image" }),
    film: async () =>
      app.addFile(
        await clip({
          colour,
          seconds: fields.duration,
          width: 640,
          height: 360,
        }),
        { ...fields, mimetype: "video", duration: 0 },
      ),
    page: () =>
      app.add({ ...fields, uri: `${pages.address}/${colour.join("-")}` }),
  };
  const asset = await make[random.oneOf(["image", "film", "page"] as const)]();
  made.push({ id: asset.asset_id, name, colour });
};

const use: Readonly<Record<string, Action>> = {
  make,
  remove: async ({ app, random, made }) => {
    if (made.length <= fewest) return;
    const [gone] = made.splice(random.below(made.length), 1);
    if (gone) await app.remove(gone.id);
  },
  "switch on or off": async ({ app, random, made }) => {
    const { id } = random.oneOf(made);
    await app.change(id, { is_enabled: random.share() < 0.7 });
  },
  "off and on again": async ({ app, random, made }) => {
    const showing = (await call<NowV2>(app, "GET", "/now")).showing?.asset_id;
    const id = showing ?? random.oneOf(made).id;
    await app.change(id, { is_enabled: false });
    await pause(random.below(1000));
    await app.change(id, { is_enabled: true });
  },
  "another duration": async ({ app, random, made }) => {
    const { id } = random.oneOf(made);
    const asset = await call<AssetV2>(app, "GET", `/assets/${id}`);
    if (asset.mimetype === "video") return;
    await app.change(id, { duration: 2 + random.below(5) });
  },
  order: async ({ app, random, made }) => {
    const ids = random.shuffled(made).map(({ id }) => id);
    await call(app, "POST", "/assets/order", { ids: ids.join() });
  },
  next: ({ app }) => app.control("next"),
  previous: ({ app }) => app.control("previous"),
  "show one": ({ app, random, made }) =>
    app.control(`asset&${random.oneOf(made).id}`),
  "take over": async ({ app, random, made }) => {
    await call(app, "POST", "/takeover", {
      ...{ asset_id: random.oneOf(made).id, seconds: 2 + random.below(10) },
    });
  },
  "give back": async ({ app }) => {
    await call(app, "DELETE", "/takeover");
  },
  "fade or not": async ({ app, random }) => {
    const transition = random.oneOf(["cut", "cross-fade"]);
    await call(app, "PATCH", "/device_settings", { transition });
  },
  "shuffle or not": async ({ app, random }) => {
    const shuffle_playlist = random.share() < 0.5;
    await call(app, "PATCH", "/device_settings", { shuffle_playlist });
  },
};

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

/** Log lines of verifications that found a fault. */
async function failedChecks(app: RunningApp): Promise<readonly string[]> {
  const log = path.join(app.dataDir, "log", "vitrine.log");
  const lines = (await readFile(log, "utf8")).split("\n");
  return lines.filter((line) =>
    /"event":"screen\.(?:blank|frozen|wrong)"/.test(line),
  );
}

describe("random use", () => {
  it.each(seeds)(
    "shows what the API reports, and verification finds no fault (seed %i)",
    async (seed) => {
      const screen = await openScreen(1280, 720);
      const pages = await servePages(
        Object.fromEntries(
          palette.map((colour) => [
            `/${colour.join("-")}`,
            colouredPage(colour),
          ]),
        ),
      );
      const app = await startApp({ screen, flags: ["--no-manager"] });
      const random = createRandom(seed);
      const created: Made[] = [];
      const all = new Map<string, Made>();
      const user: User = { app, random, pages, made: created };
      const done: string[] = [];
      onTestFailed(() => console.error(done.slice(-40).join("\n")));
      let frames: Frame[] = [];
      const screenWatch = watchScreen(screen, {
        rate: 20,
        onFrame: (frame) => {
          frames.push(frame);
          if (frames.length > 400) frames = frames.slice(200);
        },
      });
      await screenWatch.until((frame) => !isBlank(frame), "the house card");
      for (let at = 0; at < fewest; at += 1) await make(user);
      const wrong: string[] = [];

      /** Checks that every sample has the colour of the showing, if it did not change in the meantime. */
      const compare = async (): Promise<void> => {
        for (const one of created) all.set(one.id, one);
        const before = await call<NowV2>(app, "GET", "/now");
        const from = Date.now();
        await screenWatch.until(
          ({ atMs }) => atMs > from + 150,
          "a later sample",
        );
        const now = await call<NowV2>(app, "GET", "/now");
        const { showing } = now;
        if (!showing || showing.asset_id === null) return;
        if (
          showing.asset_id !== before.showing?.asset_id ||
          showing.since !== before.showing.since
        )
          return;
        const since = Date.parse(showing.since) + quietPeriodMs;
        const colour = all.get(showing.asset_id)?.colour;
        if (!colour) throw new Error(`${showing.name} is none of ours`);
        for (const frame of frames)
          if (
            frame.atMs >= Math.max(since, from) &&
            frame.atMs <= from + 150 &&
            !isNear(meanOf(frame), colour)
          )
            wrong.push(
              `after ${done.length} actions: ${JSON.stringify(showing)} should be ${String(colour)} and is ${String(meanOf(frame))} ${Math.round(frame.atMs - Date.parse(showing.since))} ms after it came`,
            );
      };

      for (let at = 0; at < actions; at += 1) {
        const name = random.oneOf(Object.keys(use));
        done.push(`${new Date().toISOString()} ${name}`);
        // Commands are rejected during a takeover, and the test continues.
        await use[name]?.(user).catch((error: unknown) => {
          if (!/: 4\d\d|: \{/.test(String(error))) throw error;
          done.push(`refused: ${String(error)}`);
        });
        const attempts = random.below(6);
        for (let attempt = 0; attempt <= attempts; attempt += 1) {
          await compare();
          await pause(random.below(600));
        }
      }
      expect(wrong).toEqual([]);
      expect(await failedChecks(app)).toEqual([]);
      const why = await call<WhyV2>(app, "GET", "/why");
      expect(why.due.every(({ asset_id: id }) => all.has(id))).toBe(true);
      expect(await app.stop()).toBe(0);
    },
    isLong ? 30 * 60_000 : undefined,
  );
});
