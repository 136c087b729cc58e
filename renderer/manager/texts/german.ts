// German texts of the manager: one file per page, combined.

import { activity } from "./german/activity.ts";
import { cloud } from "./german/cloud.ts";
import { commands } from "./german/commands.ts";
import { manager } from "./german/manager.ts";
import { firstRun } from "./german/first-run.ts";
import { uploads } from "./german/uploads.ts";
import { inspector } from "./german/inspector.ts";
import { library } from "./german/library.ts";
import { now } from "./german/now.ts";
import { playlists } from "./german/playlists.ts";
import { reports } from "./german/reports.ts";
import { schedule } from "./german/schedule.ts";
import type { Texts } from "./english.ts";
import type { Formats } from "../../locales/formats.ts";

export function german(formats: Formats): Texts {
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
