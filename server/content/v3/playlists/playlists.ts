// Playlists of version 3: version 4's playlists, items and links in one body (V3-30 to V3-36).

import type { Request } from "express";
import {
  playlistCreateV3,
  playlistUpdateV3,
  type PlaylistUpdateV3,
} from "../../../contract/v3/v3.ts";
import { teamOf } from "../../access/access.ts";
import { judged } from "../../http/json-body.ts";
import type { Handler, Methods } from "../../http/routes.ts";
import { refusePlaylistsOutside } from "../../v4/write/label-limits.ts";
import { lockRows } from "../../v4/write/locks.ts";
import { joined, named, sql, trusted, type Sql } from "../../sql.ts";
import { meetCondition, sendTagged } from "../operation/conditional.ts";
import { notFound, sendList, sendText } from "../operation/responses.ts";
import { changedFieldsOf, fieldsOf } from "../operation/fields.ts";
import { replaceItems } from "./playlist-items.ts";
import { limitsOf } from "../operation/limits.ts";
import {
  noteOfAdded,
  noteOfRemoved,
  notesOfChange,
} from "../operation/noted-bodies.ts";
import { groupLabels, refuseUnknown } from "../operation/references.ts";
import { dialectFlag } from "../operation/stored-values.ts";
import {
  bodyIn,
  lockOf,
  note,
  reading,
  writing,
  type RunQuery,
  type V3,
} from "../operation/v3.ts";
import { playlistRows } from "../operation/views.ts";

export interface Playlists {
  readonly collection: Methods;
  readonly item: Methods;
}

interface PlaylistPlace {
  readonly team: string;
  readonly id: string;
}

interface Place extends PlaylistPlace {
  /** The playlist has no items or links yet. */
  readonly isNew: boolean;
}

export function createPlaylists(v3: V3): Playlists {
  const { dialect } = v3;

  const bodyOf = async (runQuery: RunQuery, { team, id }: PlaylistPlace) =>
    bodyIn(
      await runQuery(
        playlistRows(dialect, team, sql`AND p.id = ${id}`, {
          withAssets: true,
        }),
      ),
    );

  const meet = (request: Request, runQuery: RunQuery, place: PlaylistPlace) =>
    meetCondition(
      ...([v3, runQuery, request, { ...place, table: "playlists" }] as const),
      () => bodyOf(runQuery, place),
    );

  const list: Handler = (_request, response) =>
    sendList(
      v3,
      response,
      playlistRows(dialect, teamOf(response), sql`ORDER BY p.id`, {
        withAssets: false,
      }),
      true,
    );

  const create: Handler = async (request, response) => {
    const body = judged(playlistCreateV3, fieldsOf(request));
    const place = { team: teamOf(response), id: v3.makeId() };
    const text = await writing(v3, async (runQuery) => {
      await addPlaylist(v3, runQuery, place, body);
      const limits = limitsOf(v3, runQuery, response);
      await refusePlaylistsOutside(limits, [place.id]);
      const added = noteOfAdded("playlist", place.id, body.title);
      await note(v3, runQuery, place.team, added);
      return bodyOf(runQuery, place);
    });
    sendText(response, 201, text ?? "null");
  };

  const read: Handler = async (request, response) => {
    const place = { team: teamOf(response), id: request.params["id"] ?? "" };
    sendTagged(response, "playlists", await bodyOf(reading(v3), place));
  };

  const change: Handler = async (request, response) => {
    const place = { team: teamOf(response), id: request.params["id"] ?? "" };
    const shown = await bodyOf(reading(v3), place);
    if (shown === null) throw notFound();
    const body = judged(playlistUpdateV3, changedFieldsOf(request, shown));
    const text = await writing(v3, async (runQuery) => {
      await meet(request, runQuery, place);
      const limits = limitsOf(v3, runQuery, response);
      await refusePlaylistsOutside(limits, [place.id]);
      await lockPlaylist(v3, runQuery, place);
      const was = await bodyOf(runQuery, place);
      await changePlaylist(v3, runQuery, place, body);
      await refusePlaylistsOutside(limits, [place.id]);
      const is = await bodyOf(runQuery, place);
      const notes = notesOfChange("playlist", place.id, was, is, body);
      await note(v3, runQuery, place.team, ...notes);
      return is;
    });
    sendTagged(response, "playlists", text);
  };

  const remove: Handler = async (request, response) => {
    const place = { team: teamOf(response), id: request.params["id"] ?? "" };
    await writing(v3, async (runQuery) => {
      await meet(request, runQuery, place);
      const limits = limitsOf(v3, runQuery, response);
      await refusePlaylistsOutside(limits, [place.id]);
      const title = await removePlaylist(runQuery, place);
      const removed = noteOfRemoved("playlist", place.id, title);
      await note(v3, runQuery, place.team, removed);
    });
    response.status(200).end();
  };

  return {
    collection: { GET: list, POST: create },
    item: { GET: read, PUT: change, PATCH: change, DELETE: remove },
  };
}

/** Throws 404 for a playlist that the team doesn't have. */
export async function lockPlaylist(
  v3: V3,
  runQuery: RunQuery,
  { team, id }: PlaylistPlace,
): Promise<void> {
  const one = sql`SELECT id FROM playlists WHERE team_id = ${team} AND id = ${id}`;
  const locked = await runQuery(sql`${one}${trusted(lockOf(v3))}`);
  if (locked.length === 0) throw notFound();
}

