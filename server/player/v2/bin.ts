// bin: what was thrown away, thrown away now, taken back, and gone for good (V2-280 to V2-283).

import { binV2, type BinEntryV2 } from "../../contract/v2/v2-history.ts";
import { momentToText } from "../../contract/v2/v2-values.ts";
import type { SharedFlush } from "../../platform/sqlite/shared-flush.ts";
import type { Bin, BinEntry, BinWish } from "../assets/bin.ts";
import { parseBody } from "./body.ts";
import type { Handlers } from "./handlers.ts";

export function binOperations(bin: Bin, flush: SharedFlush) {
  return {
    listBin: (_request, response) => {
      response.json(bin.entries().map(entryToV2));
    },
    putInBin: async (request, response) => {
      const wish = wishFromV2(parseBody(request, binV2));
      const entries = await flush.after(() => bin.put(wish));
      response.json(entries.map(entryToV2));
    },
    restoreFromBin: async (request, response) => {
      const wish = wishFromV2(parseBody(request, binV2));
      const entries = await flush.after(() => bin.restore(wish));
      response.json(entries.map(entryToV2));
    },
    dropFromBin: async (request, response) => {
      await bin.drop(request.params.id);
      response.status(204).end();
    },
    emptyBin: async (_request, response) => {
      await bin.empty();
      response.status(204).end();
    },
  } satisfies Partial<Handlers>;
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
