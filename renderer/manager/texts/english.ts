// English texts of the manager: one file per page, combined.

import { activity } from "./english/activity.ts";
import { cloud } from "./english/cloud.ts";
import { commands } from "./english/commands.ts";
import { manager } from "./english/manager.ts";
import { firstRun } from "./english/first-run.ts";
import { uploads } from "./english/uploads.ts";
import { inspector } from "./english/inspector.ts";
import { library } from "./english/library.ts";
import { now } from "./english/now.ts";
import { playlists } from "./english/playlists.ts";
import { reports } from "./english/reports.ts";
import { schedule } from "./english/schedule.ts";
import type { Formats } from "../../locales/formats.ts";

/** All languages have the same texts; English defines them. */
export type Texts = ReturnType<typeof english>;

export function english(formats: Formats) {
  return {
    manager: manager(formats),
    now: now(formats),
    library: library(formats),
    inspector: inspector(formats),
    uploads: uploads(formats),
    firstRun: firstRun(formats),
    commands: commands(formats),
    playlists: playlists(formats),
    schedule: schedule(formats),
    cloud: cloud(formats),
    activity: activity(formats),
    reports: reports(formats),
  };
}
