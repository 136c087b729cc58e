// WebSocket of a paired screen: news is pushed, and where no socket can be had the screen polls.

import { describe, expect, it, vi } from "vitest";
import type { PushedNewsLink } from "../../../../server/contract/link/link.ts";
import { NotUpgraded } from "../../../../server/platform/http/web-socket.ts";
import { createLog } from "../../../../server/platform/log.ts";
import {
  createLinkSocket,
  type ConnectSocket,
} from "../../../../server/player/sync/link-client/link-socket.ts";
import { manualClock } from "../../../support/clock.ts";
import { oneService } from "../../../support/content/one-service.ts";
import {
  openFaultyPath,
  type Delivery,
  type Passed,
} from "../../../support/http/faulty-path.ts";
import { pollOptions } from "../../../support/sync/outbox.ts";
import { claimed, linksOf } from "../../../support/sync/pairing.ts";
import { startFullSync } from "../../../support/sync/start-full-sync.ts";

const startService = oneService();

async function startScreen(
  decide: (request: Passed) => Delivery = () => "arrives",
) {
  const service = await startService();
  const orders: string[] = [];
  const running = await startFullSync({
    wrapPlayback: (playback) => ({
      ...playback,
      step: (direction) => void orders.push(direction),
    }),
  });
  const path = await openFaultyPath(service.address, { forwardsSockets: true });
  path.decide(decide);
  const { screenId } = await claimed(running, path.address, service.v3);
  const count = (part: string): number =>
    path.passed.filter(({ url }) => url.includes(part)).length;
  return {
    ...{ service, running, path, orders, screenId, count },
    isOpen: async () =>
      ((await service.v3.get(`/screens/${screenId}/`)) as { ws_open: boolean })
        .ws_open,
    order: (kind: string) =>
      service.v3.make(`/screens/${screenId}/commands/`, { kind }),
  };
}

describe("a paired screen", () => {
  it("[L-44] receives commands and changes on its socket, and polls nothing", async () => {
    const { service, running, orders, order, count, screenId } =
      await startScreen();
    await vi.waitUntil(() => count("/link/v1/socket") > 0, pollOptions);
    await order("next");
    await vi.waitUntil(() => orders.includes("next"), pollOptions);
    await service.v3.call("PATCH", `/screens/${screenId}/`, {
      name: "Entrance",
    });
    await vi.waitUntil(async () => {
      const [link] = await linksOf(running);
      return link?.screen_name === "Entrance";
    }, pollOptions);
    expect(orders).toEqual(["next"]);
    expect(count("/link/v1/news")).toBe(0);
    expect(count("/link/v1/socket")).toBe(1);
  });

  it("[L-45] sends far fewer heartbeats than with polling, as nothing changes", async () => {
    const { count, order, orders } = await startScreen();
    await vi.waitUntil(() => count("/link/v1/socket") > 0, pollOptions);
    await order("next");
    await vi.waitUntil(() => orders.length === 1, pollOptions);
    // The clock of this player runs 400 times as fast: ten digests would be a hundred heartbeats of polling.
    expect(count("/link/v1/heartbeat")).toBeLessThan(30);
  });

  it("[L-46] comes back after its socket was lost, and carries out once what was ordered meanwhile", async () => {
    const { path, orders, order, count } = await startScreen();
    // Once the request for a socket has been sent, a command can only come on it.
    await vi.waitUntil(() => count("/link/v1/socket") > 0, pollOptions);
    await order("next");
    await vi.waitUntil(() => orders.length === 1, pollOptions);
    path.cutSockets();
    await order("previous");
    await vi.waitUntil(() => count("/link/v1/socket") > 1, pollOptions);
    await vi.waitUntil(() => orders.length > 1, pollOptions);
    expect(orders).toEqual(["next", "previous"]);
  });

  it.each<[string, Delivery]>([
    ["lost", "lost"],
    [
      "answered 404",
      { status: 404, type: "application/json", body: '{"detail":"Nothing"}' },
    ],
    [
      "answered 401 by a gateway",
      { status: 401, type: "text/plain", body: "Unauthorized" },
    ],
  ])(
    "[L-44] stays linked and polls while requests for a socket are %s",
    async (_, delivery) => {
      const { running, orders, order, count } = await startScreen(({ url }) =>
        url.includes("/socket") ? delivery : "arrives",
      );
      await vi.waitUntil(() => count("/link/v1/news") > 0, pollOptions);
      await order("next");
      await vi.waitUntil(() => orders.length > 0, pollOptions);
      expect(orders).toEqual(["next"]);
      expect(await linksOf(running)).toMatchObject([
        { is_connected: true, problem: null },
      ]);
    },
  );
});

