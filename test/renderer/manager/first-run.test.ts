// What the first run sets beside what was chosen: taken back with the choice, and nothing else.

import { describe, expect, it, vi } from "vitest";
import type { MachineRole } from "../../../server/contract/ipc.ts";
import { createOwnStart } from "../../../renderer/manager/first-run/own-start.ts";

/** Whether it starts with the machine after these were chosen, one as fast after the other as can be. */
async function startsAfter(
  isBefore: boolean,
  ...roles: readonly MachineRole[]
): Promise<boolean> {
  let answer = { start_with_machine: isBefore };
  const operate = (asked: { readonly body?: typeof answer }) => {
    answer = asked.body ?? answer;
    return Promise.resolve({ isDone: true, answer });
  };
  vi.stubGlobal("window", { manager: { operate } });
  const follow = createOwnStart();
  await Promise.all(roles.map(follow));
  return answer.start_with_machine;
}

describe("starting with the machine", () => {
  it("follows a screen, and is taken back with a choice that was made in passing", async () => {
    expect(await startsAfter(false, "screen")).toBe(true);
    expect(await startsAfter(false, "screen", "desk")).toBe(false);
    expect(await startsAfter(false, "both", "screen", "both")).toBe(false);
    expect(await startsAfter(false, "screen", "desk", "screen")).toBe(true);
  });

  it("stays as it was set before, whatever is chosen", async () => {
    expect(await startsAfter(true, "screen", "desk")).toBe(true);
    expect(await startsAfter(true, "desk")).toBe(true);
    expect(await startsAfter(false, "both", "desk")).toBe(false);
  });
});
