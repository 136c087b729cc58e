// A disk that temporarily rejects writes: link, outbox and pairing report it, and continue when there is space.

import { rm } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { connectionDefaults } from "../../../../server/core/sync-plan/sync-state.ts";
import { createAttachedSync } from "../../../../server/player/sync/attached-sync.ts";
import type { SyncExtensionsOptions } from "../../../../server/player/sync/sync.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { oneService } from "../../../support/content/one-service.ts";
import {
  claimed,
  linksOf,
  pair,
  pairingOf,
} from "../../../support/sync/pairing.ts";
import {
  startFullSync,
  type FullSyncOptions,
} from "../../../support/sync/start-full-sync.ts";
import {
  connect,
  kept,
  pollOptions,
  shopWindow,
} from "../../../support/sync/outbox.ts";

const startService = oneService();

const full = "This player's disk is full.";
/** One attempt per write, a second each on a quiet machine: a busy one gets more time. */
const wholeRoundsMs = 240_000;

/** Writes of these rows fail as in SQLite, whenever requested. */
function fullWhen(
  isFull: (writing: "queue" | "link" | "pairing") => boolean,
  code = "SQLITE_FULL",
): Required<Pick<FullSyncOptions, "breakRows">> {
  const refuse = (writing: Parameters<typeof isFull>[0]): void => {
    if (!isFull(writing)) return;
    const error = new Error("database or disk is full");
    throw Object.assign(error, { code });
  };
  return {
    breakRows: (rows: SyncExtensionsOptions["rows"]) => ({
      ...rows,
      putChange: (...args) => {
        refuse("queue");
        rows.putChange(...args);
      },
      saveMemory: (...args) => {
        refuse("link");
        rows.saveMemory(...args);
      },
      savePairing: (value) => {
        refuse("pairing");
        rows.savePairing(value);
      },
    }),
  };
}

describe("an unexpected database error", () => {
  it("[V2-533] stops neither outbox, link nor pairing: each reports it, and continues afterwards", async () => {
    const service = await startService();
    const errors = vi.spyOn(console, "error").mockReturnValue(undefined);
    let failing: string | null = null;
    const running = await startFullSync({
      ...fullWhen((writing) => writing === failing, "SQLITE_ERROR"),
    });
    const unforeseen = "Something went wrong";
    try {
      const { pin } = await pair(running, service.address);
      failing = "pairing";
      const screen = (await service.v3.make("/screens/", {
        ...{ pin, name: "Window" },
      })) as { id: string };
      await expect
        .poll(async () => (await pairingOf(running))?.problem)
        .toContain(unforeseen);
      failing = "link";
      await expect
        .poll(async () => (await pairingOf(running))?.state)
        .toBe("claimed");
      await service.v3.make(`/screens/${screen.id}/commands/`, {
        kind: "next",
      });
      await expect
        .poll(async () => (await linksOf(running))[0]?.problem)
        .toContain(unforeseen);
      failing = null;
      await expect
        .poll(async () => (await linksOf(running))[0]?.is_connected)
        .toBe(true);
      const up = await connect(running, service, service.address, "v4.1");
      await running.sync.changeConnection(
        ...([up.connectionId, { isEnabled: false }, undefined] as const),
      );
      await up.add({
        ...{ collection: "labels", action: "create" },
        fields: { name: "Lobby" },
      });
      failing = "queue";
      await running.sync.changeConnection(
        ...([up.connectionId, { isEnabled: true }, undefined] as const),
      );
      await expect
        .poll(async () => (await up.changes())[0]?.reason)
        .toContain(unforeseen);
      failing = null;
      expect(await up.rest()).toMatchObject([{ state: "done" }]);
      expect(errors).toHaveBeenCalled();
    } finally {
      errors.mockRestore();
    }
  });
});

describe("an outbox", () => {
  it(
    "[V2-313] [V2-342] sends each change once, whichever of its writes fails, and the next with it",
    { timeout: wholeRoundsMs },
    async () => {
      const service = await startService();
      let writings = 0;
      let failing = Infinity;
      const running = await startFullSync(
        fullWhen((writing) => {
          if (writing !== "queue") return false;
          writings += 1;
          return writings === failing || writings === failing + 1;
        }),
      );
      let most = Infinity;
      for (let number = 1; number <= most; number += 1) {
        const team = number === 1 ? service : await startService();
        const up = await connect(running, team, team.address, "v4.1");
        const setEnabled = (isEnabled: boolean) =>
          running.sync.changeConnection(
            up.connectionId,
            { isEnabled },
            undefined,
          );
        await setEnabled(false);
        failing = Infinity;
        await shopWindow(running, up);
        writings = 0;
        // The first time nothing fails: this is the number of writes.
        failing = number - 1;
        await setEnabled(true);
        const states = (await up.rest()).map(({ state }) => state);
        expect([number, ...states]).toEqual([number, "done", "done", "done"]);
        const { assets, groups, playlists } = await kept(team);
        expect([
          number,
          ...[assets, groups, playlists].map((rows) => rows.length),
        ]).toEqual([number, 1, 1, 1]);
        if (number === 1) most = writings + 1;
      }
      expect(most).toBeGreaterThan(10);
    },
  );

  it("[V2-342] reports that the disk is full as long as it is", async () => {
    const service = await startService();
    let isFull = false;
    const running = await startFullSync(fullWhen(() => isFull));
    const up = await connect(running, service, service.address, "v4.1");
    const setEnabled = (isEnabled: boolean) =>
      running.sync.changeConnection(up.connectionId, { isEnabled }, undefined);
    await setEnabled(false);
    await shopWindow(running, up);
    isFull = true;
    await setEnabled(true);
    await vi.waitUntil(
      async () => (await up.changes())[0]?.reason === full,
      pollOptions,
    );
    const waiting = { state: "waiting" };
    expect(await up.changes()).toMatchObject([waiting, waiting, waiting]);
    expect(await kept(service)).toMatchObject({ groups: [], playlists: [] });
    isFull = false;
    expect((await up.rest()).map(({ state }) => state)).toEqual([
      "done",
      "done",
      "done",
    ]);
  });
});

