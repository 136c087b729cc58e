// Commands of a service that change the screen: carried out once and in time, and done only once that was verified.

import { describe, expect, it, vi } from "vitest";
import { systemClock } from "../../../../server/platform/clock.ts";
import { createLog } from "../../../../server/platform/log.ts";
import {
  createLinkCommands,
  type CommandMemory,
} from "../../../../server/player/sync/link-client/link-commands.ts";
import { waitUntilProcessed } from "../../../support/content/ingest-asset.ts";
import {
  oneService,
  type TeamsService,
} from "../../../support/content/one-service.ts";
import type { Row } from "../../../support/content/start-content.ts";
import { startPlayer } from "../../../support/player/start-player.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { png, type Colour } from "../../../support/media/media.ts";
import { openFaultyPath } from "../../../support/http/faulty-path.ts";
import { pollOptions } from "../../../support/sync/outbox.ts";
import { claimed } from "../../../support/sync/pairing.ts";
import {
  startFullSync,
  type FullSyncOptions,
} from "../../../support/sync/start-full-sync.ts";

const startService = oneService();

/** Pauses are short, but what should be verified has all the time it needs, unless `isHurried`. */
const clockWith = (isHurried: boolean, aheadMs = 0) => ({
  ...systemClock,
  now: () => systemClock.now() + aheadMs,
  after: (ms: number, callback: () => void) =>
    systemClock.after(ms === 20_000 && !isHurried ? ms : ms / 400, callback),
});

async function ingestedAsset(
  service: TeamsService,
  title: string,
  colour: Colour,
): Promise<string> {
  const answer = await service.upload(png(colour), { title });
  const [row] = (await answer.json()) as readonly Row[];
  await waitUntilProcessed(service, row?.id ?? "");
  return row?.id ?? "";
}

/** Paired, with two images of its service on the screen. */
async function startScreen(options: FullSyncOptions = {}) {
  const service = await startService();
  const dataDir = await temporaryFolder();
  const one = await ingestedAsset(service, "One", [200, 30, 30]);
  const two = await ingestedAsset(service, "Two", [30, 200, 30]);
  await service.v3.make("/playlists/", {
    ...{ title: "Shop", predicate: "TRUE", groups: [{ id: "all-screens" }] },
    assets: [one, two].map((id) => ({ id, duration: 3600 })),
  });
  const start = () =>
    startFullSync({
      ...{ clock: clockWith(false), player: { dataDir } },
      ...options,
    });
  const running = await start();
  const path = await openFaultyPath(service.address);
  const { screenId } = await claimed(running, path.address, service.v3);
  await vi.waitUntil(
    () => running.stage.visible()?.name === "One",
    pollOptions,
  );
  running.stage.see("verified");
  const stateOf = async (id: string) => {
    const rows = (await service.v3.get(`/screens/commands/?id=${id}`)) as {
      state: string;
      message: string | null;
    }[];
    return rows[0];
  };
  return {
    ...{ service, running, path, one, two, start, stateOf },
    order: async (kind: string, fields: object = {}): Promise<string> => {
      const { id } = (await service.v3.make(`/screens/${screenId}/commands/`, {
        ...{ kind, arguments: fields },
      })) as { id: string };
      return id;
    },
    /** The state of a command, once it is that. */
    until: (id: string, state: string) =>
      expect
        .poll(async () => stateOf(id), pollOptions)
        .toMatchObject({ state }),
  };
}

