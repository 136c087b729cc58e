// The list of what was found in the network: bounded, and sceptical of each announcement.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../support/fuzz/any-character.ts";
import { isNearAddress } from "../../../../server/contract/discovery/announcement.ts";
import {
  listedIn,
  nearbyLimits,
  nothingNearby,
  withoutEnded,
  withSighting,
  type Nearby,
  type NearbyList,
  type Sighting,
} from "../../../../server/contract/discovery/nearby-list.ts";

function sighting(given: Partial<Sighting> = {}): Sighting {
  return {
    ...{ instance: "vitrine-1", port: 8080, from: "192.168.1.5" },
    ...{ values: new Map([["name", "Foyer"]]), addresses: [] },
    ...{ ttlSeconds: 120, ...given },
  };
}

function after(
  sightings: readonly Sighting[],
  nowMs = 0,
  list: NearbyList = nothingNearby,
): NearbyList {
  return sightings.reduce(
    (now, each) => withSighting(now, each, nowMs, isNearAddress),
    list,
  );
}

function isFine({ id, name, address, port, publicUrl }: Nearby): boolean {
  return (
    isNearAddress(address) &&
    /^[a-z0-9-]{1,63}$/.test(id) &&
    !/[\p{C}\p{Zl}\p{Zp}]/u.test(name ?? "") &&
    [...(name ?? "")].length <= 60 &&
    (port ?? 0) <= 65_535 &&
    (publicUrl === null || URL.canParse(publicUrl))
  );
}

const ids = (list: NearbyList): readonly string[] =>
  listedIn(list).map(({ id }) => id);

