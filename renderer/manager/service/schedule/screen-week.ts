// What a screen of a content service, or one with a single label, has to play: the service's playlists and assets in the form that the
// schedule uses, as players receive them (V3-101, V3-186).

import type { Playlist } from "../../../../server/core/playlist.ts";
import { playlistOnlyAsset } from "../../../../server/core/schedule/playlist-only-asset.ts";
import { everyScreen } from "../../../../server/core/schedule/schedule-plan.ts";
import type { ScheduleInput } from "../../../../server/core/schedule/schedule.ts";
import type { PdfPages } from "../library/pdf-pages.ts";
import type { Library } from "../../lineup/schedule-inputs.ts";

export interface ChosenScreen {
  readonly zone: string;
  /** Its labels and its own one; all screens have the built-in one. */
  readonly groups: readonly string[];
}

interface ScreenWeek {
  /** What plays there. */
  readonly planned: ScheduleInput;
  /** Also what plays elsewhere, without its items. */
  readonly all: ScheduleInput;
}

/** A playlist without labels plays on no screen, but at a player on every screen. */
const nowhere: readonly string[] = ["(none)"];
/** The service, too, gives reasons for no more playlists (V3-123). */
const maxPlaylists = 1000;

export function weekOf(
  { input, views }: Pick<Library, "input" | "views">,
  { pages, hiddenIds }: PdfPages,
  { zone, groups }: ChosenScreen,
): ScreenWeek {
  const here = new Set([...groups, ...everyScreen]);
  const ofLibrary = views.map(({ id, name, problem, durationSeconds }) => ({
    ...{ id, name, durationSeconds },
    isEnabled: problem === null && !hiddenIds.has(id),
  }));
  // What is still being processed counts as there (V3-123).
  const assets = [...ofLibrary, ...pages].map(
    ({ id, name, durationSeconds, isEnabled }) =>
      playlistOnlyAsset({
        ...{ id, name, durationSeconds, isEnabled, isProcessing: false },
      }),
  );
  const planned: Playlist[] = [];
  const elsewhere: Playlist[] = [];
  for (const playlist of input.playlists)
    if (playlist.groups.some((group) => here.has(group)))
      planned.push(playlist);
    else
      elsewhere.push({
        ...{ ...playlist, items: [] },
        groups: playlist.groups.length === 0 ? nowhere : playlist.groups,
      });
  const shown = Math.max(0, maxPlaylists - planned.length);
  return {
    planned: { assets, playlists: planned, zone, groups },
    all: {
      ...{ assets, zone, groups },
      playlists: [...planned, ...elsewhere.slice(0, shown)],
    },
  };
}
