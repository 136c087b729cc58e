// Ends of helper processes: those that the app caused are told apart from faults.

import { expect, it } from "vitest";
import { createProcessEnds } from "../../../electron/hosting/process-ends.ts";

const killed = { name: "Vitrine media", reason: "killed" };

it("takes each end that the app caused once, and no other", () => {
  const ends = createProcessEnds("Vitrine media");
  expect(ends.take(killed)).toBe(false);
  ends.add();
  expect(ends.take({ ...killed, name: "Audio Service" })).toBe(false);
  expect(ends.take({ ...killed, reason: "crashed" })).toBe(false);
  expect(ends.take(killed)).toBe(true);
  expect(ends.take(killed)).toBe(false);
});
