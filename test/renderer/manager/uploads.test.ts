// Upload jobs: what follows an upload, at once or after a retry.

import { beforeEach, describe, expect, it, vi } from "vitest";
import { assetToV2 } from "../../../server/player/v2/library/asset-json.ts";
import { someAsset } from "../../support/schedule/schedules.ts";

beforeEach(() => {
  vi.stubGlobal("navigator", { language: "en" });
  vi.stubGlobal("window", {
    localStorage: { getItem: () => null },
  });
});

const chosen = (name: string) => ({ file: new File([], name), folder: "" });

interface Player {
  /** Uploads one file; resolves to its token. */
  readonly uploadFile: (path: string) => Promise<string>;
  readonly operate?: (call: unknown) => Promise<unknown>;
}

function stubPlayer({ uploadFile, operate }: Player): void {
  vi.stubGlobal("window", {
    localStorage: { getItem: () => null },
    manager: {
      pathOf: ({ name }: File) => `/${name}`,
      on: () => () => undefined,
      uploadFile: async ({ path }: { path: string }) => ({
        ...{ uri: await uploadFile(path), name: path },
      }),
      operate,
    },
  });
}

const fill = crypto.getRandomValues.bind(crypto);
const jobs = vi
  .spyOn(crypto, "getRandomValues")
  .mockImplementation((bytes) => fill(bytes));

beforeEach(() => void jobs.mockClear());

/** The nth job that was started. */
function jobAt(place: number): string {
  const bytes = jobs.mock.results[place]?.value as Uint8Array;
  return Buffer.from(bytes).toString("hex");
}

describe("uploads", () => {
  it("reach their destination after a retry, too", async () => {
    const { runJobs, tryAgain } =
      await import("../../../renderer/manager/uploads/upload-jobs.ts");
    const arrived: (readonly string[])[] = [];
    let isFull = true;
    stubPlayer({
      uploadFile: (path) =>
        path === "/b" && isFull
          ? Promise.reject(new Error("The disk is full."))
          : Promise.resolve(path),
    });
    const added = await runJobs(
      ["a", "b", "c"].map((name) => chosen(name)),
      {
        claim: ({ uri }) => Promise.resolve({ id: uri, name: uri }),
        whenIn: (assets) => arrived.push(assets.map(({ id }) => id)),
      },
    );
    expect(added.map(({ id }) => id)).toEqual(["/a", "/c"]);
    expect(arrived).toEqual([["/a", "/c"]]);
    // The tab and the batch have identifiers, too.
    const refused = jobAt(3);
    await tryAgain([refused]);
    expect(arrived).toHaveLength(1);
    isFull = false;
    await tryAgain([refused]);
    expect(arrived).toEqual([["/a", "/c"], ["/b"]]);
  });

  it("are sent once, however often the following steps are retried, and again once the player has discarded them", async () => {
    const { setUploadPlaylist, addFiles } =
      await import("../../../renderer/manager/uploads/uploads.ts");
    const { tryAgain } =
      await import("../../../renderer/manager/uploads/upload-jobs.ts");
    const sent: string[] = [];
    const calls: unknown[] = [];
    const taken: (readonly string[])[] = [];
    const refused = (field: string) => ({
      ...{ isDone: false, code: "invalid", message: "" },
      fields: { [field]: ["No."] },
    });
    const answers = [
      refused("non_field_errors"),
      refused("uri"),
      {
        isDone: true,
        answer: { ...assetAnswer, asset_id: "1", name: "d" },
      },
    ];
    stubPlayer({
      uploadFile: (path) => {
        sent.push(path);
        return Promise.resolve(`upload:${sent.length}`);
      },
      operate: (call) => {
        calls.push(call);
        return Promise.resolve(answers.shift());
      },
    });
    setUploadPlaylist({
      ...{ id: "1", name: "Lunch" },
      take: (ids) => taken.push(ids),
    });
    const files = [chosen("d")];
    expect(await addFiles({ files, isCut: false })).toEqual([]);
    setUploadPlaylist(null);
    const firstJob = jobAt(1);
    expect([sent.length, taken]).toEqual([1, []]);
    await tryAgain([firstJob]);
    expect(sent).toHaveLength(1);
    await tryAgain([firstJob]);
    expect(sent).toHaveLength(2);
    expect(taken).toEqual([["1"]]);
    expect(calls).toEqual(
      ["upload:1", "upload:1", "upload:2"].map((uri) => ({
        operation: "addAsset",
        body: { uri, name: "/d", folder: "", playlist_only: true },
      })),
    );
  });
});

const assetAnswer = assetToV2(someAsset("1"), 0, {
  ...{ isActiveAs: "string", zone: "UTC" },
});
