// What the page of activity says, in English.

import type { Formats } from "../formats.ts";
import { counted } from "../words.ts";

export function activity(formats: Formats) {
  const events = counted(formats, "event", "events");
  return {
    title: "Activity",
    search: "Search names and reasons",
    kind: "What it is about",
    all: "Everything",
    kinds: {
      player: "Player",
      asset: "Assets",
      playlist: "Playlists",
      settings: "Settings",
      takeover: "Takeovers",
      fault: "Faults",
      sync: "Sync",
      access: "Access",
    } as Readonly<Record<string, string>>,
    one: {
      player: "Player",
      asset: "Asset",
      playlist: "Playlist",
      settings: "Setting",
      takeover: "Takeover",
      fault: "Fault",
      sync: "Sync",
      access: "Access",
    } as Readonly<Record<string, string>>,
    /** Where it happened to many at once. */
    many: {
      asset: counted(formats, "asset", "assets"),
      playlist: counted(formats, "playlist", "playlists"),
    } as Readonly<Record<string, (number: number) => string>>,
    /** Beside a takeover that was only tried. */
    drillMark: "Drill",
    /** Where the two words above would make no sentence. */
    whole: {
      "fault failed": "Could not be shown",
      "takeover drill": "Takeover began",
    } as Readonly<Record<string, string>>,
    what: {
      added: "added",
      changed: "changed",
      removed: "removed",
      started: "started",
      stopped: "stopped",
      rebuilt: "made anew: its database was damaged",
      alone: "listens to this machine alone: its access tokens were lost",
      began: "began",
      drill: "drill began",
      ended: "ended",
      failed: "could not be shown",
      binned: "put into the bin",
      restored: "taken out of the bin",
      dropped: "deleted for good",
      applied: "applied",
      held: "held",
      made: "made",
      revoked: "revoked",
      refused: "refused",
    } as Readonly<Record<string, string>>,
    fields: {
      name: "name",
      uri: "address",
      play_order: "order of play",
      start_date: "first day",
      end_date: "last day",
      duration: "seconds on the screen",
      is_enabled: "whether it is enabled",
      file: "file",
      predicate: "times",
      priority: "priority",
      groups: "screens",
      items: "items",
    } as Readonly<Record<string, string>>,
    when: "When",
    ranges: {
      always: "Any time",
      hour: "Last hour",
      day: "Last 24 hours",
      week: "Last 7 days",
      month: "Last 30 days",
    },
    list: "What happened, the newest first",
    listed: (number: number, isAll: boolean) =>
      isAll ? events(number) : `the newest ${events(number)}`,
    failed: "The player did not tell what happened.",
    failedCalm: "It goes on noting it, and the screen goes on showing.",
    empty: "What happens here will be listed here",
    emptySentence:
      "Every change, fault, takeover and sync of this player, with its time and its reason.",
    noneFound: "Nothing of that happened",
    noneFoundSentence:
      "No event fits all three: what it is about, when, and the words.",
    showAll: "Show everything",
    more: "Asking for older events …",
    export: "Export",
    exportCsv: "As a table (CSV)",
    exportJson: "For programs (JSON)",
    exporting: "Collecting the events …",
    exported: "The events are saved",
    exportFailed: "The events were not saved.",
    openAsset: "Open in the library",
    today: "Today",
    yesterday: "Yesterday",
    fileName: "vitrine-activity",
  };
}
