// The component of each page in a browser: all but the first are loaded when they are opened for the first time, or when nothing else
// is to do.

import { NowPage } from "../now/NowPage.tsx";
import { lazyPages } from "./lazy-pages.ts";
import type { PageComponents } from "./page-components.ts";

export const pageComponents: PageComponents = {
  // Opens first, and is small.
  now: NowPage,
  ...lazyPages({
    library: async () =>
      (await import("../library/LibraryPage.tsx")).LibraryPage,
    playlists: async () =>
      (await import("../playlists/PlaylistsPage.tsx")).PlaylistsPage,
    schedule: async () =>
      (await import("../schedule/SchedulePage.tsx")).SchedulePage,
    connections: async () =>
      (await import("../connections/ConnectionsPage.tsx")).ConnectionsPage,
    activity: async () =>
      (await import("../activity/ActivityPage.tsx")).ActivityPage,
    reports: async () =>
      (await import("../reports/ReportsPage.tsx")).ReportsPage,
    settings: async () =>
      (await import("../settings/SettingsPage.tsx")).SettingsPage,
    help: async () => (await import("../help/HelpPage.tsx")).HelpPage,
  }),
  // Not here (V2-776).
  screens: () => null,
  team: () => null,
  account: () => null,
};
