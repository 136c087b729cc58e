// English texts for editing a content service and for pairing this screen by PIN.

import type { Formats } from "../../../locales/formats.ts";
import { counted, inEnglishQuotes as quoted } from "../counts-and-quotes.ts";

export function cloudEditing(formats: Formats) {
  const changes = counted(formats, "change", "changes");
  return {
    title: "Edit in the cloud",
    about:
      "What you change here is changed for every screen of that cloud. While it is away, changes wait and are sent in order.",
    collection: "What to edit",
    collections: {
      assets: "Assets",
      playlists: "Playlists",
      labels: "Labels",
      groups: "Folders",
      screens: "Screens",
    },
    failed: "The cloud did not list what it has.",
    failedCalm: "The screen goes on with what is here.",
    none: "The cloud has none of these.",
    more: "Show more",
    loading: "Asking the cloud …",
    nameless: "Without a name",

    rename: "Rename",
    renameOf: (name: string) => `Rename ${quoted(name)}`,
    newName: (name: string) => `New name of ${quoted(name)}`,
    save: "Save",
    cancel: "Cancel",
    renamed: (before: string, after: string) =>
      `${quoted(before)} is now ${quoted(after)}`,
    enabled: (name: string) => `Enable ${quoted(name)}`,
    switchedOn: (name: string) => `${quoted(name)} is enabled`,
    switchedOff: (name: string) => `${quoted(name)} is disabled`,
    remove: "Delete",
    removeOf: (name: string) => `Delete ${quoted(name)}`,
    removeQuestion: (name: string) => `Delete ${quoted(name)} in the cloud?`,
    removeWhat:
      "It goes for every screen of that cloud, and cannot be brought back from here.",
    keep: "Keep it",
    removed: (name: string) => `${quoted(name)} is deleted in the cloud`,
    refused: "The cloud was not changed.",

    add: {
      assets: "Send an asset of this player",
      playlists: "New playlist",
      labels: "New label",
      groups: "New folder",
    },
    addName: {
      playlists: "Name of the new playlist",
      labels: "Name of the new label",
      groups: "Name of the new folder",
    },
    addAsset: "Asset of this player",
    create: "Create",
    send: "Send",
    created: (name: string) => `${quoted(name)} is on its way to the cloud`,

    queue: "On their way",
    waitingSome: (number: number) =>
      `${changes(number)} on ${number === 1 ? "its" : "their"} way`,
    stuckSome: (number: number) =>
      `${changes(number)} ${number === 1 ? "waits" : "wait"} for you`,
    states: {
      waiting: "Waits until the cloud can be reached",
      sending: "Being sent",
      done: "Done",
      conflict: "Somebody else changed it too",
      refused: "The cloud refused it",
    },
    actions: {
      create: "Create",
      change: "Change",
      delete: "Delete",
    },
    sent: (done: string, all: string) => `${done} of ${all}`,
    conflicts: (fields: string) => `Both changed: ${fields}`,
    mine: "Take mine",
    theirs: "Keep theirs",
    mineOf: (name: string) => `Take mine of ${quoted(name)}`,
    theirsOf: (name: string) => `Keep theirs of ${quoted(name)}`,
    retry: "Send again",
    retryOf: (name: string) => `Send again: ${quoted(name)}`,
    drop: "Take back",
    dropOf: (name: string) => `Take back: ${quoted(name)}`,
    queueFailed: "The change was not settled.",

    pair: {
      title: "Pair this screen by PIN",
      about:
        "Without a token: this screen shows a PIN, and whoever runs the service types it there.",
      address: "Service to pair with",
      begin: "Show a PIN",
      beginFailed: "No PIN was given.",
      pin: "Type this PIN at the service",
      expires: (when: string) => `Good until ${when}`,
      waiting: "Waiting to be claimed …",
      claimed: "Claimed: this screen follows that service now",
      ended: "The PIN is not good any more.",
      stop: "Wait no longer",
      again: "Get another PIN",
    },
    count: (number: number) => formats.count(number),
  };
}
