// An asset's state as a sign and a word; colour only underlines it.

import {
  IconAlertTriangle,
  IconCalendarOff,
  IconCalendarQuestion,
  IconCalendarTime,
  IconCircleCheck,
  IconCircleOff,
  IconClockOff,
  IconDeviceTv,
  IconHourglass,
  IconPlaylist,
  IconPlaylistOff,
  type Icon,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { AssetState } from "./asset-state.ts";
import { texts } from "../texts/texts.ts";

const signs: Readonly<Record<AssetState, Icon>> = {
  "on-glass": IconDeviceTv,
  problem: IconAlertTriangle,
  processing: IconHourglass,
  disabled: IconCircleOff,
  "in-playlists": IconPlaylist,
  undated: IconCalendarQuestion,
  "not-yet": IconCalendarTime,
  expired: IconCalendarOff,
  "outside-hours": IconClockOff,
  "not-due": IconPlaylistOff,
  active: IconCircleCheck,
};

export function StateBadge({
  state,
}: {
  readonly state: AssetState;
}): ReactNode {
  const Sign = signs[state];
  return (
    <span className="asset-state" data-state={state}>
      <Sign size={16} stroke={1.75} aria-hidden />
      {texts.library.states[state]}
    </span>
  );
}
