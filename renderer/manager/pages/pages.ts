// The pages of the manager, in the order of the navigation rail.

import {
  IconActivity,
  IconCalendarWeek,
  IconChartBar,
  IconCloud,
  IconDeviceTv,
  IconDevices,
  IconHelp,
  IconPhotoVideo,
  IconPlaylist,
  IconSettings,
  IconUserCircle,
  IconUsers,
  type Icon,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import { pagesHere, type PageId, type PageProps } from "../place/navigation.ts";
import { pageComponents } from "./page-components.ts";
import { can } from "../place/abilities.ts";

export interface ManagerPage {
  readonly id: PageId;
  readonly icon: Icon;
  /**
   * As in `mod+1`, where mod is Ctrl; the tenth, help, has the key that it has everywhere. Null where those keys belong to the
   * browser.
   */
  readonly shortcut: string | null;
  readonly component: ComponentType<PageProps>;
}

export const pages: readonly ManagerPage[] = (
  [
    { id: "now", icon: IconDeviceTv },
    { id: "screens", icon: IconDevices },
    { id: "library", icon: IconPhotoVideo },
    { id: "playlists", icon: IconPlaylist },
    { id: "schedule", icon: IconCalendarWeek },
    { id: "connections", icon: IconCloud },
    { id: "activity", icon: IconActivity },
    { id: "reports", icon: IconChartBar },
    { id: "settings", icon: IconSettings },
    { id: "team", icon: IconUsers },
    { id: "account", icon: IconUserCircle },
    { id: "help", icon: IconHelp },
  ] as const
)
  .filter(({ id }) => pagesHere.includes(id))
  .map((page, index) => ({
    ...page,
    component: pageComponents[page.id],
    shortcut: shortcutOf(page.id, index),
  }));

function shortcutOf(id: PageId, index: number): string | null {
  if (id === "help") return "F1";
  return can("pageShortcuts") ? `mod+${index + 1}` : null;
}
