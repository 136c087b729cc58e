// One occurrence of a weekly window that the person may not change.

import type { ReactNode } from "react";
import type { PlaylistV2 } from "../../../../server/contract/v2/v2-playlists.ts";
import { t } from "../../../locales/messages.ts";
import { longDays } from "../../predicates/DayChips.tsx";
import { timeText } from "../../predicates/predicate-text.ts";
import {
  isAllDay,
  type WeeklyWindow,
} from "../../predicates/weekly-windows.ts";
import type { Axis, Occurrence } from "../time-axis.ts";
import type { BlockState } from "./Block.tsx";
import { styleOf } from "./style.ts";

interface Props {
  readonly playlist: PlaylistV2;
  readonly window: WeeklyWindow;
  readonly occurrence: Occurrence;
  readonly axis: Axis;
  readonly state: BlockState;
}

export function FixedBlock(props: Props): ReactNode {
  const { playlist, window, occurrence, axis, state } = props;
  const [from, until] = [timeText(window.fromMs), timeText(window.untilMs)];
  const times = t("schedule.timeRange", { from, until });
  return (
    <div
      className="block"
      role="img"
      data-fixed
      data-state={state}
      data-start={occurrence.hasStart}
      data-end={occurrence.hasEnd}
      aria-label={t("schedule.block", {
        name: playlist.name,
        day: longDays[occurrence.weekday] ?? "",
        from,
        until,
      })}
      title={times}
      style={styleOf(occurrence, axis)}
    >
      <span className="block-words figures" aria-hidden>
        <span>{isAllDay(window) ? t("playlists.schedule.allDay") : times}</span>
      </span>
    </div>
  );
}
