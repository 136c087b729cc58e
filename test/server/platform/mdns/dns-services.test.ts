// Services announced and found by multicast DNS, with real sockets on the loopback interface.

import { createSocket } from "node:dgram";
import { describe, expect, it, vi } from "vitest";
import { createLog, type Log } from "../../../../server/platform/log.ts";
import {
  announceService,
  type Announcer,
  type DnsService,
} from "../../../../server/platform/mdns/announce-service.ts";
import {
  browseServices,
  type SeenService,
} from "../../../../server/platform/mdns/browse-services.ts";
import { openMulticast } from "../../../../server/platform/mdns/multicast.ts";
import { afterThisTest } from "../../../support/after-this-test.ts";
import {
  loopbackNetwork,
  type LoopbackNetwork,
} from "../../../support/machine/loopback-network.ts";

const log = createLog({ toStandardOutput: false });
const type = "_vitrine-player._tcp";

function countingLog(): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = [];
  const note = (event: string): void => void lines.push(event);
  return {
    lines,
    log: { ...log, warn: note, error: note, info: note, debug: note },
  };
}

function announce(
  network: LoopbackNetwork,
  service: () => DnsService | null,
): Announcer {
  const announcer = announceService({ ...network, log, service });
  afterThisTest(announcer.stop);
  return announcer;
}

function browse(network: LoopbackNetwork, given = log) {
  const seen: SeenService[] = [];
  const browser = browseServices({
    ...{ ...network, log: given, types: [type] },
    onSeen: (service) => seen.push(service),
  });
  afterThisTest(browser.stop);
  return { seen, browser };
}

describe("multicast DNS", () => {
  it("[V2-762] finds a service that was there before, with its values and one address", async () => {
    const network = await loopbackNetwork();
    announce(network, () => ({ type, port: 8080, values: { name: "Foyer" } }));
    const { seen, browser } = browse(network);
    await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0));
    expect(seen[0]).toMatchObject({
      ...{ type, port: 8080, from: "127.0.0.1", ttlSeconds: 120 },
      ...{ addresses: ["127.0.0.1"], values: new Map([["name", "Foyer"]]) },
    });
    expect(seen[0]?.instance).toMatch(/^vitrine-[0-9a-f]{12}$/);
    expect(browser.problem()).toBeNull();
  });

  it("[V2-763] announces a change, and takes leave", async () => {
    const network = await loopbackNetwork();
    const { seen } = browse(network);
    let service: DnsService | null = null;
    const announcer = announce(network, () => service);
    service = { type, port: 0, values: { pairing: "waiting" } };
    announcer.update();
    await vi.waitFor(() => expect(seen.at(-1)?.port).toBe(0));
    service = { type, port: 0, values: { pairing: "none" } };
    announcer.update();
    await vi.waitFor(() =>
      expect(seen.at(-1)?.values.get("pairing")).toBe("none"),
    );
    service = null;
    announcer.update();
    await vi.waitFor(() => expect(seen.at(-1)?.ttlSeconds).toBe(0));
    // Announced once more after that, and taking leave as it stops.
    service = { type, port: 1, values: {} };
    announcer.update();
    await vi.waitFor(() => expect(seen.at(-1)?.ttlSeconds).toBe(120));
    await announcer.stop();
    await vi.waitFor(() => expect(seen.at(-1)?.ttlSeconds).toBe(0));
  });

  it("[V2-764] survives packets that are broken, huge or empty, and logs none of them", async () => {
    const network = await loopbackNetwork();
    const { log: counted, lines } = countingLog();
    const announcer = announce(network, () => ({ type, port: 1, values: {} }));
    await vi.waitFor(() => expect(network.received.length).toBeGreaterThan(0));
    const [whole = new Uint8Array()] = network.received;
    await announcer.stop();
    const { seen } = browse(network, counted);
    const broken = [
      // Fewer than are read in a second.
      ...Array.from({ length: 90 }, (_, n) =>
        whole.slice(0, Math.floor((n * whole.length) / 90)),
      ),
      // A name that points at itself.
      Uint8Array.of(0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0xc0, 12, 0, 16),
      new Uint8Array(5_000).fill(0xff),
    ];
    for (const bytes of broken) await network.send(bytes);
    await network.send(whole);
    await vi.waitFor(() => expect(seen.at(-1)?.ttlSeconds).toBe(120));
    expect(lines).toEqual([]);
  });

  it("[V2-767] logs once that there is no network, and finds one that appears later", async () => {
    const network = await loopbackNetwork();
    const { log: counted, lines } = countingLog();
    let addresses: readonly string[] = ["192.0.2.1"];
    let checks = 0;
    const options = {
      ...{ ...network, checkMs: 5 },
      addresses: () => {
        checks += 1;
        return addresses;
      },
    };
    const seen: SeenService[] = [];
    const browser = browseServices({
      ...{ ...options, log: counted, types: [type] },
      onSeen: (service) => seen.push(service),
    });
    afterThisTest(browser.stop);
    announce(network, () => ({ type, port: 1, values: {} }));
    await vi.waitFor(() => expect(browser.problem()).toContain("192.0.2.1"));
    // Many checks later it is still one line.
    await vi.waitFor(() => expect(checks).toBeGreaterThan(20));
    expect(lines).toEqual(["discovery.network-failed"]);
    addresses = ["127.0.0.1"];
    await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0));
    await vi.waitFor(() => expect(browser.problem()).toBeNull());
    addresses = [];
    await vi.waitFor(() =>
      expect(browser.problem()).toContain("not connected"),
    );
  });

  // Windows shares a port with every program that requests it.
  const here = it.runIf(process.platform !== "win32");
  here(
    "[V2-767] does without the port that another program has for itself, until it is free",
    async () => {
      const other = createSocket({ type: "udp4", reuseAddr: false });
      await new Promise<void>((resolve) => other.bind(0, resolve));
      const { port } = other.address();
      const { log: counted, lines } = countingLog();
      const multicast = openMulticast({
        ...{ log: counted, port, checkMs: 5, addresses: () => ["127.0.0.1"] },
        ...{ isNear: () => true, onPacket: () => undefined },
        onNetwork: () => lines.push("network"),
      });
      afterThisTest(multicast.close);
      await vi.waitFor(() =>
        expect(multicast.problem()).toContain("EADDRINUSE"),
      );
      await new Promise<void>((resolve) => other.close(resolve));
      await vi.waitFor(() => expect(lines).toContain("network"));
      expect(lines).toEqual(["discovery.network-failed", "network"]);
      expect(multicast.problem()).toBeNull();
    },
  );

  it("[V2-767] survives a system that does not list its networks", () => {
    const multicast = openMulticast({
      ...{ log, isNear: () => true, onPacket: () => undefined },
      ...{ onNetwork: () => undefined },
      addresses: () => {
        throw new Error("not permitted");
      },
    });
    afterThisTest(multicast.close);
    expect(multicast.problem()).toContain("not connected");
  });
});
