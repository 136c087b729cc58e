// Sites that aren't one network with one screen on each PC and one clock: several networks, several connections, and wrong clocks.

import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { systemClock } from "../../../../../server/platform/clock.ts";
import { createLog } from "../../../../../server/platform/log.ts";
import { createSiteSharing } from "../../../../../server/player/sync/site/site-sharing.ts";
import { afterThisTest } from "../../../../support/after-this-test.ts";
import { cloudImage } from "../../../../support/faulty-service/faulty-service.ts";
import { pollOptions } from "../../../../support/sync/outbox.ts";
import {
  newSiteKey,
  siteNetwork,
  startSiteService,
  startSitePlayer,
  type SiteNetwork,
  type SitePlayer,
} from "../../../../support/sync/site-players.ts";

const film = cloudImage("film", [1, 2, 3], 300_000);

function knows(player: SitePlayer, count: number): Promise<boolean> {
  return vi.waitUntil(() => player.counts()?.players === count, pollOptions);
}

/** Of a player in a network in which only these other addresses are near. */
function among(network: SiteNetwork, others: readonly string[]) {
  const options = network.next();
  return {
    ...options,
    network: {
      ...options.network,
      isNear: (address: string) =>
        address === options.from || others.includes(address),
    },
  };
}

describe("players of a site", () => {
  it("[V2-817] pass a file on from one network of a PC to another one", async () => {
    const cloud = await startSiteService([film]);
    const network = await siteNetwork();
    const key = newSiteKey();
    const [left, right] = [network.next(), network.next()];
    const between = await startSitePlayer(network, {
      site: {
        ...left,
        network: {
          ...left.network,
          addresses: () => [left.from, right.from],
          isNear: (address) => address.startsWith("127."),
        },
      },
    });
    const players: SitePlayer[] = [];
    for (const { from } of [left, right])
      players.push(
        await startSitePlayer(network, { site: among(network, [from]) }),
      );
    for (const one of [between, ...players])
      await one.join({ baseUrl: cloud.address }, [key]);
    for (const one of players) await knows(one, 1);
    // One after the other: from the first network through the PC to the second.
    const [first, second] = players;
    for (const one of [first, between, second]) await one?.syncAll();
    expect(cloud.fileRequests("film")).toHaveLength(1);
    expect(second?.counts()?.filesFromPlayers).toBe(1);
  });

  it("[V2-817] listen at one port in all networks, and at another one if it is taken in any", async () => {
    const network = await siteNetwork();
    const { from, ...options } = network.next();
    const second = network.next().from;
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, second, resolve));
    afterThisTest(() => new Promise((resolve) => taken.close(resolve)));
    const { port } = taken.address() as AddressInfo;
    const listening = new Map<unknown, unknown>();
    const log = createLog({ toStandardOutput: false });
    const sharing = createSiteSharing({
      ...{ ...options, from, port, clock: systemClock, here: () => null },
      network: {
        ...options.network,
        addresses: () => [from, second],
        isNear: () => true,
      },
      hasConnection: () => true,
      log: {
        ...log,
        info: (_event, fields) =>
          listening.set(fields?.["host"], fields?.["port"]),
      },
    });
    afterThisTest(sharing.stop);
    sharing.start();
    sharing.setKeys("screen", [newSiteKey()]);
    await vi.waitUntil(() => listening.size === 2, pollOptions);
    expect(new Set(listening.values()).size).toBe(1);
    expect(listening.get(second)).not.toBe(port);
  });

  it("[V2-818] that are several screens of one team share the files of each, and those of another team with that one alone", async () => {
    const clouds = [];
    for (const id of ["one", "two", "three"])
      clouds.push(await startSiteService([cloudImage(id, [7, 8, 9], 300_000)]));
    const network = await siteNetwork();
    const [team, otherTeam] = [newSiteKey(), newSiteKey()];
    const keys = [team, team, otherTeam];
    const several = await startSitePlayer(network);
    for (const [n, { address }] of clouds.entries())
      await several.join({ baseUrl: address }, [keys[n] ?? team]);
    for (const { id } of several.sync.connections())
      await several.sync.changeConnection(id, { isEnabled: true });
    await vi.waitUntil(
      () =>
        several.sync.status().length === 3 &&
        several.sync.status().every(({ isInSync }) => isInSync === true),
      pollOptions,
    );
    for (const [n, { address }] of clouds.entries()) {
      // The last file belongs to the other team: with the key of this one, it is not there.
      const player = await startSitePlayer(network);
      await player.join({ baseUrl: address }, [team]);
      await knows(player, 1 + n);
      await player.syncAll();
      expect(player.counts()?.filesFromPlayers).toBe(n < 2 ? 1 : 0);
    }
    const player = await startSitePlayer(network);
    await player.join({ baseUrl: clouds[2]?.address ?? "" }, [otherTeam]);
    await knows(player, 1);
    await player.syncAll();
    expect(player.counts()?.filesFromPlayers).toBe(1);
    expect(
      clouds.map(
        (cloud, n) =>
          cloud.fileRequests(["one", "two", "three"][n] ?? "").length,
      ),
    ).toEqual([1, 1, 2]);
  });

  it("[V2-822] know each other whatever their clocks show", async () => {
    const cloud = await startSiteService([film]);
    const network = await siteNetwork();
    const key = newSiteKey();
    const players: SitePlayer[] = [];
    for (const year of [1970, 2026, 2099]) {
      const offset = Date.UTC(year, 5) - systemClock.now();
      const clock = { ...systemClock, now: () => systemClock.now() + offset };
      const player = await startSitePlayer(network, {
        ...{ player: { clock }, sync: { clock } },
      });
      await player.join({ baseUrl: cloud.address }, [key]);
      players.push(player);
    }
    for (const player of players) await knows(player, 2);
    for (const player of players) await player.syncAll();
    expect(cloud.fileRequests("film")).toHaveLength(1);
    expect(players.map((one) => one.counts()?.filesFromPlayers)).toEqual([
      ...[0, 1, 1],
    ]);
  });
});
