// A playlist as a cloud tells it, in version 4 or 3 → what the player is to have of it.

import type { Transition } from "../../../core/playlist.ts";
import { parsePredicate } from "../../../core/predicate.ts";
import type { SyncTrouble } from "../../../core/sync-state.ts";
import type { WantedItem, WantedPlaylist } from "../../../core/sync-wanted.ts";
import { nameOf } from "./asset-rows.ts";
import { idIn, numberIn, rowsIn, textIn, type Row } from "./remote.ts";

export type ReadPlaylist = WantedPlaylist | SyncTrouble | null;

const mostSeconds = 31_536_000;
const mostPriority = 100;

type SecondsOf = (assetId: string) => number | null;

export function readPlaylistV4(row: Row, secondsOf: SecondsOf): ReadPlaylist {
  const items = [...rowsIn(row, "playlist_items")]
    .sort(byPosition)
    .map((item) => itemOf(idIn(item, "asset_id"), item, secondsOf));
  const { transitions } = row;
  return readPlaylist(row, items, {
    priority: row["priority"] === true ? 1 : levelOf(row),
    transition:
      typeof transitions === "boolean"
        ? transitions
          ? "cross-fade"
          : "cut"
        : null,
  });
}

export function readPlaylistV3(
  row: Row,
  place: number,
  secondsOf: SecondsOf,
): ReadPlaylist {
  const items = rowsIn(row, "assets").map((item) =>
    itemOf(idIn(item), item, secondsOf),
  );
  // Version 3 tells no moment: its list is in the order of creation.
  return readPlaylist({ created_at: place, ...row }, items, {
    priority: levelOf(row),
    transition: null,
  });
}

function readPlaylist(
  row: Row,
  items: readonly (WantedItem | null)[],
  {
    priority,
    transition,
  }: { readonly priority: number; readonly transition: Transition | null },
): ReadPlaylist {
  const remoteId = idIn(row);
  if (remoteId === null) return null;
  const name = nameOf(row, remoteId);
  const predicate = textIn(row, "predicate").trim() || "TRUE";
  const { problem } = parsePredicate(predicate);
  if (problem)
    return {
      ...{ remoteId, name, isGivenUp: true },
      reason: `Its predicate cannot be read: at position ${problem.position}, ${problem.message}`,
    };
  return {
    remoteId,
    facts: {
      ...{ name, predicate, priority, transition, isShuffled: null },
      isEnabled: row["is_enabled"] !== false,
      createdAt: momentOf(row["created_at"]),
      items: items.filter((item) => item !== null),
    },
  };
}

function itemOf(
  assetId: string | null,
  row: Row,
  secondsOf: SecondsOf,
): WantedItem | null {
  if (assetId === null) return null;
  const seconds = numberIn(row, "duration");
  const own = secondsOf(assetId);
  // An item as long as its film was never given a length by a person: the film is played whole.
  const isOwn =
    own !== null && seconds !== null && Math.abs(seconds - own) < 0.5;
  return {
    assetId,
    durationSeconds:
      seconds === null || seconds <= 0 || isOwn
        ? null
        : Math.min(mostSeconds, Math.max(1, Math.round(seconds))),
  };
}

function byPosition(a: Row, b: Row): number {
  const distance =
    (numberIn(a, "position") ?? Infinity) -
    (numberIn(b, "position") ?? Infinity);
  if (distance < 0 || distance > 0) return distance;
  return textIn(a, "id") < textIn(b, "id") ? -1 : 1;
}

function levelOf(row: Row): number {
  const level = Math.floor(numberIn(row, "priority") ?? 0);
  return Math.min(mostPriority, Math.max(0, level));
}

/** Milliseconds since 1970; 0 where nobody says. */
function momentOf(value: unknown): number {
  const moment =
    typeof value === "number"
      ? value
      : typeof value === "string"
        ? Date.parse(value)
        : NaN;
  return Number.isFinite(moment) ? Math.round(moment) : 0;
}
