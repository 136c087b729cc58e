// The component of each page in a browser: all but the first are loaded when they are opened for the first time, or when nothing else
// is to do.

import { NowPage } from "../now/NowPage.tsx";
import { lazyPage, loadLater } from "./lazy-page.ts";
import type { PageComponents } from "./page-components.ts";
import { withStyles } from "./part-styles.ts";

const loaders = {
  library: withStyles(
    "LibraryPage",
    async () => (await import("../library/LibraryPage.tsx")).LibraryPage,
  ),
  playlists: withStyles(
    "PlaylistsPage",
    async () => (await import("../playlists/PlaylistsPage.tsx")).PlaylistsPage,
  ),
  schedule: withStyles(
    "SchedulePage",
    async () => (await import("../schedule/SchedulePage.tsx")).SchedulePage,
  ),
  connections: withStyles(
    "ConnectionsPage",
    async () =>
      (await import("../connections/ConnectionsPage.tsx")).ConnectionsPage,
  ),
  activity: withStyles(
    "ActivityPage",
    async () => (await import("../activity/ActivityPage.tsx")).ActivityPage,
  ),
  reports: withStyles(
    "ReportsPage",
    async () => (await import("../reports/ReportsPage.tsx")).ReportsPage,
  ),
  settings: withStyles(
    "SettingsPage",
    async () => (await import("../settings/SettingsPage.tsx")).SettingsPage,
  ),
  help: withStyles(
    "HelpPage",
    async () => (await import("../help/HelpPage.tsx")).HelpPage,
  ),
};

export const pageComponents: PageComponents = {
  // Opens first, and is small.
  now: NowPage,
  library: lazyPage(loaders.library),
  playlists: lazyPage(loaders.playlists),
  schedule: lazyPage(loaders.schedule),
  connections: lazyPage(loaders.connections),
  activity: lazyPage(loaders.activity),
  reports: lazyPage(loaders.reports),
  settings: lazyPage(loaders.settings),
  help: lazyPage(loaders.help),
  // Not here (V2-776).
  screens: () => null,
  team: () => null,
  account: () => null,
};

loadLater(Object.values(loaders));
