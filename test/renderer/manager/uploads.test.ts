// Upload jobs: what follows an upload, at once or after a retry.

import { MantineProvider } from "@mantine/core";
import { notificationsStore } from "@mantine/notifications";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { generalSentences } from "../../../server/contract/sentences/general-sentences.ts";
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
      take: (ids) => Promise.resolve(taken.push(ids)),
    });
    const files = [chosen("d")];
    expect(await addFiles({ files, isCut: false })).toEqual([]);
    setUploadPlaylist(null);
    const firstJob = jobAt(1);
    expect([sent.length, taken]).toEqual([1, []]);
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

  it("[V2-811] are put into their playlist without what was deleted meanwhile, and say why where that fails", async () => {
    const { setUploadPlaylist, addFiles } =
      await import("../../../renderer/manager/uploads/uploads.ts");
    const { Refusal } =
      await import("../../../renderer/manager/api/refusal.ts");
    notificationsStore.setState((state) => ({ ...state, notifications: [] }));
    const taken: (readonly string[])[] = [];
    let made = 0;
    stubPlayer({
      uploadFile: (path) => Promise.resolve(`upload:${path}`),
      operate: (call) => {
        const isList = (call as { operation: string }).operation !== "addAsset";
        made += 1;
        const asset = { ...assetAnswer, asset_id: `${made}` };
        const left = { ...assetAnswer, asset_id: "2" };
        return Promise.resolve({
          ...{ isDone: true, answer: isList ? [left] : asset },
        });
      },
    });
    const take = (ids: readonly string[]): Promise<void> => {
      taken.push(ids);
      const fields = { items: ["No such asset."] };
      return ids.includes("1")
        ? Promise.reject(new Refusal("invalid", "No such asset.", fields))
        : ids.includes("4")
          ? Promise.reject(new Refusal("not-found", "It is gone.", null))
          : Promise.resolve();
    };
    setUploadPlaylist({ id: "1", name: "Lunch", take });
    const files = [chosen("f"), chosen("g")];
    await addFiles({ files, isCut: false });
    expect(taken).toEqual([["1", "2"], ["2"]]);
    await addFiles({ files: [chosen("h")], isCut: false });
    setUploadPlaylist(null);
    const { notifications } = notificationsStore.getState();
    expect(notifications).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ message: "It is gone." }),
      ]),
    );
  });
});

describe("[V2-812] a file that is no media", () => {
  it("is rejected in the operator's language", async () => {
    vi.resetModules();
    vi.stubGlobal("navigator", { language: "de" });
    const { runJobs } =
      await import("../../../renderer/manager/uploads/upload-jobs.ts");
    const { JobsTray } =
      await import("../../../renderer/manager/uploads/JobsTray.tsx");
    stubPlayer({
      uploadFile: () =>
        Promise.reject(new Error(generalSentences["file-unsupported"])),
    });
    await runJobs([chosen("a.txt")], {
      claim: () => Promise.reject(new Error("never")),
      whenIn: () => undefined,
    });
    const tray = renderToStaticMarkup(
      createElement(MantineProvider, null, createElement(JobsTray)),
    );
    expect(tray).toContain(
      "Das ist keine Bild-, Video-, Audio- oder PDF-Datei",
    );
  });
});

const assetAnswer = assetToV2(someAsset("1"), 0, {
  ...{ isActiveAs: "string", zone: "UTC" },
});
