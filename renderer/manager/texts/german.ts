// German texts of the manager: one file per page, combined.

import { activity } from "./german/activity.ts";
import { commands } from "./german/commands.ts";
import { manager } from "./german/manager.ts";
import { now } from "./german/now.ts";
import { reports } from "./german/reports.ts";
import type { Texts } from "./english.ts";
import type { Formats } from "../../locales/formats.ts";

export function german(formats: Formats): Texts {
  return {
    manager: manager(formats),
    now: now(formats),
    commands: commands(formats),
    activity: activity(formats),
    reports: reports(formats),
  };
}
