// What the page of activity says, in German.

import type { activity as measure } from "../english/activity.ts";
import type { Formats } from "../formats.ts";
import { counted } from "../words.ts";

export function activity(formats: Formats): ReturnType<typeof measure> {
  const events = counted(formats, "Ereignis", "Ereignisse");
  return {
    title: "Aktivität",
    search: "Namen und Gründe durchsuchen",
    kind: "Worum es geht",
    all: "Alles",
    kinds: {
      player: "Player",
      asset: "Inhalte",
      playlist: "Playlists",
      settings: "Einstellungen",
      takeover: "Sondermeldungen",
      fault: "Fehler",
      sync: "Abgleich",
      access: "Zugang",
    },
    one: {
      player: "Player",
      asset: "Inhalt",
      playlist: "Playlist",
      settings: "Einstellung",
      takeover: "Sondermeldung",
      fault: "Fehler",
      sync: "Abgleich",
      access: "Zugang",
    },
    many: {
      asset: counted(formats, "Inhalt", "Inhalte"),
      playlist: counted(formats, "Playlist", "Playlists"),
    },
    drillMark: "Übung",
    /** Where the two words above would make no sentence. */
    whole: {
      "fault failed": "Ließ sich nicht zeigen",
      "takeover drill": "Sondermeldung begonnen",
    },
    what: {
      added: "hinzugefügt",
      changed: "geändert",
      removed: "entfernt",
      started: "gestartet",
      stopped: "beendet",
      rebuilt: "neu aufgebaut: seine Datenbank war beschädigt",
      alone:
        "nur von diesem Gerät aus zu erreichen: seine Zugangsschlüssel sind verloren",
      began: "begonnen",
      drill: "Übung begonnen",
      ended: "beendet",
      failed: "ließ sich nicht zeigen",
      binned: "in den Papierkorb gelegt",
      restored: "aus dem Papierkorb geholt",
      dropped: "endgültig gelöscht",
      applied: "übernommen",
      held: "angehalten",
      made: "angelegt",
      revoked: "widerrufen",
      refused: "abgewiesen",
    },
    fields: {
      name: "Name",
      uri: "Adresse",
      play_order: "Reihenfolge",
      start_date: "erster Tag",
      end_date: "letzter Tag",
      duration: "Sekunden auf dem Bildschirm",
      is_enabled: "ob es eingeschaltet ist",
      file: "Datei",
      predicate: "Zeiten",
      priority: "Vorrang",
      groups: "Bildschirme",
      items: "Einträge",
    },
    when: "Wann",
    ranges: {
      always: "Jederzeit",
      hour: "Letzte Stunde",
      day: "Letzte 24 Stunden",
      week: "Letzte 7 Tage",
      month: "Letzte 30 Tage",
    },
    list: "Was geschah, das Neueste zuerst",
    listed: (number, isAll) =>
      isAll ? events(number) : `die neuesten ${events(number)}`,
    failed: "Der Player hat nicht gesagt, was geschehen ist.",
    failedCalm: "Er schreibt weiter mit, und der Bildschirm läuft weiter.",
    empty: "Hier steht bald, was geschieht",
    emptySentence:
      "Jede Änderung, jeder Fehler, jede Sondermeldung und jeder Abgleich dieses Players, mit Zeit und Grund.",
    noneFound: "Davon ist nichts geschehen",
    noneFoundSentence:
      "Kein Ereignis passt zu allen dreien: worum es geht, wann, und den Wörtern.",
    showAll: "Alles zeigen",
    more: "Ältere Ereignisse werden geholt …",
    export: "Exportieren",
    exportCsv: "Als Tabelle (CSV)",
    exportJson: "Für Programme (JSON)",
    exporting: "Die Ereignisse werden gesammelt …",
    exported: "Die Ereignisse sind gespeichert",
    exportFailed: "Die Ereignisse wurden nicht gespeichert.",
    openAsset: "In der Bibliothek öffnen",
    today: "Heute",
    yesterday: "Gestern",
    fileName: "vitrine-ereignisse",
  };
}
