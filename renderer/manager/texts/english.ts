// English texts of the manager: one file per page, combined.

import { cloud } from "./english/cloud.ts";
import { firstRun } from "./english/first-run.ts";
import { uploads } from "./english/uploads.ts";
import { inspector } from "./english/inspector.ts";
import { library } from "./english/library.ts";
import { playlists } from "./english/playlists.ts";
import { schedule } from "./english/schedule.ts";
import { settings } from "./english/settings.ts";
import type { Formats } from "../../locales/formats.ts";

/** All languages have the same texts; English defines them. */
export type Texts = ReturnType<typeof english>;

export function english(formats: Formats) {
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
