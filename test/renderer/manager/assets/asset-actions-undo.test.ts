// Undo of changes to assets, their order and a setting, with concurrent changes by other clients.

import { notificationsStore } from "@mantine/notifications";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { AssetV2 } from "../../../../server/contract/v2/v2.ts";
import type * as Actions from "../../../../renderer/manager/assets/asset-actions.ts";
import type * as Undo from "../../../../renderer/manager/undo/undo.ts";
import { stubWindow } from "../../../support/manager/stub-window.ts";

interface OperationCall {
  readonly operation: string;
  readonly parameters?: { readonly id: string };
  readonly body?: Readonly<Record<string, unknown>>;
}

const assets = new Map<string, AssetV2>();
let order: readonly string[] = [];
let actions: typeof Actions;
let undo: typeof Undo;

function answer({ operation, parameters, body = {} }: OperationCall): unknown {
  const asset = assets.get(parameters?.id ?? "");
  if (operation === "listAssets") return order.map((id) => assets.get(id));
  if (operation === "readAsset") return asset;
  if (operation === "listLocalChanges") return [];
  if (operation === "orderAssets") order = String(body["ids"]).split(",");
  if (operation !== "changeAsset" || !asset) return null;
  const changed = { ...asset, ...body };
  assets.set(asset.asset_id, changed);
  return changed;
}

beforeEach(async () => {
  order = ["a", "b", "c"];
  for (const id of order)
    assets.set(id, {
      ...{ asset_id: id, name: id.toUpperCase(), duration: 10, muted: false },
    } as unknown as AssetV2);
  const operate = (requests: OperationCall) =>
    Promise.resolve({ isDone: true, answer: answer(requests) });
  stubWindow(operate);
  vi.resetModules();
  actions =
    await import("../../../../renderer/manager/assets/asset-actions.ts");
  undo = await import("../../../../renderer/manager/undo/undo.ts");
  notificationsStore.setState((state) => ({ ...state, notifications: [] }));
});

const reported = () =>
  notificationsStore.getState().notifications.map(({ title }) => title);
const durations = () =>
  order.map((id) => (assets.get(id) as { duration: number }).duration);

describe("undoing a change of several assets", () => {
  it("restores those that are still as the change left them, and reports that another one was left as it is", async () => {
    const fields = { duration: 33, muted: true };
    await actions.changeAssets(new Map(assets), fields, "Seconds");
    answer({
      ...{ operation: "changeAsset", parameters: { id: "b" } },
      body: { duration: 44, name: "Renamed" },
    });
    await undo.undoLast();
    expect(durations()).toEqual([10, 44, 10]);
    expect([...assets.values()].map(({ muted }) => muted)).toEqual([
      ...[false, false, false],
    ]);
    expect(assets.get("b")?.name).toBe("Renamed");
    expect(reported()).toEqual(["Partly undone: Seconds"]);
  });

  it("restores all of them where nothing else was changed", async () => {
    await actions.changeAssets(new Map(assets), { duration: 33 }, "Seconds");
    await undo.undoLast();
    expect(durations()).toEqual([10, 10, 10]);
    expect(reported()).toEqual(["Undone: Seconds"]);
  });
});

describe("undoing a new play order", () => {
  it("moves back what was moved, and keeps the position of assets added since", async () => {
    await actions.orderAssets(["b", "c", "a"], ["a", "b", "c"]);
    assets.set("d", { asset_id: "d" } as AssetV2);
    order = ["b", "d", "c", "a"];
    await undo.undoLast();
    expect(order).toEqual(["a", "b", "d", "c"]);
  });

  it("leaves an asset where another client moved it since, and says so", async () => {
    await actions.orderAssets(["b", "a", "c"], ["a", "b", "c"]);
    order = ["a", "c", "b"];
    await undo.undoLast();
    expect(order).toEqual(["a", "c", "b"]);
    expect(reported()).toEqual([expect.stringMatching(/^Couldn’t undo/)]);
  });

  it("restores the order next to another asset that was moved since", async () => {
    await actions.orderAssets(["b", "a", "c"], ["a", "b", "c"]);
    order = ["c", "b", "a"];
    await undo.undoLast();
    expect(order).toEqual(["c", "a", "b"]);
  });
});
