// A randomly damaged database: the player opens it, if need be from its spare copies, and shows nothing wrong.

import { createHash } from "node:crypto";
import { cp } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { damageBySeed } from "../support/database/damage.ts";
import { temporaryFolder } from "../support/folder.ts";
import { png } from "../support/media/media.ts";
import { startPlayer } from "../support/player/start-player.ts";

const seeds = process.env.VITRINE_LONG === "1" ? 200 : 10;
const assetCount = 40;

/** The correct content of each asset, by its identifier. */
type Right = ReadonlyMap<string, string>;

async function soundPlayer(): Promise<{ dataDir: string; right: Right }> {
  const running = await startPlayer();
  const right = new Map<string, string>();
  for (let index = 0; index < assetCount; index += 1) {
    const bytes = png([index, 2 * index, 3 * index]);
    const { asset_id: id } = await running.add(
      { name: `Image ${index}`, duration: 1 },
      bytes,
    );
    right.set(id, createHash("sha256").update(bytes).digest("hex"));
  }
  await running.send("POST", "/playlists", {
    name: "List",
    items: [...right.keys()].map((id) => ({ asset_id: id })),
  });
  await running.player.stop();
  return { dataDir: running.dataDir, right };
}

/** Asserts that a player on this folder shows only each asset's own image for a whole cycle. */
async function assertRight(dataDir: string, right: Right): Promise<void> {
  const { list, stage, clock, player } = await startPlayer({ dataDir });
  const known = new Set((await list()).map(({ asset_id: id }) => id));
  for (let second = 0; second < assetCount; second += 1) {
    const showing = stage.visible();
    if (showing?.assetId != null) {
      expect([...known]).toContain(showing.assetId);
      const url = "url" in showing.content ? showing.content.url : "";
      expect(url).toBe(`asset://store/${right.get(showing.assetId)}`);
    }
    await clock.advance(1000);
  }
  // Whatever was damaged, all assets with spare copies are there.
  expect([...known].filter((id) => right.has(id))).toHaveLength(assetCount);
  await player.stop();
}

describe("a randomly damaged database", () => {
  it(`[V2-326][V2-455] is opened or rebuilt, and nothing wrong is shown, with each of ${seeds} seeds`, async () => {
    const { dataDir, right } = await soundPlayer();
    const wrong: string[] = [];
    for (let seed = 0; seed < seeds; seed += 1) {
      const copy = path.join(await temporaryFolder(), "data");
      await cp(dataDir, copy, { recursive: true });
      const file = path.join(copy, "vitrine.db");
      const what = await damageBySeed(file, seed);
      await assertRight(copy, right).catch((error: unknown) => {
        wrong.push(`seed ${seed}, ${what}: ${String(error)}`);
      });
    }
    expect(wrong).toEqual([]);
  });
});