const news: PushedNewsLink = {
  screen: {
    ...{ id: "s", name: "Window", hostname: "", team_id: "t", timezone: "UTC" },
    ...{ is_enabled: true, location: "", coords: [0, 0], config: {} },
    labels: [],
  },
  ...{ revision: "1", commands: [] },
  ...{ heartbeat_in_seconds: 30, reconnect_within_seconds: 7 },
};

/** The other side is the test; it sends `first` when it is connected to. */
function served(first: string | Error) {
  const clock = manualClock();
  let count = 0;
  const opened: { close(): void; send(text: string): void }[] = [];
  const connect: ConnectSocket = async (_path, { onMessage, onClose }) => {
    count += 1;
    if (first instanceof Error) throw first;
    let isClosed = false;
    const close = (): void => {
      if (isClosed) return;
      isClosed = true;
      onClose(1006);
    };
    opened.push({ close, send: onMessage });
    onMessage(first);
    return { close };
  };
  const socket = createLinkSocket({
    ...{ connectionId: "one", connect, monotonic: clock.monotonic },
    ...{ now: clock.now, onContact: () => undefined, random: () => 0.5 },
    log: createLog({ toStandardOutput: false }),
  });
  const { signal } = new AbortController();
  return {
    ...{ clock, opened, socket, attempts: () => count },
    next: () => socket.next(signal),
  };
}

describe("the socket of a link", () => {
  it("[L-44] adds the screen of the last message to those without one", async () => {
    const { socket, next, opened } = served(JSON.stringify(news));
    await socket.ensure();
    const { screen: _, ...later } = { ...news, revision: "2" };
    opened[0]?.send(JSON.stringify(later));
    expect([await next(), await next()]).toEqual(
      ["1", "2"].map((revision) =>
        expect.objectContaining({ revision, screen: news.screen }),
      ),
    );
    expect(socket.reconnectMs()).toBe(7000);
  });

  it.each([
    "",
    "[]",
    "{",
    JSON.stringify({ ...news, revision: 1 }),
    JSON.stringify({ ...news, screen: undefined }),
    '{"a":'.repeat(100_000),
  ])(
    "[L-44] is closed after an invalid message, and tried again after an hour: %j",
    async (text) => {
      const { socket, clock, opened } = served(text);
      await socket.ensure();
      expect(socket.isOpen()).toBe(false);
      await clock.advance(3_500_000);
      await socket.ensure();
      expect(opened.length).toBe(1);
      await clock.advance(200_000);
      await socket.ensure();
      expect(opened.length).toBe(2);
    },
  );

  it.each([
    [new NotUpgraded(404, undefined), 3600],
    [new NotUpgraded(503, "40"), 40],
    [new NotUpgraded(503, undefined), 15],
    [new Error("the connection was refused"), 15],
  ])(
    "[L-46] is tried again after a while when it could not be opened: %s after %i s",
    async (error, seconds) => {
      const { socket, clock, attempts } = served(error);
      await socket.ensure();
      expect(socket.isOpen()).toBe(false);
      await clock.advance(seconds * 1000 - 1);
      await socket.ensure();
      expect(attempts()).toBe(1);
      // What a busy service asks for is exceeded by up to a tenth.
      await clock.advance(seconds * 100);
      await socket.ensure();
      expect(attempts()).toBe(2);
    },
  );

  it("[L-47] is tried again after pauses that grow within the range of the service's last answer", async () => {
    const { socket, clock, attempts } = served(new Error("refused"));
    socket.noteRange({ firstSeconds: 2, longestSeconds: 6 });
    for (const seconds of [2, 4, 6, 6]) {
      await socket.ensure();
      expect(socket.retryInMs()).toBe(seconds * 1000);
      expect(socket.isServiceBusy()).toBe(false);
      await clock.advance(seconds * 1000);
    }
    expect(attempts()).toBe(4);
  });

  it("[L-48] knows that the service is busy until the time it asked for", async () => {
    const { socket, clock } = served(new NotUpgraded(503, "40"));
    await socket.ensure();
    expect(socket.isServiceBusy()).toBe(true);
    await clock.advance(socket.retryInMs());
    expect(socket.isServiceBusy()).toBe(false);
  });

  it("[L-46] is put off when it is lost soon after it was opened, three times in a row", async () => {
    const { socket, clock, opened } = served(JSON.stringify(news));
    for (let at = 0; at < 3; at += 1) {
      await socket.ensure();
      opened[at]?.close();
      await vi.waitUntil(() => !socket.isOpen());
    }
    await socket.ensure();
    expect(opened.length).toBe(3);
    await clock.advance(15_000);
    await socket.ensure();
    expect(opened.length).toBe(4);
  });
});
