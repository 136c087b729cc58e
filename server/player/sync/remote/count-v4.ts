// Counts what a content service of version 4 has, in requests that return one row each (V2-741).

import {
  maxUnusedLabels,
  type ContentCounts,
} from "../../../core/sync-plan/unused-content.ts";
import { rowsIn, textIn } from "../../../contract/service-rows/read-rows.ts";
import { rowsOf } from "./requested-rows.ts";
import type { CloudHttp } from "./remote-http.ts";

/** Pages of documents and files of apps are parts of other assets; what is new may have no type yet. */
export const wholeAssets =
  "or=(type.is.null,type.not.in.(pdf-page,edge-app-file))";

export async function countContentV4(
  http: CloudHttp,
  at: string,
): Promise<ContentCounts> {
  const countOf = async (path: string): Promise<number | null> => {
    const answer = await http.request(
      `${at}/${path}&order=id.asc&limit=1`,
      null,
      { isCounted: true },
    );
    return answer.total;
  };
  const assets = await countOf(`assets?select=id&${wholeAssets}`);
  const processing =
    assets === 0
      ? 0
      : await countOf(
          `assets?select=id&${wholeAssets}&status=not.in.(finished,error)`,
        );
  const playlists = await countOf("playlists?select=id");
  const labels = playlists === 0 ? [] : await labelsWithPlaylists(http, at);
  return { assets, processing, playlists, labels };
}

/** Without labels that belong to one screen, and the one that every screen has: nobody chooses those. */
async function labelsWithPlaylists(
  http: CloudHttp,
  at: string,
): Promise<readonly string[]> {
  const { body } = await http.request(
    `${at}/labels?select=id,name,human_name,type,playlists(id)&playlists.limit=1&type=not.in.(screen,all-screens)&order=id.asc&limit=500`,
  );
  return rowsOf(body, "anything")
    .filter((row) => rowsIn(row, "playlists").length > 0)
    .map((row) => textIn(row, "human_name") || textIn(row, "name"))
    .filter((name) => name !== "")
    .sort()
    .slice(0, maxUnusedLabels);
}
