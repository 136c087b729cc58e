// Stored files and what is on the screen: damaged, repaired and large files, and videos of a single frame.

import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/folder.ts";
import { png, runFfmpeg, type Colour } from "../support/media/media.ts";
import {
  sharedScreen,
  problemOf,
  startAlone,
} from "../support/app/shared-screen.ts";
import { colourAt, isNear, type Frame } from "../support/screen/screen.ts";

const red = [200, 30, 30] as const;
const green = [30, 160, 40] as const;
const blue = [40, 60, 200] as const;
const shows =
  (colour: Colour) =>
  (frame: Frame): boolean =>
    isNear(colourAt(frame, 0.5, 0.5), colour);

/** Missing files are looked for every 30 s. A busy machine may need a second look: at the first, the file was still being written. */
const backMs = 100_000;

const one = sharedScreen({ start: startAlone });

describe("a stored file", () => {
  it(
    "[V2-425] [V2-761] whose content was replaced by another image of the same size leaves playback within seconds, and is shown again once it is back",
    { timeout: 3 * backMs },
    async () => {
      const { app, screenWatch } = one;
      const right = png(red, 640, 360);
      const wrong = Buffer.concat([png(green, 640, 360), Buffer.alloc(5000)]);
      // Of the same size, so that only the bytes differ.
      const bytes = Buffer.concat([
        right,
        Buffer.alloc(wrong.length - right.length),
      ]);
      const hash = createHash("sha256").update(bytes).digest("hex");
      const file = path.join(
        app.dataDir,
        "files",
        "kept",
        hash.slice(0, 2),
        hash,
      );
      const about = { mimetype: "image", duration: 1 };
      const { asset_id: id } = await app.addFile(bytes, {
        name: "red",
        ...about,
      });
      await app.addFile(png(blue), { name: "blue", ...about });
      await screenWatch.until(shows(red), "the right one");
      // What is not read from the cache is shown until it has been verified.
      await writeFile(file, wrong);
      await screenWatch.until(shows(green), "what lies there by now");
      // In the first seconds after it was stored a change does not count yet.
      await expect
        .poll(async () => {
          const problem = await problemOf(app, id);
          if (problem === "") await writeFile(file, wrong);
          return problem;
        })
        .toContain("is damaged");
      await screenWatch.until(shows(blue), "what else is scheduled");
      await writeFile(file, bytes);
      await screenWatch.until(shows(red), "the right one again", backMs);
      // Truncated, it leaves the rotation the next time it is opened.
      await writeFile(file, bytes.subarray(0, 100));
      await expect.poll(() => problemOf(app, id)).toContain("is damaged");
    },
  );

  it("[V2-421] of 108 megapixels is shown, scaled", async () => {
    const { app, screenWatch } = one;
    const large = await sharp({
      create: {
        width: 12_000,
        height: 9_000,
        channels: 3,
        background: "#1ea028",
      },
    })
      .jpeg()
      .toBuffer();
    await app.addFile(large, { name: "large", mimetype: "image", duration: 3 });
    await screenWatch.until(shows(green), "the large one");
  });
});

describe("a video", () => {
  it("[V2-426] of a single frame is shown", async () => {
    const { app, screenWatch } = one;
    const file = path.join(await temporaryFolder(), "one.mp4");
    // prettier-ignore
    await runFfmpeg([
      "-f", "lavfi", "-i", "color=0xc81e1e:s=640x360:r=30:d=1", "-frames:v", "1",
      "-c:v", "libx264", "-pix_fmt", "yuv420p", file,
    ]);
    await app.addFile(png(green), {
      ...{ name: "green", mimetype: "image", duration: 1 },
    });
    const { asset_id: id } = await app.addFile(await readFile(file), {
      // Duration 0 is the file's own length: it ends as soon as it starts.
      ...{ name: "one", mimetype: "video", duration: 0 },
    });
    await screenWatch.until(shows(red), "its frame");
    await screenWatch.until(shows(green), "what follows it");
    await screenWatch.until(shows(red), "its frame again");
    expect(await problemOf(app, id)).toBe("");
  });
});
