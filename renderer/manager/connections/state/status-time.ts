// Formats a moment in the near past or future for a status line.

import { formats } from "../../../locales/language.ts";

/** "14:00", or with its day if that is not today. */
export function when(moment: string): string {
  return formats.near(Date.parse(moment));
}
