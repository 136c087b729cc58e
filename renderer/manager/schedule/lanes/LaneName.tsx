// Head of a lane: its priority, its playlist, and what prevents the playlist from playing.

import type { ReactNode } from "react";
import type { PlaylistV2 } from "../../../../server/contract/v2/v2-playlists.ts";
import { addressOf } from "../../place/navigation.ts";
import { isForScreen } from "../../lineup/schedule-inputs.ts";
import { t } from "../../../locales/messages.ts";
import { useServiceWeek } from "../service-week.ts";
import type { Lane } from "./lanes.ts";

interface Props {
  readonly lane: Lane;
  /** Null for the local assets. */
  readonly wire: PlaylistV2 | null;
  readonly name: string;
  /** Why the whole lane is filled though no time is drawn on it; null where times are drawn. */
  readonly times: "always" | "written" | null;
  readonly screenGroups: readonly string[];
  readonly children: ReactNode;
}

export function LaneName({
  lane,
  wire,
  name,
  times,
  screenGroups,
  children,
}: Props): ReactNode {
  const service = useServiceWeek();
  const words = [
    stateOf(lane, wire, screenGroups),
    service && wire
      ? t("schedule.service.onScreens", {
          count: service.screenCountOf(wire.playlist_id),
        })
      : "",
    times === null || lane.stretches.length === 0
      ? ""
      : t(`schedule.laneTimes.${times}`),
  ].filter((word) => word !== "");
  return (
    <div className="lane-name">
      <Priority priority={lane.priority} hasLevels={service !== null} />
      <span className="lines lane-words">
        {wire ? (
          <a
            href={addressOf("playlists", wire.playlist_id)}
            className={words.length === 0 ? "two-lines" : "one-line"}
            title={[name, ...words].join(", ")}
          >
            <bdi>{name}</bdi>
          </a>
        ) : (
          <span className="one-line">{name}</span>
        )}
        {words.length === 0 ? null : (
          <span className="one-line quiet">{words.join(" · ")}</span>
        )}
      </span>
      {children}
    </div>
  );
}

/** A service has two levels, of which the usual one has no mark. */
function Priority({
  priority,
  hasLevels,
}: {
  readonly priority: number;
  readonly hasLevels: boolean;
}): ReactNode {
  if (hasLevels)
    return priority > 0 ? (
      <span
        className="lane-priority quiet"
        title={t("playlists.service.priorityHigh")}
      >
        {t("playlists.service.priorities.high")}
      </span>
    ) : null;
  const name = t("playlists.priority", { priority });
  return (
    <span
      className="lane-priority quiet figures"
      aria-label={name}
      title={name}
      role="img"
    >
      {t("schedule.priority", { priority })}
    </span>
  );
}

/** What prevents the whole playlist from playing; empty where nothing does. */
function stateOf(
  { playlist, stretches }: Lane,
  wire: PlaylistV2 | null,
  screenGroups: readonly string[],
): string {
  if (wire === null) return "";
  if (!wire.is_enabled) return t("schedule.disabled");
  if (!isForScreen(wire.groups, screenGroups))
    return t("schedule.otherScreens");
  if (playlist?.items.length === 0) return t("schedule.noItems");
  const canNever =
    stretches.length > 0 && stretches.every(({ state }) => state === "cannot");
  return canNever ? t("schedule.nothingPlays") : "";
}
