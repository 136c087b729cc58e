// What stands before a lane: its priority, its playlist, and what is in its way as a whole.

import type { ReactNode } from "react";
import type { PlaylistV2 } from "../../../server/contract/v2-playlists.ts";
import { addressOf } from "../place.ts";
import { isForScreen } from "../playlists/library.ts";
import { texts } from "../texts/texts.ts";
import type { Lane } from "./lanes.ts";

interface Props {
  readonly lane: Lane;
  /** Null for the local assets. */
  readonly wire: PlaylistV2 | null;
  readonly name: string;
  readonly screenGroups: readonly string[];
  readonly children: ReactNode;
}

export function LaneName({
  lane,
  wire,
  name,
  screenGroups,
  children,
}: Props): ReactNode {
  const state =
    wire === null
      ? ""
      : !wire.is_enabled
        ? texts.schedule.disabled
        : !isForScreen(wire.groups, screenGroups)
          ? texts.schedule.otherGroups
          : "";
  return (
    <div className="lane-name">
      <span
        className="lane-priority"
        aria-label={texts.schedule.priorityAloud(lane.priority)}
        role="img"
      >
        {texts.schedule.priority(lane.priority)}
      </span>
      <span className="lane-words">
        {wire ? (
          <a
            href={addressOf("playlists", wire.playlist_id)}
            dir="auto"
            title={name}
          >
            {name}
          </a>
        ) : (
          <span>{name}</span>
        )}
        {state === "" ? null : <span className="quiet">{state}</span>}
      </span>
      {children}
    </div>
  );
}
