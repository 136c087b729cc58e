// What the desk says, in English.

import type { Formats } from "./formats.ts";
import { isolate } from "./isolate.ts";

/** Every language says the same things; English is the measure. */
export type Texts = ReturnType<typeof english>;

export function english(formats: Formats) {
  const { count } = formats;
  const quoted = (name: string) => `“${isolate(name)}”`;
  const assets = (number: number) =>
    `${count(number)} ${formats.plural(number) === "one" ? "asset" : "assets"}`;
  const files = (number: number) =>
    `${count(number)} ${formats.plural(number) === "one" ? "file" : "files"}`;

  return {
    close: "Close",
    tryAgain: "Try again",
    brokenDesk: "This window ran into a fault of its own.",
    brokenDeskCalm: "The screen is not affected and goes on showing.",
    openAgain: "Open the desk again",

    now: "Now",
    nowFailed: "The player did not say what is showing.",
    nothingYet: "Nothing has been shown since the start",
    houseCard: "Name card",
    houseCardWhy: "Nothing is due, so the screen shows who this player is.",
    since: (moment: number) => `Since ${formats.time(moment)}`,
    left: (seconds: number) => `${formats.countdown(seconds)} left`,
    untilItsEnd: "until its end",
    untilSomethingIsDue: "until something is due",
    progress: "How much of it has been shown",
    next: "Next",
    nothingNext: "Nothing else is due",
    showNext: "Show the next asset",
    showPrevious: "Show the previous asset",
    stepFailed: "The screen could not be moved on.",
    nowShowing: (name: string) => `Now showing ${quoted(name)}`,

    live: "Live",
    pictureFrom: (moment: number) => `Picture from ${formats.time(moment)}`,
    pictureOf: (name: string) => `What is on the screen now: ${quoted(name)}`,
    pictureOfScreen: "What is on the screen now",
    pictureFailed: "No picture of the screen at the moment.",
    pictureComing: "Waiting for the first picture",

    apiAddress: "Address of the player interface",
    copyAddress: "Copy the address",
    copied: "Copied",
    copyFailed: "Not copied: select the address and copy it by hand",

    assets: "Assets in order",
    assetsCounted: (all: number, active: number) =>
      `${assets(all)}, ${count(active)} active`,
    assetsFailed: "The player did not answer with its assets.",
    asking: "Asking the player …",

    addFiles: "Add files",
    pageAddress: "Address of a web page",
    pageHint: "Web address",
    addPage: "Add web page",
    add: "Add",
    pageRefused: "This page was not added.",
    dropHere: "Drop to add to this player",
    dropHereHint: "Pictures and videos, as many as you like; or a web link",
    adding: (number: number) => `Adding ${files(number)}`,
    addingStep: (place: number, all: number, name: string) =>
      `${count(place)} of ${count(all)}: ${isolate(name)}`,
    added: (name: string) => `${quoted(name)} was added`,
    addedFiles: (number: number) =>
      number === 0 ? "No file was added" : `${files(number)} added`,
    addedAtTheEnd: "It plays after the last asset.",
    refused: (number: number) =>
      number === 1 ? "A file was not added" : `${files(number)} were not added`,
    refusedFile: (name: string, reason: string) =>
      `${isolate(name)}: ${reason}`,
    noAnswer: "the player did not answer.",
    noPath: "this is not a file on this computer.",

    emptyTitle: "What plays on this screen will be listed here",
    emptyText:
      "Pictures, videos and web pages, in the order in which they play. Drop files anywhere in this window, or:",

    kinds: {
      image: "Picture",
      video: "Video",
      audio: "Sound",
      stream: "Live stream",
      pdf: "PDF",
      webpage: "Web page",
      app: "App",
    },
    wholeLength: "whole length",
    from: (day: string) => `from ${day}`,
    until: (day: string) => `until ${day}`,
    states: {
      "on-glass": "On the screen now",
      problem: "Cannot be shown",
      processing: "Being prepared",
      disabled: "Disabled",
      undated: "No dates",
      "not-yet": "Not yet",
      expired: "Expired",
      active: "Active",
    },
    enable: (name: string) => `Enable ${quoted(name)}`,
    showNow: "Show now",
    showNowNamed: (name: string) => `Show ${quoted(name)} now`,
    showNowNot: "Only an active asset can be shown",
    showFailed: (name: string) => `${quoted(name)} could not be shown.`,
    changeFailed: (name: string) => `${quoted(name)} was not changed.`,
    remove: "Remove",
    removeNamed: (name: string) => `Remove ${quoted(name)}`,
    removeQuestion: (name: string) => `Remove ${quoted(name)}?`,
    removeFile: "The player's copy goes too; your own file stays.",
    removeShowing: "It is on the screen now; the next asset takes its place.",
    keep: "Keep",
    removed: (name: string) => `${quoted(name)} was removed`,
    removeFailed: (name: string) => `${quoted(name)} was not removed.`,
  };
}
