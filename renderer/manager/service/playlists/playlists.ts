// Reads and changes playlists of a content service. Version 3 has the tag against which every change is made (V3-151); the identifiers
// of items and the transition are those of version 4.

import {
  playlistColumns,
  playlistFieldFromV3,
  playlistFieldsToV3,
  playlistFromBoth,
  storedItemsOf,
  transitionsToV4,
  type StoredItem,
} from "../../../../server/contract/service-rows/playlist-from-row.ts";
import {
  idIn,
  isRow,
  type Row,
} from "../../../../server/contract/service-rows/read-rows.ts";
import type { ServiceAnswer } from "../../../../server/contract/screens-client/service-access.ts";
import type { OperateOutcome } from "../../../../server/contract/v2/operations/operation-client.ts";
import type {
  PlaylistItemV2,
  PlaylistV2,
} from "../../../../server/contract/v2/v2-playlists.ts";
import { t } from "../../../locales/messages.ts";
import { refusedBy, type Refused } from "../../service-requests/refused.ts";
import { serviceAccess } from "../../service-requests/service-requests.ts";
import { playlistList } from "./playlist-list.ts";
import { noteShownIds, shownIdOf, withShownIds } from "./shown-item-ids.ts";

const prefix = "/api/v3/playlists/";
const rowPrefix = "/api/v4/playlists?id=eq.";
/** One row as an object, which alone has a tag (V4-390). */
const oneRow = "application/vnd.pgrst.object+json";

/** A playlist as it was read, which a change is made to. */
interface Version {
  readonly playlist: PlaylistV2;
  readonly etag: string;
  readonly stored: readonly StoredItem[];
}

/** By playlist, as they were read last. */
const versions = new Map<string, Version>();
/** Of those that were opened or changed. */
const maxVersions = 100;

/** Others change it between two requests, and nobody does so this often. */
const maxTries = 8;

const pathOf = (id: string): string => `${prefix}${encodeURIComponent(id)}/`;
const rowPathOf = (id: string): string => rowPrefix + encodeURIComponent(id);

function refused(answer: ServiceAnswer): Refused {
  const outcome = refusedBy(answer, playlistFieldFromV3);
  // Trying again doesn't help: assertions of the service hold it back (V3-107).
  return answer.status === 409 ? { ...outcome, code: "invalid" } : outcome;
}

function conflict(): Refused {
  return {
    ...{ isDone: false, code: "conflict", fields: null },
    message: t("playlists.service.changedMeanwhile"),
  };
}

function keep(version: Version): PlaylistV2 {
  const { playlist_id: id } = version.playlist;
  versions.delete(id);
  versions.set(id, version);
  for (const oldest of versions.keys()) {
    if (versions.size <= maxVersions) break;
    versions.delete(oldest);
  }
  return withShownIds(version.playlist);
}

function versionOf(
  { json, etag }: ServiceAnswer,
  row: unknown,
): Version | null {
  if (!isRow(json) || etag === null || !isRow(row)) return null;
  const playlist = playlistFromBoth(json, row, `${etag} ${transitionIn(row)}`);
  return playlist && { playlist, etag, stored: storedItemsOf(row) };
}

function transitionIn(row: Row): string {
  return String(row["transitions"]);
}

async function readRow(id: string): Promise<unknown> {
  const path = `${rowPathOf(id)}&select=${playlistColumns}`;
  const { json } = await serviceAccess.request("GET", path);
  return Array.isArray(json) ? json[0] : undefined;
}

async function readVersion(id: string): Promise<Version | Refused> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const [answer, row] = await Promise.all([
      serviceAccess.request("GET", pathOf(id)),
      readRow(id),
    ]);
    if (answer.status !== 200) return refused(answer);
    const version = versionOf(answer, row);
    if (version) return version;
  }
  return conflict();
}

export async function readPlaylist(id: string): Promise<OperateOutcome> {
  const version = await readVersion(id);
  return "stored" in version
    ? { isDone: true, answer: keep(version) }
    : version;
}

/** After a write of these items, by the identifiers under which the page shows them; null: the items were not written. */
async function written(
  answer: ServiceAnswer,
  shown: readonly string[] | null,
): Promise<OperateOutcome> {
  if (answer.status >= 300) return refused(answer);
  const id = isRow(answer.json) ? idIn(answer.json) : null;
  if (id === null) return refused(answer);
  const version = versionOf(answer, await readRow(id));
  // Somebody has changed it since.
  if (!version) return readPlaylist(id);
  if (shown !== null) noteShownIds(id, shown, version.stored);
  return { isDone: true, answer: keep(version) };
}

