// Stage: a fault of its own ends the showing, not the player's wait for it.

import { expect, it, vi } from "vitest";
import type { ShowingReport } from "../../../server/contract/ipc/ipc.ts";

const fault = vi.hoisted(() => ({ ofRest: null as Error | null }));

vi.mock("../../../renderer/playback/layer.ts", () => ({
  createLayer: () => ({
    element: {
      classList: { add: () => undefined, remove: () => undefined },
    },
    release: () => undefined,
    rest: () => {
      if (fault.ofRest) throw fault.ofRest;
    },
  }),
}));
vi.mock("../../../renderer/playback/cross-fade.ts", () => ({}));

it("reports a showing as failed when showing it fails", async () => {
  const { createStage } = await import("../../../renderer/playback/stage.ts");
  const reports: ShowingReport[] = [];
  const root = { append: () => undefined } as unknown as HTMLElement;
  const stage = createStage(root, (report) => reports.push(report));
  fault.ofRest = new Error("The element is gone.");
  // A page whose view covers the stage: what was on it stays as a still.
  stage.show("page");
  await expect
    .poll(() => reports)
    .toEqual([
      { outcome: "failed", showingId: "page", reason: "The element is gone." },
    ]);
});
