// How long the silence between one audio asset and the next is, and where a video or audio asset starts again: the output of the
// real app, recorded at the sound server.

import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Row } from "../../build/bench.ts";
import { removeFolder } from "../support/folder.ts";
import { clip, squareTone } from "../support/media/media.ts";
import { openScreen } from "../support/screen/screen.ts";
import {
  recordRate,
  startAudioServer,
  type AudioServer,
} from "../support/machine/audio-server.ts";
import { launch, speakTo, type AppCalls } from "../support/app/start-app.ts";

const goalMs = 30;
const seconds = 4;
/** During the first changes nothing is measured or cached yet. */
const warmUpSeconds = 10;
const recordSeconds = Number(process.argv[3] ?? 40);
/** A sample below this is silent. */
const silentBelow = 300;
/** A tone passes through zero for less than this. */
const minMs = 3;

const cases: Readonly<Record<string, (app: AppCalls) => Promise<void>>> = {
  "from sound to sound": async (app) => {
    for (const [name, hertz] of [
      ["low", 220],
      ["high", 440],
    ] as const)
      await app.addFile(squareTone(seconds, hertz), {
        name,
        mimetype: "audio",
        duration: 0,
      });
  },
  "a sound that plays alone": async (app) => {
    await app.addFile(squareTone(seconds, 220), {
      name: "sound",
      mimetype: "audio",
      duration: 0,
    });
  },
  "a film that plays alone": async (app) => {
    const film = await clip({
      colour: [20, 90, 160],
      seconds,
      tone: squareTone(seconds, 220),
    });
    await app.addFile(film, { name: "film", mimetype: "video", duration: 0 });
  },
  "from film to film": async (app) => {
    for (const [name, hertz] of [
      ["low", 220],
      ["high", 440],
    ] as const) {
      const film = await clip({
        colour: [20, 90, 160],
        seconds,
        tone: squareTone(seconds, hertz),
      });
      await app.addFile(film, { name, mimetype: "video", duration: 0 });
    }
  },
};

export async function* run(): AsyncGenerator<Row> {
  for (const [name, addAssets] of Object.entries(cases)) {
    const ends: (() => Promise<unknown>)[] = [];
    try {
      const sounds = await startAudioServer((end) => ends.unshift(end));
      const app = await startOn(sounds, (end) => ends.unshift(end));
      await addAssets(app);
      await sounds.untilAudibleOn("display");
      await sounds.record("display", warmUpSeconds);
      const silences = silencesOf(
        await sounds.record("display", recordSeconds),
      );
      yield rowOf(name, silences);
    } finally {
      for (const end of ends) await end();
    }
  }
}

async function startOn(
  { env }: AudioServer,
  atEnd: (end: () => Promise<unknown>) => void,
): Promise<AppCalls> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "vitrine-bench-"));
  atEnd(() => removeFolder(dir));
  const screen = await openScreen(1280, 720);
  atEnd(screen.close);
  const flags = ["--data-dir", dir, "--api-port", "0", "--no-manager"];
  const app = launch(flags, screen, env);
  atEnd(app.stop);
  return speakTo(await app.printed(/API (http:\/\/[^\s]+)/));
}

/** In milliseconds. */
function silencesOf(samples: Int16Array): readonly number[] {
  const collected: number[] = [];
  let silent = 0;
  for (const sample of samples) {
    if (Math.abs(sample) < silentBelow) {
      silent += 1;
      continue;
    }
    const ms = (silent / recordRate) * 1000;
    if (ms > minMs) collected.push(ms);
    silent = 0;
  }
  return collected;
}

/** Most changes may have no silence: the longest ones are evaluated, as many as there were changes. */
function rowOf(name: string, silences: readonly number[]): Row {
  const changes = Math.floor(recordSeconds / seconds);
  const each = Array.from({ length: changes }, () => 0);
  silences
    .toSorted((a, b) => b - a)
    .slice(0, changes)
    .forEach((ms, place) => (each[place] = ms));
  const median = each[Math.floor(changes / 2)] ?? 0;
  const longest = Math.round(each[0] ?? 0);
  return {
    figure: `silence, ${name}: median of ${changes} changes (longest ${longest} ms)`,
    ...{ value: Math.round(median * 10) / 10, unit: "ms" },
    ...{ against: null, ratio: null },
    ...{ goal: `at most ${goalMs} ms`, met: median <= goalMs },
  };
}
