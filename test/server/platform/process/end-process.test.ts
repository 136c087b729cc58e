// Exit of a process: after its running work has stopped, and never much later.

import { expect, it, vi } from "vitest";
import { endAfter } from "../../../../server/platform/process/end-process.ts";

const exitOf = async (stopped: Promise<void>, timeoutMs = 60_000) => {
  const exit = vi.fn<(code: number) => void>();
  endAfter(stopped, { timeoutMs, exit });
  await vi.waitFor(() => expect(exit).toHaveBeenCalled());
  return exit.mock.calls;
};

it("a process exits when everything has stopped, with the result", async () => {
  expect(await exitOf(Promise.resolve())).toEqual([[0]]);
  expect(await exitOf(Promise.reject(new Error("stuck")))).toEqual([[1]]);
});

it("a process does not wait for what never stops", async () => {
  expect(await exitOf(new Promise(() => undefined), 1)).toEqual([[1]]);
});
