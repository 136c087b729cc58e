// The component of each page in a browser at a content service: a page is loaded when it is opened for the first time, or when nothing
// else is to do.

import { lazyPages } from "../pages/lazy-pages.ts";
import type { PageComponents } from "../pages/page-components.ts";

/** Pages about a player are not here (V3-142). */
const none = () => null;

export const pageComponents: PageComponents = {
  ...lazyPages({
    screens: async () =>
      (await import("../screens/ScreensPage.tsx")).ScreensPage,
    library: async () =>
      (await import("../library/LibraryPage.tsx")).LibraryPage,
    playlists: async () =>
      (await import("../playlists/PlaylistsPage.tsx")).PlaylistsPage,
    schedule: async () =>
      (await import("./schedule/ServiceSchedulePage.tsx")).ServiceSchedulePage,
    activity: async () =>
      (await import("./activity/ServiceActivityPage.tsx")).ServiceActivityPage,
    reports: async () =>
      (await import("../reports/ReportsPage.tsx")).ReportsPage,
    team: async () => (await import("../team/TeamPage.tsx")).TeamPage,
    account: async () =>
      (await import("../account/AccountPage.tsx")).AccountPage,
    help: async () => (await import("../help/HelpPage.tsx")).HelpPage,
  }),
  ...{ now: none, connections: none, settings: none },
};
