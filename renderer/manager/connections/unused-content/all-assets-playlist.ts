// A playlist of all assets of a content service: which assets and labels it has, and the change that creates it there.

import { defaultDurationSeconds } from "../../../../server/core/asset-limits.ts";
import type { SyncAccountV2 } from "../../../../server/contract/v2/v2-sync.ts";
import { operate } from "../../api/operations.ts";
import { t } from "../../../locales/messages.ts";
import { idOf, type Collection, type Row } from "../editing/service-row.ts";

export interface AllAssetsPlaylist {
  readonly items: readonly {
    readonly asset_id: string;
    readonly duration: number;
  }[];
  readonly labelIds: readonly string[];
  /** Names of the labels of this screen that it is for; null: it is for every screen. */
  readonly labels: readonly string[] | null;
}

const pageSize = 500;
/** More than anybody plays in one playlist. */
const maxItems = 2_000;
/** Enough to find the labels of a screen. */
const maxLabels = 2_000;

/** Throws a Refusal if the content service cannot be reached. */
export async function prepareAllAssets(
  connection: SyncAccountV2,
): Promise<AllAssetsPlaylist> {
  const { account_id: id } = connection;
  const assets = await rowsOf(id, "assets", maxItems);
  const labels = await rowsOf(id, "labels", maxLabels);
  return allAssetsPlaylist(connection.labels, assets, labels);
}

/** `own`: the names of the labels of this screen. */
export function allAssetsPlaylist(
  own: readonly string[],
  assets: readonly Row[],
  labels: readonly Row[],
): AllAssetsPlaylist {
  const chosen = labels.filter((row) => own.includes(String(row["name"])));
  const used =
    chosen.length > 0
      ? chosen
      : labels.filter((row) => row["type"] === "all-screens");
  return {
    items: assets
      .filter((row) => row["status"] === "finished")
      .map((row) => ({ asset_id: idOf(row), duration: secondsOf(row) })),
    labelIds: used.map(idOf),
    labels: chosen.length > 0 ? chosen.map((row) => String(row["name"])) : null,
  };
}

/** Throws a Refusal. */
export async function createAllAssets(
  { account_id: id }: SyncAccountV2,
  { items, labelIds }: AllAssetsPlaylist,
): Promise<void> {
  const fields = {
    title: t("connections.unused.playlist.name"),
    ...{ predicate: "TRUE", is_enabled: true, items, labels: labelIds },
  };
  await operate("createSyncChange", {
    parameters: { id },
    body: { collection: "playlists", action: "create", fields },
  });
}

async function rowsOf(
  id: string,
  collection: Collection,
  max: number,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let after: string | null = null;
  do {
    const page: { rows: readonly Row[]; next: string | null } = await operate(
      "listServiceContent",
      {
        parameters: {
          ...{ id, collection, limit: String(pageSize) },
          ...(after === null ? {} : { after }),
        },
      },
    );
    rows.push(...page.rows);
    after = page.next;
  } while (after !== null && rows.length < max);
  return rows.slice(0, max);
}

function secondsOf(row: Row): number {
  const duration = row["duration"];
  return typeof duration === "number" && duration > 0
    ? duration
    : defaultDurationSeconds;
}
