// Live pictures are encoded by a real media process: small enough whatever they show.

import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { createPictureEncoder } from "../../../../server/platform/media/picture-encoder.ts";
import { afterThisTest } from "../../../support/after-this-test.ts";

const size = { width: 320, height: 180, maxBytes: 6 * 1024 };

function startEncoder(
  options: Parameters<typeof createPictureEncoder>[0] = {},
) {
  const encoder = createPictureEncoder({ timeoutMs: 60_000, ...options });
  afterThisTest(async () => encoder.stop());
  return encoder;
}

describe("the encoder of pictures", () => {
  it("[L-70] keeps colours and size, and reduces quality and size for noise until it fits", async () => {
    const encoder = startEncoder();
    const plain = Buffer.alloc(size.width * size.height * 4);
    // Blue, green, red, opacity.
    for (let at = 0; at < plain.length; at += 4)
      plain.set([30, 60, 200, 255], at);
    const picture = await encoder.encode({ ...size, pixels: plain });
    const { info, data } = await sharp(picture)
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([320, 180]);
    expect(Math.abs((data[0] ?? 0) - 200)).toBeLessThan(8);
    expect(Math.abs((data[2] ?? 0) - 30)).toBeLessThan(8);
    const noise = await encoder.encode({
      ...{ ...size, pixels: randomBytes(plain.length) },
    });
    expect(noise.length).toBeLessThanOrEqual(size.maxBytes);
    expect((await sharp(noise).metadata()).format).toBe("webp");
  });

  it("[L-70] a process that does not answer is ended, and another one encodes the next picture", async () => {
    const ended: string[] = [];
    const encoder = startEncoder({
      timeoutMs: 20,
      start: () => ({
        ...{ post: () => undefined, onMessage: () => undefined },
        ...{ onExit: () => undefined, setWaitedFor: () => undefined },
        processorMs: () => null,
        kill: () => ended.push("killed"),
      }),
    });
    for (const count of [1, 2]) {
      await expect(
        encoder.encode({ ...size, pixels: Buffer.alloc(4) }),
      ).rejects.toThrow("could not be encoded");
      expect(ended).toHaveLength(count);
    }
  });
});
