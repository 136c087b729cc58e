// bin: what was thrown away, thrown away now, taken back, and gone for good (V2-280 to V2-283).

import type { RequestHandler } from "express";
import { binV2, type BinEntryV2 } from "../../contract/v2-history.ts";
import { momentToText } from "../../contract/v2-values.ts";
import type { SharedFlush } from "../../platform/shared-flush.ts";
import type { Bin, BinEntry, BinWish } from "../bin.ts";
import { parseBody } from "./body.ts";

export interface BinOperations {
  readonly list: RequestHandler;
  readonly put: RequestHandler;
  readonly restore: RequestHandler;
  readonly drop: RequestHandler<{ id: string }>;
  readonly empty: RequestHandler;
}

export function binOperations(bin: Bin, flush: SharedFlush): BinOperations {
  return {
    list: (_request, response) => {
      response.json(bin.entries().map(entryToV2));
    },
    put: async (request, response) => {
      const wish = wishFromV2(parseBody(request, binV2));
      const entries = await flush.after(() => bin.put(wish));
      response.json(entries.map(entryToV2));
    },
    restore: async (request, response) => {
      const wish = wishFromV2(parseBody(request, binV2));
      const entries = await flush.after(() => bin.restore(wish));
      response.json(entries.map(entryToV2));
    },
    drop: async (request, response) => {
      await bin.drop(request.params.id);
      response.status(204).end();
    },
    empty: async (_request, response) => {
      await bin.empty();
      response.status(204).end();
    },
  };
}

function wishFromV2({
  asset_ids: assetIds = [],
  playlist_ids: playlistIds = [],
}: ReturnType<typeof binV2.parse>): BinWish {
  return { assetIds, playlistIds };
}

function entryToV2({ kind, id, name, binnedAt }: BinEntry): BinEntryV2 {
  return { kind, id, name, binned: momentToText(binnedAt) };
}
