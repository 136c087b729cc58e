// Pictures of the screen for a service: while somebody looks, otherwise now and then, and never twice.

import { describe, expect, it } from "vitest";
import { createLog } from "../../../../server/platform/log.ts";
import { createLivePictures } from "../../../../server/player/sync/link-client/live-pictures.ts";
import { RemoteError } from "../../../../server/player/sync/remote/remote-error.ts";
import type { Send } from "../../../../server/player/sync/remote/send-http.ts";
import { afterThisTest } from "../../../support/after-this-test.ts";
import { manualClock } from "../../../support/clock.ts";

function start({ isSocketOpen = true, hasScreen = true } = {}) {
  const clock = manualClock();
  const screen = { mark: "one", encoded: 0, taken: 0 };
  const service = { seconds: 5, isReachable: true };
  const sent: { readonly path: string; readonly bytes: number }[] = [];
  const send: Send = async (_method, path, options) => {
    if (!service.isReachable)
      throw new RemoteError("unavailable", "The service is not there.");
    sent.push({ path, bytes: options?.body?.sizeBytes ?? -1 });
    const json = { watched_seconds: service.seconds };
    return path.endsWith("live-picture")
      ? { status: 200, headers: {}, json }
      : { status: 204, headers: {}, json: null };
  };
  const take = async () => {
    screen.taken += 1;
    const { mark } = screen;
    return {
      mark,
      encode: async () => {
        screen.encoded += 1;
        return Buffer.from(mark);
      },
    };
  };
  const pictures = createLivePictures({
    ...{ connectionId: "c", send, clock, random: () => 0.5 },
    take: hasScreen ? take : undefined,
    isSocketOpen: () => isSocketOpen,
    log: createLog({ toStandardOutput: false }),
  });
  afterThisTest(pictures.stop);
  const advance = async (seconds: number): Promise<void> => {
    for (let at = 0; at < seconds; at += 1) await clock.advance(1000);
  };
  const live = () =>
    sent
      .filter(({ path }) => path.endsWith("live-picture"))
      .map((s) => s.bytes);
  return { pictures, screen, service, sent, live, advance };
}

describe("pictures while somebody looks", () => {
  it("[L-67] are sent once a second, and only if they differ", async () => {
    const { pictures, screen, live, advance } = start();
    pictures.note({ watched: { id: "1", seconds: 5 } });
    await advance(2);
    screen.mark = "another";
    await advance(2);
    // 0 bytes: unchanged.
    expect(live()).toEqual([3, 0, 0, 7, 0]);
    expect(screen.encoded).toBe(2);
    // The same request once more begins nothing else.
    pictures.note({ watched: { id: "1", seconds: 5 } });
    const before = live().length;
    await advance(3);
    expect(live().length - before).toBe(3);
  });

  it("[L-67] are sent every three seconds while there is no socket", async () => {
    const { pictures, live, advance } = start({ isSocketOpen: false });
    pictures.note({ watched: { id: "1", seconds: 5 } });
    await advance(9);
    expect(live().length).toBeLessThanOrEqual(4);
    expect(live().length).toBeGreaterThanOrEqual(3);
  });

  it("[L-66] end when the service says that nobody looks, or says nothing", async () => {
    const { pictures, service, screen, live, advance } = start();
    pictures.note({ watched: { id: "1", seconds: 5 } });
    await advance(2);
    service.seconds = 0;
    await advance(2);
    const until = live().length;
    await advance(10);
    expect(live()).toHaveLength(until);
    service.seconds = 5;
    pictures.note({ watched: { id: "2", seconds: 5 } });
    await advance(2);
    service.isReachable = false;
    await advance(2);
    const { taken } = screen;
    service.isReachable = true;
    await advance(10);
    expect(screen.taken).toBe(taken);
    // Somebody who still watches causes another request.
    pictures.note({ watched: { id: "3", seconds: 5 } });
    await advance(1);
    expect(screen.taken).toBeGreaterThan(taken);
  });

  it("[L-66] a player without a screen sends none, and does not ask to be told", async () => {
    const { pictures, sent, advance } = start({ hasScreen: false });
    pictures.note({
      ...{ watched: { id: "1", seconds: 5 }, picture_in_seconds: 60 },
    });
    await advance(200);
    expect(sent).toEqual([]);
    expect(pictures.watchedId()).toBeNull();
  });
});

describe("pictures while nobody looks", () => {
  it("[L-69] are sent at the interval of the service, if they have changed", async () => {
    const { pictures, screen, sent, advance } = start();
    pictures.note({ picture_in_seconds: 60 });
    await advance(600);
    expect(sent).toEqual([{ path: "/link/v1/screenshot", bytes: 3 }]);
    screen.mark = "another";
    await advance(100);
    expect(sent).toHaveLength(2);
    // Turned off.
    pictures.note({});
    screen.mark = "a third";
    await advance(600);
    expect(sent).toHaveLength(2);
  });
});
