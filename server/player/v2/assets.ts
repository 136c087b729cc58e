// The asset operations: list, create, read, change, delete.

import type { RequestHandler } from "express";
import {
  createAssetV2,
  patchAssetV2,
  updateAssetV2,
} from "../../contract/v2.ts";
import type { Assets } from "../assets.ts";
import type { Library } from "../library.ts";
import { parseBody } from "./body.ts";
import { assetToV2, changeFromV2, draftFromV2 } from "./present.ts";

export interface AssetOperations {
  readonly list: RequestHandler;
  readonly create: RequestHandler;
  readonly read: RequestHandler<{ id: string }>;
  readonly patch: RequestHandler<{ id: string }>;
  readonly update: RequestHandler<{ id: string }>;
  readonly remove: RequestHandler<{ id: string }>;
}

export interface AssetOperationsOptions {
  readonly library: Library;
  readonly assets: Assets;
  readonly now: () => number;
}

export function assetOperations(
  options: AssetOperationsOptions,
): AssetOperations {
  const { library, assets, now } = options;
  const changeBy =
    (
      schema: typeof patchAssetV2 | typeof updateAssetV2,
    ): AssetOperations["patch"] =>
    (request, response) => {
      const change = changeFromV2(parseBody(request, schema));
      const asset = library.change(request.params.id, change);
      response.json(assetToV2(asset, now()));
    };
  return {
    list: (_request, response) => {
      const moment = now();
      response.json(library.assets().map((asset) => assetToV2(asset, moment)));
    },
    create: async (request, response) => {
      const draft = draftFromV2(parseBody(request, createAssetV2));
      const asset = await assets.create(draft);
      response.status(201).json(assetToV2(asset, now()));
    },
    read: (request, response) => {
      response.json(assetToV2(library.asset(request.params.id), now()));
    },
    patch: changeBy(patchAssetV2),
    update: changeBy(updateAssetV2),
    remove: async (request, response) => {
      await assets.remove(request.params.id);
      response.status(204).end();
    },
  };
}
