// Players and content services in the network of this PC, as the manager gets them: real multicast on the loopback interface.

import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { describe, expect, it, vi } from "vitest";
import {
  nearbyCalls,
  type NearbyCallsOptions,
} from "../../../../electron/manager/nearby/manager-nearby.ts";
import { createNearbySearch } from "../../../../electron/manager/nearby/nearby-search.ts";
import { createPlayerStates } from "../../../../electron/manager/nearby/player-states.ts";
import { announceContent } from "../../../../server/content/announce-content.ts";
import type { Nearby } from "../../../../server/contract/discovery/nearby-list.ts";
import { createLog } from "../../../../server/platform/log.ts";
import { announcePlayer } from "../../../../server/player/announce-player.ts";
import { afterThisTest } from "../../../support/after-this-test.ts";
import { testCertificate, testKey } from "../../../support/http/certificate.ts";
import {
  loopbackNetwork,
  type LoopbackNetwork,
} from "../../../support/machine/loopback-network.ts";

const log = createLog({ toStandardOutput: false });
const version = "0.1.0";

function callsIn(
  network: LoopbackNetwork,
  given: Partial<NearbyCallsOptions> = {},
) {
  const monotonic = (): number => performance.now();
  const search = createNearbySearch({ log, monotonic, network });
  afterThisTest(search.stop);
  return nearbyCalls({ isOff: false, log, search, ...given });
}

function announcePlayerIn(
  network: LoopbackNetwork,
  given: {
    reachable?: { port: number; isTls: boolean } | null;
    name?: string;
    isWaiting?: () => boolean;
  },
) {
  const { reachable = { port: 1, isTls: false }, name = "Foyer" } = given;
  const announcer = announcePlayer({
    ...{ version, log, networks: network, name: () => name },
    network: () => reachable,
    isWaiting: given.isWaiting ?? (() => false),
  });
  afterThisTest(announcer.stop);
  return announcer;
}

async function serve(
  listener: RequestListener,
  server: Server = createServer(listener),
): Promise<number> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  afterThisTest(
    () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  );
  return (server.address() as { port: number }).port;
}

describe("players nearby", () => {
  it("[V2-763] a player that listens to its own PC only is found while it waits to be paired, and not before or after", async () => {
    const network = await loopbackNetwork();
    const calls = callsIn(network);
    let isWaiting = false;
    const announcer = announcePlayerIn(network, {
      ...{ reachable: null, isWaiting: () => isWaiting },
    });
    announcePlayerIn(network, { name: "Open to the network" });
    await vi.waitFor(async () => {
      const { items } = await calls.listNearbyPlayers({});
      expect(items.map(({ name }) => name)).toEqual(["Open to the network"]);
    });
    isWaiting = true;
    announcer.update();
    await vi.waitFor(async () => {
      const { items } = await calls.listNearbyPlayers({});
      expect(items[0]).toMatchObject({
        ...{ name: "Foyer", isWaiting: true, version, state: "private" },
      });
    });
    isWaiting = false;
    announcer.update();
    await vi.waitFor(async () => {
      const { items } = await calls.listNearbyPlayers({});
      expect(items).toHaveLength(1);
    });
  });

  it.each<[string, RequestListener, { state: string; shown: string | null }]>([
    [
      "wants a token",
      (_request, response) => response.writeHead(401).end("{}"),
      { state: "sign-in", shown: null },
    ],
    [
      "tells what it plays",
      (request, response) => {
        const isInfo = request.url === "/api/v2/info";
        response.end(JSON.stringify(isInfo ? { viewlog: "Menu\u202E" } : {}));
      },
      { state: "open", shown: "Menu" },
    ],
    [
      "sends on to elsewhere",
      (_request, response) =>
        response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
      { state: "unreachable", shown: null },
    ],
    [
      "sends without end",
      (_request, response) => {
        response.on("error", () => undefined);
        const more = (): boolean => response.write("x".repeat(65_536), more);
        more();
      },
      { state: "unreachable", shown: null },
    ],
    [
      "is no player",
      (_request, response) => response.end("<html>"),
      { state: "unreachable", shown: null },
    ],
  ])(
    "[V2-766] has the state of one that %s",
    async (_what, listener, state) => {
      const network = await loopbackNetwork();
      const port = await serve(listener);
      announcePlayerIn(network, { reachable: { port, isTls: false } });
      const calls = callsIn(network);
      await vi.waitFor(async () => {
        const { items } = await calls.listNearbyPlayers({});
        expect(items[0]).toMatchObject(state);
      });
    },
  );

  it("[V2-766] has the state of one that uses HTTPS, with a certificate that nobody knows", async () => {
    const network = await loopbackNetwork();
    const pair = { cert: testCertificate, key: testKey };
    const listener: RequestListener = (_request, response) => {
      response.end(JSON.stringify({ viewlog: "Menu" }));
    };
    const port = await serve(listener, createTlsServer(pair, listener));
    announcePlayerIn(network, { reachable: { port, isTls: true } });
    const calls = callsIn(network);
    await vi.waitFor(async () => {
      const { items } = await calls.listNearbyPlayers({});
      expect(items[0]).toMatchObject({ state: "open", shown: "Menu" });
    });
  });

  it("[V2-766] asks each player now and then, four at once, and none that another announced", () => {
    const asked: string[] = [];
    let now = 0;
    const states = createPlayerStates({
      read: ({ address }) => {
        asked.push(address);
        return new Promise(() => undefined);
      },
      monotonic: () => now,
      onError: (error) => expect(error).toBeUndefined(),
    });
    const player = (n: number, isDirect = true): Nearby => ({
      ...{ id: `v-${n}`, address: `10.0.0.${n}`, port: 8080, isDirect },
      ...{ name: null, version: null, isWaiting: false, isTls: false },
      publicUrl: null,
    });
    const players = [
      player(9, false),
      ...Array.from({ length: 6 }, (_, n) => player(n)),
    ];
    for (let turn = 0; turn < 3; turn += 1) states.of(players);
    expect(asked).toEqual(["10.0.0.0", "10.0.0.1", "10.0.0.2", "10.0.0.3"]);
    now = 60_000;
    expect(states.of(players).get("v-9")?.state).toBe("checking");
    expect(asked).toHaveLength(4);
  });

  it("[V2-762] nothing is sent or opened when discovery is off", async () => {
    const network = await loopbackNetwork();
    const calls = callsIn(network, { isOff: true });
    const off = { items: [], isOff: true, problem: null };
    expect(await calls.listNearbyPlayers({})).toEqual(off);
    expect(await calls.listNearbyServices({})).toEqual(off);
    await expect(
      Promise.resolve(calls.pickNearbyService({ id: "x" })),
    ).rejects.toMatchObject({ code: "not-found" });
    expect(network.received).toEqual([]);
  });

  it("[V2-762] the search ends when nobody has asked for a while", async () => {
    const network = await loopbackNetwork();
    const search = createNearbySearch({
      ...{ log, network, monotonic: () => performance.now(), leaseMs: 200 },
    });
    afterThisTest(search.stop);
    announcePlayerIn(network, {});
    await vi.waitFor(() =>
      expect(search.read("player").found.length).toBeGreaterThan(0),
    );
    const [found] = search.read("player").found;
    await vi.waitFor(() =>
      expect(search.find("player", found?.id ?? "")).toBeNull(),
    );
  });
});

