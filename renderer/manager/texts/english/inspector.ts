// English texts of the asset details.

import type { Formats } from "../../../locales/formats.ts";
import { isolate } from "../../../locales/isolate.ts";
import { counted, inEnglishQuotes as quoted } from "../counts-and-quotes.ts";

export function inspector(formats: Formats) {
  const assets = counted(formats, "asset", "assets");
  const playlists = counted(formats, "playlist", "playlists");
  return {
    title: "Details",
    several: (number: number) => `${assets(number)} selected`,
    severalText: "What is changed here changes in all of them.",
    various: "Various",
    saved: "Saved",
    saving: "Saving …",
    notSaved: "Not saved.",
    changing: (done: number, all: number) =>
      `Changing ${formats.count(done)} of ${formats.count(all)}`,
    change: (field: string) => `change of ${field}`,

    basics: "What it is",
    name: "Name",
    address: "Address",
    folder: "Folder",
    folderHint: "As in Menus/Lunch; empty for none",
    enabled: "Enabled",
    enabledHelp: "When off, it plays nowhere.",
    playlistOnly: "Only in playlists",
    playlistOnlyHelp: "When off, it also plays in the screen's own round.",

    when: "When it plays",
    startDate: "From",
    endDate: "Until",
    startMissing: "A day and a time are needed: it always begins some time.",
    zone: (zone: string) => `By the screen's clock: ${zone}`,
    forGood: "Until further notice",
    days: "Weekdays",
    daysVarious: "Various: a click changes this one day in all of them.",
    timeFrom: "From this time of day",
    timeTo: "Until this time of day",
    allDay: "All day",
    overnight: "Over midnight, it belongs to the day on which it begins.",
    duration: "Seconds on the screen",
    durationHelp: "0 is its whole length.",

    appearance: "How it looks and sounds",
    fit: "Fills the screen",
    fits: {
      "": "As the player does",
      fit: "Whole, with bars",
      fill: "Full, cut at the edges",
      natural: "In its own size",
    },
    volume: "Volume in percent",
    volumeHint: "As loud as the player",
    muted: "Without sound",
    pages: "Pages",
    pagesHint: "All; or as in 1, 3, 5-8",
    pagesWrong: "These must be numbers as in 1, 3, 5-8.",
    rotation: "Turned",
    degrees: (number: number) => `${formats.count(number)}°`,

    page: "How the page is asked for",
    headers: "Request headers",
    headersHelp: "One to a line, as in Authorization: Bearer …",
    headersWrong: "Each line must be a name, a colon and a value.",
    agent: "Browser it says it is",
    agentHint: "The browser's own",
    zoom: "Zoom in percent",
    script: "Script run at every load",
    refresh: "Load anew after seconds",
    never: "Never",
    skipCertificate: "Take any certificate",
    skipCertificateHelp: "Only for a server of your own.",
    nocache: "Load anew each time",
    sendMetadata: "Tell the page which screen asks",
    renderHere: "Show the page itself",
    renderHereHelp: "Off, a picture of it is shown.",
    cacheSeconds: "The picture may be so many seconds old",
    skipCheck: "Take the address without trying it",

    file: "File",
    type: "Type",
    size: "Size",
    length: "Length",
    replace: "Replace the file",
    replaceHelp: "Name, place, dates and playlists stay.",
    replaced: (name: string) => `${quoted(name)} has its new file`,
    notReplaced: "The file was not replaced; the old one goes on playing.",
    identifier: "Identifier",

    usedIn: "Where it is used",
    inLocal: "In the screen's own round",
    inPlaylist: (name: string, times: number) =>
      times === 1
        ? isolate(name)
        : `${isolate(name)} (${formats.count(times)}×)`,
    nowhere: "In no playlist",
    ifRemoved: "If it is removed",
    isVisibleNow:
      "It is on the screen now: what is next takes its place at once.",
    breaksPlaylist: (name: string) =>
      `Playlist ${quoted(name)} would be empty.`,
    breaksAll: "Nothing else would be due on this screen.",
    breaksTakeover: "The takeover key shows it.",
    breaksNothing: "Nothing breaks. It waits in the bin.",
    inPlaylistsSome: (number: number) => `It goes from ${playlists(number)}.`,

    deletedElsewhere: "This asset was deleted.",
    deletedTyped: "What you typed is kept until you restore it or discard it.",
    restore: "Restore",
    notRestored: (name: string) => `Couldn't restore ${quoted(name)}`,
    discard: "Discard",

    remove: "Move to bin",
    showNow: "Show now",
    enable: "Enable",
    disable: "Disable",
    problem: "Why it cannot be shown",
    close: "Close the details",
    dayNames: [
      ...["Monday", "Tuesday", "Wednesday", "Thursday"],
      ...["Friday", "Saturday", "Sunday"],
    ],
  };
}
