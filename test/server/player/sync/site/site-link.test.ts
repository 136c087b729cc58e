// Paired players that share files: with the keys of the real content service, and as its operators see it.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, describe, it, vi } from "vitest";
import { oneService } from "../../../../support/content/one-service.ts";
import { png } from "../../../../support/media/media.ts";
import { pollOptions } from "../../../../support/sync/outbox.ts";
import { claimed } from "../../../../support/sync/pairing.ts";
import { siteNetwork } from "../../../../support/sync/site-players.ts";
import {
  startFullSync,
  type RunningFullSync,
} from "../../../../support/sync/start-full-sync.ts";
import type { SyncV2 } from "../../../../../server/contract/v2/v2-sync.ts";

const startService = oneService();

async function siteOf(
  running: RunningFullSync,
): Promise<SyncV2["accounts"][number]["site"]> {
  const answer = await running.request("/sync");
  const { accounts } = (await answer.json()) as SyncV2;
  return accounts[0]?.site ?? null;
}

describe("paired players", () => {
  it("[L-55] [V2-820] [V2-829] share files as soon as it is turned on, and report how many came from each other", async () => {
    const service = await startService();
    const network = await siteNetwork();
    const switched: (() => void)[] = [];
    let isOn = false;
    const players: RunningFullSync[] = [];
    for (let n = 0; n < 2; n += 1) {
      const running = await startFullSync({
        sync: {
          site: {
            ...network.next(),
            isOn: () => isOn,
            onSwitched: (listener) => {
              switched.push(listener);
              return () => undefined;
            },
          },
        },
      });
      const { connectionId } = await claimed(
        ...([running, service.address, service.v3] as const),
      );
      await running.sync.changeConnection(connectionId, {
        allAssets: "library",
      });
      players.push(running);
    }
    expect(await Promise.all(players.map(siteOf))).toEqual([null, null]);
    isOn = true;
    for (const listener of switched) listener();
    await vi.waitUntil(
      async () =>
        (await Promise.all(players.map(siteOf))).every(
          (site) => site?.players === 1,
        ),
      pollOptions,
    );
    for (const title of ["one", "two", "three"])
      await service.upload(png([title.length, 7, 9]), { title });
    await vi.waitUntil(async () => {
      const sites = await Promise.all(players.map(siteOf));
      const from = sites.reduce(
        (sum, site) => sum + (site?.files_from_players ?? 0),
        0,
      );
      const lists = await Promise.all(players.map((one) => one.list()));
      return from > 0 && lists.every((list) => list.length === 3);
    }, pollOptions);
    isOn = false;
    for (const listener of switched) listener();
    await vi.waitUntil(
      async () =>
        (await Promise.all(players.map(siteOf))).every((site) => site === null),
      pollOptions,
    );
  });

  it("[L-56] share nothing more once their screen was deleted", async () => {
    const service = await startService();
    const network = await siteNetwork();
    const running = await startFullSync({ sync: { site: network.next() } });
    const { screenId } = await claimed(running, service.address, service.v3);
    await vi.waitUntil(
      async () => (await siteOf(running)) !== null,
      pollOptions,
    );
    await service.v3.call("DELETE", `/screens/${screenId}/`);
    await vi.waitUntil(
      async () => (await siteOf(running)) === null,
      pollOptions,
    );
  });

  it("[L-55] keep the keys in memory only", async () => {
    const service = await startService();
    const network = await siteNetwork();
    const given: string[] = [];
    const running = await startFullSync({ sync: { site: network.next() } });
    const { sharing } = running.sync;
    if (sharing === null) throw new Error("nothing is shared");
    const setKeys = vi.spyOn(sharing, "setKeys");
    await claimed(running, service.address, service.v3);
    await vi.waitUntil(() => setKeys.mock.calls.length > 0, pollOptions);
    for (const [, keys] of setKeys.mock.calls)
      given.push(...keys.map(({ secret }) => secret));
    expect(given.length).toBeGreaterThan(0);
    const names = await readdir(running.dataDir, { recursive: true });
    const contents = await Promise.all(
      names.map((name) =>
        readFile(path.join(running.dataDir, name), "latin1").catch(() => ""),
      ),
    );
    for (const secret of given)
      expect(contents.some((text) => text.includes(secret))).toBe(false);
  });
});
