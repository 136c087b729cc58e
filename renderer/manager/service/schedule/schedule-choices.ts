// What the schedule page of a content service can be opened for: all screens, a label, or one screen.

import { isZone } from "../../../../server/contract/v3/zone-name.ts";
import { allScreensId } from "../../../../server/contract/service-rows/playlist-from-row.ts";
import { t } from "../../../locales/messages.ts";
import { byName, type Named } from "../../playlists/screens-of-playlist.ts";
import type { ScreenItem } from "../../fleet/find-screens.ts";

export interface ScheduleChoice extends Named {
  readonly isScreen: boolean;
  /** A disabled screen is dark, whatever is due. */
  readonly isEnabled: boolean;
  /** Its labels, and its own. */
  readonly groups: readonly string[];
  readonly zone: string;
}

export interface ScheduleChoices {
  readonly byId: ReadonlyMap<string, ScheduleChoice>;
  /** Of the list. */
  readonly data: {
    readonly group: string;
    readonly items: { readonly value: string; readonly label: string }[];
  }[];
}

/** Screens stay in their order. */
export function choicesOf(
  labels: readonly Named[],
  screens: readonly ScreenItem[],
): ScheduleChoices {
  // Screens of a label may be anywhere: their clocks show the same times, not at the same moment.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const labelled = ({ id, name }: Named): ScheduleChoice => ({
    ...{ id, name, zone, groups: [id], isScreen: false, isEnabled: true },
  });
  const ofLabels = [
    labelled({ id: allScreensId, name: t("playlists.service.allScreens") }),
    ...byName(labels).map(labelled),
  ];
  const ofScreens = screens.map(({ screen }): ScheduleChoice => {
    const { id, name, timezone, is_enabled: isEnabled } = screen;
    return {
      ...{ id, name, isEnabled, isScreen: true },
      groups: [id, ...screen.groups.map((label) => label.id)].toSorted(),
      zone: isZone(timezone) ? timezone : "UTC",
    };
  });
  const items = (choices: readonly ScheduleChoice[]) =>
    choices.map(({ id, name }) => ({ value: id, label: name }));
  return {
    byId: new Map([...ofLabels, ...ofScreens].map((one) => [one.id, one])),
    data: [
      { group: t("playlists.service.labels"), items: items(ofLabels) },
      { group: t("playlists.service.singleScreens"), items: items(ofScreens) },
    ].filter(({ items: some }) => some.length > 0),
  };
}

/** The first of these that is there, otherwise the first screen, or all screens where there is none. */
export function chosenOf(
  { byId }: ScheduleChoices,
  ...ids: readonly string[]
): ScheduleChoice {
  const all = [...byId.values()];
  const chosen =
    ids.flatMap((id) => byId.get(id) ?? [])[0] ??
    all.find(({ isScreen }) => isScreen) ??
    all[0];
  if (chosen === undefined) throw new Error("All screens are always there.");
  return chosen;
}
