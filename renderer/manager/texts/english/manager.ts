// English texts of the manager's frame and its shared parts.

import type { Formats } from "../../../locales/formats.ts";
import { isolate } from "../../../locales/isolate.ts";
import { counted, inEnglishQuotes as quoted } from "../counts-and-quotes.ts";

export function manager(formats: Formats) {
  const files = counted(formats, "file", "files");
  return {
    product: "Vitrine",
    navigation: "Pages",
    skipToPage: "Skip to the page",
    pages: {
      now: "Now",
      library: "Library",
      playlists: "Playlists",
      schedule: "Schedule",
      cloud: "Cloud",
      activity: "Activity",
      reports: "Reports",
      settings: "Settings",
    },
    close: "Close",
    cancel: "Cancel",
    save: "Save",
    done: "Done",
    back: "Back",
    copied: "Copied",
    copyFailed: "Not copied: select the text and copy it by hand",
    undo: "Undo",
    undone: (what: string) => `Undone: ${what}`,
    undoFailed: (what: string) => `Not undone: ${what}`,
    nothingToUndo: "There is nothing to undo.",
    cannotUndo: (what: string) => `Can’t undo: ${what}`,
    cannotUndoOlder: (what: string) => `Before that: ${what}`,
    undonePartly: (what: string) => `Partly undone: ${what}`,
    changedSince: (name: string) =>
      `“${isolate(name)}” was changed elsewhere since. That change stays.`,
    goneSince: "It was deleted since.",
    undoAnyway: "Undo anyway",
    undoElsewhere: (page: string) => `Undo this on the ${page} page?`,
    /** For actions that cannot be undone, by their operation. */
    final: {
      takeOver: "Takeover started",
      endTakeover: "Takeover ended",
      pausePlayback: "Playback paused",
      resumePlayback: "Playback resumed",
      controlPlayback: "Skipped to another asset",
      createToken: "Token created",
      revokeToken: "Token revoked",
      deleteFromTrash: "Deleted from the bin",
      emptyTrash: "Bin emptied",
      createSyncAccount: "Cloud connected",
      deleteSyncAccount: "Cloud removed",
      discardAllLocalChanges: "Service's version used for everything",
      deleteSyncChange: "Waiting change discarded",
      retrySyncChange: "Waiting change sent again",
      distrustPlanKey: "Key removed",
      makeBackup: "Backup made",
      deleteBackup: "Backup deleted",
    },
    audioOff: "Sound off",
    audioOn: "Sound on",
    pinChanged: "PIN changed",
    tryAgain: "Try again",
    loading: "Asking the player …",
    screenContinues: "The screen is not affected and goes on showing.",
    broken: "This window ran into a fault of its own.",
    brokenPage: "This page ran into a fault of its own.",
    openAgain: "Open the desk again",
    unanswered:
      "The player did not answer. The screen goes on with what it has.",
    minutesAgo: (seconds: number) => `${formats.length(seconds)} ago`,
    halfTyped: "This is incomplete or impossible: what was there before holds.",
    changedElsewhere: {
      to: (what: string) => `Changed elsewhere to ${quoted(what)}`,
      cleared: "Cleared elsewhere",
      keepMine: "Keep mine",
      useTheirs: "Use theirs",
    },
    changedMeanwhile: "It was changed elsewhere meanwhile.",
    leftBehind: (field: string, of: string) =>
      `${field} of ${quoted(of)} wasn't saved`,
    backToField: "Go back to it",
    files,
    reasonAndStep: (reason: string, step: string) =>
      `${isolate(reason)} ${step}`,
  };
}
