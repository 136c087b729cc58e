// German texts of the manager: one file per page, combined.

import { cloud } from "./german/cloud.ts";
import { firstRun } from "./german/first-run.ts";
import { uploads } from "./german/uploads.ts";
import { inspector } from "./german/inspector.ts";
import { library } from "./german/library.ts";
import { playlists } from "./german/playlists.ts";
import { schedule } from "./german/schedule.ts";
import { settings } from "./german/settings.ts";
import type { Texts } from "./english.ts";
import type { Formats } from "../../locales/formats.ts";

export function german(formats: Formats): Texts {
  return {
    library: library(formats),
    inspector: inspector(formats),
    uploads: uploads(formats),
    firstRun: firstRun(formats),
    playlists: playlists(formats),
    schedule: schedule(formats),
    cloud: cloud(formats),
    settings: settings(formats),
  };
}
