// Randomly damaged media: each is rejected with a reason or accepted intact, within time and memory, and delays nothing else;
// five hundred in the full run.

import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { JudgedMedia } from "../../server/platform/media/media-job.ts";
import { createMediaJudge } from "../../server/platform/media/media-probe.ts";
import { temporaryFolder } from "../support/folder.ts";
import { clip, type Colour } from "../support/media/media.ts";
import { openMutatedMedia } from "../support/media/mutated-media.ts";
import { processTree } from "../support/machine/process-tree.ts";
import { swellingPdf } from "../support/media/pdfs.ts";
import {
  sharedScreen,
  problemOf,
  startAlone,
} from "../support/app/shared-screen.ts";
import { isNear, meanOf, type Frame } from "../support/screen/screen.ts";
import type { RunningApp } from "../support/app/start-app.ts";

/** The short run takes every 29th seed: all kinds, with all mutations. */
const step = process.env.VITRINE_LONG === "1" ? 1 : 29;
const seeds = [...Array(500).keys()].filter((seed) => seed % step === 0);
/** Memory of all judging processes together when idle. */
const maxRestingBytes = 300 * 1024 ** 2;

/** Memory of all child processes, in bytes; 0 if the system does not report it. */
async function memoryOfChildren(): Promise<number> {
  const names = await readdir("/proc").catch(() => []);
  const sizes = names
    .filter((name) => /^\d+$/.test(name))
    .map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, "utf8").catch(
        () => "",
      );
      const numberAt = (word: string) =>
        Number(new RegExp(`^${word}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
      const isOurs = numberAt("PPid") === process.pid;
      const command = isOurs
        ? await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")
        : "";
      return command.includes("media-process") ? numberAt("RssAnon") * 1024 : 0;
    });
  return (await Promise.all(sizes)).reduce((all, size) => all + size, 0);
}

/** Asserts that the file shown in its place can be decoded. */
async function assertShown(
  media: JudgedMedia,
  shownFile: string,
): Promise<void> {
  if (!media.hasShownFile) return;
  await sharp(await readFile(shownFile), { failOn: "warning" })
    .raw()
    .toBuffer();
}

describe("randomly damaged media", () => {
  it(`[V2-427][V2-503] is rejected with a reason or intact, within its memory limit, with each of ${seeds.length} seeds`, async () => {
    const mutated = await openMutatedMedia();
    const { judge } = createMediaJudge();
    const folder = await temporaryFolder();
    const wrong: string[] = [];
    const judgeSeed = async (seed: number): Promise<void> => {
      const { kind, mutation, bytes } = mutated(seed);
      const file = path.join(folder, String(seed));
      const shownFile = `${file}.shown`;
      const previewFile = `${file}.preview`;
      await writeFile(file, bytes);
      try {
        const media = await judge({ file, shownFile, previewFile });
        if (media === null) return;
        const isValid = media.problem === null;
        if (isValid) await assertShown(media, shownFile);
        expect(media.problem).not.toBe("");
        expect({ isDamaged: media.isDamaged, isValid }).not.toEqual({
          ...{ isDamaged: true, isValid: true },
        });
        expect({ mutation, isValid }).not.toEqual({
          ...{ mutation: "cut off", isValid: true },
        });
      } catch (error) {
        wrong.push(`${seed}, ${kind}, ${mutation}: ${String(error)}`);
      }
      for (const each of [file, shownFile, previewFile])
        await rm(each, { force: true });
    };
    for (let at = 0; at < seeds.length; at += 2)
      await Promise.all(seeds.slice(at, at + 2).map(judgeSeed));
    expect(wrong).toEqual([]);
    expect(await memoryOfChildren()).toBeLessThan(maxRestingBytes);
  });
});

/** Everything else that runs has a higher priority than the process that expands it. */
const timeout = 10 * 60_000;

describe("a PDF that expands beyond its memory limit", () => {
  it("[V4-316] is rejected with that reason", { timeout }, async () => {
    const { takeApart } = createMediaJudge({ timeoutMs: timeout });
    const file = path.join(await temporaryFolder(), "file");
    await writeFile(file, swellingPdf());
    const pages = { file: `${file}.page`, most: 1 };
    const media = await takeApart({ file, pages }, async () => undefined);
    expect(media?.problem).toMatch(/more memory/);
  });
});

const one = sharedScreen({ start: startAlone });
const filmColour: Colour = [9, 99, 200];
/** Maximum time for which the video that is due may stand still. */
const maxFrozenMs = 1000;
/** A longer gap between two samples is caused by the sampler. */
const sampledWithinMs = 300;
const maxGrownBytes = 300 * 1024 ** 2;

/** Private memory of all processes of an app, in bytes. */
async function memoryOf({ process: { pid } }: RunningApp): Promise<number> {
  let bytes = 0;
  for (const own of processTree(pid ?? 0)) {
    const status = await readFile(`/proc/${own}/status`, "utf8").catch(
      () => "",
    );
    bytes += Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024;
  }
  return bytes;
}

/** The longest time for which the video did not change. */
function longestFreezeMs(frames: readonly Frame[]): number {
  let longest = 0;
  let since: Frame | null = null;
  let last: Frame | null = null;
  for (const frame of frames) {
    const isFilm = isNear(meanOf(frame), filmColour);
    const isSampled = last !== null && frame.atMs - last.atMs < sampledWithinMs;
    if (!isFilm || !isSampled || !since?.pixels.equals(frame.pixels))
      since = isFilm ? frame : null;
    if (since) longest = Math.max(longest, frame.atMs - since.atMs);
    last = frame;
  }
  return longest;
}

const nameNow = async ({ api }: RunningApp): Promise<string | undefined> => {
  const answer = await fetch(`${api}/api/v2/now`);
  const now = (await answer.json()) as { showing: { name: string } | null };
  return now.showing?.name;
};

describe("randomly damaged media in the running app", () => {
  it(`delays nothing else that is due and leaks no memory, with each of ${seeds.length} seeds`, async () => {
    const { app, screenWatch } = one;
    const mutated = await openMutatedMedia();
    const film = await clip({ colour: filmColour, seconds: 10 });
    await app.addFile(film, {
      ...{ name: "film", mimetype: "video", duration: 3600 },
    });
    const untilFilm = () =>
      screenWatch.until(
        (frame) => isNear(meanOf(frame), filmColour),
        "the film",
      );
    await untilFilm();
    const before = await memoryOf(app);
    const outcomes = { refused: 0, skipped: 0, shown: 0 };
    const wrong: string[] = [];
    for (const seed of seeds) {
      const { kind, mutation, bytes } = mutated(seed);
      const what = `${seed}, ${kind}, ${mutation}`;
      screenWatch.forget();
      const added = await app
        .addFile(bytes, {
          ...{ name: what, duration: 1 },
          mimetype: /mp4|webm/.test(kind)
            ? "video"
            : kind.includes("pdf")
              ? "pdf"
              : "image",
        })
        .catch((error: unknown) => String(error));
      if (typeof added === "string") {
        if (!/: 4\d\d /.test(added)) wrong.push(`${what}: ${added}`);
        outcomes.refused += 1;
      } else {
        const { asset_id: id } = added;
        // An asset with a known problem is not due.
        await app.control(`asset&${id}`).catch(() => undefined);
        let isShown = false;
        await expect
          .poll(async () => {
            isShown = (await nameNow(app)) === what;
            return isShown || (await problemOf(app, id)) !== "";
          })
          .toBe(true);
        outcomes[isShown ? "shown" : "skipped"] += 1;
        await app.remove(id);
      }
      await untilFilm();
      const frozenMs = longestFreezeMs(screenWatch.frames);
      if (frozenMs > maxFrozenMs)
        wrong.push(`${what}: the film stood still for ${frozenMs} ms`);
    }
    expect(wrong, JSON.stringify(outcomes)).toEqual([]);
    await expect
      .poll(async () => (await memoryOf(app)) - before)
      .toBeLessThan(maxGrownBytes);
  });
});
