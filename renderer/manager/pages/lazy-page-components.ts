// The component of each page in a browser: a page is loaded when it is opened for the first time, or when nothing else is to do.

import { lazyPage, loadWhenIdle } from "./lazy-page.ts";
import type { PageComponents } from "./page-components.ts";
import { loadKindsBy } from "../undo/undo.ts";

const loaders = {
  now: async () => (await import("../now/NowPage.tsx")).NowPage,
  library: async () => (await import("../library/LibraryPage.tsx")).LibraryPage,
  playlists: async () =>
    (await import("../playlists/PlaylistsPage.tsx")).PlaylistsPage,
  schedule: async () =>
    (await import("../schedule/SchedulePage.tsx")).SchedulePage,
  connections: async () =>
    (await import("../connections/ConnectionsPage.tsx")).ConnectionsPage,
  activity: async () =>
    (await import("../activity/ActivityPage.tsx")).ActivityPage,
  reports: async () => (await import("../reports/ReportsPage.tsx")).ReportsPage,
  settings: async () =>
    (await import("../settings/SettingsPage.tsx")).SettingsPage,
  help: async () => (await import("../help/HelpPage.tsx")).HelpPage,
};

export const pageComponents: PageComponents = {
  now: lazyPage(loaders.now),
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

loadWhenIdle(Object.values(loaders));
loadKindsBy(() =>
  // A page that can't be loaded matters only if it defines the kind.
  Promise.allSettled(Object.values(loaders).map((load) => load())),
);
