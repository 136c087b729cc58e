// What is measured of version 3: lists, writing playlists, and playbacks found among very many.

import { contentKey } from "../../support/content/start-content.ts";
import type { RequestSpec } from "../api/load.ts";
import type { BareJob } from "./baseline.ts";
import type { Pair } from "./pair.ts";
import { benchScreen, benchStart } from "./playbacks.ts";
import { openContentDatabase, type FilledContent } from "./store.ts";
import { recordV3 } from "./v3-record.ts";

const headers = {
  Authorization: `Token ${contentKey}`,
  "Content-Type": "application/json",
};
const itemsOfPlaylist = 20;
/** A longer list is sent in chunks, which the clients here do not read. */
const longestList = 500;

export async function v3PairsOf(
  filled: FilledContent,
  playbacks: number,
): Promise<{
  readonly pairs: readonly Pair[];
  readonly job: Pick<BareJob, "reads" | "writes">;
}> {
  const database = openContentDatabase(filled.dataDir, filled.databaseUrl);
  const reads: Record<string, BareJob["reads"][string]> = {};
  const writes: Record<string, BareJob["writes"][string]> = {};
  const pairs: Pair[] = [];
  const add = async (figure: string, ours: RequestSpec): Promise<void> => {
    const { body } = ours;
    const recorded = await recordV3(database, filled.team, ours);
    const path = `/v3/${pairs.length}`;
    const isRead = recorded.writes.length === 0;
    if (isRead) reads[path] = recorded.reads;
    else writes[path] = recorded;
    pairs.push({
      ...{ figure: `version 3, ${figure}`, ours },
      theirs: isRead
        ? { method: "GET", path }
        : { ...{ method: "POST", path, headers }, ...(body && { body }) },
    });
  };
  const get = (path: string): RequestSpec => ({ method: "GET", path, headers });
  const ids = filled.ids.slice(0, itemsOfPlaylist);
  const assets = JSON.stringify(ids.map((id) => ({ id, duration: 5 })));
  const playlist = `{"title":"Title {n}","groups":[{"id":"all-screens"}],"assets":${assets}}`;
  if (filled.ids.length <= longestList)
    await add(`list of ${filled.ids.length} assets`, get("/v3/assets/"));
  await add(`single asset`, get(`/v3/assets/${ids[0] ?? ""}/`));
  await add(`playlist of ${itemsOfPlaylist} made`, {
    ...{ method: "POST", path: "/v3/playlists/", headers, body: playlist },
  });
  if (playbacks > 0) {
    const among = `of ${playbacks.toLocaleString("en")}`;
    const day = `start=${benchStart}&end=${benchStart + 86_400_000}`;
    await add(`newest 50 playbacks ${among}`, get("/v3/playbacks?limit=50"));
    await add(
      `a screen's day, 50 playbacks ${among}`,
      get(`/v3/playbacks?screen_id=${benchScreen}&${day}&limit=50`),
    );
    await add(
      `an asset on a screen, 50 playbacks ${among}`,
      get(`/v3/playbacks?screen_id=${benchScreen}&asset_id=A142&limit=50`),
    );
  }
  await database.close();
  return { pairs, job: { reads, writes } };
}
