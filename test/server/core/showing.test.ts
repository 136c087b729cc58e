// The showing for a lineup entry, as the stage gets it.

import { describe, expect, it } from "vitest";
import type { Asset } from "../../../server/core/asset.ts";
import {
  canStay,
  contentKey,
  crossFadeMs,
  endLeadMs,
  selfEndLeadMs,
  initialPresentationDefaults,
  roundLeadMs,
  showingOf,
  audioLeadMs,
  audioStartMs,
  type Showing,
} from "../../../server/core/showing.ts";
import { someAsset } from "../../support/schedule/schedules.ts";

function showing(
  overrides: Partial<Asset>,
  durationSeconds: number | null = null,
): Showing {
  const spec = {
    asset: someAsset("a", overrides),
    durationSeconds,
    transition: null,
  };
  return showingOf(spec, "s", initialPresentationDefaults);
}

describe("a showing", () => {
  const file = {
    ...{ hash: "f".repeat(64), sizeBytes: 1, type: "video/mp4" },
    ...{ lengthSeconds: 3, problem: null },
  };

  it("is determined by the bytes, not by the announced type", () => {
    expect(showing({ file, mimetype: "image" }).content.kind).toBe("video");
  });

  it("[V2-7] of a video without a duration ends with the clip; with one it loops until the time is over", () => {
    const own = showing({ file, durationSeconds: 0 });
    const given = showing({ file, durationSeconds: 9 });
    expect(own.durationSeconds).toBeNull();
    expect(canStay(own)).toBe(false);
    expect(given).toMatchObject({
      ...{ durationSeconds: 9, content: { loop: true } },
    });
    expect(canStay(given)).toBe(true);
  });

  it("[V2-481] of a clip ends early enough for the change to end with it, but never before half its length", () => {
    expect(endLeadMs(60_000, 500)).toBe(500);
    expect(endLeadMs(600, 500)).toBe(300);
  });

  it("[V2-481][V2-482] of a clip ends early for a fade and from sound to sound, including videos with sound, and at its end for any other cut", () => {
    const film = showing({ file, durationSeconds: 0 });
    const tone = { ...file, type: "audio/mp4" };
    const audio = showing({ file: tone, durationSeconds: 0 });
    const fading: Showing = { ...film, transition: "cross-fade" };
    expect(selfEndLeadMs(film, fading, 0)).toBe(crossFadeMs);
    expect(selfEndLeadMs(film, fading, 200)).toBe(crossFadeMs + 200);
    expect(selfEndLeadMs(audio, audio, 0)).toBe(audioLeadMs);
    expect(selfEndLeadMs(film, film, 0)).toBe(audioLeadMs);
    expect(selfEndLeadMs(film, audio, 0)).toBe(audioLeadMs);
    const { content } = film;
    if (content.kind !== "video") throw new Error("It is a film.");
    const muted: Showing = {
      ...film,
      content: { ...content, audio: { ...content.audio, isMuted: true } },
    };
    expect(selfEndLeadMs(film, muted, 0)).toBe(0);
    expect(selfEndLeadMs(muted, film, 0)).toBe(0);
    expect(selfEndLeadMs(film, null, 0)).toBe(0);
    const round = showing({ file, durationSeconds: 9 });
    expect(selfEndLeadMs(round, fading, 0)).toBe(0);
  });

  it("[V2-482] of an audio file starts as long before the end of the one before as it takes to be heard", () => {
    expect(audioStartMs(280, 40)).toBe(240);
    expect(audioStartMs(20, 40)).toBe(0);
  });

  it("[V2-481] of a looping clip ends its given time with a fade to the next, and with a cut at its end", () => {
    const round = showing({ file, durationSeconds: 9 });
    const fading: Showing = { ...round, transition: "cross-fade" };
    expect(roundLeadMs(round, fading)).toBe(crossFadeMs);
    expect(roundLeadMs(fading, round)).toBe(0);
    expect(roundLeadMs(round, null)).toBe(0);
    const image = showing({ mimetype: "image", durationSeconds: 9 });
    expect(roundLeadMs(image, fading)).toBe(0);
  });

  it.each([
    ["its own length", 3, 3],
    ["half a second more", 3, 3.5],
    ["half a second less", 3, 2.5],
    ["its length as the interface rounds it", 3.1, 4],
  ])(
    "[V2-480] of a video that was given %s ends with its last frame",
    (_what, lengthSeconds, durationSeconds) => {
      const asset = { file: { ...file, lengthSeconds }, durationSeconds };
      expect(showing(asset)).toMatchObject({
        ...{ durationSeconds: null, content: { loop: false } },
      });
      expect(showing({ file: asset.file }, durationSeconds)).toMatchObject({
        ...{ durationSeconds: null, content: { loop: false } },
      });
    },
  );

  it("[V2-480] of a video that was given another duration loops or is cut", () => {
    for (const durationSeconds of [1, 2, 4, 6])
      expect(showing({ file, durationSeconds })).toMatchObject({
        ...{ durationSeconds, content: { loop: true } },
      });
    const frame = { file: { ...file, lengthSeconds: 0.04 } };
    expect(showing({ ...frame, durationSeconds: 1 }).durationSeconds).toBe(1);
  });

  it("[V2-7] of a page without a duration stays at least a second", () => {
    expect(showing({ durationSeconds: 0 }).durationSeconds).toBe(1);
  });

  it("stays for the duration of its lineup entry if that has one", () => {
    expect(showing({ durationSeconds: 9 }, 4).durationSeconds).toBe(4);
  });

  it("looks the same whatever its name", () => {
    const key = contentKey(someAsset("a"));
    expect(contentKey(someAsset("b", { name: "other" }))).toBe(key);
    expect(contentKey(someAsset("a", { noCache: true }))).not.toBe(key);
  });
});
