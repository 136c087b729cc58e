// Playbacks of all screens of a content service: as the rows of the report page, and as named totals.

import type { ScreenServiceView } from "../../../server/contract/ipc/ipc-screens.ts";
import type { PlaybackDayV2 } from "../../../server/contract/v2/v2-logs.ts";
import type {
  PlaybackGrouping,
  PlaybackTotalV3,
} from "../../../server/contract/v3/v3-playback-report.ts";
import { t } from "../../locales/messages.ts";

/** Besides assets and days, which this player's own report has, too. */
export const serviceViews = ["playlist", "screen", "group"] as const;
export type ServiceView = (typeof serviceViews)[number];

export interface NamedTotal {
  readonly id: string;
  readonly name: string;
  /** Null: it has been deleted, or it is what belongs to none. */
  readonly knownName: string | null;
  readonly playbacks: number;
  readonly seconds: number;
}

export interface ReportSource {
  readonly serviceId: string;
  readonly serviceName: string;
  readonly labelId: string | null;
  /** Chosen only at the service itself. */
  readonly screenId: string | null;
}

export function sourceName({ name }: Pick<ScreenServiceView, "name">): string {
  return name ?? t("hosting.title");
}

/** By asset and day, as this player's own report. */
export function playbackDaysOf(
  totals: readonly PlaybackTotalV3[],
): readonly PlaybackDayV2[] {
  return totals.map((total) => ({
    ...{ day: total.day ?? "", asset_id: total.asset_id ?? "" },
    name: total.asset_title || t("reports.deletedAsset"),
    ...{ playbacks: total.playbacks, seconds: total.duration_seconds },
  }));
}

/** Longest first. */
export function namedTotals(
  totals: readonly PlaybackTotalV3[],
  view: ServiceView,
): readonly NamedTotal[] {
  return totals
    .map((total) => ({
      id: total[`${view}_id`] ?? "",
      ...{ name: nameOf(total, view), knownName: knownNameOf(total, view) },
      ...{ playbacks: total.playbacks, seconds: total.duration_seconds },
    }))
    .sort((a, b) => b.seconds - a.seconds);
}

function knownNameOf(total: PlaybackTotalV3, view: ServiceView): string | null {
  return (
    (view === "playlist" ? total.playlist_title : total[`${view}_name`]) ?? null
  );
}

function nameOf(total: PlaybackTotalV3, view: ServiceView): string {
  const known = knownNameOf(total, view);
  if (known !== null) return known;
  switch (view) {
    case "screen":
      return t("reports.deletedScreen");
    case "group":
      return t("reports.noLabel");
    case "playlist":
      return total.playlist_id === null
        ? t("reports.noPlaylist")
        : t("reports.deletedPlaylist");
  }
}

/** What still exists can be opened. */
export function knownAssets(
  totals: readonly PlaybackTotalV3[],
): ReadonlySet<string> {
  return new Set(
    totals.flatMap(({ asset_id: id, asset_title: title }) =>
      id !== undefined && title != null ? [id] : [],
    ),
  );
}

/** What a file has a row for: each day apart. */
export function groupingOfFile(
  view: ServiceView | "asset" | "day",
): PlaybackGrouping[] {
  return view === "day" ? ["day"] : ["day", view];
}
