// Validation of video and audio files by their index and their first and last packets.

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { judgeMedia } from "../../../../server/platform/media/media-probe.ts";
import { hasBoxesToItsEnd } from "../../../../server/platform/media/media-tracks.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { clip, runFfmpeg, tone } from "../../../support/media/media.ts";

async function judge(bytes: Buffer) {
  const file = path.join(await temporaryFolder(), "file");
  await writeFile(file, bytes);
  return judgeMedia({ file });
}

async function made(name: string, ...codecs: string[]): Promise<Buffer> {
  const file = path.join(await temporaryFolder(), name);
  // prettier-ignore
  await runFfmpeg([
    "-f", "lavfi", "-i", "testsrc=s=160x90:r=30:d=1",
    "-f", "lavfi", "-i", "sine=duration=1", ...codecs, file,
  ]);
  return readFile(file);
}

const h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
const films: Record<string, () => Promise<Buffer>> = {
  "MP4 with its index first": () =>
    clip({ colour: [9, 9, 9], seconds: 1, width: 160, height: 90 }),
  "MP4 with its index last": () => made("a.mp4", ...h264, "-c:a", "aac"),
  "MP4 in fragments": () =>
    made(
      "a.mp4",
      ...h264,
      "-c:a",
      "aac",
      "-movflags",
      "frag_keyframe+empty_moov",
    ),
  WebM: () =>
    clip({
      colour: [9, 9, 9],
      seconds: 1,
      container: "webm",
      width: 160,
      height: 90,
    }),
  Matroska: () => made("a.mkv", ...h264, "-c:a", "aac"),
};

describe("a video", () => {
  it.each(Object.entries(films))(
    "[V2-420, V4-250] that is complete is accepted, cut off anywhere it is damaged: %s",
    async (_name, make) => {
      const complete = await make();
      expect(await judge(complete)).toMatchObject({
        ...{ problem: null, remark: null, isDamaged: false },
        lengthSeconds: expect.closeTo(1, 0) as number,
        size: { width: 160, height: 90 },
      });
      for (const part of [0.3, 0.5, 0.9, 0.99]) {
        const cut = complete.subarray(0, Math.floor(complete.length * part));
        expect(await judge(cut)).toMatchObject({
          isDamaged: true,
          problem: expect.stringContaining("breaks off") as string,
        });
      }
    },
  );

  it("[V2-424] with AC-3 audio is accepted with a warning", async () => {
    expect(
      await judge(await made("a.mp4", ...h264, "-c:a", "ac3")),
    ).toMatchObject({
      problem: null,
      remark: "Its audio codec (AC3) is not supported: it plays without sound.",
    });
  });

  it("[V2-424, V2-730] in H.265 is accepted with a warning: not every player shows it", async () => {
    // prettier-ignore
    const hevc = ["-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-x265-params", "log-level=error"];
    expect(
      await judge(await made("a.mp4", ...hevc, "-c:a", "aac")),
    ).toMatchObject({
      problem: null,
      remark: expect.stringContaining("H.265 (HEVC)") as string,
    });
  });

  it("[V2-424] in HDR is accepted with a warning", async () => {
    // prettier-ignore
    const hdr = await made(
      "a.mp4", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le", "-an",
      "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc",
    );
    expect(await judge(hdr)).toMatchObject({
      problem: null,
      remark: expect.stringContaining("HDR") as string,
    });
  });

  it.each([
    ["a.mov", "mjpeg"],
    ["a.avi", "mjpeg"],
    ["a.mpg", "mpeg2video"],
    ["a.ts", "mpeg2video"],
    ["a.mp4", "mpeg2video"],
    ["a.mov", "prores_ks"],
  ])("[V2-422] as %s with %s cannot be played", async (name, codec) => {
    expect(await judge(await made(name, "-c:v", codec, "-an"))).toMatchObject({
      isDamaged: false,
      problem: expect.stringContaining("cannot be played") as string,
    });
  });

  it("of one frame is complete", async () => {
    const one = await made("a.mp4", "-frames:v", "1", ...h264, "-an");
    expect(await judge(one)).toMatchObject({ problem: null });
  });

  it("has boxes that end with it", async () => {
    const file = path.join(await temporaryFolder(), "file");
    for (const [hex, isComplete] of [
      ["", true],
      ["0000000866726565", true],
      ["0000000966726565", false],
      ["000000006d646174ffff", true],
      ["000000016d6461740000000000000012ffff", true],
      ["000000016d6461740000000000000013ffff", false],
      ["000000016d646174", false],
    ] as const) {
      await writeFile(file, Buffer.from(hex, "hex"));
      expect([hex, await hasBoxesToItsEnd(file)]).toEqual([hex, isComplete]);
    }
  });
});

const sounds = ["ogg", "opus", "mp3", "flac", "wav", "aac"];

describe("an audio file", () => {
  it.each(sounds)(
    "[V2-500] that is complete is accepted, cut off anywhere it is damaged: %s",
    async (ending) => {
      const file = path.join(await temporaryFolder(), `a.${ending}`);
      await runFfmpeg(["-f", "lavfi", "-i", "sine=duration=5", file]);
      const complete = await readFile(file);
      expect(await judge(complete)).toMatchObject({
        ...{ problem: null, isDamaged: false },
        lengthSeconds: expect.closeTo(5, 0) as number,
      });
      for (const part of [0.3, 0.5, 0.9]) {
        const at = Math.floor(complete.length * part);
        // A cut between two AAC frames is not detectable.
        const isBetween =
          ending === "aac" && (complete.readUInt16BE(at) & 0xfff6) === 0xfff0;
        const cut = complete.subarray(0, isBetween ? at - 1 : at);
        expect([part, await judge(cut)]).toMatchObject([
          part,
          { isDamaged: true },
        ]);
      }
    },
  );

  it("[V2-500] in Ogg with one byte flipped anywhere is damaged", async () => {
    const file = path.join(await temporaryFolder(), "a.ogg");
    await runFfmpeg(["-f", "lavfi", "-i", "sine=duration=1", file]);
    const complete = await readFile(file);
    for (const part of [0.5, 0.7, 0.9]) {
      const flipped = Buffer.from(complete);
      const at = Math.floor(complete.length * part);
      flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at);
      expect(await judge(flipped)).toMatchObject({ isDamaged: true });
    }
  });

  it("[V2-420] is accepted with its length", async () => {
    expect(await judge(await tone(1))).toMatchObject({
      ...{ problem: null, tracks: { hasVideo: false, hasAudio: true } },
      lengthSeconds: expect.closeTo(1, 0) as number,
    });
  });

  it("[V2-422] in AC-3 alone cannot be played", async () => {
    expect(
      await judge(await made("a.mp4", "-vn", "-c:a", "ac3")),
    ).toMatchObject({
      problem: expect.stringContaining("cannot be played") as string,
    });
  });
});
