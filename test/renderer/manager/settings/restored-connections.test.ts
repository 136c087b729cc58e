// Effect of a restore on the connections.

import { describe, expect, it } from "vitest";
import { restoredConnections } from "../../../../renderer/manager/settings/backup/restored-connections.ts";

const here = {
  ...{ account_id: "a", name: "Office", kind: "cloud" as const },
  ...{ base_url: "https://one.example/api", is_enabled: true },
  token_storage: "sealed" as const,
};
const then = {
  ...{ id: "a", name: "Office", origin: "https://one.example" },
  isEnabled: true,
};
const nothing = { now: 0, then: 0, ended: [], needingToken: [] };

describe("connections after a restore", () => {
  it("[V2-202] need no token where the present one was issued for their host, and need one anywhere else", () => {
    expect(restoredConnections([here], [then])).toEqual({
      ...{ ...nothing, now: 1, then: 1 },
    });
    const elsewhere = { ...here, base_url: "https://two.example" };
    const lost = { ...here, token_storage: null };
    for (const one of [elsewhere, lost, { ...here, account_id: "b" }])
      expect(restoredConnections([one], [then]).needingToken).toEqual([
        "Office",
      ]);
  });

  it("[V2-385] do not include offline bundles", () => {
    const plan = { ...here, kind: "plan" as const, is_enabled: false };
    expect(restoredConnections([plan], [])).toEqual(nothing);
  });

  it("are connected, and need a token, only where they are enabled", () => {
    const off = { ...then, isEnabled: false };
    expect(restoredConnections([], [off])).toEqual(nothing);
    expect(restoredConnections([here], [off])).toEqual({
      ...{ ...nothing, now: 1, ended: ["Office"] },
    });
    expect(
      restoredConnections([{ ...here, is_enabled: false }], [off]),
    ).toEqual(nothing);
    expect(restoredConnections([{ ...here, is_enabled: false }], [])).toEqual({
      ...{ ...nothing, ended: ["Office"] },
    });
  });
});
