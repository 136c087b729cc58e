// German texts of the library.

import type { library as measure } from "../english/library.ts";
import type { Formats } from "../../../locales/formats.ts";
import { isolate } from "../../../locales/isolate.ts";
import { counted, inGermanQuotes as quoted } from "../counts-and-quotes.ts";

export function library(formats: Formats): ReturnType<typeof measure> {
  const { count } = formats;
  const assets = counted(formats, "Inhalt", "Inhalte");
  const things = counted(formats, "Eintrag", "Einträge");
  return {
    title: "Bibliothek",
    counted: (found, all) =>
      found === all ? assets(all) : `${count(found)} von ${assets(all)}`,
    search: "Name, Adresse oder Ordner suchen",
    searchShort: "Suchen",
    clearSearch: "Suche leeren",
    byKind: "Nur diese Arten",
    kindCounted: (kind, number) => `${kind} (${count(number)})`,
    sorting: "Sortiert nach",
    sortings: {
      order: "Reihenfolge",
      name: "Name",
      size: "Größte zuerst",
      start: "Neueste zuerst",
    },
    asList: "Als Liste zeigen",
    asGrid: "Als Kacheln zeigen",
    folders: "Ordner",
    everything: "Alles",
    noFolder: "Ohne Ordner",
    problems: "Nicht darstellbar",
    trash: "Papierkorb",
    inTrash: (number) => `${things(number)} im Papierkorb`,

    emptyTitle: "Hier steht bald, was dieser Bildschirm zeigen kann",
    emptyText:
      "Legen Sie Bilder, Videos und PDFs irgendwo in diesem Fenster ab, oder fügen Sie die Adresse einer Webseite ein.",
    nothingFound: "Hier passt nichts",
    nothingFoundText: "Kein Inhalt hat diese Wörter, Arten und diesen Ordner.",
    showEverything: "Alles zeigen",

    kinds: {
      image: "Bild",
      video: "Video",
      audio: "Ton",
      stream: "Livestream",
      pdf: "PDF",
      webpage: "Webseite",
      app: "App",
    },
    fullLength: "volle Länge",
    from: (day) => `ab ${day}`,
    until: (day) => `bis ${day}`,
    states: {
      "on-glass": "Jetzt zu sehen",
      problem: "Nicht darstellbar",
      processing: "In Vorbereitung",
      disabled: "Ausgeschaltet",
      "in-playlists": "Nur in Playlists",
      undated: "Ohne Datum",
      "not-yet": "Noch nicht",
      expired: "Abgelaufen",
      "outside-hours": "Außerhalb der Uhrzeiten",
      "not-due": "Playlists nicht an der Reihe",
      active: "Aktiv",
    },

    inNoPlaylist: "Läuft nur in Playlists und ist in keiner.",
    noPlaylistDue: "Keine seiner Playlists ist jetzt an der Reihe.",

    removed: (name) => `${quoted(name)} ist im Papierkorb`,
    removedSome: (number) => `${assets(number)} sind im Papierkorb`,
    notRemoved: "Nichts wurde entfernt.",
    sortToMove: "Zum Verschieben nach Reihenfolge sortieren",
    reordered: "andere Reihenfolge",
    notReordered: "Die Reihenfolge wurde nicht geändert.",

    trashEmpty: "Der Papierkorb ist leer",
    trashEmptyText:
      "Was entfernt wird, wartet hier mit allem, was dazugehört, und lässt sich wiederherstellen.",
    deletedAt: (moment) => `Entfernt am ${moment}`,
    restore: "Wiederherstellen",
    restoreNamed: (name) => `${isolate(name)} wiederherstellen`,
    restoreAll: "Alles wiederherstellen",
    restored: (number) =>
      number === 1
        ? "Er ist wieder da, wo er war"
        : `${things(number)} sind wieder da, wo sie waren`,
    notRestored: "Nichts wurde wiederhergestellt.",
    emptyTrash: "Papierkorb leeren",
    emptyTrashQuestion: (number) =>
      `${things(number)} endgültig löschen? Das lässt sich nicht rückgängig machen.`,
    keepThem: "Behalten",
    deleteForGood: "Endgültig löschen",
    trashEmptied: "Der Papierkorb ist leer",
    notEmptied: "Der Papierkorb wurde nicht geleert.",
  };
}
