// English texts of the command bar.

import type { Formats } from "../../../locales/formats.ts";
import { isolate } from "../../../locales/isolate.ts";

export function commands(_formats: Formats) {
  return {
    title: "Commands",
    open: "Search or run a command",
    hint: "Search or run a command",
    nothing: "Nothing has this name. Try another word.",
    groups: {
      do: "Actions",
      pages: "Go to",
      playlists: "Playlists",
      assets: "Assets",
      settings: "Settings",
    },
    /** What precedes a name in `show`. */
    showPrefix: "show now ",
    show: (name: string) => `Show now: ${isolate(name)}`,
    next: "Show the next asset",
    previous: "Show the previous asset",
    pause: "Pause the screen",
    goOn: "Go on with the programme",
    hide: "Hide the screen",
    picture: "Keep a picture of the screen",
  };
}