/** One that is locked. */
export async function changePlaylist(
  v3: V3,
  runQuery: RunQuery,
  { team, id }: PlaylistPlace,
  body: PlaylistUpdateV3,
): Promise<void> {
  const place = { team, id, isNew: false };
  await updatePlaylist(v3, runQuery, place, body);
  await writeLists(v3, runQuery, place, body);
}

export async function addPlaylist(
  v3: V3,
  runQuery: RunQuery,
  { team, id }: PlaylistPlace,
  body: PlaylistUpdateV3,
): Promise<void> {
  const place = { team, id, isNew: true };
  await insertPlaylist(v3, runQuery, place, body);
  await writeLists(v3, runQuery, place, body);
}

/** Returns its title; throws 404 for a playlist that the team doesn't have. */
export async function removePlaylist(
  runQuery: RunQuery,
  { team, id }: PlaylistPlace,
): Promise<unknown> {
  const [gone] = await runQuery(
    sql`DELETE FROM playlists WHERE team_id = ${team} AND id = ${id} RETURNING title`,
  );
  if (!gone) throw notFound();
  return gone["title"];
}

type Column = readonly [name: string, value: Sql];

/** Only the fields that were sent. */
function columnsOf({ dialect }: V3, body: PlaylistUpdateV3): readonly Column[] {
  const columns: Column[] = [];
  for (const name of ["title", "predicate", "priority"] as const)
    if (body[name] !== undefined) columns.push([name, sql`${body[name]}`]);
  if (body.is_enabled !== undefined)
    columns.push(["is_enabled", dialectFlag(dialect, body.is_enabled)]);
  return columns;
}

async function insertPlaylist(
  v3: V3,
  runQuery: RunQuery,
  { team, id }: Place,
  body: PlaylistUpdateV3,
): Promise<void> {
  const columns: readonly Column[] = [
    ["id", sql`${id}`],
    ["team_id", sql`${team}`],
    ["created_at", sql`${v3.now()}`],
    ...columnsOf(v3, body),
  ];
  const list = (of: (column: Column) => Sql): Sql =>
    joined(columns.map(of), ", ");
  await runQuery(
    sql`INSERT INTO playlists (${list(([name]) => named(name))}) VALUES (${list(([, value]) => value)})`,
  );
}

async function updatePlaylist(
  v3: V3,
  runQuery: RunQuery,
  { team, id }: Place,
  body: PlaylistUpdateV3,
): Promise<void> {
  const sets = columnsOf(v3, body).map(
    ([name, value]) => sql`${named(name)} = ${value}`,
  );
  if (sets.length > 0)
    await runQuery(
      sql`UPDATE playlists SET ${joined(sets, ", ")} WHERE team_id = ${team} AND id = ${id}`,
    );
}

/** Lists replace (V3-8). Referenced rows are locked meanwhile, labels before assets, in the common order (V4-273). */
async function writeLists(
  v3: V3,
  runQuery: RunQuery,
  place: Place,
  body: PlaylistUpdateV3,
): Promise<void> {
  const { dialect } = v3;
  const { team, id } = place;
  const locking = { dialect, team, runQuery };
  if (body.groups !== undefined)
    await lockRows(
      locking,
      "labels",
      "keep",
      sql`(id IN (SELECT label_id FROM label_playlist WHERE team_id = ${team} AND playlist_id = ${id})
        OR ${dialect.keysOneOf(named("id"), body.groups)})`,
    );
  if (body.assets !== undefined) {
    const ids = body.assets.map((asset) => asset.id);
    await lockRows(
      locking,
      "assets",
      "keep",
      sql`(id IN (SELECT asset_id FROM playlist_items WHERE team_id = ${team} AND playlist_id = ${id})
        OR ${dialect.keysOneOf(named("id"), ids)})`,
    );
  }
  if (body.assets !== undefined)
    await replaceItems(v3, runQuery, place, body.assets);
  if (body.groups !== undefined)
    await replaceGroups(v3, runQuery, place, body.groups);
}

/** In the order sent; duplicates once. */
async function replaceGroups(
  v3: V3,
  runQuery: RunQuery,
  { team, id, isNew }: Place,
  groups: readonly string[],
): Promise<void> {
  const existing = await groupLabels(v3, runQuery, team, groups);
  refuseUnknown("groups", groups, existing);
  const labelIds = [
    ...new Set([...existing.values()].map((label) => label.id)),
  ];
  const rows = isNew
    ? []
    : await runQuery(
        sql`SELECT label_id FROM label_playlist WHERE team_id = ${team} AND playlist_id = ${id} ORDER BY row_id`,
      );
  const before = rows.map((row) => String(row["label_id"]));
  if (before.join() === labelIds.join()) return;
  if (before.length > 0)
    await runQuery(
      sql`DELETE FROM label_playlist WHERE team_id = ${team} AND playlist_id = ${id}`,
    );
  const links = labelIds.map(
    (label) => sql`(${v3.makeId()}, ${team}, ${label}, ${id}, ${v3.now()})`,
  );
  if (links.length > 0)
    await runQuery(
      sql`INSERT INTO label_playlist (row_id, team_id, label_id, playlist_id, created_at)
        VALUES ${joined(links, ", ")}`,
    );
}
