// Classification of disk errors: full (also of a quota), not writable, or something else.

import { expect, it } from "vitest";
import { diskRefusalOf } from "../../../server/platform/outside-error.ts";
import { toRemoteError } from "../../../server/player/sync/remote/remote-error.ts";

const errorOf = (code: string): Error => Object.assign(new Error(), { code });

it.each([
  ["ENOSPC", "full", "no-space"],
  ["EDQUOT", "full", "no-space"],
  ["EROFS", "unwritable", "read-only"],
  ["EIO", "unwritable", "read-only"],
] as const)("%s of a disk means that it is %s", (code, refusal, expected) => {
  expect(diskRefusalOf(errorOf(code))).toBe(refusal);
  expect(toRemoteError(errorOf(code), "")).toMatchObject({ code: expected });
});

it("an error that is not a disk's is not classified", () => {
  expect(diskRefusalOf(errorOf("ECONNRESET"))).toBeNull();
  expect(diskRefusalOf("ENOSPC")).toBeNull();
});
