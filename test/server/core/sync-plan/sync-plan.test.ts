// Sync plans: what a service wants and what the library has → what is to be done; also for random services and libraries.

import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { plainWebOptions } from "../../../../server/core/asset.ts";
import {
  arrivalHere,
  entriesOf,
  isNothingToApply,
  planSync,
  type Held,
  type HeldAsset,
  type HeldPlaylist,
} from "../../../../server/core/sync-plan/sync-plan.ts";
import {
  completeOf,
  descriptionOf,
  emptyContent,
  orderedContent,
  type DesiredContent,
  type DesiredApp,
  type DesiredAsset,
} from "../../../../server/core/sync-plan/desired-content.ts";
import {
  asset,
  playlist,
  emptyHanded,
  applied,
  synced,
  changedHere,
  renamedHere,
  deletedHere,
} from "../../../support/sync/sync-plans.ts";

describe("planSync", () => {
  it("adds new content, changes what differs, removes what is gone and downloads missing files", () => {
    const before = synced({
      assets: [asset("a"), asset("b"), asset("c")],
      playlists: [playlist("p", ["a", "b", "c"])],
    });
    const content = {
      assets: [
        asset("a"),
        asset("b", { isEnabled: false }),
        asset("d", {}, "5d"),
      ],
      playlists: [playlist("p", ["d", "a", "b"])],
    };
    const plan = planSync(content, before);
    expect(plan.fetch).toEqual([{ md5: "5d", sizeBytes: 5, remoteIds: ["d"] }]);
    expect(plan.assets.map(({ remoteId, isNew }) => [remoteId, isNew])).toEqual(
      [
        ["b", false],
        ["d", true],
      ],
    );
    expect(plan.assets[0]?.change).toEqual({ isEnabled: false });
    expect(plan.forgetAssets).toEqual(["c"]);
    expect(
      plan.playlists[0]?.change.items?.map(({ assetId }) => assetId),
    ).toEqual(["d", "a", "b"]);
    expect(
      entriesOf(plan, content, before).map(({ what, action, name, bytes }) => [
        what,
        action,
        name,
        bytes,
      ]),
    ).toEqual([
      ["asset", "change", "b", null],
      ["asset", "add", "d", 5],
      ["playlist", "change", "p", null],
      ["asset", "remove", "c", null],
    ]);
  });

  it("[V2-214] keeps local changes, field by field, and updates everything else", () => {
    const held = renamedHere(
      synced({ assets: [asset("a")], playlists: [] }),
      "a",
      "Ours",
    );
    const plan = planSync(
      {
        assets: [asset("a", { name: "Theirs", durationSeconds: 20 })],
        playlists: [],
      },
      held,
    );
    expect(plan.assets).toMatchObject([
      { change: { durationSeconds: 20 }, applied: { name: "Theirs" } },
    ]);
    expect(plan.assets[0]?.change).not.toHaveProperty("name");
    const headers = { a: "1" };
    const own = changedHere(held, "a", { "web.zoomPercent": 150 });
    const change = planSync(
      {
        assets: [asset("a", { web: { ...plainWebOptions, headers } })],
        playlists: [],
      },
      own,
    ).assets[0]?.change;
    expect(change?.web).toEqual({
      ...{ ...plainWebOptions, headers },
      zoomPercent: 150,
    });
  });

  it("[V2-214] leaves out assets deleted here while playlists keep following the service", () => {
    const content = {
      assets: [asset("a", {}, "5a"), asset("b")],
      playlists: [playlist("p", ["a", "b"])],
    };
    const held = deletedHere(synced(content), "a");
    const plan = planSync(content, held);
    expect(plan.fetch).toEqual([]);
    const after = applied(held, plan);
    expect(isNothingToApply(planSync(content, after))).toBe(true);
    const more = { ...content, playlists: [playlist("p", ["b", "a", "b"])] };
    expect(
      planSync(more, after).playlists[0]?.change.items?.map(
        ({ assetId }) => assetId,
      ),
    ).toEqual(["b", "b"]);
  });

  it("[V2-16] makes names unique in order of identifiers, avoiding names already taken", () => {
    const content = {
      assets: [
        asset("a", { name: "Logo" }),
        asset("b", { name: "Logo" }),
        asset("c", { name: "Menu" }),
      ],
      playlists: [],
    };
    const held = { ...emptyHanded, otherAssets: new Map([["1", "Menu"]]) };
    expect(
      planSync(content, held).assets.map(({ applied: { name } }) => name),
    ).toEqual(["Logo", "Logo-1", "Menu-1"]);
  });

  it("[V2-562] never names, downloads or writes what was deleted here, whatever plan is applied", () => {
    const before = synced({
      assets: [asset("a", { name: "t1" }), asset("b", { name: "t2" })],
      playlists: [playlist("p", ["a", "b"])],
    });
    const content = {
      assets: [asset("a", { name: "t2" }, "5a"), asset("b", { name: "t1" })],
      playlists: [playlist("p", ["b", "a"])],
    };
    const held = deletedHere(before, "a");
    const plan = planSync(content, held);
    expect(plan.fetch).toEqual([]);
    expect(plan.assets).toMatchObject([
      { remoteId: "b", change: { name: "t1" } },
    ]);
    const gone = applied(held, planSync(emptyContent, held));
    expect(gone.assets).toEqual([]);
    const again = planSync(content, gone);
    expect(again.assets.map(({ remoteId }) => remoteId)).toEqual(["b"]);
  });

  it("[V2-560] keeps a local change when the desired state equals it for a while, and when its asset is removed and comes back", () => {
    const content = (isEnabled: boolean): DesiredContent => ({
      assets: [asset("a", { isEnabled })],
      playlists: [],
    });
    let held = changedHere(synced(content(true)), "a", { isEnabled: false });
    for (const next of [content(false), emptyContent, content(true)]) {
      held = synced(next, held);
      expect(held.assets[0]?.now?.isEnabled ?? false).toBe(false);
    }
    expect(isNothingToApply(planSync(content(true), held))).toBe(true);
  });

  it("[V2-564] downloads nothing for an asset whose source was replaced here, and leaves the source unchanged", () => {
    const before = synced({ assets: [asset("a")], playlists: [] });
    const held = changedHere(before, "a", { source: true });
    const content = {
      assets: [asset("a", { uri: "https://cloud.example/2" }, "5a")],
      playlists: [],
    };
    const plan = planSync(content, held);
    expect(plan.fetch).toEqual([]);
    expect(plan.assets).toMatchObject([{ change: {}, isFileChanged: false }]);
    expect(arrivalHere(held, () => "coming")(asset("a"))).toBe("here");
  });

  it("[V2-16] looks up a few names for each of many equal titles, not as many as there are equal ones", () => {
    const assets = Array.from({ length: 2000 }, (_, number) =>
      asset(String(number).padStart(4, "0"), { name: "Logo" }),
    );
    const lookUps = vi.spyOn(Set.prototype, "has");
    const plan = planSync({ assets, playlists: [] }, emptyHanded);
    const { length } = lookUps.mock.calls;
    lookUps.mockRestore();
    expect(plan.assets.at(-1)?.applied.name).toBe("Logo-1999");
    expect(length).toBeLessThan(20 * assets.length);
  });
});

