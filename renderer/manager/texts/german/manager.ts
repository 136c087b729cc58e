// German texts of the manager's frame and its shared parts.

import type { manager as measure } from "../english/manager.ts";
import type { Formats } from "../../../locales/formats.ts";
import { isolate } from "../../../locales/isolate.ts";
import { counted, inGermanQuotes as quoted } from "../counts-and-quotes.ts";

export function manager(formats: Formats): ReturnType<typeof measure> {
  const files = counted(formats, "Datei", "Dateien");
  return {
    product: "Vitrine",
    navigation: "Seiten",
    skipToPage: "Zur Seite springen",
    pages: {
      now: "Jetzt",
      library: "Bibliothek",
      playlists: "Playlists",
      schedule: "Zeitplan",
      cloud: "Cloud",
      activity: "Aktivität",
      reports: "Berichte",
      settings: "Einstellungen",
    },
    close: "Schließen",
    cancel: "Abbrechen",
    save: "Speichern",
    done: "Fertig",
    back: "Zurück",
    copied: "Kopiert",
    copyFailed: "Nicht kopiert: Text markieren und von Hand kopieren",
    undo: "Rückgängig",
    undone: (what) => `Rückgängig gemacht: ${what}`,
    undoFailed: (what) => `Nicht rückgängig gemacht: ${what}`,
    nothingToUndo: "Es gibt nichts rückgängig zu machen.",
    cannotUndo: (what) => `Lässt sich nicht rückgängig machen: ${what}`,
    cannotUndoOlder: (what) => `Davor: ${what}`,
    undonePartly: (what) => `Teilweise rückgängig gemacht: ${what}`,
    changedSince: (name) =>
      `„${isolate(name)}“ wurde inzwischen anderswo geändert. Diese Änderung bleibt.`,
    goneSince: "Es wurde inzwischen gelöscht.",
    undoAnyway: "Trotzdem rückgängig machen",
    undoElsewhere: (page) => `Auf der Seite „${page}“ rückgängig machen?`,
    final: {
      takeOver: "Sondermeldung gestartet",
      endTakeover: "Sondermeldung beendet",
      pausePlayback: "Wiedergabe angehalten",
      resumePlayback: "Wiedergabe fortgesetzt",
      controlPlayback: "Zu einem anderen Inhalt gewechselt",
      createToken: "Token erstellt",
      revokeToken: "Token widerrufen",
      deleteFromTrash: "Endgültig gelöscht",
      emptyTrash: "Papierkorb geleert",
      createSyncAccount: "Cloud verbunden",
      deleteSyncAccount: "Cloud entfernt",
      discardAllLocalChanges: "Für alles die Version des Dienstes verwendet",
      deleteSyncChange: "Wartende Änderung verworfen",
      retrySyncChange: "Wartende Änderung erneut gesendet",
      distrustPlanKey: "Schlüssel entfernt",
      makeBackup: "Sicherung erstellt",
      deleteBackup: "Sicherung gelöscht",
    },
    audioOff: "Ton aus",
    audioOn: "Ton an",
    pinChanged: "PIN geändert",
    tryAgain: "Erneut versuchen",
    loading: "Der Player wird gefragt …",
    screenContinues: "Der Bildschirm ist nicht betroffen und läuft weiter.",
    broken: "In diesem Fenster ist ein Fehler aufgetreten.",
    brokenPage: "Auf dieser Seite ist ein Fehler aufgetreten.",
    openAgain: "Fenster neu laden",
    unanswered:
      "Der Player hat nicht geantwortet. Der Bildschirm zeigt weiter, was er hat.",
    minutesAgo: (seconds) => `vor ${formats.length(seconds)}`,
    halfTyped:
      "Das ist unvollständig oder unmöglich: Es gilt, was vorher da war.",
    changedElsewhere: {
      to: (what) => `Anderswo geändert in ${quoted(what)}`,
      cleared: "Anderswo geleert",
      keepMine: "Meine Eingabe behalten",
      useTheirs: "Andere übernehmen",
    },
    changedMeanwhile: "Es wurde inzwischen anderswo geändert.",
    leftBehind: (field, of) =>
      `${field} bei ${quoted(of)} wurde nicht gespeichert`,
    backToField: "Zurück zum Feld",
    files,
    reasonAndStep: (reason, step) => `${isolate(reason)} ${step}`,
  };
}
