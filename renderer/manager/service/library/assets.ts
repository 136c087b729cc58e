// Reads, adds, changes and deletes assets of a content service by version 3 of its interface.

import {
  assetFieldFromV3,
  assetFieldsToV3,
  assetFromRow,
} from "../../../../server/contract/service-rows/asset-from-row.ts";
import {
  idIn,
  isRow,
  type Row,
} from "../../../../server/contract/service-rows/read-rows.ts";
import type { ServiceAnswer } from "../../../../server/contract/screens-client/service-access.ts";
import type { OperateOutcome } from "../../../../server/contract/v2/operations/operation-client.ts";
import { serviceAccess } from "../../service-requests/service-requests.ts";
import { refusedBy } from "../../service-requests/refused.ts";

const prefix = "/api/v3/assets/";

interface Known {
  readonly etag: string;
  readonly row: Row;
}

/** As they were read last: a change is made to this version only (V3-151). */
const known = new Map<string, Known>();
/** Of those whose details were open. */
const maxKnown = 1000;

/** Two changes that have nothing to do with each other rarely meet more often. */
const maxTries = 4;

function pathOf(id: string): string {
  return `${prefix}${encodeURIComponent(id)}/`;
}

function keep({ json, etag }: ServiceAnswer): Row | null {
  if (!isRow(json)) return null;
  const id = idIn(json);
  if (id === null) return null;
  known.delete(id);
  if (etag !== null) known.set(id, { etag, row: json });
  for (const oldest of known.keys()) {
    if (known.size <= maxKnown) break;
    known.delete(oldest);
  }
  return json;
}

function outcomeOf(answer: ServiceAnswer): OperateOutcome {
  const row = answer.status < 300 ? keep(answer) : null;
  const asset = row && assetFromRow(row, 0);
  return asset
    ? { isDone: true, answer: asset }
    : refusedBy(answer, assetFieldFromV3);
}

export async function readAsset(id: string): Promise<OperateOutcome> {
  return outcomeOf(await serviceAccess.request("GET", pathOf(id)));
}

export async function addAddress(fields: Row): Promise<OperateOutcome> {
  const json = {
    ...assetFieldsToV3(fields),
    // It is stored without being requested first (V3-12).
    ...(fields["skip_asset_check"] === true && { disable_verification: true }),
  };
  return outcomeOf(await serviceAccess.request("POST", prefix, { json }));
}

/**
 * Where somebody else has changed the asset since it was read, the change is made to what it is now, unless both have changed the same
 * field (V3-181).
 */
export async function changeAsset(
  id: string,
  fields: Row,
): Promise<OperateOutcome> {
  const json = assetFieldsToV3(fields);
  for (let tries = 1; ; tries += 1) {
    const before = known.get(id);
    const answer = await serviceAccess.request("PATCH", pathOf(id), {
      ...{ json, headers: before && { "If-Match": before.etag } },
    });
    if (answer.status !== 412 || !before || tries >= maxTries)
      return outcomeOf(answer);
    const now = await readAsset(id);
    if (!now.isDone) return now;
    const row = known.get(id)?.row ?? {};
    const isSame = (name: string): boolean =>
      JSON.stringify(row[name]) === JSON.stringify(before.row[name]);
    if (!Object.keys(json).every(isSame))
      return refusedBy(answer, assetFieldFromV3);
  }
}

/** Succeeds if it is already gone. */
export async function deleteAsset(id: string): Promise<OperateOutcome> {
  const answer = await serviceAccess.request("DELETE", pathOf(id));
  if (answer.status >= 300 && answer.status !== 404)
    return refusedBy(answer, assetFieldFromV3);
  known.delete(id);
  return { isDone: true, answer: null };
}
