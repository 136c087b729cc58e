// The assets of a content service: one list, requested again only for what has changed (V3-180).

import {
  assetFieldFromV3,
  assetFromRow,
} from "../../../../server/contract/service-rows/asset-from-row.ts";
import { isRow } from "../../../../server/contract/service-rows/read-rows.ts";
import type { AssetV2 } from "../../../../server/contract/v2/v2.ts";
import { serviceAccess } from "../requests/service-requests.ts";
import { refusedBy, type Refused } from "../requests/refused.ts";

/** No addresses of files: they are renewed every hour, and the list with them. */
const columns = [
  ...["id", "title", "type", "status", "processing_error", "mimetype"],
  ...["md5", "source_md5", "source_size", "source_url", "duration"],
  ...["headers", "metadata", "js_injection"],
  ...["send_metadata", "disable_verification", "asset_groups(title)"],
];

const path = `/api/v4/assets?select=${columns.join()}&order=id.desc`;

interface Known {
  /** Null for a list that is too long to have one (V4-46). */
  readonly etag: string | null;
  readonly text: string;
  readonly assets: readonly AssetV2[];
}

let known: Known | null = null;

/** Of the list that was read last. */
export function isListKnown(): boolean {
  return known !== null;
}

export function isListLong(): boolean {
  return known !== null && known.etag === null;
}

/** The latest first. `isChanged` is about the list that was read before. */
export async function readList(): Promise<
  { readonly assets: readonly AssetV2[]; readonly isChanged: boolean } | Refused
> {
  const before = known;
  const answer = await serviceAccess.request("GET", path, {
    etag: before?.etag ?? null,
  });
  if (answer.status === 304 && before)
    return { assets: before.assets, isChanged: false };
  if (answer.status !== 200 || !Array.isArray(answer.json))
    return refusedBy(answer, assetFieldFromV3);
  const rows = answer.json.filter(isRow);
  const text = JSON.stringify(rows);
  const isChanged = before !== null && before.text !== text;
  const assets =
    before && !isChanged
      ? before.assets
      : rows.map(assetFromRow).filter((asset) => asset !== null);
  known = { etag: answer.etag, text, assets };
  return { assets, isChanged };
}
