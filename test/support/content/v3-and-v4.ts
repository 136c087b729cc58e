// One team's assets, groups and playlists read through version 4 and converted to version 3: both must agree.

import type { ClientV3 } from "./each-v3.ts";

type AnyRow = Readonly<Record<string, any>>;

/** As version 3 returns it. */
export async function seenByV3(client: ClientV3): Promise<AnyRow> {
  const [assets, groups, listed] = await Promise.all([
    client.get("/assets/"),
    client.get("/groups/"),
    client.get("/playlists/"),
  ]);
  const playlists = await Promise.all(
    (listed as AnyRow[]).map(({ id }) => client.get(`/playlists/${id}/`)),
  );
  return { assets, groups, listed, playlists };
}

/** The same, assembled from the collections of version 4. */
export async function readThroughV4(client: ClientV3): Promise<AnyRow> {
  const rows = (path: string) => client.rows<any>(`/v4.1/${path}`);
  const [assets, labels, playlists] = await Promise.all([
    rows("assets?select=*,asset_groups(title)&order=id"),
    rows("labels?select=*,screens!label_screen(id,name,coords)&order=id"),
    rows(
      "playlists?select=*,playlist_items(*),labels!label_playlist(*)&order=id&playlist_items.order=position,id",
    ),
  ]);
  const links = await rows("labels/playlists?select=*");
  const screens = await rows("screens?select=id,name,coords&order=id");
  const reported = playlists.map((playlist) =>
    playlistFrom(
      playlist,
      links.filter(({ playlist_id }) => playlist_id === playlist.id),
    ),
  );
  return {
    assets: assets.map(assetFrom),
    groups: labels
      .filter(({ type }) => type !== "screen")
      .sort((a, b) => compare(a.type, b.type) || compare(a.id, b.id))
      .map((label) => ({
        ...groupFrom(label),
        screens:
          label.type === "all-screens"
            ? screens
            : [...label.screens].sort((a, b) => compare(a.id, b.id)),
      })),
    listed: reported.map(({ assets: _, ...playlist }) => playlist),
    playlists: reported,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function assetFrom(row: AnyRow): AnyRow {
  return {
    ...{ id: row["id"], url: `/api/v3/assets/${row["id"]}/` },
    ...{ type: row["type"], title: row["title"] },
    duration: row["duration"] ?? 10,
    asset_url: row["asset_url"],
    ...{ md5: row["md5"] ?? "", source_md5: row["source_md5"] },
    source_size: row["source_size"],
    source_url: row["source_url"] ?? "",
    finalized: row["status"] === "finished",
    ...{ width: row["width"] ?? 0, height: row["height"] ?? 0 },
    disable_verification: row["disable_verification"],
    folder_name: row["asset_groups"]?.title ?? "",
    ...{ headers: row["headers"] ?? {}, metadata: textsFrom(row["metadata"]) },
    ...{ status: row["status"], js_injection: row["js_injection"] ?? "" },
  };
}

/** Numbers and flags that the suite writes are returned as strings. */
function textsFrom(json: unknown): AnyRow {
  if (typeof json !== "object" || json === null || Array.isArray(json))
    return {};
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [
      key,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}

function groupFrom(label: AnyRow): AnyRow {
  const id = label["type"] === "all-screens" ? "all-screens" : label["id"];
  return { id, url: `/api/v3/groups/${id}/`, name: label["human_name"] };
}

/** Groups in the order in which they were linked, which version 4 does not return: any order will do. */
function playlistFrom(row: AnyRow, links: readonly AnyRow[]): AnyRow {
  const items = row["playlist_items"] as AnyRow[];
  const labels = row["labels"] as AnyRow[];
  const sum = items.reduce((all, { duration }) => all + duration, 0);
  return {
    ...{ id: row["id"], url: `/api/v3/playlists/${row["id"]}/` },
    ...{ title: row["title"], is_enabled: row["is_enabled"] },
    ...{ priority: row["priority"], predicate: row["predicate"] },
    groups: sorted(
      links.map(({ label_id }) =>
        groupFrom(labels.find(({ id }) => id === label_id) ?? {}),
      ),
    ),
    duration: Math.round(sum * 1e6) / 1e6,
    assets: items.map(({ asset_id: id, duration }) => ({ id, duration })),
  };
}

function sorted(groups: readonly AnyRow[]): readonly AnyRow[] {
  return [...groups].sort((a, b) => compare(a["id"], b["id"]));
}

/** Reduced to what both can express: a level is a flag, and the groups of a playlist are a set. */
export function comparable(seen: AnyRow): AnyRow {
  const playlist = ({ priority, groups, ...others }: AnyRow) => ({
    ...others,
    priority: typeof priority === "number" ? priority > 0 : priority,
    groups: sorted(groups as AnyRow[]),
  });
  return {
    ...seen,
    assets: (seen["assets"] as AnyRow[]).map(unsigned),
    listed: (seen["listed"] as AnyRow[]).map(playlist),
    playlists: (seen["playlists"] as AnyRow[]).map(playlist),
  };
}

/** An address is signed again whenever it is read. */
function unsigned(asset: AnyRow): AnyRow {
  const { asset_url: address } = asset as { asset_url: string };
  return { ...asset, asset_url: address.replace(/\?.*$/, "") };
}
