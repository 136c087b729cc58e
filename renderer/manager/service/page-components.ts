// The component of each page in a browser at a content service: a page is loaded when it is opened for the first time, or when nothing
// else is to do.

import { lazyPage, loadLater } from "../pages/lazy-page.ts";
import type { PageComponents } from "../pages/page-components.ts";

const loaders = {
  screens: async () => (await import("../screens/ScreensPage.tsx")).ScreensPage,
  library: async () => (await import("../library/LibraryPage.tsx")).LibraryPage,
  playlists: async () =>
    (await import("../playlists/PlaylistsPage.tsx")).PlaylistsPage,
  schedule: async () =>
    (await import("./schedule/ServiceSchedulePage.tsx")).ServiceSchedulePage,
  activity: async () =>
    (await import("./activity/ServiceActivityPage.tsx")).ServiceActivityPage,
  reports: async () => (await import("../reports/ReportsPage.tsx")).ReportsPage,
  team: async () => (await import("../team/TeamPage.tsx")).TeamPage,
  account: async () => (await import("../account/AccountPage.tsx")).AccountPage,
  help: async () => (await import("../help/HelpPage.tsx")).HelpPage,
};

/** Pages about a player are not here (V3-142). */
const none = () => null;

export const pageComponents: PageComponents = {
  screens: lazyPage(loaders.screens),
  library: lazyPage(loaders.library),
  playlists: lazyPage(loaders.playlists),
  schedule: lazyPage(loaders.schedule),
  activity: lazyPage(loaders.activity),
  reports: lazyPage(loaders.reports),
  team: lazyPage(loaders.team),
  account: lazyPage(loaders.account),
  help: lazyPage(loaders.help),
  ...{ now: none, connections: none, settings: none },
};

loadLater(Object.values(loaders));
