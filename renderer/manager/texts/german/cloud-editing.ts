// German texts for editing a content service and for pairing this screen by PIN.

import type { cloudEditing as measure } from "../english/cloud-editing.ts";
import type { Formats } from "../../../locales/formats.ts";
import { counted, inGermanQuotes as quoted } from "../counts-and-quotes.ts";

export function cloudEditing(formats: Formats): ReturnType<typeof measure> {
  const changes = counted(formats, "Änderung", "Änderungen");
  return {
    title: "In der Cloud bearbeiten",
    about:
      "Was hier geändert wird, ändert sich für jeden Bildschirm dieser Cloud. Ist sie fort, warten Änderungen und gehen der Reihe nach hinaus.",
    collection: "Was bearbeitet wird",
    collections: {
      assets: "Inhalte",
      playlists: "Playlists",
      labels: "Labels",
      groups: "Ordner",
      screens: "Bildschirme",
    },
    failed: "Die Cloud hat nicht gesagt, was sie hat.",
    failedCalm: "Der Bildschirm läuft mit dem weiter, was hier ist.",
    none: "Davon hat die Cloud nichts.",
    more: "Mehr zeigen",
    loading: "Die Cloud wird gefragt …",
    nameless: "Ohne Namen",

    rename: "Umbenennen",
    renameOf: (name) => `${quoted(name)} umbenennen`,
    newName: (name) => `Neuer Name von ${quoted(name)}`,
    save: "Speichern",
    cancel: "Abbrechen",
    renamed: (before, after) =>
      `${quoted(before)} heißt jetzt ${quoted(after)}`,
    enabled: (name) => `${quoted(name)} einschalten`,
    switchedOn: (name) => `${quoted(name)} ist eingeschaltet`,
    switchedOff: (name) => `${quoted(name)} ist ausgeschaltet`,
    remove: "Löschen",
    removeOf: (name) => `${quoted(name)} löschen`,
    removeQuestion: (name) => `${quoted(name)} in der Cloud löschen?`,
    removeWhat:
      "Für jeden Bildschirm dieser Cloud ist es dann fort und lässt sich von hier nicht zurückholen.",
    keep: "Behalten",
    removed: (name) => `${quoted(name)} ist in der Cloud gelöscht`,
    refused: "In der Cloud wurde nichts geändert.",

    add: {
      assets: "Einen Inhalt dieses Players senden",
      playlists: "Neue Playlist",
      labels: "Neues Label",
      groups: "Neuer Ordner",
    },
    addName: {
      playlists: "Name der neuen Playlist",
      labels: "Name des neuen Labels",
      groups: "Name des neuen Ordners",
    },
    addAsset: "Inhalt dieses Players",
    create: "Anlegen",
    send: "Senden",
    created: (name) => `${quoted(name)} ist auf dem Weg in die Cloud`,

    queue: "Unterwegs",
    waitingSome: (number) => `${changes(number)} unterwegs`,
    stuckSome: (number) =>
      `${changes(number)} ${number === 1 ? "wartet" : "warten"} auf Sie`,
    states: {
      waiting: "Wartet, bis die Cloud zu erreichen ist",
      sending: "Wird gesendet",
      done: "Fertig",
      conflict: "Jemand anders hat es auch geändert",
      refused: "Die Cloud hat abgelehnt",
    },
    actions: { create: "Anlegen", change: "Ändern", delete: "Löschen" },
    sent: (done, all) => `${done} von ${all}`,
    conflicts: (fields) => `Beide geändert: ${fields}`,
    mine: "Meines nehmen",
    theirs: "Anderes behalten",
    mineOf: (name) => `Meines nehmen bei ${quoted(name)}`,
    theirsOf: (name) => `Anderes behalten bei ${quoted(name)}`,
    retry: "Erneut senden",
    retryOf: (name) => `Erneut senden: ${quoted(name)}`,
    drop: "Zurücknehmen",
    dropOf: (name) => `Zurücknehmen: ${quoted(name)}`,
    queueFailed: "Die Änderung wurde nicht geklärt.",

    pair: {
      title: "Diesen Bildschirm per PIN koppeln",
      about:
        "Ohne Schlüssel: Dieser Bildschirm zeigt eine PIN, und wer den Dienst betreibt, gibt sie dort ein.",
      address: "Dienst, mit dem gekoppelt wird",
      begin: "PIN zeigen",
      beginFailed: "Es gab keine PIN.",
      pin: "Diese PIN beim Dienst eingeben",
      expires: (when) => `Gilt bis ${when}`,
      waiting: "Wartet darauf, übernommen zu werden …",
      claimed: "Übernommen: Dieser Bildschirm folgt jetzt dem Dienst",
      ended: "Die PIN gilt nicht mehr.",
      stop: "Nicht länger warten",
      again: "Eine andere PIN holen",
    },
    count: (number) => formats.count(number),
  };
}
