// now: what is on screen, why, since when and until when, whether it was verified, and what comes next (V2-72, V2-147, V2-148).

import type { NowV2 } from "../../../contract/v2/v2-screen.ts";
import { momentToText } from "../../../contract/v2/v2-values.ts";
import type { ShowingStatus } from "../../playback/showing-status.ts";
import type { Director } from "../../playback/director.ts";
import type { Playlists } from "../../playlists/playlists.ts";
import { becauseOf } from "../../playback/reasons.ts";
import { pauseToV2 } from "./pause.ts";
import type { Pause } from "../../playback/pause.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Takeovers } from "../../playback/takeover.ts";

export interface NowOptions {
  readonly director: Director;
  readonly playlists: Playlists;
  readonly takeovers: Takeovers;
  readonly pause: Pause;
  readonly clock: Clock;
  readonly playerName: string;
}

export function nowToV2(options: NowOptions): NowV2 {
  const { director, clock, playerName } = options;
  const status = director.status();
  const next = director.next();
  return {
    time: momentToText(clock.now()),
    player_name: playerName,
    ...pauseToV2(options.pause),
    showing: status && showingToV2(status, options),
    next: next && { asset_id: next.id, name: next.name },
  };
}

function showingToV2(
  status: ShowingStatus,
  options: NowOptions,
): NonNullable<NowV2["showing"]> {
  const { showing, reason, sinceMs, untilMs, verdict } = status;
  return {
    asset_id: showing.assetId,
    name: showing.name,
    kind: showing.content.kind,
    reason,
    explanation: becauseOf(status, options),
    playlist: playlistToV2(status.playlistId, options.playlists),
    since: momentToText(Math.round(sinceMs)),
    until: untilMs === null ? null : momentToText(Math.round(untilMs)),
    verdict: verdict?.verdict ?? null,
    verdict_since: verdict && momentToText(Math.round(verdict.since)),
    checked: verdict && momentToText(Math.round(verdict.at)),
  };
}

/** Null for the playlist of the local assets, and for one that has been deleted. */
export function playlistToV2(
  playlistId: string | null,
  playlists: Playlists,
): { playlist_id: string; name: string } | null {
  const playlist = playlists.all().find(({ id }) => id === playlistId);
  return playlist ? { playlist_id: playlist.id, name: playlist.name } : null;
}
