// The asset operations: list, create, read, change, delete.

import {
  addAssetV2,
  createAssetV2,
  orderV2,
  patchAssetV2,
  replaceSourceV2,
  updateAssetV2,
  type AssetV2,
} from "../../../contract/v2/v2.ts";
import { extrasFromV2 } from "../../../contract/v2/v2-extras.ts";
import { type Asset, unchangedUntil } from "../../../core/asset.ts";
import type { Assets } from "../../assets/assets.ts";
import type { Library } from "../../library/library.ts";
import type { SettingsStore } from "../../settings.ts";
import { parseBody } from "../request/body.ts";
import type { Handlers } from "../request/handlers.ts";
import { sendJson } from "../request/send-json.ts";
import {
  assetViewContextOf,
  assetToV2,
  changeFromV2,
  draftFromV2,
  durationFromV2,
} from "./asset-json.ts";

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
    assetToV2(asset, now(), assetViewContextOf(settings.all()));
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
      sendJson(response, 200, shown(asset));
    };
  return {
    listAssets: (_request, response) => {
      const json = listAt(now());
      response.type("json").setHeader("Content-Length", json.length).end(json);
    },
    createAsset: async (request, response) => {
      const draft = draftFromV2(parseBody(request, createAssetV2));
      const asset = await assets.create(draft);
      sendJson(response, 201, shown(asset));
    },
    addAsset: async (request, response) => {
      const body = parseBody(request, addAssetV2);
      const asset = await assets.add({
        ...{ uri: body.uri, name: body.name },
        skipAssetCheck: body.skip_asset_check,
        extras: extrasFromV2(body),
      });
      sendJson(response, 201, shown(asset));
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

// JSON of the list of all assets, cached until an asset or a date changes it.

/** The list as of a moment, as bytes: clients request it far more often than anything changes. */
function createAssetList(
  library: Library,
  settings: SettingsStore,
): (moment: number) => Buffer {
  let cached: { json: Buffer; from: number; until: number } | null = null;
  const forget = (): void => {
    cached = null;
  };
  library.onChanged(forget);
  settings.onChanged(forget);

  return (moment) => {
    if (!cached || moment < cached.from || moment >= cached.until) {
      const assets = library.assets();
      const viewContext = assetViewContextOf(settings.all());
      const shown = assets.map((asset) =>
        assetToV2(asset, moment, viewContext),
      );
      const json = Buffer.from(JSON.stringify(shown));
      const until = unchangedUntil(assets, moment, viewContext.zone);
      cached = { json, from: moment, until };
    }
    return cached.json;
  };
}
