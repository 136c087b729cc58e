// English texts for uploads of files and addresses.

import type { Formats } from "../../../locales/formats.ts";
import { isolate } from "../../../locales/isolate.ts";
import { counted, inEnglishQuotes as quoted } from "../counts-and-quotes.ts";

export function uploads(formats: Formats) {
  const files = counted(formats, "file", "files");
  return {
    title: "On the way in",
    addFiles: "Add files",
    addPage: "Add a web page",
    pageAddress: "Address of a web page",
    pageHint: "Web address",
    add: "Add",
    pageRejected: "Couldn't add this page",
    rejectedHeaders:
      "For a page that is only shown with a token or key. One per line; they are kept with the page.",
    addAnywayHelp:
      "If you add it anyway, nothing checks the address now. It's skipped on the screen while it can't be loaded.",
    addAnyway: "Add anyway",
    dropHere: "Drop to add to this player",
    dropInPlaylist: (name: string) => `Drop to add to ${quoted(name)}`,
    dropHereHint: "Pictures, videos, sound and PDFs; or a web link",
    adding: (place: number, all: number) =>
      all === 1
        ? "Adding"
        : `Adding ${formats.count(place)} of ${formats.count(all)}:`,
    progress: "How much has been added",
    sizes: (here: string, all: string) => `${here} of ${all}`,
    left: (seconds: number) => `${formats.length(seconds)} left`,
    added: (name: string) => `${quoted(name)} was added`,
    addedFiles: (number: number) => `${files(number)} added`,
    failedJobs: (number: number) =>
      number === 1 ? "A file was not added" : `${files(number)} were not added`,
    tryAgainNamed: (name: string) => `Try again: ${isolate(name)}`,
    noPath: "This is not a file on this computer.",
  };
}