describe("what is nearby", () => {
  it("[V2-764] is listed until its time is over, at most two minutes", () => {
    const list = after([sighting({ ttlSeconds: 2 ** 31 })]);
    expect(ids(withoutEnded(list, 119_999))).toEqual(["vitrine-1"]);
    expect(ids(withoutEnded(list, 120_000))).toEqual([]);
    const renewed = after([sighting()], 60_000, list);
    expect(ids(withoutEnded(renewed, 179_999))).toEqual(["vitrine-1"]);
  });

  it("[V2-764] leaves when it says so itself, not when another says so", () => {
    const list = after([sighting()]);
    const leave = { ttlSeconds: 0, from: "192.168.1.66" };
    expect(ids(after([sighting(leave)], 0, list))).toEqual(["vitrine-1"]);
    expect(ids(after([sighting({ ttlSeconds: 0 })], 0, list))).toEqual([]);
  });

  it("[V2-764] is not changed by another sender under its name, until it falls silent", () => {
    const list = after([sighting()]);
    const other = sighting({
      ...{ from: "192.168.1.66", values: new Map([["name", "Fake"]]) },
    });
    expect(listedIn(after([other], 60_000, list))[0]).toMatchObject({
      ...{ name: "Foyer", address: "192.168.1.5" },
    });
    expect(listedIn(after([other], 120_000, list))[0]?.name).toBe("Fake");
  });

  it("[V2-764] is listed once when it was killed and started again", () => {
    const list = after([sighting(), sighting({ instance: "vitrine-2" })]);
    expect(ids(list)).toEqual(["vitrine-2"]);
  });

  it("[V2-764] is not replaced by a stranger who names its address", () => {
    const stranger = sighting({
      ...{ instance: "vitrine-2", from: "192.168.1.66" },
      addresses: ["192.168.1.5"],
    });
    expect(ids(after([sighting(), stranger]))).toEqual(["vitrine-1"]);
  });

  it("[V2-765] has the address that it came from, if the announcement names it", () => {
    const addresses = ["192.168.1.5", "10.0.0.7"];
    expect(listedIn(after([sighting({ addresses })]))[0]).toMatchObject({
      ...{ address: "192.168.1.5", isDirect: true },
    });
    // Passed on by a router.
    const passedOn = sighting({ addresses, from: "10.9.9.1" });
    expect(listedIn(after([passedOn]))[0]).toMatchObject({
      ...{ address: "192.168.1.5", isDirect: false },
    });
  });

  it.each([
    ["a public sender", { from: "8.8.8.8" }],
    [
      "public addresses",
      { from: "8.8.8.8", addresses: ["8.8.8.8", "1.1.1.1"] },
    ],
    ["its own machine", { from: "127.0.0.1" }],
    ["no address", { from: "", addresses: ["x"] }],
    ["a name with other characters", { instance: "a\u202Eb" }],
    ["a name that is too long", { instance: "a".repeat(64) }],
    ["an impossible port", { port: 70_000 }],
  ])("[V2-764] [V2-765] is not listed with %s", (_what, given) => {
    expect(after([sighting(given)]).size).toBe(0);
  });

  it("[V2-764] a flood displaces nothing, neither from one address nor from many", () => {
    const mine = sighting({ from: "10.0.0.1", instance: "mine" });
    const flood = (from: (n: number) => string) =>
      Array.from({ length: 1_000 }, (_, n) =>
        sighting({ from: from(n), instance: `x-${n}`, port: 1 + n }),
      );
    const one = after([mine, ...flood(() => "10.0.0.66")]);
    expect(one.size).toBe(1 + nearbyLimits.fromOneAddress);
    const many = after([mine, ...flood((n) => `10.1.${n >> 8}.${n & 255}`)]);
    expect(many.size).toBe(nearbyLimits.listed);
    expect(ids(many)).toContain("mine");
    // Once they fall silent there is room again.
    const later = after([sighting()], 120_000, many);
    expect(ids(later)).toEqual(["vitrine-1"]);
  });

  it("lists those that wait first, then by name", () => {
    const named = (name: string, n: number, pairing = "none") =>
      sighting({
        ...{ instance: `v-${n}`, from: `10.0.0.${n}` },
        values: new Map(Object.entries({ name, pairing })),
      });
    const list = after([
      ...[named("B", 1), named("A", 2), named("Z", 3, "waiting")],
    ]);
    expect(listedIn(list).map(({ name }) => name)).toEqual(["Z", "A", "B"]);
  });

  it("[V2-764] stays within its limits whatever arrives, in any order", () => {
    const texts = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 80 }),
      fc.constantFrom("waiting", "https://x.example", "1", "\u202E"),
    );
    const addresses = fc.oneof(
      fc.ipV4(),
      fc.nat(20).map((n) => `10.0.0.${n}`),
    );
    const arriving = fc.record({
      instance: fc.oneof(
        fc.nat(400).map((n) => `v-${n}`),
        texts,
      ),
      port: fc.oneof(fc.nat(70_000), fc.constantFrom(0, 8080)),
      values: fc
        .array(
          fc.tuple(
            fc.constantFrom("name", "version", "pairing", "tls", "url"),
            texts,
          ),
          { maxLength: 6 },
        )
        .map((pairs) => new Map(pairs)),
      addresses: fc.array(addresses, { maxLength: 4 }),
      from: addresses,
      ttlSeconds: fc.oneof(fc.constantFrom(0, 1, 120), fc.integer()),
      laterMs: fc.nat(30_000),
    });
    fc.assert(
      fc.property(fc.array(arriving, { maxLength: 40 }), (arrived) => {
        let list = nothingNearby;
        let nowMs = 0;
        const wrong: unknown[] = [];
        for (const { laterMs, ...each } of arrived) {
          nowMs += laterMs;
          const before = list.size;
          list = withSighting(list, each, nowMs, isNearAddress);
          // A leave removes one at most.
          if (each.ttlSeconds <= 0 && list.size < before - 1) wrong.push(each);
          wrong.push(
            ...[...list.values()]
              .filter(({ endsAtMs }) => endsAtMs > nowMs + 120_000)
              .map(({ nearby }) => nearby),
          );
        }
        const listed = listedIn(withoutEnded(list, nowMs));
        wrong.push(...listed.filter((nearby) => !isFine(nearby)));
        expect(wrong).toEqual([]);
        expect(listed.length).toBeLessThanOrEqual(nearbyLimits.listed);
      }),
      { seed: 31, numRuns: 30 },
    );
  });
});
