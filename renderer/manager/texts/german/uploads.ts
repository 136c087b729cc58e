// German texts for uploads of files and addresses.

import type { uploads as measure } from "../english/uploads.ts";
import type { Formats } from "../../../locales/formats.ts";
import { isolate } from "../../../locales/isolate.ts";
import { counted, inGermanQuotes as quoted } from "../counts-and-quotes.ts";

export function uploads(formats: Formats): ReturnType<typeof measure> {
  const files = counted(formats, "Datei", "Dateien");
  return {
    title: "Kommt gerade herein",
    addFiles: "Dateien hinzufügen",
    addPage: "Webseite hinzufügen",
    pageAddress: "Adresse einer Webseite",
    pageHint: "Webadresse",
    add: "Hinzufügen",
    pageRejected: "Diese Seite ließ sich nicht hinzufügen",
    rejectedHeaders:
      "Für eine Seite, die sich nur mit einem Token oder Schlüssel zeigt. Eine je Zeile; sie werden mit der Seite gespeichert.",
    addAnywayHelp:
      "Trotzdem hinzugefügt wird die Adresse jetzt nicht geprüft. Solange sie nicht lädt, überspringt der Bildschirm sie.",
    addAnyway: "Trotzdem hinzufügen",
    dropHere: "Loslassen, um hinzuzufügen",
    dropInPlaylist: (name) => `Ablegen, um es zu ${quoted(name)} hinzuzufügen`,
    dropHereHint: "Bilder, Videos, Ton und PDFs; oder ein Weblink",
    adding: (place, all) =>
      all === 1
        ? "Wird hinzugefügt:"
        : `${formats.count(place)} von ${formats.count(all)}:`,
    progress: "Wie viel schon hinzugefügt ist",
    sizes: (here, all) => `${here} von ${all}`,
    left: (seconds) => `noch ${formats.length(seconds)}`,
    added: (name) => `${quoted(name)} wurde hinzugefügt`,
    addedFiles: (number) => `${files(number)} hinzugefügt`,
    failedJobs: (number) =>
      number === 1
        ? "Eine Datei wurde nicht hinzugefügt"
        : `${files(number)} wurden nicht hinzugefügt`,
    tryAgainNamed: (name) => `Erneut versuchen: ${isolate(name)}`,
    noPath: "Das ist keine Datei auf diesem Computer.",
  };
}
