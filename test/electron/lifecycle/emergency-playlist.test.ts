// The emergency playlist contains the last valid lineup with its dates, and is shown by these dates.

import { existsSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  rememberingStage,
  showEmergencyPlaylist,
} from "../../../electron/lifecycle/emergency-playlist.ts";
import { createLog } from "../../../server/platform/log.ts";
import type { Asset } from "../../../server/core/asset.ts";
import type { LineupEntry } from "../../../server/core/schedule/schedule.ts";
import type { Showing } from "../../../server/core/showing.ts";
import { flushPromises } from "../../support/clock.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { someAsset } from "../../support/schedule/schedules.ts";
import { rememberingStage as stageOfTest } from "../../support/player/stage.ts";
import { startDirector } from "../../support/player/start-director.ts";
import { hasModes } from "../../support/file-modes.ts";

const hash = (letter: string): string => letter.repeat(64);
const log = createLog({ toStandardOutput: false });

function entryOf(letter: string, overrides: Partial<Asset> = {}): LineupEntry {
  const asset = someAsset(letter, {
    file: {
      ...{ hash: hash(letter), sizeBytes: 1, type: "image/png" },
      ...{ lengthSeconds: null, problem: null },
    },
    ...{ mimetype: "image", ...overrides },
  });
  return {
    ...{ id: letter, asset, playlistId: null },
    ...{ durationSeconds: null, transition: null },
  };
}

const fileFor = (dataDir: string) => (requested: string) =>
  Promise.resolve({ path: path.join(dataDir, requested), type: "image/png" });

async function kept(dataDir: string): Promise<string> {
  const file = path.join(dataDir, "last-plan.json");
  if (!existsSync(file)) return "none";
  const list = JSON.parse(await readFile(file, "utf8")) as { url: string }[];
  return list.map(({ url }) => url.at(-1)).join("");
}

describe("the emergency playlist", () => {
  it("[V2-415] contains the current lineup: disabled, deleted and expired assets are removed at the next write", async () => {
    const dataDir = await temporaryFolder();
    const stage = rememberingStage(stageOfTest(), dataDir, fileFor(dataDir), 1);
    stage.keepPlan?.([entryOf("a"), entryOf("b"), entryOf("c")]);
    await expect.poll(() => kept(dataDir)).toBe("abc");
    stage.keepPlan?.([entryOf("a"), entryOf("c")]);
    await expect.poll(() => kept(dataDir)).toBe("ac");
    stage.keepPlan?.([]);
    await expect.poll(() => kept(dataDir)).toBe("");
    const { mode } = await stat(path.join(dataDir, "last-plan.json"));
    if (hasModes) expect(mode & 0o777).toBe(0o600);
  });

  it("is not created by a player that never had an image, nor emptied by one that has not located its files yet", async () => {
    const dataDir = await temporaryFolder();
    let requests = 0;
    const unknown = () => {
      requests += 1;
      return Promise.resolve(null);
    };
    const early = rememberingStage(stageOfTest(), dataDir, unknown, 1);
    early.keepPlan?.([]);
    early.keepPlan?.([entryOf("a")]);
    await expect.poll(() => requests).toBeGreaterThan(2);
    expect(await kept(dataDir)).toBe("none");
    early.keepPlan?.([]);
  });

  it("[V2-415] follows the director: what leaves the lineup leaves the emergency playlist", async () => {
    const { add, library, stage } = await startDirector();
    const names = () => stage.plan().map(({ asset }) => asset.name);
    const [a] = [add("A"), add("B")];
    await flushPromises();
    expect(names()).toEqual(["A", "B"]);
    library.change(a.id, { isEnabled: false });
    await flushPromises();
    expect(names()).toEqual(["B"]);
  });
});

describe("the emergency playlist shown without a store", () => {
  const now = Date.UTC(2026, 0, 1);

  async function shownOf(
    entries: readonly LineupEntry[],
    count: number,
  ): Promise<readonly Showing[]> {
    const dataDir = await temporaryFolder();
    const keeping = rememberingStage(
      ...([stageOfTest(), dataDir, fileFor(dataDir), 1] as const),
    );
    keeping.keepPlan?.(entries);
    const letters = entries.map(({ id }) => id).join("");
    await expect.poll(() => kept(dataDir)).toBe(letters);
    for (const { id } of entries)
      await writeFile(path.join(dataDir, hash(id)), "");
    const showings: Showing[] = [];
    const stage = {
      ...stageOfTest(),
      prepare: (showing: Showing) => {
        showings.push(showing);
        // Playback stops from there on.
        return showings.length < count
          ? Promise.resolve()
          : new Promise<void>(() => undefined);
      },
      show: () => Promise.resolve(),
    };
    const plan = showEmergencyPlaylist(stage, dataDir, log, () => now);
    expect(plan).not.toBeNull();
    await expect.poll(() => showings.length).toBe(count);
    return showings;
  }

  const quick = { durationSeconds: 0.01 };
  const seenOf = (showings: readonly Showing[]) =>
    showings.map(({ content }) =>
      content.kind === "image" ? content.url.at(-1) : content.kind,
    );

  it("[V2-415] loops through the images whose dates are valid", async () => {
    const showings = await shownOf(
      [
        entryOf("a", quick),
        entryOf("b", { ...quick, endsAt: now }),
        entryOf("c", quick),
        entryOf("d", { ...quick, startsAt: now + 1 }),
      ],
      5,
    );
    expect(seenOf(showings)).toEqual(["a", "c", "a", "c", "a"]);
  });

  it("[V2-415] shows the idle screen while no image has valid dates", async () => {
    const showings = await shownOf(
      [entryOf("a", { ...quick, endsAt: now })],
      1,
    );
    expect(seenOf(showings)).toEqual(["card"]);
  });

  it.each(["prepare", "show", "stay"] as const)(
    "[V2-611] shows the image again when the stage is lost with it: %s",
    async (when) => {
      const never = (): Promise<void> => new Promise(() => undefined);
      for (const entry of [entryOf("a"), entryOf("b", { endsAt: now })]) {
        const dataDir = await temporaryFolder();
        const keeping = rememberingStage(
          ...([stageOfTest(), dataDir, fileFor(dataDir), 1] as const),
        );
        keeping.keepPlan?.([entry]);
        await expect.poll(() => kept(dataDir)).toBe(entry.id);
        await writeFile(path.join(dataDir, hash(entry.id)), "");
        let lose = (): void => undefined;
        let isLost = false;
        const prepared: Showing[] = [];
        const shown: string[] = [];
        const stage = {
          ...stageOfTest(),
          onRestarted: (listener: (loss: "gone") => void) => {
            lose = () => listener("gone");
          },
          prepare: (showing: Showing) => {
            prepared.push(showing);
            return when === "prepare" && !isLost ? never() : Promise.resolve();
          },
          show: (id: string) => {
            shown.push(id);
            return when === "show" && !isLost ? never() : Promise.resolve();
          },
        };
        showEmergencyPlaylist(stage, dataDir, log, () => now);
        await expect
          .poll(() => prepared.length + (when === "prepare" ? 1 : shown.length))
          .toBe(2);
        await flushPromises();
        isLost = true;
        lose();
        await expect.poll(() => shown.at(-1) === prepared[1]?.id).toBe(true);
        expect(prepared[1]?.content).toEqual(prepared[0]?.content);
      }
    },
  );

  it("shows nothing where there never was an emergency playlist", async () => {
    const dataDir = await temporaryFolder();
    expect(showEmergencyPlaylist(stageOfTest(), dataDir, log)).toBeNull();
  });
});
