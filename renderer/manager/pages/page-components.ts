// The component of each page. In a browser they are loaded one by one: the bundler puts `lazy-page-components.ts` in the place of this
// file, or `../service/page-components.ts` for content services.

import type { ComponentType } from "react";
import { ActivityPage } from "../activity/ActivityPage.tsx";
import { ConnectionsPage } from "../connections/ConnectionsPage.tsx";
import { HelpPage } from "../help/HelpPage.tsx";
import { LibraryPage } from "../library/LibraryPage.tsx";
import { NowPage } from "../now/NowPage.tsx";
import { PlaylistsPage } from "../playlists/PlaylistsPage.tsx";
import { ReportsPage } from "../reports/ReportsPage.tsx";
import { SchedulePage } from "../schedule/SchedulePage.tsx";
import { ScreensPage } from "../screens/ScreensPage.tsx";
import { SettingsPage } from "../settings/SettingsPage.tsx";
import type { PageId, PageProps } from "../place/navigation.ts";

export type PageComponents = Readonly<Record<PageId, ComponentType<PageProps>>>;

export const pageComponents: PageComponents = {
  now: NowPage,
  screens: ScreensPage,
  library: LibraryPage,
  playlists: PlaylistsPage,
  schedule: SchedulePage,
  connections: ConnectionsPage,
  activity: ActivityPage,
  reports: ReportsPage,
  settings: SettingsPage,
  help: HelpPage,
  // At a content service only (V3-142).
  team: () => null,
  account: () => null,
};
