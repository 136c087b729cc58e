// Which connection each synced asset and playlist came from (V2-470).

import type { RequestHandler } from "express";
import type { SyncOriginV2 } from "../../../contract/v2/v2-sync.ts";
import type { Sqlite } from "../../../platform/sqlite/sqlite.ts";

/** Read from the sync's tables, so that origins are reported while a connection is disabled or no sync runs. */
export function listSyncOrigins(database: Sqlite): RequestHandler {
  const connections = database
    .prepare<[], string>("SELECT id FROM sync_accounts ORDER BY place")
    .pluck();
  const assets = database
    .prepare<[string], string>(
      "SELECT id FROM sync_assets WHERE account_id = ? ORDER BY id",
    )
    .pluck();
  const playlists = database
    .prepare<[string], string>(
      "SELECT id FROM sync_playlists WHERE account_id = ? ORDER BY id",
    )
    .pluck();
  return (_request, response) => {
    const origins = connections.all().map((id): SyncOriginV2 => ({
      ...{ account_id: id, assets: assets.all(id) },
      playlists: playlists.all(id),
    }));
    response.setHeader("Cache-Control", "no-store").json(origins);
  };
}
