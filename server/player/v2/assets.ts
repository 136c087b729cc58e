// The asset operations: list, create, read, change, delete.

import {
  createAssetV2,
  orderV2,
  patchAssetV2,
  replaceSourceV2,
  updateAssetV2,
  type AssetV2,
} from "../../contract/v2.ts";
import type { Asset } from "../../core/asset.ts";
import type { Assets } from "../assets.ts";
import type { Library } from "../library.ts";
import type { SettingsStore } from "../settings.ts";
import { createAssetList } from "./asset-list.ts";
import { parseBody } from "./body.ts";
import type { Handlers } from "./handlers.ts";
import {
  assetMannerOf,
  assetToV2,
  changeFromV2,
  draftFromV2,
  durationFromV2,
} from "./present.ts";

export interface AssetOperationsOptions {
  readonly library: Library;
  readonly assets: Assets;
  readonly settings: SettingsStore;
  readonly now: () => number;
}

export function assetOperations(options: AssetOperationsOptions) {
  const { library, assets, settings, now } = options;
  const listAt = createAssetList(library, settings);
  const shown = (asset: Asset): AssetV2 =>
    assetToV2(asset, now(), assetMannerOf(settings.all()));
  const changeBy =
    (
      schema: typeof patchAssetV2 | typeof updateAssetV2,
    ): Handlers["changeAsset"] =>
    async (request, response) => {
      const { id } = request.params;
      const change = changeFromV2(parseBody(request, schema));
      const asset = await assets.change(id, {
        ...change,
        durationSeconds: durationFromV2(
          library.asset(id),
          change.durationSeconds,
        ),
      });
      response.json(shown(asset));
    };
  return {
    listAssets: (_request, response) => {
      const json = listAt(now());
      response.type("json").setHeader("Content-Length", json.length).end(json);
    },
    createAsset: async (request, response) => {
      const draft = draftFromV2(parseBody(request, createAssetV2));
      const asset = await assets.create(draft);
      response.status(201).json(shown(asset));
    },
    readAsset: (request, response) => {
      response.json(shown(library.asset(request.params.id)));
    },
    changeAsset: changeBy(patchAssetV2),
    updateAsset: changeBy(updateAssetV2),
    deleteAsset: async (request, response) => {
      await assets.remove(request.params.id);
      response.status(204).end();
    },
    replaceSource: async (request, response) => {
      const { id } = request.params;
      library.asset(id);
      const { uri } = parseBody(request, replaceSourceV2);
      response.json(shown(await assets.replaceSource(id, uri)));
    },
    orderAssets: async (request, response) => {
      await assets.order(parseBody(request, orderV2).ids ?? []);
      response.status(200).end();
    },
  } satisfies Partial<Handlers>;
}