const someId = fc.constantFrom("a", "b", "c", "d", "e");
const someAsset = fc.record({
  remoteId: someId,
  name: fc.constantFrom("Logo", "Menu", "Logo-1"),
  md5: fc.constantFrom(null, "51", "52", "53"),
  isEnabled: fc.boolean(),
  isPlaylistOnly: fc.boolean(),
});
const somePlaylist = fc.record({
  remoteId: fc.constantFrom("p", "q", "r"),
  name: fc.constantFrom("Lunch", "Dinner"),
  assetIds: fc.array(someId, { maxLength: 5 }),
});
const someCloud = fc
  .tuple(
    fc.array(someAsset, { maxLength: 6 }),
    fc.array(somePlaylist, { maxLength: 3 }),
  )
  .map(([assets, playlists]) => {
    const known = new Set(assets.map(({ remoteId }) => remoteId));
    return orderedContent({
      assets: assets.map(({ remoteId, md5, ...change }) =>
        asset(remoteId, change, md5),
      ),
      playlists: playlists.map(({ remoteId, name, assetIds }) =>
        playlist(
          remoteId,
          assetIds.filter((id) => known.has(id)),
          { name },
        ),
      ),
    });
  });
const someFiles = fc
  .uniqueArray(fc.constantFrom("51", "52", "53"))
  .map((list) => new Set(list));

interface Step {
  readonly cloud: DesiredContent;
  readonly files: ReadonlySet<string>;
  readonly renamed: string | null;
  readonly deleted: string | null;
}
const someStep: fc.Arbitrary<Step> = fc.record({
  cloud: someCloud,
  files: someFiles,
  renamed: fc.option(someId),
  deleted: fc.option(someId),
});

