// English texts of the now page.

import type { Formats } from "../../../locales/formats.ts";
import { isolate } from "../../../locales/isolate.ts";
import { counted, inEnglishQuotes as quoted } from "../counts-and-quotes.ts";

export function now(formats: Formats) {
  const { clock, countdown, time } = formats;
  const more = counted(formats, "more", "more");
  return {
    title: "Now",
    screen: "On the screen",
    nothingYet: "Nothing has been shown since the start",
    idleScreen: "Name card",
    nowShowing: (name: string) => `Now showing ${quoted(name)}`,
    since: (moment: number) => `Since ${clock(moment)}`,
    left: (seconds: number) => `${countdown(seconds)} left`,
    untilItsEnd: "until its end",
    untilSomethingIsDue: "until something is due",
    progress: "How much of it has been shown",
    next: "Next",
    nothingNext: "Nothing else is due",

    verdict: {
      verified: "As planned, verified",
      planned: "As planned",
      byHand: "Shown by hand, verified",
      byHandUnseen: "Shown by hand",
      blank: (moment: number) => `Blank since ${clock(moment)}`,
      frozen: (moment: number) => `Frozen since ${clock(moment)}`,
      wrong: (moment: number) =>
        `Something else covers it since ${clock(moment)}`,
      inFront: "This window covers the screen",
      fallback: (moment: number, why: string) =>
        `Fallback since ${clock(moment)}: ${why}`,
      takeover: (moment: number) => `Takeover since ${clock(moment)}`,
      drill: (moment: number) => `Drill since ${clock(moment)}`,
      paused: (until: number) =>
        `Paused: this stays until you go on, at most until ${clock(until)}`,
      hidden: "Hidden: the screen is black on purpose",
      starting: "Starting",
      manager: "This PC is only a desk: nothing is shown here",
      unknown: "The player does not answer",
    },
    verdictHelp: {
      verified:
        "A picture of the screen was compared with what should be on it.",
      planned: "The screen is looked at in a moment.",
      blank: "What should be seen is not there. The player tries the next one.",
      frozen: "The film stands still. The player tries the next one.",
      wrong: "Close the window or message that covers the screen.",
      inFront:
        "The screen goes on behind it. Move or close this window to see it.",
      fallback:
        "The screen shows its name card until something is due and ready.",
      manager:
        "What you prepare is shown elsewhere. Set this PC up anew to make it a screen.",
      takeover: "The programme waits and then goes on where it was.",
    },
    explanation: {
      nothingAtAll: "nothing has been added yet",
      plays: (name: string) => `${name} is due`,
      outranked: (name: string) => `${name} gives way to a higher priority`,
      "predicate-false": (name: string) => `it is not the time of ${name}`,
      disabled: (name: string) => `${name} is disabled`,
      "outside-dates": (name: string) => `${name} is outside its dates`,
      "outside-hours": (name: string) => `${name} is outside its hours`,
      "other-groups": (name: string) => `${name} is for other screens`,
      "not-on-disk": (name: string) => `${name} is not here yet`,
      quarantined: (name: string) => `${name} could not be shown`,
      "playlist-empty": (name: string) => `${name} is empty`,
    },
    thePlaylist: (name: string) => `playlist ${isolate(name)}`,
    theAsset: (name: string) => quoted(name),
    andMore: (sentence: string, number: number) =>
      `${sentence} (and ${more(number)})`,
    seeWhy: "Why is this playing?",

    previous: "Previous",
    nextOne: "Next",
    pause: "Pause",
    goOn: "Go on",
    mute: "Mute",
    unmute: "Sound on",
    hide: "Hide screen",
    unhide: "Show screen",
    hideTaken: "A takeover has the screen: end it first.",
    jump: "Jump to …",
    jumpTo: "Show at once",
    jumpNothing: "Nothing that is due has this name.",
    saveScreenshot: "Take picture",
    screenshotSaved: "The picture was kept",
    openFolder: "Open folder",
    stepFailed: "The screen could not be moved on.",
    pauseFailed: "The screen could not be paused.",
    hideFailed: "The screen could not be hidden.",
    muteFailed: "The sound could not be changed.",
    screenshotNotSaved: "The picture was not kept.",
    shownNow: (name: string) => `${quoted(name)} is shown now`,
    showFailed: (name: string) => `${quoted(name)} could not be shown.`,

    live: "Live",
    screenshotFrom: (moment: number) => `Picture from ${time(moment)}`,
    pictureOf: (name: string) => `What is on the screen now: ${quoted(name)}`,
    screenshotOfScreen: "What is on the screen now",
    screenshotFailed: "No picture of the screen at the moment.",
    screenshotLoading: "Waiting for the first picture",

    due: "In this round",
    dueNothing: "Nothing is due at this moment.",
    dueUntil: (moment: number) => `until ${formats.near(moment)}`,
    dueCovered: "when the takeover ends",
    dueAlways: "no end date",
    dueMore: (number: number) => `and ${more(number)}`,
    fromPlaylist: (name: string) => `from ${quoted(name)}`,

    health: "Health",
    healthMemory: "Memory",
    healthMemoryOf: (used: string, total: string) => `${used} of ${total} used`,
    healthDisk: "Disk",
    healthDiskFree: (free: string) => `${free} free`,
    healthLoad: "Load",
    healthLoadAverage: (load: string) => `${load} on average`,
    healthUptime: "Running for",
    healthClock: "Clock",
    healthClockOther: (zone: string) => `${zone}, other than this desk`,
    healthProblems: "Cannot be shown",
    healthProblemsNone: "None",
    healthProblemsSome: counted(formats, "asset", "assets"),
    healthGraphics: "Graphics",
    healthGraphicsSoftware:
      "Software rendering: the graphics process crashed repeatedly. Videos may stutter. Update the GPU driver.",
    healthLow: "Little room is left: remove what is not needed.",
    player: "Player",
    apiAddress: "Address of the player interface",
    copyAddress: "Copy the address",

    emptyTitle: "Drop a picture anywhere in this window",
    emptyText:
      "It is on the screen a moment later. Videos, PDFs and web addresses work too.",
  };
}
