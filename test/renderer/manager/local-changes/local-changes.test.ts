// Discarding local changes in the manager: named in both languages, undoable where possible, and final where not.

import { notificationsStore } from "@mantine/notifications";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { fieldsOf } from "../../../../server/core/sync-plan/sync-plan.ts";
import { extraFields } from "../../../../server/contract/v2/v2-extras.ts";
import type { LocalChangesV2 } from "../../../../server/contract/v2/v2-sync.ts";
import type * as Actions from "../../../../renderer/manager/assets/asset-actions.ts";
import type * as Undo from "../../../../renderer/manager/undo/undo.ts";
import { stubWindow } from "../../../support/manager/stub-window.ts";

interface OperationCall {
  readonly operation: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

const theirs = { name: "Rose", duration: 10 };
let asset: Record<string, unknown> = {};
let changes: LocalChangesV2[] = [];
let requests: string[] = [];
let actions: typeof Actions;
let undo: typeof Undo;

const ofAsset = (fields: readonly string[]): LocalChangesV2 => ({
  ...{ account_id: "a", kind: "asset", id: "a-red", name: "Ours" },
  ...{ is_deleted: false, fields: [...fields] },
});

function answer({
  operation,
  parameters = {},
  body = {},
}: OperationCall): unknown {
  requests.push(operation);
  if (operation === "listLocalChanges") return changes;
  if (operation === "changeAsset") asset = { ...asset, ...body };
  if (operation === "discardLocalChanges") {
    const given = parameters["fields"]?.split(",") ?? [];
    for (const [field, value] of Object.entries(theirs))
      if (given.includes(field)) asset = { ...asset, [field]: value };
    changes = [];
    return null;
  }
  return asset;
}

beforeEach(async () => {
  asset = { asset_id: "a-red", name: "Ours", duration: 77 };
  requests = [];
  const operate = (one: OperationCall) =>
    Promise.resolve({ isDone: true, answer: answer(one) });
  stubWindow(operate);
  vi.resetModules();
  actions =
    await import("../../../../renderer/manager/assets/asset-actions.ts");
  undo = await import("../../../../renderer/manager/undo/undo.ts");
  notificationsStore.setState((state) => ({ ...state, notifications: [] }));
});

const reported = () =>
  notificationsStore.getState().notifications.map(({ title }) => title);
const red = { id: "a-red", name: "Ours" };

describe("[V2-560] every field that can have a local change", () => {
  it("has a name in both languages", async () => {
    const ofOwnRows = new Set([
      ...["folder", "play_days", "play_time_from", "play_time_to"],
    ]);
    const extras = Object.values(extraFields)
      .map(({ wireName }) => String(wireName))
      .filter((name) => !ofOwnRows.has(name));
    const plain = [
      ...["name", "source", "start_date", "end_date", "duration"],
      ...["is_enabled", "predicate", "priority", "transition", "shuffle"],
      "items",
    ];
    for (const language of ["en", "de"]) {
      vi.stubGlobal("navigator", { language });
      vi.resetModules();
      const { messageFor } =
        await import("../../../../renderer/locales/messages.ts");
      const nameless = [...plain, ...extras].filter(
        (name) => messageFor("localChanges.fields", name) === undefined,
      );
      expect(nameless).toEqual([]);
    }
    // Fields that change together with another, or that nobody changes, have no name.
    const facts = { uri: "x", mimetype: "image", createdAt: 0, name: "x" };
    expect([...fieldsOf(facts as never).keys()]).toEqual(["name"]);
  });
});

describe("[V2-561] local changes of an asset", () => {
  it("are discarded including the latest one, and set again on undo", async () => {
    changes = [ofAsset(["duration", "name"])];
    const seen = ofAsset(["duration"]);
    expect(await actions.discardAssetChanges(red, seen, "Office")).toBe(true);
    expect(asset).toMatchObject({ name: "Rose", duration: 10 });
    expect(reported()).toEqual(["“Rose” syncs with “Office” again"]);
    await undo.undoLast();
    expect(asset).toMatchObject({ name: "Ours", duration: 77 });
  });

  it("keep a file that was replaced after they were read", async () => {
    changes = [ofAsset(["duration", "source"])];
    const calls: unknown[] = [];
    const { operate } = window.manager;
    vi.stubGlobal("window", {
      manager: {
        operate: (one: OperationCall) => {
          if (one.operation === "discardLocalChanges")
            calls.push(one.parameters);
          return operate(one);
        },
      },
    });
    await actions.discardAssetChanges(red, ofAsset(["duration"]), "Office");
    expect(calls).toEqual([{ id: "a-red", fields: "duration" }]);
  });

  it("are final where a file is lost or nothing visible changes, and the notice says so", async () => {
    changes = [ofAsset(["duration", "source"])];
    await actions.discardAssetChanges(
      red,
      ofAsset(["duration", "source"]),
      "Office",
    );
    requests = [];
    await undo.undoLast();
    expect(requests).toEqual([]);
    expect(reported().at(-1)).toMatch(/^Can’t undo: .*syncs/);
    changes = [ofAsset(["muted"])];
    await actions.discardAssetChanges(red, ofAsset(["muted"]), "Office");
    await undo.undoLast();
    expect(reported().at(-1)).toMatch(/^Can’t undo: .*syncs/);
    expect(requests).not.toContain("changeAsset");
  });

  it("need no confirmation once another client has discarded them", async () => {
    changes = [];
    expect(
      await actions.discardAssetChanges(red, ofAsset(["duration"]), "Office"),
    ).toBe(true);
    expect(requests).not.toContain("discardLocalChanges");
  });
});

describe("[V2-721] an undone change of an asset of a content service", () => {
  const change = (fields: Readonly<Record<string, unknown>>): Promise<void> =>
    actions.changeAssets(
      new Map([["a-red", { ...asset } as never]]),
      fields,
      "",
    );

  it("is no longer a local change, whatever the desired state is by now", async () => {
    changes = [ofAsset(["duration"])];
    await change({ name: "Tulip", duration: 5 });
    changes = [ofAsset(["duration", "name"])];
    requests = [];
    await undo.undoLast();
    expect(requests).toContain("discardLocalChanges");
    // What was a local change before is one again.
    expect(asset).toMatchObject({ name: "Rose", duration: 77 });
  });

  it("is set back where it is none, or the player does not report it", async () => {
    changes = [];
    await change({ name: "Tulip" });
    await undo.undoLast();
    expect(asset["name"]).toBe("Ours");
    expect(requests).not.toContain("discardLocalChanges");
  });
});

describe("[V2-562] discarding a local deletion", () => {
  const deleted = { ...ofAsset([]), is_deleted: true };

  it("restores the asset, and undo moves it to the trash again", async () => {
    await actions.discardDeletion(red, deleted);
    expect(reported()).toEqual(["Restored “Ours”"]);
    await undo.undoLast();
    expect(requests.at(-1)).toBe("moveToTrash");
  });
});
