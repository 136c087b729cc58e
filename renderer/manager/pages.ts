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
  type Icon,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import { ActivityPage } from "./activity/ActivityPage.tsx";
import { ConnectionsPage } from "./connections/ConnectionsPage.tsx";
import { HelpPage } from "./help/HelpPage.tsx";
import { LibraryPage } from "./library/LibraryPage.tsx";
import { NowPage } from "./now/NowPage.tsx";
import { pagesHere, type PageId, type PageProps } from "./navigation.ts";
import { can } from "./place/abilities.ts";
import { PlaylistsPage } from "./playlists/PlaylistsPage.tsx";
import { ReportsPage } from "./reports/ReportsPage.tsx";
import { SchedulePage } from "./schedule/SchedulePage.tsx";
import { ScreensPage } from "./screens/ScreensPage.tsx";
import { SettingsPage } from "./settings/SettingsPage.tsx";

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
    { id: "now", icon: IconDeviceTv, component: NowPage },
    { id: "screens", icon: IconDevices, component: ScreensPage },
    { id: "library", icon: IconPhotoVideo, component: LibraryPage },
    { id: "playlists", icon: IconPlaylist, component: PlaylistsPage },
    { id: "schedule", icon: IconCalendarWeek, component: SchedulePage },
    { id: "connections", icon: IconCloud, component: ConnectionsPage },
    { id: "activity", icon: IconActivity, component: ActivityPage },
    { id: "reports", icon: IconChartBar, component: ReportsPage },
    { id: "settings", icon: IconSettings, component: SettingsPage },
    { id: "help", icon: IconHelp, component: HelpPage },
  ] as const
)
  .filter(({ id }) => pagesHere.includes(id))
  .map((page, index) => ({ ...page, shortcut: shortcutOf(page.id, index) }));

function shortcutOf(id: PageId, index: number): string | null {
  if (id === "help") return "F1";
  return can("pageShortcuts") ? `mod+${index + 1}` : null;
}
