// A player whose clock is wrong and then set: nothing is cleaned up because of that.

import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { manualClock } from "../../../support/clock.ts";
import { png } from "../../../support/media/media.ts";
import {
  startPlayer,
  completeBody,
  type RunningPlayer,
} from "../../../support/player/start-player.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;
const yearMs = 365 * dayMs;
/** Polled twenty times a second: a cleanup has two seconds before the next is due. */
const pollsPerTurn = 40;

/** A file without a row is deleted by the next cleanup, which shows that one ran. */
async function swept({ dataDir, clock }: RunningPlayer): Promise<void> {
  const unknown = path.join(dataDir, "files", "kept", "ab", "ab".repeat(32));
  await mkdir(path.dirname(unknown), { recursive: true });
  await writeFile(unknown, "left by a power cut");
  // However long the disk takes, only a bounded number of timers fire.
  let polls = 0;
  await expect
    .poll(async () => {
      if (polls++ % pollsPerTurn === 0) await clock.advance(10 * minuteMs);
      return existsSync(unknown);
    })
    .toBe(false);
}

async function deleted(running: RunningPlayer) {
  const { body } = await running.send("GET", "/trash", undefined);
  return body as readonly { name: string; deleted: string }[];
}

/** Two assets in the trash, and their files in the store. */
async function throwAway(running: RunningPlayer): Promise<void> {
  await swept(running);
  const ids = [];
  for (const name of ["One", "Two"])
    ids.push((await running.add({ name })).asset_id);
  await running.send("POST", "/trash", { asset_ids: ids });
}

/** Both are still there, dated within the last hours of this clock. */
async function expectBoth(running: RunningPlayer, hours = 3): Promise<void> {
  const reported = await deleted(running);
  expect(reported.map(({ name }) => name).sort()).toEqual(["One", "Two"]);
  for (const { deleted: at } of reported) {
    const age = running.clock.now() - Date.parse(at);
    expect(age).toBeGreaterThanOrEqual(0);
    expect(age).toBeLessThan(hours * 60 * minuteMs);
  }
}

describe("the age of trash", () => {
  it("[V2-355] fault 45: a clock that starts years behind and is set does not empty the trash", async () => {
    const clock = manualClock(Date.UTC(2001, 0, 1));
    const running = { ...(await startPlayer({ clock })), clock };
    await throwAway(running);
    clock.jumpTo(Date.UTC(2026, 0, 1));
    await swept(running);
    await expectBoth(running);
  });

  it("[V2-355] fault 45: a clock that is briefly years ahead does not empty the trash, and leaves no future dates", async () => {
    const running = await startPlayer();
    const { clock } = running;
    const begin = clock.now();
    await swept(running);
    const one = await running.add({ name: "One" });
    await running.send("POST", "/trash", { asset_ids: [one.asset_id] });
    await swept(running);
    clock.jumpTo(begin + 10 * yearMs);
    await swept(running);
    const two = await running.add({ name: "Two" });
    await running.send("POST", "/trash", { asset_ids: [two.asset_id] });
    await expect.poll(async () => (await deleted(running)).length).toBe(2);
    clock.jumpTo(begin + 60 * minuteMs);
    await swept(running);
    await expectBoth(running);
  });

  it("[V2-355] a start years ahead or behind does not empty the trash; nights switched off count", async () => {
    const first = await startPlayer();
    const { dataDir } = first;
    const begin = first.clock.now();
    await throwAway(first);
    await swept(first);
    await first.player.stop();
    const startAt = async (moment: number): Promise<RunningPlayer> => {
      const clock = manualClock(moment);
      const again = { ...(await startPlayer({ dataDir, clock })), clock };
      await swept(again);
      return again;
    };
    for (const start of [begin + 10 * yearMs, begin - 10 * yearMs]) {
      const again = await startAt(start);
      await expectBoth(again);
      await again.player.stop();
    }
    for (const days of [6, 12, 18, 24]) {
      const again = await startAt(begin - 10 * yearMs + days * dayMs);
      await expectBoth(again, days * 24 + 6);
      await again.player.stop();
    }
    const last = await startAt(begin - 10 * yearMs + 30 * dayMs);
    await expect.poll(() => deleted(last)).toEqual([]);
  });

  it("[V2-355] a pending upload survives a clock that is set ahead", async () => {
    const running = await startPlayer();
    await swept(running);
    const { body } = await running.upload(png([7, 7, 7]));
    running.clock.jumpTo(running.clock.now() + yearMs);
    await swept(running);
    const created = await running.send("POST", "/assets", {
      ...{ ...completeBody, mimetype: "image", ...body },
    });
    expect(created.status).toBe(201);
  });
});
