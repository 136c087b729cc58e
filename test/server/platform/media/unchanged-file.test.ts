// Verdicts on files that are replaced or missing while they are judged.

import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import {
  damaged,
  judged,
} from "../../../../server/platform/media/media-job.ts";
import { judgeUnchanged } from "../../../../server/platform/media/unchanged-file.ts";
import { temporaryFolder } from "../../../support/folder.ts";

const type = "image/png";

async function storedFile(): Promise<string> {
  const file = path.join(await temporaryFolder(), "stored");
  await writeFile(file, "bytes");
  return file;
}

it("[V2-701] does not call a file damaged that was deleted and stored again while it was judged", async () => {
  const file = await storedFile();
  const verdict = judgeUnchanged(file, async () => {
    await rm(file);
    const media = damaged(type);
    await writeFile(file, "bytes");
    return media;
  });
  await expect(verdict).rejects.toThrow("was replaced");
});

it("[V2-701] does not call a file damaged that was deleted while it was judged", async () => {
  const file = await storedFile();
  const verdict = judgeUnchanged(file, async () => {
    await rm(file);
    return damaged(type);
  });
  await expect(verdict).rejects.toThrow("ENOENT");
});

it("[V2-701] keeps the verdict on a file that stayed in its place", async () => {
  const file = await storedFile();
  for (const media of [damaged(type), judged(type)])
    await expect(judgeUnchanged(file, async () => media)).resolves.toBe(media);
});
