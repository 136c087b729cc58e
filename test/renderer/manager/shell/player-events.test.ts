// Which queries the manager refetches when the player reports a change.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const list = ["listPlaylists"] as const;

beforeEach(() => {
  vi.stubGlobal("navigator", { language: "en" });
  vi.stubGlobal("window", { localStorage: { getItem: () => null } });
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe("playlist queries", () => {
  it("are refetched once for several changes, and not before every step is answered", async () => {
    const { createSteps } =
      await import("../../../../renderer/manager/shell/player-events.ts");
    const { noteChange } =
      await import("../../../../renderer/manager/api/operations.ts");
    const reported: (readonly string[])[] = [];
    const steps = createSteps(300, (operations) => reported.push(operations));
    let answer = (): void => undefined;
    void noteChange(new Promise<void>((resolve) => (answer = resolve)));
    steps.note(list);
    steps.note([...list, "readWhy"]);
    steps.note([]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(reported).toEqual([]);
    answer();
    await vi.advanceTimersByTimeAsync(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(reported).toEqual([["listPlaylists", "readWhy"]]);
    steps.note(list);
    steps.stop();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(reported).toHaveLength(1);
  });
});
