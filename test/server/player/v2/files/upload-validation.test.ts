// Validation of uploads: which are rejected, and which get a warning.

import { readFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../support/folder.ts";
import { clip, png, runFfmpeg } from "../../../../support/media/media.ts";
import { startPlayer } from "../../../../support/player/start-player.ts";

const half = (bytes: Buffer): Buffer =>
  bytes.subarray(0, Math.floor(bytes.length / 2));

const rejectedFiles: readonly (readonly [
  string,
  () => Promise<Buffer>,
  RegExp,
])[] = [
  ["a truncated PNG", async () => half(png([1, 2, 3], 400, 400)), /damaged/],
  [
    "a truncated video",
    async () => half(await clip({ colour: [1, 2, 3], seconds: 1 })),
    /is damaged or incomplete/,
  ],
  [
    "a TIFF",
    () =>
      sharp(png([1, 2, 3]))
        .tiff()
        .toBuffer(),
    /are not supported/,
  ],
  [
    "an SVG with an external reference",
    async () =>
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="http://example.org/a.png" width="9" height="9"/></svg>',
      ),
    /refers to http:\/\/example\.org\/a\.png/,
  ],
  [
    "an empty SVG",
    async () =>
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      ),
    /is empty/,
  ],
];

describe("an upload", () => {
  it.each(rejectedFiles)(
    "[V2-420] of %s is rejected with its reason, and leaves nothing behind",
    async (_what, made, reason) => {
      const { player, upload } = await startPlayer();
      const { status, body } = await upload(await made());
      expect({ status, content: JSON.stringify(body) }).toEqual({
        ...{ status: 400, content: expect.stringMatching(reason) as string },
      });
      expect(Object.keys(body as object)).toEqual(["file_upload"]);
      expect(player.assets()).toEqual([]);
    },
  );

  it("[V2-424] with audio that cannot be played here is accepted with a warning", async () => {
    const file = path.join(await temporaryFolder(), "a.mp4");
    // prettier-ignore
    await runFfmpeg([
      "-f", "lavfi", "-i", "color=red:s=64x36:d=1", "-f", "lavfi", "-i", "sine=duration=1",
      "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "ac3", file,
    ]);
    const { add, send } = await startPlayer();
    const asset = await add(
      { mimetype: "video", metadata: { remark: "mine", kept: 1 } },
      await readFile(file),
    );
    const remark = expect.stringContaining("plays without sound") as string;
    expect(asset.metadata).toEqual({ kept: 1, remark });
    const change = { metadata: { kept: 2, remark: "mine" } };
    const { body } = await send("PATCH", `/assets/${asset.asset_id}`, change);
    expect(body.metadata).toEqual({ kept: 2, remark });
  });
});
