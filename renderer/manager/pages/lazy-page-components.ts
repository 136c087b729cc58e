// The component of each page in a browser: a page is loaded when it is opened for the first time, or when nothing else is to do.

import { lazy } from "react";
import { whenIdle } from "../place/idle-time.ts";
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

type Loader = (typeof loaders)[keyof typeof loaders];

const pageOf = (load: Loader) => lazy(async () => ({ default: await load() }));

export const pageComponents: PageComponents = {
  now: pageOf(loaders.now),
  library: pageOf(loaders.library),
  playlists: pageOf(loaders.playlists),
  schedule: pageOf(loaders.schedule),
  connections: pageOf(loaders.connections),
  activity: pageOf(loaders.activity),
  reports: pageOf(loaders.reports),
  settings: pageOf(loaders.settings),
  help: pageOf(loaders.help),
  // Not here (V2-776).
  screens: () => null,
  team: () => null,
  account: () => null,
};

/** So that a later page opens at once. */
function loadNext([load, ...rest]: readonly Loader[]): void {
  if (load === undefined) return;
  whenIdle(() => {
    load()
      .then(() => {
        loadNext(rest);
      })
      // It is loaded again when it is opened, and says then why it can't be.
      .catch(() => undefined);
  });
}

loadNext(Object.values(loaders));
loadKindsBy(() =>
  // A page that can't be loaded matters only if it defines the kind.
  Promise.allSettled(Object.values(loaders).map((load) => load())),
);
