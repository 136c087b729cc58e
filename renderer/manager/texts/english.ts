// English texts of the manager: one file per page, combined.

import { activity } from "./english/activity.ts";
import { commands } from "./english/commands.ts";
import { manager } from "./english/manager.ts";
import { now } from "./english/now.ts";
import { reports } from "./english/reports.ts";
import type { Formats } from "../../locales/formats.ts";

/** All languages have the same texts; English defines them. */
export type Texts = ReturnType<typeof english>;

export function english(formats: Formats) {
  return {
    manager: manager(formats),
    now: now(formats),
    commands: commands(formats),
    activity: activity(formats),
    reports: reports(formats),
  };
}
