// The two screens of the latency benchmark: a stage that shows everything immediately, and the screen of the real app, sampled from
// outside.

import type { PlayerOptions } from "../../../server/player/player.ts";
import { png, type Colour } from "../../support/media/media.ts";
import {
  isNear,
  meanOf,
  watchScreen,
  type VirtualScreen,
} from "../../support/screen/screen.ts";

export interface LatencyScreen {
  /** Wall clock milliseconds, with the resolution of this screen. */
  now(): number;
  /** A sighting's time may precede the sighting by this much: the sampler notes the time, and then waits to take its sample. */
  readonly slackMs: number;
  /** When the first of these was visible since that moment; waits until it is. */
  shown(names: readonly string[], sinceMs: number): Promise<number>;
  /** Resolves once it may be expected to be prepared. */
  prepared(name: string): Promise<void>;
  /** What an asset of this name shows; null for a page, which is not sampled here. */
  pictureOf(name: string): Buffer | null;
}

/** Longer than any measurement waits for its first edge. */
const maxWaitMs = 90_000;

/** What has become visible, in order, and who waits for it. */
function createSightings() {
  const seen: { readonly name: string; readonly atMs: number }[] = [];
  const waits = new Set<() => boolean>();
  const notifyWaiting = (): void => {
    for (const isOver of waits) if (isOver()) waits.delete(isOver);
  };
  return {
    add: (name: string, atMs: number): void => {
      seen.push({ name, atMs });
      notifyWaiting();
    },
    notifyWaiting,
    until: <T>(what: string, find: () => T | undefined): Promise<T> =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          const last = seen.slice(-5).map((one) => `${one.name} ${one.atMs}`);
          reject(
            new Error(
              `${what} never came up; the last were ${last.join(", ")}`,
            ),
          );
        }, maxWaitMs);
        const isOver = (): boolean => {
          const match = find();
          if (match === undefined) return false;
          clearTimeout(late);
          resolve(match);
          return true;
        };
        if (!isOver()) waits.add(isOver);
      }),
    first: (names: readonly string[], sinceMs: number): number | undefined =>
      seen.find((one) => names.includes(one.name) && one.atMs >= sinceMs)?.atMs,
  };
}

/** Shows everything that is prepared immediately: what remains is the player's own time. */
export function openInstantScreen(): {
  readonly latencyScreen: LatencyScreen;
  readonly stage: PlayerOptions["stage"];
} {
  const sightings = createSightings();
  const now = (): number => performance.timeOrigin + performance.now();
  let prepared: string | null = null;
  return {
    latencyScreen: {
      now,
      slackMs: 0,
      shown: (names, sinceMs) =>
        sightings.until(`${names.join(", ")} since ${sinceMs}`, () =>
          sightings.first(names, sinceMs),
        ),
      prepared: async (name) => {
        await sightings.until(`${name}, prepared,`, () =>
          prepared === name ? true : undefined,
        );
      },
      pictureOf: () => null,
    },
    stage: {
      prepare: ({ name }) => {
        prepared = name;
        // The waiting caller continues only when the director knows, too.
        setImmediate(sightings.notifyWaiting);
        return Promise.resolve();
      },
      show: () => {
        const name = prepared ?? "";
        prepared = null;
        sightings.add(name, now());
        return Promise.resolve();
      },
      onEnded: () => undefined,
      onFailed: () => undefined,
      onRestarted: () => undefined,
    },
  };
}

/** Far enough apart to be distinguished by their mean; neighbours never share one. */
const palette: readonly Colour[] = [
  ...([[220, 40, 40] as const, [40, 200, 40] as const] as const),
  ...([[40, 60, 220] as const, [220, 200, 40] as const] as const),
  ...([[200, 40, 200] as const, [40, 200, 200] as const] as const),
];
/** Two frames of the screen at 60 Hz would do; a busy machine takes longer. */
const prepareTimeoutMs = 400;

/** The text of a takeover by text. */
export const message = "Out by the stairs";

/** A page is named by its address. */
function nameOf(shown: string): string {
  return URL.canParse(shown) ? new URL(shown).pathname.slice(1) : shown;
}

/** `D7` has the colour of the number, any other name one of its own. */
function colourIndexOf(name: string): number {
  const number = /\d+/.exec(name)?.[0];
  const index = number === undefined ? named.indexOf(name) : Number(number);
  return Math.max(0, index) % palette.length;
}

const named = ["A", "B", "C", "alarm"];

/** A page of the colour that this name has. */
export function pageOf(name: string): string {
  const colour = palette[colourIndexOf(name)] ?? [0, 0, 0];
  return `<!doctype html><title>${name}</title><body style="margin:0;background:rgb(${colour.join()})"><p>·</p>`;
}

export function openWatchedScreen(
  screen: VirtualScreen,
): LatencyScreen & { stop(): Promise<void> } {
  const sightings = createSightings();
  const images = palette.map((colour) => png(colour, 1280, 720));
  let last = -1;
  const watch = watchScreen(screen, {
    rate: 60,
    onFrame: (frame) => {
      const mean = meanOf(frame);
      const index = palette.findIndex((colour) => isNear(colour, mean, 12));
      if (index === last) return;
      last = index;
      sightings.add(String(index), frame.atMs);
    },
  });
  return {
    now: () => Date.now(),
    slackMs: 50,
    shown: (names, sinceMs) => {
      const colours = names.map((name) =>
        // A message has a background that is none of our colours.
        name === message ? "-1" : String(colourIndexOf(nameOf(name))),
      );
      return sightings.until(
        `${names.join(", ")} since ${sinceMs} (colours ${colours.join(", ")})`,
        () => sightings.first(colours, sinceMs),
      );
    },
    prepared: () =>
      new Promise((resolve) => setTimeout(resolve, prepareTimeoutMs)),
    pictureOf: (name) => images[colourIndexOf(name)] ?? null,
    stop: watch.stop,
  };
}