function itemsIn(body: Row): readonly PlaylistItemV2[] | null {
  const { items } = body;
  return Array.isArray(items) ? (items as readonly PlaylistItemV2[]) : null;
}

/** As they are stored, under the identifiers that the page knows. */
const shownItems = (id: string, stored: readonly StoredItem[]) =>
  stored.map((item) => ({ ...item, id: shownIdOf(id, item.id) }));

const idsOf = (items: readonly PlaylistItemV2[] | null) =>
  items?.map(({ item_id }) => item_id) ?? null;

export async function createPlaylist(body: Row): Promise<OperateOutcome> {
  const json = playlistFieldsToV3(body, playlistList.known()?.stored ?? []);
  const answer = await serviceAccess.request("POST", prefix, { json });
  const id = isRow(answer.json) ? idIn(answer.json) : null;
  if (answer.status >= 300 || id === null) return refused(answer);
  const transitions = transitionsToV4(body["transition"]);
  if (typeof transitions === "boolean") {
    const path = rowPathOf(id);
    const json = { transitions };
    const set = await serviceAccess.request("PATCH", path, { json });
    if (set.status >= 300) {
      await deletePlaylist(id);
      return refused(set);
    }
  }
  return readPlaylist(id);
}

/** Carried out only if nobody has changed the playlist since it was read with this revision (V3-191). */
export async function changePlaylist(
  id: string,
  body: Row,
): Promise<OperateOutcome> {
  const { items_revision: revision, expected, transition, ...fields } = body;
  const before = versions.get(id);
  if (!before || before.playlist.items_revision !== revision) return conflict();
  if (isRow(expected) && !holds(before.playlist, expected)) return conflict();
  const items = itemsIn(fields);
  const json = playlistFieldsToV3(fields, shownItems(id, before.stored));
  if (Object.keys(json).length > 0) {
    const answer = await serviceAccess.request("PATCH", pathOf(id), {
      ...{ json, headers: { "If-Match": before.etag } },
    });
    const outcome = await written(answer, idsOf(items));
    if (!outcome.isDone || transition === undefined) return outcome;
  }
  if (transition === undefined) return readPlaylist(id);
  const rejection = await changeTransition(id, before.playlist, transition);
  return rejection ?? readPlaylist(id);
}

function holds(playlist: PlaylistV2, expected: Row): boolean {
  return Object.entries(expected).every(
    ([name, value]) =>
      JSON.stringify(playlist[name as keyof PlaylistV2]) ===
      JSON.stringify(value),
  );
}

async function changeTransition(
  id: string,
  before: PlaylistV2,
  transition: unknown,
): Promise<Refused | null> {
  const path = rowPathOf(id);
  const { json: row, etag } = await serviceAccess.request("GET", path, {
    headers: { Accept: oneRow },
  });
  const isAsBefore =
    isRow(row) && row["transitions"] === transitionsToV4(before.transition);
  if (!isAsBefore || etag === null) return conflict();
  const answer = await serviceAccess.request("PATCH", path, {
    json: { transitions: transitionsToV4(transition) },
    headers: { "If-Match": etag },
  });
  return answer.status >= 300 ? refused(answer) : null;
}

/** Behind whatever is in it by now; those that it has already are not added again. */
export async function appendPlaylistItems(
  id: string,
  body: Row,
): Promise<OperateOutcome> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const version = await readVersion(id);
    if (!("stored" in version)) return version;
    const { items: present } = keep(version);
    const added = (itemsIn(body) ?? []).filter(
      (item) => !present.some((one) => isSameItem(one, item)),
    );
    const all = [...present, ...added];
    const stored = shownItems(id, version.stored);
    const answer = await serviceAccess.request("PATCH", pathOf(id), {
      json: playlistFieldsToV3({ items: all }, stored),
      headers: { "If-Match": version.etag },
    });
    if (answer.status !== 412) return written(answer, idsOf(all));
  }
  return conflict();
}

/** An uploaded asset is in it once, and its item has its identifier: the response to an earlier attempt may have been lost (V2-811). */
function isSameItem(one: PlaylistItemV2, other: PlaylistItemV2): boolean {
  return (
    one.item_id === other.item_id ||
    (other.item_id === other.asset_id && one.asset_id === other.asset_id)
  );
}

/** As it was read last, if it was. Succeeds if it is already gone. */
export async function deletePlaylist(id: string): Promise<OperateOutcome> {
  const version = versions.get(id);
  const answer = await serviceAccess.request("DELETE", pathOf(id), {
    ...(version && { headers: { "If-Match": version.etag } }),
  });
  if (answer.status >= 300 && answer.status !== 404) return refused(answer);
  versions.delete(id);
  return { isDone: true, answer: null };
}
