// Trash: list it, move to it, restore from it, and delete permanently (V2-280 to V2-283).

import {
  trashSelectionV2,
  type TrashEntryV2,
} from "../../../contract/v2/v2-logs.ts";
import { momentToText } from "../../../contract/v2/v2-values.ts";
import type { SharedFlush } from "../../../platform/sqlite/shared-flush.ts";
import type { Trash, TrashEntry, TrashSelection } from "../../assets/trash.ts";
import { parseBody } from "../request/body.ts";
import type { Handlers } from "../request/handlers.ts";

export function trashOperations(trash: Trash, flush: SharedFlush) {
  return {
    listTrash: (_request, response) => {
      response.json(trash.entries().map(entryToV2));
    },
    moveToTrash: async (request, response) => {
      const selection = selectionFromV2(parseBody(request, trashSelectionV2));
      const entries = await flush.after(() => trash.put(selection));
      response.json(entries.map(entryToV2));
    },
    restoreFromTrash: async (request, response) => {
      const selection = selectionFromV2(parseBody(request, trashSelectionV2));
      const entries = await flush.after(() => trash.restore(selection));
      response.json(entries.map(entryToV2));
    },
    deleteFromTrash: async (request, response) => {
      await trash.drop(request.params.id);
      response.status(204).end();
    },
    emptyTrash: async (_request, response) => {
      await trash.empty();
      response.status(204).end();
    },
  } satisfies Partial<Handlers>;
}

function selectionFromV2({
  asset_ids: assetIds = [],
  playlist_ids: playlistIds = [],
}: ReturnType<typeof trashSelectionV2.parse>): TrashSelection {
  return { assetIds, playlistIds };
}

function entryToV2({ kind, id, name, deletedAt }: TrashEntry): TrashEntryV2 {
  return { kind, id, name, deleted: momentToText(deletedAt) };
}
