// Upload jobs: what follows an upload, at once or after a retry.

import { beforeEach, describe, expect, it, vi } from "vitest";
import type { AssetView } from "../../../server/contract/ipc/ipc.ts";

beforeEach(() => {
  vi.stubGlobal("navigator", { language: "en" });
  vi.stubGlobal("window", {
    localStorage: { getItem: () => null },
    manager: { pathOf: ({ name }: File) => `/${name}` },
  });
});

const assetOf = (name: string) => ({ id: name, name }) as AssetView;

describe("uploads", () => {
  it("reach their destination after a retry, too", async () => {
    const { runJobs, tryAgain } =
      await import("../../../renderer/manager/uploads/upload-jobs.ts");
    const arrived: (readonly string[])[] = [];
    let refused = "";
    let isFull = true;
    const added = await runJobs(
      ["a", "b", "c"].map((name) => new File([], name)),
      {
        takeIn: (path, job) => {
          if (path !== "/b" || !isFull) return Promise.resolve(assetOf(path));
          refused = job;
          return Promise.reject(new Error("The disk is full."));
        },
        finish: () => Promise.resolve(),
        whenIn: (assets) => arrived.push(assets.map(({ id }) => id)),
      },
    );
    expect(added.map(({ id }) => id)).toEqual(["/a", "/c"]);
    expect(arrived).toEqual([["/a", "/c"]]);
    await tryAgain(refused);
    expect(arrived).toHaveLength(1);
    isFull = false;
    await tryAgain(refused);
    expect(arrived).toEqual([["/a", "/c"], ["/b"]]);
  });

  it("are added once, however often the following steps are retried", async () => {
    const { setUploadPlaylist, addFiles } =
      await import("../../../renderer/manager/uploads/uploads.ts");
    const { tryAgain } =
      await import("../../../renderer/manager/uploads/upload-jobs.ts");
    const added: string[] = [];
    let isLocked = true;
    const changed: unknown[] = [];
    const taken: (readonly string[])[] = [];
    vi.stubGlobal("window", {
      ...window,
      manager: {
        pathOf: ({ name }: File) => `/${name}`,
        addFile: ({ path, job }: { path: string; job: string }) => {
          added.push(job);
          return Promise.resolve(assetOf(path));
        },
        operate: (operation: unknown) => {
          if (isLocked) return Promise.reject(new Error("database is locked"));
          changed.push(operation);
          return Promise.resolve({ isDone: true, answer: {} });
        },
      },
    });
    setUploadPlaylist({ name: "Lunch", take: (ids) => taken.push(ids) });
    expect(await addFiles([new File([], "a")])).toEqual([]);
    setUploadPlaylist(null);
    expect([added.length, taken]).toEqual([1, []]);
    isLocked = false;
    await tryAgain(added[0] ?? "");
    expect(added).toHaveLength(1);
    expect(taken).toEqual([["/a"]]);
    expect(changed).toEqual([
      expect.objectContaining({
        operation: "changeAsset",
        body: { playlist_only: true },
      }),
    ]);
  });
});
