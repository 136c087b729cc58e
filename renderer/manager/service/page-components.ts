// The component of each page in a browser at a content service: a page is loaded when it is opened for the first time, or when nothing
// else is to do.

import { lazy } from "react";
import type { PageComponents } from "../pages/page-components.ts";
import { whenIdle } from "../place/idle-time.ts";

const loaders = {
  screens: async () => (await import("../screens/ScreensPage.tsx")).ScreensPage,
  library: async () => (await import("../library/LibraryPage.tsx")).LibraryPage,
  team: async () => (await import("../team/TeamPage.tsx")).TeamPage,
  account: async () => (await import("../account/AccountPage.tsx")).AccountPage,
  help: async () => (await import("../help/HelpPage.tsx")).HelpPage,
};

type Loader = (typeof loaders)[keyof typeof loaders];

const pageOf = (load: Loader) => lazy(async () => ({ default: await load() }));

/** Pages about a player are not here (V3-142). */
const none = () => null;

export const pageComponents: PageComponents = {
  screens: pageOf(loaders.screens),
  library: pageOf(loaders.library),
  team: pageOf(loaders.team),
  account: pageOf(loaders.account),
  help: pageOf(loaders.help),
  ...{ now: none, playlists: none, schedule: none },
  ...{ connections: none, activity: none, reports: none, settings: none },
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