describe("content services nearby", () => {
  const config = { host: "0.0.0.0", behindProxy: true, noDiscovery: false };

  async function found(
    given: Partial<Parameters<typeof announceContent>[0]>,
    resolve?: NearbyCallsOptions["resolve"],
  ) {
    const network = await loopbackNetwork();
    const announcer = announceContent({
      ...{ ...config, port: 8090, version, log, network },
      ...{ tlsCert: undefined, publicUrl: undefined, ...given },
    });
    afterThisTest(announcer.stop);
    const calls = callsIn(network, resolve && { resolve });
    return { network, calls };
  }

  async function onlyOne(calls: ReturnType<typeof callsIn>) {
    const { items } = await calls.listNearbyServices({});
    expect(items).toHaveLength(1);
    return items[0];
  }

  it("[L-57] [V2-769] are listed with the address at which they listen", async () => {
    const { calls } = await found({ tlsCert: "/cert.pem" });
    const service = await vi.waitFor(() => onlyOne(calls));
    expect(service).toMatchObject({
      ...{ address: "https://127.0.0.1:8090", version },
    });
    expect(await calls.pickNearbyService({ id: service?.id ?? "" })).toEqual({
      address: "https://127.0.0.1:8090",
    });
  });

  it.each<[string, readonly string[], string | null]>([
    ["a private address", ["192.168.1.9", "fd00::9"], null],
    ["a public address", ["192.168.1.9", "93.184.216.34"], "forbidden"],
    ["a public IPv6 address", ["2606:2800::1"], "forbidden"],
    ["nowhere", [], "unavailable"],
  ])("[V2-769] a name that leads to %s", async (_what, addresses, code) => {
    const publicUrl = "https://content.example.lan:8443";
    const { calls } = await found({ publicUrl }, async () => addresses);
    const service = await vi.waitFor(() => onlyOne(calls));
    expect(service?.address).toBe(publicUrl);
    const picked = Promise.resolve(
      calls.pickNearbyService({ id: service?.id ?? "" }),
    );
    if (code === null) expect(await picked).toEqual({ address: publicUrl });
    else await expect(picked).rejects.toMatchObject({ code });
  });

  it.each([
    ["to its own PC only", { host: "127.0.0.1", behindProxy: false }],
    ["behind a proxy whose address it does not know", { host: "127.0.0.1" }],
    ["with discovery switched off", { noDiscovery: true }],
  ])(
    "[L-57] [L-59] are not announced when listening %s",
    async (_what, given) => {
      const { network, calls } = await found(given);
      const other = announceContent({
        ...{ ...config, port: 8091, version, log, network },
        ...{ tlsCert: undefined, publicUrl: undefined },
      });
      afterThisTest(other.stop);
      const service = await vi.waitFor(() => onlyOne(calls));
      expect(service?.address).toBe("http://127.0.0.1:8091");
    },
  );
});