/** Applies whatever changes in between: files in the library, the service's content, edits by an operator. */
function walked(steps: readonly Step[]): {
  held: Held;
  before: DesiredContent;
} {
  let held: Held = { ...emptyHanded, otherAssets: new Map([["1", "Menu"]]) };
  let before = emptyContent;
  for (const { cloud, files, renamed, deleted } of steps) {
    held = { ...held, files };
    const arrival = ({ file }: DesiredAsset) =>
      file === null || files.has(file.md5)
        ? ("here" as const)
        : ("coming" as const);
    const complete = completeOf(cloud, before, arrival);
    held = synced(complete, held);
    before = complete;
    if (renamed !== null) held = renamedHere(held, renamed, "Ours");
    if (deleted !== null) held = deletedHere(held, deleted);
  }
  return { held, before };
}

describe("an app", () => {
  const part = (path: string, md5: string) => ({ path, md5, sizeBytes: 5 });
  const app: DesiredApp = {
    entry: { kind: "file", path: "index.html" },
    ...{ waitsForSignal: false, settings: { a: "1", b: "2" } },
    secretsMark: null,
    files: [part("index.html", "51"), part("a.js", "52"), part("b.js", "52")],
  };
  const content: DesiredContent = {
    assets: [{ ...asset("app", {}, "50"), app }, asset("b", {}, "52")],
    playlists: [playlist("p", ["app", "b"])],
  };

  it("[V2-331] is downloaded file by file, each once, but its description never", () => {
    const plan = planSync(content, emptyHanded);
    expect(plan.fetch).toEqual([
      { md5: "51", sizeBytes: 5, remoteIds: ["app"] },
      { md5: "52", sizeBytes: 5, remoteIds: ["app", "b"] },
    ]);
    const [entry] = entriesOf(plan, content, emptyHanded);
    expect(entry).toMatchObject({ remoteId: "app", bytes: 10 });
  });

  it("[V2-331] has its bytes once every file and its description are here", () => {
    const md5With = (...files: readonly string[]): string | null =>
      planSync(content, { ...emptyHanded, files: new Set(files) }).assets[0]
        ?.md5 ?? null;
    expect(md5With("50", "51")).toBeNull();
    expect(md5With("51", "52")).toBeNull();
    expect(md5With("50", "51", "52")).toBe("50");
  });

  it("[V2-332] has the same description whatever the order of its parts, and another one if anything changes", () => {
    const [one, ...others] = app.files;
    const reordered = {
      ...app,
      settings: { b: "2", a: "1" },
      files: one ? [...others, one] : [],
    };
    expect(descriptionOf(reordered)).toBe(descriptionOf(app));
    for (const change of [
      { waitsForSignal: true },
      { settings: { a: "1", b: "3" } },
      { secretsMark: "m" },
      { files: [part("index.html", "52"), ...others] },
      { entry: { kind: "remote", url: "https://example.org/" } },
    ] satisfies Partial<DesiredApp>[])
      expect(descriptionOf({ ...app, ...change })).not.toBe(descriptionOf(app));
  });
});

describe("any sequence of desired states, arrivals and local changes", () => {
  it("plans nothing once the plan is applied", () => {
    fc.assert(
      fc.property(
        fc.array(someStep, { maxLength: 5 }),
        someCloud,
        (steps, cloud) => {
          const { held } = walked(steps);
          const after = synced(cloud, held);
          const again = planSync(cloud, after);
          expect(isNothingToApply(again)).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("ends in the same state as a fresh sync if nothing was changed locally", () => {
    const untouched = someStep.map((step) => ({
      ...step,
      renamed: null,
      deleted: null,
    }));
    const all = new Set(["51", "52", "53"]);
    fc.assert(
      fc.property(
        fc.array(untouched, { maxLength: 5 }),
        someCloud,
        (steps, cloud) => {
          const { held, before } = walked(steps);
          const complete = completeOf(cloud, before, () => "here");
          const fresh = {
            ...emptyHanded,
            otherAssets: held.otherAssets,
            files: all,
          };
          expect(sorted(synced(complete, { ...held, files: all }))).toEqual(
            sorted(
              synced(
                completeOf(cloud, emptyContent, () => "here"),
                fresh,
              ),
            ),
          );
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("never gives the same name twice", () => {
    fc.assert(
      fc.property(fc.array(someStep, { maxLength: 6 }), (steps) => {
        const { held } = walked(steps);
        const names = held.assets
          .map(({ now }) => now?.name)
          .filter((name) => name !== undefined && name !== "Ours");
        expect(new Set(names).size).toBe(names.length);
        expect(names).not.toContain("Menu");
      }),
      { numRuns: 500 },
    );
  });
});

function sorted({
  assets,
  playlists,
}: Held): readonly [readonly HeldAsset[], readonly HeldPlaylist[]] {
  const byId = (a: { remoteId: string }, b: { remoteId: string }): number =>
    a.remoteId < b.remoteId ? -1 : 1;
  return [[...assets].sort(byId), [...playlists].sort(byId)];
}
