// Failed attempts: which addresses count as one client, and how long they are remembered.

import { describe, expect, it } from "vitest";
import {
  createAttempts,
  networkOf,
} from "../../../server/platform/failed-sign-ins.ts";

describe("failed attempts", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::9", "2001:db8:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
  ])("[V2-62] count %s as %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it("[V2-62] are forgotten a quarter of an hour after the first", () => {
    let moment = 0;
    const attempts = createAttempts(() => moment);
    attempts.note("a");
    moment = 899_999;
    expect(attempts.note("a")).toEqual({ count: 2, secondsLeft: 1 });
    expect(attempts.note("b").count).toBe(1);
    moment = 900_000;
    expect(attempts.note("a")).toEqual({ count: 1, secondsLeft: 900 });
  });

  it("are remembered for ten thousand clients at most", () => {
    const attempts = createAttempts(() => 0);
    for (let place = 0; place <= 10_000; place += 1)
      attempts.note(String(place));
    expect(attempts.note("10000").count).toBe(2);
    expect(attempts.note("0").count).toBe(1);
  });
});
