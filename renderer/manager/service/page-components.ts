// The component of each page in a browser at a content service: a page is loaded when it is opened for the first time, or when nothing
// else is to do.

import { lazyPage, loadLater } from "../pages/lazy-page.ts";
import type { PageComponents } from "../pages/page-components.ts";
import { withStyles } from "../pages/part-styles.ts";

const loaders = {
  screens: withStyles(
    "ScreensPage",
    async () => (await import("../screens/ScreensPage.tsx")).ScreensPage,
  ),
  library: withStyles(
    "LibraryPage",
    async () => (await import("../library/LibraryPage.tsx")).LibraryPage,
  ),
  playlists: withStyles(
    "PlaylistsPage",
    async () => (await import("../playlists/PlaylistsPage.tsx")).PlaylistsPage,
  ),
  schedule: withStyles(
    "ServiceSchedulePage",
    async () =>
      (await import("./schedule/ServiceSchedulePage.tsx")).ServiceSchedulePage,
  ),
  activity: withStyles(
    "ServiceActivityPage",
    async () =>
      (await import("./activity/ServiceActivityPage.tsx")).ServiceActivityPage,
  ),
  reports: withStyles(
    "ReportsPage",
    async () => (await import("../reports/ReportsPage.tsx")).ReportsPage,
  ),
  team: withStyles(
    "TeamPage",
    async () => (await import("../team/TeamPage.tsx")).TeamPage,
  ),
  account: withStyles(
    "AccountPage",
    async () => (await import("../account/AccountPage.tsx")).AccountPage,
  ),
  help: withStyles(
    "HelpPage",
    async () => (await import("../help/HelpPage.tsx")).HelpPage,
  ),
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
