// A moment near by, as it is said in a line of state.

import { formats } from "../../texts/texts.ts";

/** "14:00", or with its day where that is another. */
export function when(moment: string): string {
  return formats.near(Date.parse(moment));
}
