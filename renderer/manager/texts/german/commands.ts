// German texts of the command bar.

import type { commands as measure } from "../english/commands.ts";
import type { Formats } from "../../../locales/formats.ts";
import { isolate } from "../../../locales/isolate.ts";

export function commands(_formats: Formats): ReturnType<typeof measure> {
  return {
    title: "Befehle",
    open: "Suchen oder Befehl ausführen",
    hint: "Suchen oder Befehl ausführen",
    nothing: "Nichts heißt so. Versuchen Sie ein anderes Wort.",
    groups: {
      do: "Aktionen",
      pages: "Gehe zu",
      playlists: "Playlists",
      assets: "Inhalte",
      settings: "Einstellungen",
    },
    showPrefix: "jetzt zeigen ",
    show: (name) => `Jetzt zeigen: ${isolate(name)}`,
    next: "Nächsten Inhalt zeigen",
    previous: "Vorherigen Inhalt zeigen",
    pause: "Bildschirm anhalten",
    goOn: "Mit dem Programm fortfahren",
    hide: "Bildschirm verdecken",
    picture: "Ein Bild vom Bildschirm behalten",
  };
}
