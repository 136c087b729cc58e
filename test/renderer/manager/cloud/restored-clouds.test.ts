// What a restore means for the clouds that are followed.

import { describe, expect, it } from "vitest";
import { restoredClouds } from "../../../../renderer/manager/settings/restored-clouds.ts";

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

describe("clouds after a restore", () => {
  it("[V2-202] want no token where the one that is here was given for their host, and want it anywhere else", () => {
    expect(restoredClouds([here], [then])).toEqual({
      ...{ ...nothing, now: 1, then: 1 },
    });
    const elsewhere = { ...here, base_url: "https://two.example" };
    const lost = { ...here, token_storage: null };
    for (const one of [elsewhere, lost, { ...here, account_id: "b" }])
      expect(restoredClouds([one], [then]).needingToken).toEqual(["Office"]);
  });

  it("[V2-385] are none where they are plans from a stick", () => {
    const plan = { ...here, kind: "plan" as const, is_enabled: false };
    expect(restoredClouds([plan], [])).toEqual(nothing);
  });

  it("are followed, and want a token, where they are switched on alone", () => {
    const off = { ...then, isEnabled: false };
    expect(restoredClouds([], [off])).toEqual(nothing);
    expect(restoredClouds([here], [off])).toEqual({
      ...{ ...nothing, now: 1, ended: ["Office"] },
    });
    expect(restoredClouds([{ ...here, is_enabled: false }], [off])).toEqual(
      nothing,
    );
    expect(restoredClouds([{ ...here, is_enabled: false }], [])).toEqual({
      ...{ ...nothing, ended: ["Office"] },
    });
  });
});
