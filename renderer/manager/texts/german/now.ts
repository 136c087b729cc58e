// German texts of the now page.

import type { now as measure } from "../english/now.ts";
import type { Formats } from "../../../locales/formats.ts";
import { isolate } from "../../../locales/isolate.ts";
import { counted, inGermanQuotes as quoted } from "../counts-and-quotes.ts";

export function now(formats: Formats): ReturnType<typeof measure> {
  const { clock, countdown, time } = formats;
  const more = counted(formats, "weiterer", "weitere");
  return {
    title: "Jetzt",
    screen: "Auf dem Bildschirm",
    nothingYet: "Seit dem Start wurde noch nichts gezeigt",
    idleScreen: "Namenskarte",
    nowShowing: (name) => `Jetzt läuft ${quoted(name)}`,
    since: (moment) => `Seit ${clock(moment)}`,
    left: (seconds) => `noch ${countdown(seconds)}`,
    untilItsEnd: "bis zum Ende",
    untilSomethingIsDue: "bis etwas vorgesehen ist",
    progress: "Wie viel davon schon gezeigt wurde",
    next: "Danach",
    nothingNext: "Nichts weiter vorgesehen",

    verdict: {
      verified: "Wie geplant, geprüft",
      planned: "Wie geplant",
      byHand: "Von Hand gezeigt, geprüft",
      byHandUnseen: "Von Hand gezeigt",
      blank: (moment) => `Leer seit ${clock(moment)}`,
      frozen: (moment) => `Eingefroren seit ${clock(moment)}`,
      wrong: (moment) => `Seit ${clock(moment)} von etwas anderem verdeckt`,
      inFront: "Dieses Fenster verdeckt den Bildschirm",
      fallback: (moment, why) => `Ersatzbild seit ${clock(moment)}: ${why}`,
      takeover: (moment) => `Sondermeldung seit ${clock(moment)}`,
      drill: (moment) => `Übung seit ${clock(moment)}`,
      paused: (until) =>
        `Angehalten: Dies bleibt, bis Sie fortsetzen, höchstens bis ${clock(until)}`,
      hidden: "Verdeckt: Der Bildschirm ist absichtlich schwarz",
      starting: "Startet",
      manager: "Dieser PC ist nur ein Arbeitsplatz: Hier wird nichts gezeigt",
      unknown: "Der Player antwortet nicht",
    },
    verdictHelp: {
      verified:
        "Ein Bild vom Bildschirm wurde mit dem verglichen, was darauf sein soll.",
      planned: "Gleich wird auf dem Bildschirm nachgesehen.",
      blank:
        "Was zu sehen sein soll, ist nicht da. Der Player versucht das Nächste.",
      frozen: "Der Film steht. Der Player versucht das Nächste.",
      wrong:
        "Schließen Sie das Fenster oder die Meldung, die den Bildschirm verdeckt.",
      inFront:
        "Dahinter läuft der Bildschirm weiter. Verschieben oder schließen Sie dieses Fenster, um ihn zu sehen.",
      fallback:
        "Der Bildschirm zeigt seine Namenskarte, bis etwas vorgesehen und bereit ist.",
      manager:
        "Was Sie vorbereiten, wird anderswo gezeigt. Richten Sie diesen PC neu ein, um ihn zum Bildschirm zu machen.",
      takeover: "Das Programm wartet und geht danach weiter, wo es war.",
    },
    explanation: {
      nothingAtAll: "es wurde noch nichts hinzugefügt",
      plays: (name) => `${name} ist vorgesehen`,
      outranked: (name) => `${name} weicht einer höheren Priorität`,
      "predicate-false": (name) => `${name} ist jetzt nicht an der Zeit`,
      disabled: (name) => `${name} ist ausgeschaltet`,
      "outside-dates": (name) => `${name} liegt außerhalb seiner Daten`,
      "outside-hours": (name) => `${name} liegt außerhalb seiner Zeiten`,
      "other-groups": (name) => `${name} ist für andere Bildschirme`,
      "not-on-disk": (name) => `${name} ist noch nicht hier`,
      quarantined: (name) => `${name} ließ sich nicht zeigen`,
      "playlist-empty": (name) => `${name} ist leer`,
    },
    thePlaylist: (name) => `Playlist ${isolate(name)}`,
    theAsset: (name) => quoted(name),
    andMore: (sentence, number) => `${sentence} (und ${more(number)})`,
    seeWhy: "Warum läuft das?",

    previous: "Zurück",
    nextOne: "Weiter",
    pause: "Anhalten",
    goOn: "Fortsetzen",
    mute: "Stumm",
    unmute: "Ton an",
    hide: "Verdecken",
    unhide: "Wieder zeigen",
    hideTaken: "Eine Sondermeldung hat den Bildschirm: Beenden Sie sie zuerst.",
    jump: "Springen zu …",
    jumpTo: "Sofort zeigen",
    jumpNothing: "Nichts Vorgesehenes heißt so.",
    saveScreenshot: "Foto aufnehmen",
    screenshotSaved: "Das Bild wurde behalten",
    openFolder: "Ordner öffnen",
    stepFailed: "Der Bildschirm ließ sich nicht weiterschalten.",
    pauseFailed: "Der Bildschirm ließ sich nicht anhalten.",
    hideFailed: "Der Bildschirm ließ sich nicht verdecken.",
    muteFailed: "Der Ton ließ sich nicht ändern.",
    screenshotNotSaved: "Das Bild wurde nicht behalten.",
    shownNow: (name) => `${quoted(name)} ist jetzt zu sehen`,
    showFailed: (name) => `${quoted(name)} konnte nicht gezeigt werden.`,

    live: "Live",
    screenshotFrom: (moment) => `Bild von ${time(moment)}`,
    pictureOf: (name) => `Jetzt auf dem Bildschirm: ${quoted(name)}`,
    screenshotOfScreen: "Jetzt auf dem Bildschirm",
    screenshotFailed: "Zurzeit kein Bild vom Bildschirm.",
    screenshotLoading: "Das erste Bild kommt gleich",

    due: "In dieser Runde",
    dueNothing: "In diesem Moment ist nichts vorgesehen.",
    dueUntil: (moment) => `bis ${formats.near(moment)}`,
    dueCovered: "nach der Sondermeldung",
    dueAlways: "kein Enddatum",
    dueMore: (number) => `und ${more(number)}`,
    fromPlaylist: (name) => `aus ${quoted(name)}`,

    health: "Zustand",
    healthMemory: "Arbeitsspeicher",
    healthMemoryOf: (used, total) => `${used} von ${total} belegt`,
    healthDisk: "Festplatte",
    healthDiskFree: (free) => `${free} frei`,
    healthLoad: "Auslastung",
    healthLoadAverage: (load) => `im Mittel ${load}`,
    healthUptime: "Läuft seit",
    healthClock: "Uhr",
    healthClockOther: (zone) => `${zone}, anders als hier`,
    healthProblems: "Nicht darstellbar",
    healthProblemsNone: "Keine",
    healthProblemsSome: counted(formats, "Inhalt", "Inhalte"),
    healthGraphics: "Grafik",
    healthGraphicsSoftware:
      "Software-Rendering: Der Grafikprozess ist mehrfach abgestürzt. Videos können ruckeln. Aktualisieren Sie den Grafiktreiber.",
    healthLow: "Es wird eng: Entfernen Sie, was nicht gebraucht wird.",
    player: "Player",
    apiAddress: "Adresse der Player-Schnittstelle",
    copyAddress: "Adresse kopieren",

    emptyTitle: "Legen Sie ein Bild irgendwo in diesem Fenster ab",
    emptyText:
      "Einen Moment später ist es zu sehen. Videos, PDFs und Webadressen gehen auch.",
  };
}
