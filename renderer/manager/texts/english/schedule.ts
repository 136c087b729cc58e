// English texts of the schedule page.

import type { Formats } from "../../../locales/formats.ts";
import { isolate } from "../../../locales/isolate.ts";
import { counted, inEnglishQuotes as quoted } from "../counts-and-quotes.ts";

export function schedule(formats: Formats) {
  const items = counted(formats, "item", "items");
  const playlists = counted(formats, "playlist", "playlists");
  return {
    title: "Schedule",
    failed: "The player did not answer with its schedule.",
    failedCalm: "The screen goes on with what it has.",
    emptyTitle: "Every playlist gets a line here",
    emptyText:
      "You will see who has the screen at any moment of the week, who gives way, and why. The first step is a playlist.",
    toPlaylists: "New playlist",

    scale: "How much is seen",
    week: "Week",
    day: "Day",
    earlier: { week: "Week before", day: "Day before" },
    later: { week: "Week after", day: "Day after" },
    today: "Today",
    laying: (done: number, all: number) =>
      `Laying out the schedule: ${formats.count(done)} of ${playlists(all)}`,
    zone: (zone: string) => `Time at the screen: ${isolate(zone)}`,
    zoneDiffers: (zone: string) =>
      `Time at the screen: ${isolate(zone)}, not this computer's`,
    search: "Search playlists",
    lanes: "Playlists by priority",
    onScreen: "On the screen",
    nothing: "Nothing due",
    local: "Local assets",
    priority: (priority: number) => `P${formats.count(priority)}`,
    priorityAloud: (priority: number) => `priority ${formats.count(priority)}`,
    disabled: "disabled",
    otherGroups: "for other screens",
    openPlaylist: (name: string) => `Open playlist ${quoted(name)}`,
    addTime: (name: string) => `Add a time to ${quoted(name)}`,
    drawHint: "Drag across a line to set when it plays.",
    noItems: "no items",
    noneCanPlay: "nothing in it can play",
    timesOf: { always: "always", written: "written by hand" },
    legend: {
      plays: "Plays",
      outranked: "Gives way",
      cannot: "Cannot play",
    },
    now: "Now",
    hoursOfDay: (hours: number) => `${formats.count(hours)} h`,
    clockForward: (from: string, until: string) =>
      `Clocks go forward: ${from} to ${until} does not happen`,
    clockBack: (from: string, until: string) =>
      `Clocks go back: ${from} to ${until} comes twice`,

    block: (name: string, day: string, from: string, until: string) =>
      `${isolate(name)}, ${day} ${from} to ${until}`,
    blockHow:
      "Left and right arrows move it, with Alt they move its end, with Alt and Shift its beginning; Enter opens it, Delete removes it.",
    times: (from: string, until: string) => `${from}–${until}`,
    movedTo: (from: string, until: string) => `Now ${from} to ${until}`,
    timeChanged: (name: string) => `${quoted(name)} plays at other times`,
    timeRemoved: (name: string) => `A time of ${quoted(name)} was removed`,
    editTitle: (name: string) => `When ${quoted(name)} plays`,
    removeTime: "Remove this time",
    allDetails: "All its times",

    scrubber: "Moment looked at",
    moment: "Moment",
    backToNow: "Now",
    expected: "What the screen would show",
    nothingDue: "Nothing is due then; the screen shows its name card.",
    inSequence: (number: number) => `${items(number)} in turn`,
    changesAt: (moment: string) => `Changes next: ${moment}`,
    staysSo: "Nothing further is planned.",
    takeover: (until: string | null) =>
      until === null
        ? "A takeover has the screen until it is ended."
        : `A takeover has the screen until ${until}.`,
    why: "Why",
    whyTable: "Every playlist and why it plays or does not",
    candidate: "Playlist",
    verdict: "Verdict",
    because: "Reason",
    showItems: (name: string) => `Show the items of ${quoted(name)}`,
    covered: "Covered by a takeover",
    coveredBecause: "It plays when the takeover ends.",
    verdicts: {
      plays: "Plays",
      outranked: "Gives way",
      "predicate-false": "Not its time",
      disabled: "Disabled",
      "outside-dates": "Out of its dates",
      "outside-hours": "Out of its hours",
      "other-groups": "Other screens",
      "not-on-disk": "Not here yet",
      quarantined: "Cannot be shown",
      "playlist-empty": "Cannot play",
    },
    reasons: {
      plays: "Due at this moment.",
      playsWith: (number: number) =>
        `Due at this moment, in turn with ${formats.count(number)} more of the same priority.`,
      outranked: (name: string, priority: number) =>
        `${quoted(name)} has priority ${formats.count(priority)}.`,
      predicateFalse: (words: string) => `Plays only: ${words}.`,
      predicateNever: (part: string) => `Not true here: ${isolate(part)}`,
      disabled: "It is switched off.",
      dates: (from: string, until: string) => `From ${from} to ${until}.`,
      datesFrom: (from: string) => `From ${from} on.`,
      datesUntil: (until: string) => `Up to ${until}.`,
      noDates: "It has no dates.",
      hours: (days: string, times: string) =>
        `Only ${[days, times].filter((part) => part !== "").join(", ")}.`,
      groups: (groups: string) => `For ${isolate(groups)} only.`,
      notOnDisk: "Its file is still on the way.",
      quarantined: "It could not be shown and is left in peace for a while.",
      empty: "It has no items.",
      noneCan: (number: number) => `None of its ${items(number)} can play now.`,
    },
  };
}
