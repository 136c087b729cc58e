// Lists every playlist and its entries with the reason why each plays at a moment, or does not.

import { isHere } from "../asset.ts";
import { isInHours } from "../play-hours.ts";
import { falsePartAt } from "../predicate/predicate.ts";
import { dueAt, isEligibleAt } from "./schedule-due.ts";
import {
  localName,
  type Part,
  type Plan,
  type PlannedPlaylist,
  type PlannedEntry,
} from "./schedule-plan.ts";
import type { Candidate, Reason } from "./schedule-reason.ts";
import type { WallTime } from "../wall-clock.ts";

const plays: Reason = { code: "plays" };

export function candidatesOf(plan: Plan, moment: number): readonly Candidate[] {
  const at = plan.clock.wallTimeAt(moment);
  const winner = dueAt(plan, at).playing[0];
  return plan.playlists.flatMap((playlist) => {
    const { playlistId, name, plannedEntries } = playlist;
    const reason = whyOfPlaylist(playlist, at, winner);
    return [
      {
        kind: "playlist" as const,
        id: playlistId ?? localName,
        ...{ name, playlistId, assetId: null, reason },
      },
      ...plannedEntries.map((entry) => ({
        kind: "asset" as const,
        id: entry.id,
        name: entry.part?.asset.name ?? entry.assetId,
        ...{ playlistId, assetId: entry.assetId },
        // A reason of the asset itself is more specific than one of its playlist.
        reason: whyNotOfEntry(entry, at) ?? reason,
      })),
    ];
  });
}

function whyOfPlaylist(
  playlist: PlannedPlaylist,
  at: WallTime,
  winner: PlannedPlaylist | undefined,
): Reason {
  if (!playlist.isEnabled) return { code: "disabled" };
  if (!playlist.isForThisScreen)
    return { code: "other-groups", groups: playlist.playlist?.groups ?? [] };
  const falsePart = falsePartAt(playlist.predicate, at);
  if (falsePart) return { code: "predicate-false", ...falsePart };
  if (!isEligibleAt(playlist, at))
    return { code: "playlist-empty", items: playlist.plannedEntries.length };
  if (!winner || winner.priority === playlist.priority) return plays;
  const { playlistId, name, priority } = winner;
  return { code: "outranked", playlistId, name, priority };
}

function whyNotOfEntry({ part }: PlannedEntry, at: WallTime): Reason | null {
  return part ? whyNotOfPart(part, at) : { code: "not-on-disk" };
}

function whyNotOfPart(part: Part, at: WallTime): Reason | null {
  const { asset, quarantinedUntil } = part;
  const { isEnabled, startsAt, endsAt, hours } = asset;
  if (!isEnabled) return { code: "disabled" };
  if (at.moment < part.startsAt || at.moment >= part.endsAt)
    return { code: "outside-dates", startsAt, endsAt };
  if (hours && !isInHours(hours, at)) return { code: "outside-hours", hours };
  if (!isHere(asset)) return { code: "not-on-disk" };
  if (at.moment >= quarantinedUntil) return null;
  const until = quarantinedUntil === Infinity ? null : quarantinedUntil;
  return { code: "quarantined", until };
}
