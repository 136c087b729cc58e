// Media damaged by chance: each refused with a reason or whole, within time and memory; in full five hundred of them.

import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { JudgedMedia } from "../../server/platform/media/media-job.ts";
import { createMediaJudge } from "../../server/platform/media/media-probe.ts";
import { temporaryFolder } from "../support/folder.ts";
import { openMutatedMedia } from "../support/mutated-media.ts";

/** In short every nineteenth: all kinds, damaged in all ways. */
const step = process.env.VITRINE_LONG === "1" ? 1 : 19;
const seeds = [...Array(500).keys()].filter((seed) => seed % step === 0);
/** What their processes take when they rest, all together. */
const mostRestingBytes = 300 * 1024 ** 2;

/** Of all that this process has started, in bytes; 0 where the system does not tell. */
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

/** What is to be shown in its place is a picture that anybody can decode. */
async function assertShown(
  media: JudgedMedia,
  shownFile: string,
): Promise<void> {
  if (!media.hasShownFile) return;
  await sharp(await readFile(shownFile), { failOn: "warning" })
    .raw()
    .toBuffer();
}

describe("media damaged by chance", () => {
  it(`[V2-427][V2-503] is refused with a reason or whole, within its memory, with each of ${seeds.length} seeds`, async () => {
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
        const isWhole = media.problem === null;
        if (isWhole) await assertShown(media, shownFile);
        expect(media.problem).not.toBe("");
        expect({ isDamaged: media.isDamaged, isWhole }).not.toEqual({
          ...{ isDamaged: true, isWhole: true },
        });
        expect({ mutation, isWhole }).not.toEqual({
          ...{ mutation: "cut off", isWhole: true },
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
    expect(await memoryOfChildren()).toBeLessThan(mostRestingBytes);
  });
});
