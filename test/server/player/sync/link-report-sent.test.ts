// When heartbeats carry the report about the screen, with the real link client, service and player.

import { describe, expect, it, vi } from "vitest";
import {
  oneService,
  type TeamsService,
} from "../../../support/content/one-service.ts";
import {
  openFaultyPath,
  type FaultyPath,
} from "../../../support/http/faulty-path.ts";
import { claimed } from "../../../support/sync/pairing.ts";
import { pollOptions } from "../../../support/sync/outbox.ts";
import {
  startFullSync,
  type RunningFullSync,
} from "../../../support/sync/start-full-sync.ts";
import type { HeartbeatLink } from "../../../../server/contract/link/link.ts";
import type { ScreenReport } from "../../../../server/contract/link/screen-report.ts";

const startService = oneService();

interface Screen {
  readonly running: RunningFullSync;
  readonly path: FaultyPath;
  readonly service: TeamsService;
  heartbeats(): readonly HeartbeatLink[];
  reports(): readonly ScreenReport[];
}

/** Paired, with two images of its own that stay until something else is requested. */
async function startScreen(): Promise<Screen> {
  const service = await startService();
  const running = await startFullSync();
  const path = await openFaultyPath(service.address);
  await running.add({ name: "One", duration: 3600 });
  await running.add({ name: "Two", duration: 3600 });
  await vi.waitUntil(() => running.stage.visible(), pollOptions);
  running.stage.see("verified");
  await claimed(running, path.address, service.v3);
  const heartbeats = () =>
    path.passed
      .filter(({ url }) => url.endsWith("/heartbeat"))
      .map(({ body }) => JSON.parse(body) as HeartbeatLink);
  return {
    ...{ running, path, service, heartbeats },
    reports: () =>
      heartbeats().flatMap(({ report }) => (report ? [report] : [])),
  };
}

const last = ({ reports }: Screen) => reports().at(-1);

describe("a paired screen", () => {
  it("[L-38] reports what it shows and why, once as long as that is the same", async () => {
    const screen = await startScreen();
    await expect
      .poll(() => last(screen), pollOptions)
      .toMatchObject({
        showing: {
          ...{ asset_id: null, name: "One", kind: "image", reason: "schedule" },
          explanation: "Scheduled in the local assets.",
          ...{ playlist: null, verdict: "verified" },
        },
        ...{ next: "Two", is_dark: false, missing: [], clock_skew_ms: 0 },
        displays: [{ width: 1920, height: 1080, is_playback: true }],
      });
    // Each new label is news, and so a heartbeat.
    const told = screen.heartbeats().length;
    for (const name of ["Lobby", "Till", "Door"]) {
      const { length } = screen.heartbeats();
      await screen.service.v3.make("/groups/", { name });
      await vi.waitUntil(
        () => screen.heartbeats().length > length,
        pollOptions,
      );
    }
    const later = screen.heartbeats().slice(told);
    const storages = later.flatMap(({ report }) => report?.storage ?? []);
    // Free space and the clock skew may have become known in between.
    expect(later.length - storages.length).toBeGreaterThanOrEqual(1);
    for (const { report } of later)
      if (report) expect(report.showing).toEqual(last(screen)?.showing);
  });

  it("[L-39] sends a heartbeat when it becomes wrong, is right again, or is taken over, and not when one item follows another", async () => {
    const screen = await startScreen();
    const { running, path } = screen;
    await expect
      .poll(() => last(screen)?.showing?.verdict, pollOptions)
      .toBe("verified");
    // The next regular heartbeat never comes.
    path.decide(({ url }) => (url.includes("/news") ? "held" : "arrives"));
    await screen.service.v3.make("/groups/", { name: "Lobby" });
    running.stage.see("blank");
    await expect
      .poll(() => last(screen)?.showing?.verdict, pollOptions)
      .toBe("blank");
    running.stage.see("verified");
    await expect
      .poll(() => last(screen)?.showing?.verdict, pollOptions)
      .toBe("verified");
    const { length } = screen.reports();
    running.player.step("next");
    await vi.waitUntil(
      () => running.stage.visible()?.name === "Two",
      pollOptions,
    );
    running.stage.see("verified");
    await running.send("POST", "/takeover", { blank: true, reason: "Repairs" });
    await expect
      .poll(() => last(screen), pollOptions)
      .toMatchObject({
        is_dark: true,
        showing: {
          ...{ reason: "takeover", asset_id: null, verdict: null },
          explanation: "A takeover is on the screen until stopped. Repairs",
        },
      });
    const since = screen.reports().slice(length);
    expect(since.map(({ showing }) => showing?.reason)).toEqual(["takeover"]);
    await running.request("/takeover", { method: "DELETE" });
    await expect
      .poll(() => last(screen), pollOptions)
      .toMatchObject({
        is_dark: false,
        showing: { reason: "schedule" },
      });
  });

  it("[L-38] stays linked without the report when its service rejects that", async () => {
    const screen = await startScreen();
    await vi.waitUntil(() => last(screen), pollOptions);
    screen.path.decide(({ url, body }) =>
      url.endsWith("/heartbeat") && body.includes('"report"')
        ? {
            ...{ status: 400, type: "application/json" },
            body: '{"report.next":["is odd"]}',
          }
        : "arrives",
    );
    const { length } = screen.heartbeats();
    screen.running.stage.see("frozen");
    await vi.waitUntil(
      () =>
        screen
          .heartbeats()
          .slice(length)
          .some(({ report }) => report === undefined),
      pollOptions,
    );
    const [link] = screen.running.extensions.link.links();
    expect(link).toMatchObject({ isConnected: true, problem: null });
  });
});
