// English texts of the playlists page.

import type { Formats } from "../../../locales/formats.ts";
import { isolate } from "../../../locales/isolate.ts";
import { counted, inEnglishQuotes as quoted } from "../counts-and-quotes.ts";

export function playlists(formats: Formats) {
  const playlists = counted(formats, "playlist", "playlists");
  const items = counted(formats, "item", "items");
  return {
    title: "Playlists",
    counted: playlists,
    failed: "The player did not answer with its playlists.",
    failedCalm: "The screen goes on with what it has.",
    list: "All playlists",
    search: "Search playlists",
    noneFound: (searchText: string) =>
      `No playlist is called ${quoted(searchText)}.`,
    back: "All playlists",
    choose: "Choose a playlist to see what it shows and when.",

    emptyTitle: "Playlists put your content in order",
    emptyText:
      "Each has its own times: lunch at noon, offers on Saturdays, a welcome all day. Make the first one and drag content into it.",
    add: "New playlist",
    newName: "New playlist",
    deleted: {
      title: "This playlist was deleted",
      inTrash: (name: string) =>
        `${quoted(name)} is in the bin. You can restore it with its items and times.`,
      gone: "It isn’t in the bin, so it can’t be restored.",
      toList: "Show all playlists",
      deletedElsewhere: (name: string) =>
        `Playlist ${quoted(name)} was deleted elsewhere`,
      deletedElsewhereHint: "You can restore it from the bin.",
    },
    created: (name: string) => `Playlist ${quoted(name)} was created`,
    createFailed: "No playlist was created. The screen goes on as before.",
    changeFailed: (name: string) =>
      `${quoted(name)} was not changed. The screen goes on as before.`,
    removed: (name: string) => `Playlist ${quoted(name)} was deleted`,
    removeFailed: (name: string) =>
      `${quoted(name)} was not deleted. The screen goes on as before.`,
    duplicate: "Duplicate",
    copyOf: (name: string) => `${name} (copy)`,
    remove: "Delete",
    more: (name: string) => `More about ${quoted(name)}`,

    name: "Name",
    nameNeeded: "A playlist needs a name.",
    enabled: "Enabled",
    disabled: "Disabled",
    playsNow: "Plays now",
    priorityOf: (priority: number) => `Priority ${formats.count(priority)}`,
    items,
    noItems: "Nothing in it yet",
    total: (seconds: number, isExact: boolean) =>
      isExact ? formats.length(seconds) : `at least ${formats.length(seconds)}`,
    perHour: (rounds: number) =>
      `${formats.count(rounds)} ${formats.plural(rounds) === "one" ? "round" : "rounds"} an hour`,
    aboutItems: (number: number, length: string, rounds: string) =>
      [items(number), length, rounds].filter((part) => part !== "").join(" · "),
    nonePlays: (number: number) => `${items(number)} · nothing can play now`,

    tabs: {
      content: "Content",
      when: "When",
      appearance: "Look and place",
      preview: "Preview",
    },
    tabList: "Parts of this playlist",

    strip: "Film strip: wider means longer",
    order: "Items in order",
    emptyContent: "Nothing plays from this playlist yet",
    emptyContentText: "Choose content beside this list, or drag it in.",
    place: (place: number, all: number) =>
      `${formats.count(place)} of ${formats.count(all)}`,
    drag: (name: string) => `Move ${quoted(name)}`,
    dragHow:
      "Space or Enter picks an item up, the arrow keys move it, Space or Enter drops it, Escape puts it back. Alt with an arrow key moves it at once.",
    pickedUp: (name: string, place: number, all: number) =>
      `${quoted(name)} is picked up. It is item ${place} of ${all}.`,
    over: (name: string, place: number, all: number) =>
      `${quoted(name)} would be item ${place} of ${all}.`,
    overNothing: (name: string) => `${quoted(name)} is over no place.`,
    dropped: (name: string, place: number, all: number) =>
      `${quoted(name)} is now item ${place} of ${all}.`,
    cancelled: (name: string) => `${quoted(name)} is back where it was.`,
    changed: (name: string) => `${quoted(name)} was changed`,
    moved: (name: string) => `${quoted(name)} was moved`,
    duration: "Seconds",
    durationOf: (name: string) => `How long ${quoted(name)} stays`,
    durationWrong: "A length is written as 90 or 1:30.",
    fullLength: "whole length",
    itemRemoved: (name: string) => `${quoted(name)} was taken out`,
    itemsRemoved: (number: number) => `${items(number)} were taken out`,
    removeItem: (name: string) => `Take ${quoted(name)} out`,
    missing: "No longer in the library",
    chosenItems: (number: number) => `${items(number)} chosen`,
    chooseItem: (name: string) => `Choose ${quoted(name)}`,
    chooseAll: "Choose all",
    setLength: "Length for all chosen",
    lengthHint: "1:30",
    lengthNeeded:
      "Enter a length, as in 90 or 1:30. To go by each asset, choose “Asset's own length”.",
    assetLength: "Asset's own length",
    takeOut: "Take out",

    picker: "Add from the library",
    pickerSearch: "Search the library",
    pickerHide: "Done adding",
    pickerShow: "Add content",
    pickerNone: "Nothing in the library is called so.",
    pickerEmpty: "The library is empty. Add files there first.",
    toLibrary: "Open the library",
    addAsset: (name: string) => `Add ${quoted(name)} to the end`,
    addedAsset: (name: string) => `${quoted(name)} was added`,
    timesIn: (number: number) => `${formats.count(number)}× in it`,

    appearance: {
      priority: "Priority",
      priorityEffect:
        "0 is everyday. Of all that is due, only the highest priority plays; equals play one after the other.",
      groups: "Groups",
      groupsEffect: "Screens of these groups play it. None means every screen.",
      groupsHint: "Type a name and press Enter",
      groupsNotHere: "This screen is in none of these groups.",
      transition: "Transition",
      transitionEffect: "How one item gives way to the next.",
      transitions: {
        usual: "As the screen",
        cut: "Cut",
        "cross-fade": "Cross-fade",
      },
      usually: (what: string) => `The screen's setting: ${what}`,
      shuffle: "Order",
      shuffleEffect: "Shuffled means another order in every round.",
      shuffles: { usual: "As the screen", on: "Shuffled", off: "In order" },
    },

    when: {
      giveTo: "Give these times to …",
      clicked: "When it plays",
      clickedText: "In any of these times, by the screen's own clock.",
      zone: (zone: string) => `Time at the screen: ${isolate(zone)}`,
      unreadable:
        "The text beneath cannot be read yet: mend it, or put it back.",
      always: "Always, around the clock",
      addWindow: "Add a time",
      window: (place: number) => `Time ${formats.count(place)}`,
      days: "Days",
      everyDay: "Every day",
      workdays: "Weekdays",
      weekend: "Weekend",
      allDay: "All day",
      from: "From",
      until: "Until",
      overMidnight: "Ends the next day",
      confirmNextDay: "This would end the next day.",
      takeNextDay: "Play overnight",
      confirmAlways: (name: string) => `Play ${quoted(name)} at any time?`,
      alwaysConsequence:
        "This is its only time. Without one, no time of day or weekday limits the playlist. To stop it, turn it off instead.",
      playAlways: "Play at any time",
      turnOff: "Turn off playlist",
      sameTimes: "From and until are the same time.",
      noDays: "Choose at least one day.",
      removeWindow: (place: number) => `Remove time ${formats.count(place)}`,
      dates: "Dates",
      datesText: "Only between these days; both belong to it.",
      anyDate: "On every date",
      addDates: "Add dates",
      firstDay: "First day",
      lastDay: "Last day",
      open: "open",
      wrongDates: "The last day lies before the first.",
      removeDates: "Remove these dates",
      alsoWritten: "And, as written by hand",
      alsoWrittenText: "This part has no buttons; it is changed in the text.",
      removeWritten: "Remove this part",

      written: "The same as text",
      writtenText:
        "$WEEKDAY is 0 Sunday to 6 Saturday, $TIME milliseconds since midnight, $DATE milliseconds since 1970. AND, OR, NOT, BETWEEN {…}, IN {…}.",
      textLabel: "Predicate",
      apply: "Apply",
      revert: "Put back",
      applyKeys: formats.keys("Ctrl+Enter"),
      problemAt: (position: number) =>
        `At character ${formats.count(position + 1)}:`,
      goThere: "Go there",
      notApplied: "Not applied yet: the screen goes by the last valid one.",
      mixed: "AND binds tighter than OR here. Parentheses say which is meant.",
      canonical: "Canonical form",
      words: "In words",
      plays: (words: string) => `Plays ${words}`,
      holdsUntil: (moment: string) => `True now, until ${moment}`,
      holdsAlways: "True now, and for good",
      nextAt: (moment: string) => `Next true: ${moment}`,
      neverAgain: "Not true again in the next two years",
      changed: (name: string) => `${quoted(name)} plays at other times`,
    },

    preview: {
      title: "Preview",
      about:
        "Drawn by the screen's own stage; the screen itself is not touched.",
      what: "What is previewed",
      thisPlaylist: "This playlist",
      fullScreen: "Whole screen",
      moment: "At",
      momentNow: "Now",
      frame: "Preview of the screen",
      play: "Play",
      pause: "Hold",
      next: "Next item",
      previous: "Previous item",
      mute: "Sound off",
      unmute: "Sound on",
      portrait: "Portrait",
      landscape: "Across",
      scrub: "Place in the round",
      at: (position: number, total: number) =>
        `${formats.countdown(position)} of ${formats.countdown(total)}`,
      nothing: "Nothing to preview: the playlist is empty.",
      nothingDue: "Nothing is due then; the screen shows its name card.",
      page: "Web pages are drawn by the screen itself.",
      failed: "This cannot be shown here. The screen passes over what fails.",
      loading: "Being drawn …",
      item: (place: number, all: number, name: string) =>
        `${formats.count(place)} of ${formats.count(all)}: ${isolate(name)}`,
    },
  };
}