describe("a command that changes the screen", () => {
  it("[L-41] [L-42] [V2-792] shows an asset, a takeover and the schedule again, each done once it was verified", async () => {
    const screen = await startScreen();
    const { running, order, until, stateOf } = screen;
    const isUp = (name: string) =>
      vi.waitUntil(() => running.stage.visible()?.name === name, pollOptions);
    const show = await order("show", { asset_id: screen.two });
    await isUp("Two");
    await until(show, "received");
    running.stage.see("verified");
    await until(show, "done");
    const taken = await order("takeover", { asset_id: screen.one });
    await isUp("One");
    await until(taken, "received");
    expect((await stateOf(taken))?.state).toBe("received");
    running.stage.see("verified");
    await until(taken, "done");
    expect(await (await running.request("/takeover")).json()).toMatchObject({
      is_showing: true,
      until: null,
    });
    const ended = await order("end-takeover");
    await vi.waitUntil(
      async () => (await running.request("/takeover")).status === 404,
      pollOptions,
    );
    await until(ended, "received");
    running.stage.see("verified");
    await until(ended, "done");
    // Also in the log, where both were the service's doing (V2-792).
    const activity = await running.request("/activity?kind=takeover");
    expect(await activity.json()).toMatchObject([
      { action: "ended", actor: { kind: "service", address: null } },
      { action: "began", actor: { kind: "service", name: expect.any(String) } },
    ]);
    // With no takeover there is nothing to wait for.
    await until(await order("end-takeover"), "done");
  });

  it("[L-41] ends a takeover that was begun at the player, and one of its own at its time", async () => {
    const { running, order, until } = await startScreen();
    await running.send("POST", "/takeover", { text: "Closed" });
    const ended = await order("end-takeover");
    await vi.waitUntil(
      async () => (await running.request("/takeover")).status === 404,
      pollOptions,
    );
    await until(ended, "received");
    running.stage.see("verified");
    await until(ended, "done");
    const at = new Date(Date.now() + 3_600_000).toISOString();
    await order("takeover", { text: "Open until six", until: at });
    await vi.waitUntil(
      async () => (await running.request("/takeover")).status === 200,
      pollOptions,
    );
    const { until: ends } = (await (
      await running.request("/takeover")
    ).json()) as { until: string };
    expect(Date.parse(ends)).toBe(Date.parse(at));
  });

  it("[L-42] fails with the reason: not here, not verified in time, replaced by another", async () => {
    const screen = await startScreen({ clock: clockWith(true) });
    const { running, service, order, until, stateOf } = screen;
    const fails = async (id: string) => {
      await until(id, "failed");
      return (await stateOf(id))?.message;
    };
    const absent = await ingestedAsset(service, "Absent", [1, 2, 3]);
    expect(await fails(await order("show", { asset_id: absent }))).toBe(
      "This asset is not on this player yet.",
    );
    expect(await fails(await order("takeover", { text: "Closed" }))).toBe(
      "It was shown, but could not be verified on the screen within 20 seconds.",
    );
    running.stage.fail("One", "The file is broken.");
    expect(
      await fails(await order("takeover", { asset_id: screen.one })),
    ).toMatch(/^It could not be shown within 20 seconds/);
    expect(await fails(await order("identify"))).toBe(
      "This player does not support this command.",
    );
  });

  it("[L-41] ends a takeover at its time by the clock of the service", async () => {
    const screen = await startScreen({ clock: clockWith(false, -3_600_000) });
    const { running, order } = screen;
    // The player's clock is an hour behind, so a takeover until then ends an hour sooner by it.
    const at = Date.now() + 7_200_000;
    await order("takeover", {
      ...{ text: "Closed", until: new Date(at).toISOString() },
    });
    await vi.waitUntil(
      async () => (await running.request("/takeover")).status === 200,
      pollOptions,
    );
    const { until: ends } = (await (
      await running.request("/takeover")
    ).json()) as { until: string };
    expect(Math.abs(Date.parse(ends) - (at - 3_600_000))).toBeLessThan(2000);
  });

  it("[L-42] is never carried out after its time, nor twice", async () => {
    const { player, stage, clock, request } = await startPlayer();
    const { playback } = player.forSync;
    let memory: CommandMemory = { done: [], results: [] };
    const commands = createLinkCommands({
      ...{ connectionId: "c1", playback, actions: {}, clock },
      memory: () => memory,
      remember: (now) => (memory = now),
      // The player's clock is a minute ahead.
      clockSkewMs: () => 60_000,
      ...{ screenName: () => "Window", serviceName: () => "Service" },
      ...{ requestPoll: () => undefined, onResult: () => undefined },
      sendScreenshot: () => Promise.resolve(),
      sendLogs: () => Promise.resolve(),
      log: createLog({ toStandardOutput: false }),
    });
    const at = (ms: number) =>
      new Date(clock.now() - 60_000 + ms).toISOString();
    const command = (id: string, expiresInMs: number) => ({
      ...{ id, kind: "takeover", arguments: { text: "Closed" } },
      ...{ created_at: at(0), expires_at: at(expiresInMs) },
    });
    commands.accept([command("late", -1)]);
    expect(commands.report()).toEqual({
      done: [
        {
          ...{ id: "late", is_done: false },
          message: "The command arrived after it had expired.",
        },
      ],
      received: [],
    });
    expect((await request("/takeover")).status).toBe(404);
    commands.acknowledge(commands.report());
    const { expires_at: _, ...old } = command("old", 0);
    commands.accept([{ ...old, created_at: at(-600_001) }]);
    expect(commands.report().done).toMatchObject([{ is_done: false }]);
    commands.acknowledge(commands.report());
    commands.accept([command("right", 1000)]);
    await vi.waitUntil(() => stage.visible()?.content.kind === "text");
    expect(commands.report()).toEqual({ done: [], received: ["right"] });
    stage.see("verified");
    commands.noteScreen();
    expect(commands.report().done).toEqual([{ id: "right", is_done: true }]);
    commands.acknowledge(commands.report());
    await request("/takeover", { method: "DELETE" });
    commands.accept([command("right", 1000)]);
    expect(commands.report().done).toEqual([{ id: "right", is_done: true }]);
    expect((await request("/takeover")).status).toBe(404);
    commands.stop();
  });

  it("[L-42] is not repeated after a restart, and is reported as not verified", async () => {
    const screen = await startScreen();
    const { running, order, until, stateOf } = screen;
    const id = await order("takeover", { text: "Closed" });
    await until(id, "received");
    await running.request("/takeover", { method: "DELETE" });
    screen.path.decide(({ url }) =>
      url.includes("/link/") ? "lost" : "arrives",
    );
    await running.stopAll();
    screen.path.decide(() => "arrives");
    const again = await screen.start();
    await until(id, "failed");
    expect((await stateOf(id))?.message).toMatch(
      /^(The player restarted|The takeover ended)/,
    );
    expect((await again.request("/takeover")).status).toBe(404);
  });

  it("[L-42] lays the screen's name over it for 20 seconds", async () => {
    const names: [string, number][] = [];
    const screen = await startScreen({
      actions: {
        identify: (name, seconds) => {
          names.push([name, seconds]);
          return Promise.resolve();
        },
      },
    });
    await screen.until(await screen.order("identify"), "done");
    expect(names).toEqual([["Window", 20]]);
  });
});
