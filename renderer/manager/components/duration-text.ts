// Formats how long something was shown: beyond an hour without seconds.

import { formats } from "../../locales/language.ts";

const minute = 60;
const hour = 3600;

export function lengthOf(seconds: number): string {
  return formats.length(
    seconds < hour ? seconds : Math.round(seconds / minute) * minute,
  );
}
