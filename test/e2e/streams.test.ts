// Streams on the screen of the real app: live, recorded, audio only, and unreachable ones.

import { describe, expect, it } from "vitest";
import { png, type Colour } from "../support/media/media.ts";
import {
  sharedScreen,
  problemOf,
  startAlone,
} from "../support/app/shared-screen.ts";
import { isBlank, shows } from "../support/screen/screen.ts";
import { serveStream } from "../support/media/streams.ts";

const red: Colour = [200, 40, 40];
const green: Colour = [30, 160, 60];
const blue: Colour = [40, 60, 200];

const one = sharedScreen({ start: startAlone });

describe("a stream", () => {
  it("plays live and recorded, and one that is interrupted keeps its image until it fails", async () => {
    const { app, screenWatch } = one;
    const live = await serveStream({ colour: green, seconds: 4, isLive: true });
    const recorded = await serveStream({ colour: blue, seconds: 2 });
    const stream = { mimetype: "streaming", skip_asset_check: true };
    const first = await app.add({
      ...stream,
      name: "recorded",
      uri: recorded.address,
    });
    await screenWatch.until(shows(blue), "the recorded stream");
    const second = await app.add({
      ...stream,
      name: "live",
      uri: live.address,
    });
    await screenWatch.until(
      shows(green),
      "the live stream, at the end of the recorded",
    );
    await app.remove(first.asset_id);
    await app.addFile(png(red, 640, 360), {
      name: "red",
      mimetype: "image",
      duration: 2,
    });
    const from = screenWatch.frames.length;
    live.misbehave("gone");
    await screenWatch.until(shows(red), "what comes after it");
    const seen = screenWatch.frames.slice(from);
    expect(
      seen.every((frame) => shows(green)(frame) || shows(red)(frame)),
    ).toBe(true);
    await expect
      .poll(() => problemOf(app, second.asset_id))
      .toMatch(/stalled|status 404/);
  });

  it("of audio only is audible, with a card that shows its name", async () => {
    const { app, screenWatch } = one;
    const radio = await serveStream({
      ...{ colour: green, seconds: 3, isAudioOnly: true },
    });
    const { asset_id: id } = await app.add({
      ...{ name: "Radio", uri: radio.address, duration: 3 },
      ...{ mimetype: "streaming", skip_asset_check: true },
    });
    await app.addFile(png(red, 640, 360), {
      ...{ name: "red", mimetype: "image", duration: 1 },
    });
    await screenWatch.until(shows(red), "what comes after it");
    const from = screenWatch.frames.length;
    await screenWatch.until((frame) => !shows(red)(frame), "the card");
    await expect
      .poll(async () => (await fetch(`${app.api}/api/v2/now`)).json())
      .toMatchObject({ showing: { kind: "stream", name: "Radio" } });
    await screenWatch.until(shows(red), "what comes after it again");
    expect(screenWatch.frames.slice(from).filter(isBlank)).toEqual([]);
    expect(await problemOf(app, id)).toBe("");
  });

  it("that is unavailable is skipped with a message: refused, gone, no HLS, another protocol", async () => {
    const { app, screenWatch } = one;
    await app.addFile(png(red, 640, 360), {
      name: "red",
      mimetype: "image",
      duration: 1,
    });
    await screenWatch.until(shows(red), "red");
    const stream = await serveStream({ colour: green, seconds: 1 });
    const fields = {
      name: "bad",
      mimetype: "streaming",
      skip_asset_check: true,
    };
    const cases = [
      { uri: "rtsp://127.0.0.1:9/camera", reason: /rtsp/ },
      {
        uri: `${stream.address.replace("stream.m3u8", "a.mpd")}`,
        reason: /DASH/,
      },
      { uri: "http://127.0.0.1:9/stream.m3u8", reason: /could not be reached/ },
      {
        uri: stream.address.replace("stream", "other"),
        reason: /status 404/,
      },
      { uri: stream.address, how: "torn", reason: /decoded/ },
    ] as const;
    for (const { uri, reason, ...rest } of cases) {
      stream.misbehave("how" in rest ? rest.how : null);
      const { asset_id: id } = await app.add({ ...fields, uri });
      await expect.poll(() => problemOf(app, id)).toMatch(reason);
      await app.remove(id);
    }
  });
});
