// English texts of the library.

import type { Formats } from "../../../locales/formats.ts";
import { isolate } from "../../../locales/isolate.ts";
import { counted, inEnglishQuotes as quoted } from "../counts-and-quotes.ts";

export function library(formats: Formats) {
  const { count } = formats;
  const assets = counted(formats, "asset", "assets");
  const things = counted(formats, "thing", "things");
  return {
    title: "Library",
    counted: (found: number, all: number) =>
      found === all ? assets(all) : `${count(found)} of ${assets(all)}`,
    search: "Search by name, address or folder",
    searchShort: "Search",
    clearSearch: "Clear the search",
    byKind: "Only these kinds",
    kindCounted: (kind: string, number: number) => `${kind} (${count(number)})`,
    sorting: "Sorted by",
    sortings: {
      order: "Order of play",
      name: "Name",
      size: "Largest first",
      start: "Newest first",
    },
    asList: "Show as a list",
    asGrid: "Show as a grid",
    folders: "Folders",
    everything: "Everything",
    noFolder: "In no folder",
    problems: "Cannot be shown",
    trash: "Bin",
    inTrash: (number: number) => `${things(number)} in the bin`,

    emptyTitle: "What this screen can show will be here",
    emptyText:
      "Drop pictures, videos and PDFs anywhere in this window, or paste the address of a web page.",
    nothingFound: "Nothing here fits",
    nothingFoundText: "No asset has these words, kinds and folder.",
    showEverything: "Show everything",

    kinds: {
      image: "Picture",
      video: "Video",
      audio: "Sound",
      stream: "Live stream",
      pdf: "PDF",
      webpage: "Web page",
      app: "App",
    },
    fullLength: "whole length",
    from: (day: string) => `from ${day}`,
    until: (day: string) => `until ${day}`,
    states: {
      "on-glass": "On the screen",
      problem: "Cannot be shown",
      processing: "Being prepared",
      disabled: "Disabled",
      "in-playlists": "In playlists only",
      undated: "No dates",
      "not-yet": "Not yet",
      expired: "Expired",
      "outside-hours": "Outside its hours",
      "not-due": "Playlists not due",
      active: "Active",
    },

    inNoPlaylist: "Plays in playlists only, and it isn't in any.",
    noPlaylistDue: "None of its playlists is due now.",

    removed: (name: string) => `${quoted(name)} is in the bin`,
    removedSome: (number: number) => `${assets(number)} are in the bin`,
    notRemoved: "Nothing was removed.",
    sortToMove: "Sort by order of play to move assets",
    reordered: "another order of play",
    notReordered: "The order of play was not changed.",

    trashEmpty: "The bin is empty",
    trashEmptyText:
      "What is removed waits here with everything that belongs to it, and can be restored.",
    deletedAt: (moment: string) => `Removed ${moment}`,
    restore: "Restore",
    restoreNamed: (name: string) => `Restore ${isolate(name)}`,
    restoreAll: "Restore all",
    restored: (number: number) =>
      number === 1
        ? "It is back where it was"
        : `${things(number)} are back where they were`,
    notRestored: "Nothing was restored.",
    emptyTrash: "Empty the bin",
    emptyTrashQuestion: (number: number) =>
      `Delete ${things(number)} for good? This cannot be undone.`,
    keepThem: "Keep",
    deleteForGood: "Delete for good",
    trashEmptied: "The bin is empty",
    notEmptied: "The bin was not emptied.",
  };
}
