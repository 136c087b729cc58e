// What a file is, told by its bytes.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { probeMedia } from "../../../server/platform/media-probe.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { clip, picture } from "../../support/media.ts";

async function probe(bytes: Buffer | string): Promise<unknown> {
  const file = path.join(await temporaryFolder(), "file");
  await writeFile(file, bytes);
  return probeMedia(file);
}

describe("a file", () => {
  it("is a picture by its bytes", async () => {
    expect(await probe(picture([1, 2, 3]))).toEqual({
      type: "image/png",
      lengthSeconds: null,
    });
  });

  it("is a video with its own length", async () => {
    const media = await probe(await clip({ colour: [1, 2, 3], seconds: 2 }));
    expect(media).toMatchObject({ type: "video/mp4" });
    expect((media as { lengthSeconds: number }).lengthSeconds).toBeCloseTo(
      2,
      1,
    );
  });

  it.each([
    "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "<?xml version='1.0'?>\n<!-- logo -->\n<svg width='1'/>",
  ])("is an SVG when it starts as one: %s", async (text) => {
    expect(await probe(text)).toEqual({
      type: "image/svg+xml",
      lengthSeconds: null,
    });
  });

  it.each([
    "",
    "hello",
    "<html><svg></svg></html>",
    "<?xml version='1.0'?><rss/>",
    "%PDF-1.7\n",
  ])("is no media: %j", async (text) => expect(await probe(text)).toBeNull());
});
