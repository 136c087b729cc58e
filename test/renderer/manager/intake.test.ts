// Files on their way in: what follows when they are there, at once or at another try.

import { beforeEach, describe, expect, it, vi } from "vitest";
import type { AssetView } from "../../../server/contract/ipc.ts";

beforeEach(() => {
  vi.stubGlobal("navigator", { language: "en" });
  vi.stubGlobal("window", {
    localStorage: { getItem: () => null },
    manager: { pathOf: ({ name }: File) => `/${name}` },
  });
});

const assetOf = (name: string) => ({ id: name, name }) as AssetView;

describe("files on their way in", () => {
  it("go where they were meant to go at another try too", async () => {
    const { runJobs, tryAgain } =
      await import("../../../renderer/manager/intake/jobs.ts");
    const arrived: (readonly string[])[] = [];
    let refused = "";
    let isFull = true;
    const added = await runJobs(
      ["a", "b", "c"].map((name) => new File([], name)),
      (path, job) => {
        if (path !== "/b" || !isFull) return Promise.resolve(assetOf(path));
        refused = job;
        return Promise.reject(new Error("The disk is full."));
      },
      (assets) => arrived.push(assets.map(({ id }) => id)),
    );
    expect(added.map(({ id }) => id)).toEqual(["/a", "/c"]);
    expect(arrived).toEqual([["/a", "/c"]]);
    await tryAgain(refused);
    expect(arrived).toHaveLength(1);
    isFull = false;
    await tryAgain(refused);
    expect(arrived).toEqual([["/a", "/c"], ["/b"]]);
  });
});