describe("a link", () => {
  it("[V2-306] [V2-342] executes the commands it can store, once it can, and reports meanwhile why not", async () => {
    const service = await startService();
    const orders: string[] = [];
    let isFull = false;
    const running = await startFullSync({
      ...fullWhen(() => isFull),
      wrapPlayback: (playback) => ({
        ...playback,
        step: (direction) => void orders.push(direction),
      }),
    });
    const { screenId } = await claimed(running, service.address, service.v3);
    await vi.waitUntil(
      async () => (await linksOf(running))[0]?.is_connected === true,
      pollOptions,
    );
    isFull = true;
    await service.v3.make(`/screens/${screenId}/commands/`, { kind: "next" });
    await vi.waitUntil(
      async () => (await linksOf(running))[0]?.problem === full,
      pollOptions,
    );
    expect(orders).toEqual([]);
    expect(await linksOf(running)).toMatchObject([{ is_connected: false }]);
    isFull = false;
    await vi.waitUntil(() => orders.length > 0, pollOptions);
    await vi.waitUntil(
      async () => (await linksOf(running))[0]?.is_connected === true,
      pollOptions,
    );
    expect(orders).toEqual(["next"]);
  });
});

describe("pairing", () => {
  it.each(["its own row", "the account"])(
    "[V2-302] [V2-342] is claimed once, though %s cannot be stored for a while",
    async (what) => {
      const service = await startService();
      let isFull = false;
      const noSpace = (): never => {
        throw Object.assign(new Error("no space"), { code: "ENOSPC" });
      };
      const running = await startFullSync({
        ...fullWhen(() => isFull && what === "its own row"),
        breakLibrary: (library) => ({
          ...library,
          saveConnection: (...args) =>
            isFull && what === "the account"
              ? noSpace()
              : library.saveConnection(...args),
        }),
      });
      const { pin } = await pair(running, service.address);
      isFull = true;
      const { id } = (await service.v3.make("/screens/", { pin })) as {
        id: string;
      };
      await vi.waitUntil(
        async () => (await pairingOf(running))?.problem === full,
        pollOptions,
      );
      isFull = false;
      await vi.waitUntil(async () => {
        const now = await pairingOf(running);
        return now?.state === "claimed" && now.problem === null;
      }, pollOptions);
      expect(running.sync.connections()).toMatchObject([{ screenId: id }]);
    },
  );

  it("[V2-301] [V2-342] shows the valid PIN, also where it cannot be stored", async () => {
    const service = await startService();
    const dataDir = await temporaryFolder();
    const first = await startFullSync({ player: { dataDir } });
    const { pin } = await pair(first, service.address);
    await first.stopAll();
    // Without its credential it has to be registered again.
    await rm(path.join(dataDir, "sync", "tokens", "pairing.token"));
    let isFull = true;
    const again = await startFullSync({
      ...{ player: { dataDir }, ...fullWhen(() => isFull) },
    });
    const fresh = await vi.waitUntil(async () => {
      const now = await pairingOf(again);
      return now?.pin !== pin && now?.pin;
    }, pollOptions);
    await service.v3.make("/screens/", { pin: fresh });
    await vi.waitUntil(
      async () => (await pairingOf(again))?.state === "claimed",
      pollOptions,
    );
    isFull = false;
    await vi.waitUntil(
      async () => (await pairingOf(again))?.problem === null,
      pollOptions,
    );
    await again.stopAll();
    const last = await startFullSync({ player: { dataDir } });
    expect(await pairingOf(last)).toMatchObject({ state: "claimed" });
  });

  it("[V2-303] [V2-342] continues where the service cannot become a connection, and says why", async () => {
    const service = await startService();
    const running = await startFullSync();
    for (let number = 0; number < 50; number += 1)
      await running.sync.addConnection(
        {
          ...{ ...connectionDefaults, name: `${number}`, isEnabled: false },
          baseUrl: service.address,
        },
        service.key,
      );
    const { pin } = await pair(running, service.address);
    await service.v3.make("/screens/", { pin });
    await vi.waitUntil(
      async () =>
        (await pairingOf(running))?.problem?.includes("50 connections") ===
        true,
      pollOptions,
    );
    const [one] = running.sync.connections();
    await running.sync.removeConnection(one?.id ?? "", false);
    await vi.waitUntil(
      async () => (await pairingOf(running))?.state === "claimed",
      pollOptions,
    );
  });

  it("[V2-301] [V2-342] shows no PIN on the idle screen that is no longer valid", () => {
    let now = 0;
    const attached = createAttachedSync({
      ...{ onAttached: () => undefined, onPin: () => undefined },
      now: () => now,
    });
    const view = {
      ...{ baseUrl: "https://signs.example", state: "waiting" as const },
      ...{ pin: "ABC234", pinEndsAt: 1000, accountId: null, problem: null },
    };
    const extensions = {
      link: { pairing: () => view, onPairing: () => undefined },
    };
    attached.attachExtensions(extensions as never);
    expect(attached.pin()).toEqual({ pin: "ABC234", at: "signs.example" });
    now = 1000;
    expect(attached.pin()).toBeNull();
  });
});
