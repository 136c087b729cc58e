// The code of a failure for the status of a response that states none.

import { expect, it } from "vitest";
import { rejectionCode } from "../../../server/contract/code-of-status.ts";

it.each([
  [404, "not-found"],
  [503, "unavailable"],
  // A proxy in between.
  [502, "unavailable"],
  [504, "unavailable"],
  [500, "internal"],
  [405, "internal"],
] as const)("takes the status %i as %s", (status, code) => {
  expect(rejectionCode(status)).toBe(code);
});
