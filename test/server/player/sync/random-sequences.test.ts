// Whatever a service returns, a network does and a clock shows in between: the result equals an undisturbed sync.

import { describe, expect, it, onTestFailed } from "vitest";
import { systemClock } from "../../../../server/platform/clock.ts";
import { createRandom, type Random } from "../../../long/kill/random.ts";
import {
  cloudImage,
  sendBeginning,
  serveFaultyCloud,
  type FaultyCloud,
} from "../../../support/faulty-service/faulty-service.ts";
import {
  startSync,
  type RunningSync,
} from "../../../support/sync/start-sync.ts";
import { isLong } from "../../../support/long-form.ts";

const sequences = isLong ? 40 : 3;
const maxSteps = 8;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const jumpsMs = [
  ...[hourMs, -hourMs, dayMs, -dayMs],
  ...[400 * dayMs, -5000 * dayMs],
];

const images = Array.from({ length: 6 }, (_, number) =>
  cloudImage(`a${number}`, [number * 40, 9, 9], 60_000),
);

/**
 * Some of the images in two playlists; the first is in every state, so that never more than half of many assets is removed at once.
 */
function change(cloud: FaultyCloud, random: Random): void {
  cloud.playlists = ["P1", "P2"].map((id) => ({
    id,
    assets: random.shuffled(images).slice(0, 1 + random.below(4)),
  }));
}

type Step = "change" | "jump" | "away" | "cut" | "sync" | "restart";
const steps: readonly Step[] = [
  ...(["change", "jump", "away", "cut", "sync", "restart"] as const),
];

describe("any sequence of changes, interruptions and clock jumps", () => {
  it(`ends equal to a fresh sync, with nothing left to do: ${sequences} sequences`, async () => {
    const seed = Number(process.env.VITRINE_SEED ?? Date.now() % 1_000_000);
    onTestFailed(() =>
      console.error(`To see this again: VITRINE_SEED=${seed}`),
    );
    const random = createRandom(seed);
    for (let sequence = 0; sequence < sequences; sequence += 1)
      await walk(random);
  });
});

async function walk(random: Random): Promise<void> {
  const cloud = await serveFaultyCloud();
  change(cloud, random);
  let jumpedMs = 0;
  const clock = {
    ...systemClock,
    now: () => systemClock.now() + jumpedMs,
    // Pauses pass a hundred times as fast.
    after: (ms: number, callback: () => void) =>
      systemClock.after(ms / 100, callback),
  };
  const options = { player: { clock }, sync: { clock, silenceMs: 30_000 } };
  let running = await startSync(options);
  await running.connect({ baseUrl: cloud.address, version: "v4.1" });
  const done: string[] = [];
  for (let left = 1 + random.below(maxSteps); left > 0; left -= 1) {
    const step = random.oneOf(steps);
    done.push(step);
    if (step === "change") change(cloud, random);
    if (step === "jump") jumpedMs += random.oneOf(jumpsMs);
    if (step === "sync") await running.syncNow();
    if (step === "cut") await interruptFile(cloud, running, random);
    if (step === "away") {
      running.sync.run();
      await cloud.goAway();
      await running.until(
        ({ phase }) => phase === "failing" || phase === "idle",
      );
      await cloud.comeBack();
    }
    if (step === "restart") {
      running.sync.run();
      await running.stopSync();
      await running.player.stop();
      running = await startSync({
        ...options,
        player: { ...options.player, dataDir: running.dataDir },
      });
    }
  }
  const where = done.join();
  const first = await running.syncNow();
  if (first.hold !== null) {
    running.sync.apply();
    await running.until(({ isInSync }) => isInSync === true);
  }
  expect(await running.syncNow(), where).toMatchObject({
    ...{ isInSync: true, hold: null, problem: null, itemFailures: [] },
  });
  expect(running.sync.plans(), where).toEqual([]);

  // Nothing interrupts this one: it has all the time it needs.
  const fresh = await startSync();
  await fresh.connect({ baseUrl: cloud.address, version: "v4.1" });
  expect(fresh.sync.status()[0], where).toMatchObject({ isInSync: true });
  expect(await contentOf(running), where).toEqual(await contentOf(fresh));
  await cloud.goAway();
}

/** One file breaks off in the middle, and its network connection with it. */
async function interruptFile(
  cloud: FaultyCloud,
  running: RunningSync,
  random: Random,
): Promise<void> {
  const { id, bytes } = random.oneOf(images);
  cloud.files.set(id, (request, response, usual) => {
    cloud.files.delete(id);
    if (bytes) sendBeginning(request, response, bytes, 30_000, "cut");
    else usual();
  });
  await running.syncNow();
}

async function contentOf(running: RunningSync): Promise<unknown> {
  const [assets, playlists] = await Promise.all(
    ["/assets", "/playlists"].map(
      async (path) => (await running.request(path)).json() as Promise<any[]>,
    ),
  );
  const names = new Map(
    (assets ?? []).map(({ asset_id: id, name }) => [id, name]),
  );
  return {
    assets: [...names.values()].sort(),
    playlists: (playlists ?? [])
      .map(({ name, items }) => ({
        name,
        items: items.map((item: { asset_id: string }) =>
          names.get(item.asset_id),
        ),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}
