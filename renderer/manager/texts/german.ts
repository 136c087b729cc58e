// What the desk says, in German.

import type { Texts } from "./english.ts";
import type { Formats } from "./formats.ts";
import { isolate } from "./isolate.ts";

export function german(formats: Formats): Texts {
  const { count } = formats;
  const quoted = (name: string) => `„${isolate(name)}“`;
  const assets = (number: number) =>
    `${count(number)} ${formats.plural(number) === "one" ? "Inhalt" : "Inhalte"}`;
  const files = (number: number) =>
    `${count(number)} ${formats.plural(number) === "one" ? "Datei" : "Dateien"}`;

  return {
    close: "Schließen",
    tryAgain: "Erneut versuchen",
    brokenDesk: "In diesem Fenster ist ein Fehler aufgetreten.",
    brokenDeskCalm: "Der Bildschirm ist nicht betroffen und läuft weiter.",
    openAgain: "Fenster neu laden",

    now: "Jetzt",
    nowFailed: "Der Player hat nicht gemeldet, was gerade läuft.",
    nothingYet: "Seit dem Start wurde noch nichts gezeigt",
    houseCard: "Namenskarte",
    houseCardWhy:
      "Gerade ist nichts vorgesehen, daher stellt sich der Player vor.",
    since: (moment) => `Seit ${formats.time(moment)}`,
    left: (seconds) => `noch ${formats.countdown(seconds)}`,
    untilItsEnd: "bis zum Ende",
    untilSomethingIsDue: "bis etwas vorgesehen ist",
    progress: "Wie viel davon schon gezeigt wurde",
    next: "Danach",
    nothingNext: "Nichts weiter vorgesehen",
    showNext: "Nächsten Inhalt zeigen",
    showPrevious: "Vorherigen Inhalt zeigen",
    stepFailed: "Der Bildschirm ließ sich nicht weiterschalten.",
    nowShowing: (name) => `Jetzt läuft ${quoted(name)}`,

    live: "Live",
    pictureFrom: (moment) => `Bild von ${formats.time(moment)}`,
    pictureOf: (name) => `Jetzt auf dem Bildschirm: ${quoted(name)}`,
    pictureOfScreen: "Jetzt auf dem Bildschirm",
    pictureFailed: "Zurzeit kein Bild vom Bildschirm.",
    pictureComing: "Das erste Bild kommt gleich",

    apiAddress: "Adresse der Player-Schnittstelle",
    copyAddress: "Adresse kopieren",
    copied: "Kopiert",
    copyFailed: "Nicht kopiert: Adresse markieren und von Hand kopieren",

    assets: "Inhalte in Reihenfolge",
    assetsCounted: (all, active) => `${assets(all)}, ${count(active)} aktiv`,
    assetsFailed: "Der Player hat seine Inhalte nicht genannt.",
    asking: "Der Player wird gefragt …",

    addFiles: "Dateien hinzufügen",
    pageAddress: "Adresse einer Webseite",
    pageHint: "Webadresse",
    addPage: "Webseite hinzufügen",
    add: "Hinzufügen",
    pageRefused: "Diese Seite wurde nicht hinzugefügt.",
    dropHere: "Loslassen, um hinzuzufügen",
    dropHereHint: "Bilder und Videos, beliebig viele; oder ein Weblink",
    adding: (number) => `Hinzufügen: ${files(number)}`,
    addingStep: (place, all, name) =>
      `${count(place)} von ${count(all)}: ${isolate(name)}`,
    added: (name) => `${quoted(name)} wurde hinzugefügt`,
    addedFiles: (number) =>
      number === 0
        ? "Keine Datei wurde hinzugefügt"
        : `${files(number)} hinzugefügt`,
    addedAtTheEnd: "Läuft nach dem letzten Inhalt.",
    refused: (number) =>
      number === 1
        ? "Eine Datei wurde nicht hinzugefügt"
        : `${files(number)} wurden nicht hinzugefügt`,
    refusedFile: (name, reason) => `${isolate(name)}: ${reason}`,
    noAnswer: "der Player hat nicht geantwortet.",
    noPath: "das ist keine Datei auf diesem Computer.",

    emptyTitle: "Hier steht bald, was auf diesem Bildschirm läuft",
    emptyText:
      "Bilder, Videos und Webseiten, in der Reihenfolge, in der sie laufen. Dateien irgendwo in diesem Fenster ablegen, oder:",

    kinds: {
      image: "Bild",
      video: "Video",
      audio: "Ton",
      stream: "Livestream",
      pdf: "PDF",
      webpage: "Webseite",
      app: "App",
    },
    wholeLength: "volle Länge",
    from: (day) => `ab ${day}`,
    until: (day) => `bis ${day}`,
    states: {
      "on-glass": "Jetzt zu sehen",
      problem: "Nicht darstellbar",
      processing: "In Vorbereitung",
      disabled: "Ausgeschaltet",
      undated: "Ohne Datum",
      "not-yet": "Noch nicht",
      expired: "Abgelaufen",
      active: "Aktiv",
    },
    enable: (name) => `${quoted(name)} einschalten`,
    showNow: "Jetzt zeigen",
    showNowNamed: (name) => `${quoted(name)} jetzt zeigen`,
    showNowNot: "Nur ein aktiver Inhalt kann gezeigt werden",
    showFailed: (name) => `${quoted(name)} konnte nicht gezeigt werden.`,
    changeFailed: (name) => `${quoted(name)} wurde nicht geändert.`,
    remove: "Entfernen",
    removeNamed: (name) => `${quoted(name)} entfernen`,
    removeQuestion: (name) => `${quoted(name)} entfernen?`,
    removeFile: "Die Kopie im Player geht mit; die eigene Datei bleibt.",
    removeShowing:
      "Der Inhalt ist gerade zu sehen; der nächste nimmt seinen Platz ein.",
    keep: "Behalten",
    removed: (name) => `${quoted(name)} wurde entfernt`,
    removeFailed: (name) => `${quoted(name)} wurde nicht entfernt.`,
  };
}
