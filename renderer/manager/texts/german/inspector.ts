// German texts of the asset details.

import type { inspector as measure } from "../english/inspector.ts";
import type { Formats } from "../../../locales/formats.ts";
import { isolate } from "../../../locales/isolate.ts";
import { counted, inGermanQuotes as quoted } from "../counts-and-quotes.ts";

export function inspector(formats: Formats): ReturnType<typeof measure> {
  const assets = counted(formats, "Inhalt", "Inhalte");
  const playlists = counted(formats, "Playlist", "Playlists");
  return {
    title: "Einzelheiten",
    several: (number) => `${assets(number)} ausgewählt`,
    severalText: "Was hier geändert wird, ändert sich in allen.",
    various: "Verschiedene",
    saved: "Gespeichert",
    saving: "Wird gespeichert …",
    notSaved: "Nicht gespeichert.",
    changing: (done, all) =>
      `${formats.count(done)} von ${formats.count(all)} geändert`,
    change: (field) => `Änderung von ${field}`,

    basics: "Was es ist",
    name: "Name",
    address: "Adresse",
    folder: "Ordner",
    folderHint: "Etwa Menüs/Mittag; leer für keinen",
    enabled: "Eingeschaltet",
    enabledHelp: "Ausgeschaltet läuft es nirgends.",
    playlistOnly: "Nur in Playlists",
    playlistOnlyHelp:
      "Ausgeschaltet läuft es auch in der eigenen Runde des Bildschirms.",

    when: "Wann es läuft",
    startDate: "Ab",
    endDate: "Bis",
    startMissing: "Hier braucht es Tag und Uhrzeit: Irgendwann beginnt es.",
    zone: (zone) => `Nach der Uhr des Bildschirms: ${zone}`,
    forGood: "Bis auf Weiteres",
    days: "Wochentage",
    daysVarious: "Verschiedene: Ein Klick ändert diesen einen Tag in allen.",
    timeFrom: "Ab dieser Uhrzeit",
    timeTo: "Bis zu dieser Uhrzeit",
    allDay: "Ganztägig",
    overnight: "Über Mitternacht gehört es zu dem Tag, an dem es beginnt.",
    duration: "Sekunden auf dem Bildschirm",
    durationHelp: "0 ist die volle Länge.",

    appearance: "Wie es aussieht und klingt",
    fit: "Füllt den Bildschirm",
    fits: {
      "": "Wie beim Player eingestellt",
      fit: "Ganz, mit Rändern",
      fill: "Voll, an den Rändern beschnitten",
      natural: "In eigener Größe",
    },
    volume: "Lautstärke in Prozent",
    volumeHint: "So laut wie der Player",
    muted: "Ohne Ton",
    pages: "Seiten",
    pagesHint: "Alle; oder etwa 1, 3, 5-8",
    pagesWrong: "Das müssen Zahlen sein wie in 1, 3, 5-8.",
    rotation: "Gedreht",
    degrees: (number) => `${formats.count(number)}°`,

    page: "Wie die Seite abgerufen wird",
    headers: "Kopfzeilen der Anfrage",
    headersHelp: "Eine je Zeile, etwa Authorization: Bearer …",
    headersWrong: "Jede Zeile braucht einen Namen, Doppelpunkt und Wert.",
    agent: "Gibt sich aus als Browser",
    agentHint: "Der eigene",
    zoom: "Zoom in Prozent",
    script: "Skript bei jedem Laden",
    refresh: "Neu laden nach Sekunden",
    never: "Nie",
    skipCertificate: "Jedes Zertifikat annehmen",
    skipCertificateHelp: "Nur für einen eigenen Server.",
    nocache: "Jedes Mal neu laden",
    sendMetadata: "Der Seite sagen, welcher Bildschirm fragt",
    renderHere: "Die Seite selbst zeigen",
    renderHereHelp: "Ausgeschaltet wird ein Bild von ihr gezeigt.",
    cacheSeconds: "So viele Sekunden alt darf das Bild sein",
    skipCheck: "Adresse ungeprüft übernehmen",

    file: "Datei",
    type: "Typ",
    size: "Größe",
    length: "Länge",
    replace: "Datei ersetzen",
    replaceHelp: "Name, Platz, Daten und Playlists bleiben.",
    replaced: (name) => `${quoted(name)} hat die neue Datei`,
    notReplaced: "Die Datei wurde nicht ersetzt; die alte läuft weiter.",
    identifier: "Kennung",

    usedIn: "Wo es verwendet wird",
    inLocal: "In der eigenen Runde des Bildschirms",
    inPlaylist: (name, times) =>
      times === 1
        ? isolate(name)
        : `${isolate(name)} (${formats.count(times)}×)`,
    nowhere: "In keiner Playlist",
    ifRemoved: "Wenn es entfernt wird",
    isVisibleNow:
      "Es ist jetzt zu sehen: Das Nächste nimmt sofort seinen Platz ein.",
    breaksPlaylist: (name) => `Playlist ${quoted(name)} wäre leer.`,
    breaksAll: "Nichts anderes wäre auf diesem Bildschirm vorgesehen.",
    breaksTakeover: "Die Taste für Sondermeldungen zeigt es.",
    breaksNothing: "Nichts geht kaputt. Es wartet im Papierkorb.",
    inPlaylistsSome: (number) => `Es verschwindet aus ${playlists(number)}.`,

    deletedElsewhere: "Dieser Inhalt wurde gelöscht.",
    deletedTyped:
      "Ihre Eingabe bleibt, bis Sie ihn wiederherstellen oder sie verwerfen.",
    restore: "Wiederherstellen",
    notRestored: (name) =>
      `${quoted(name)} konnte nicht wiederhergestellt werden`,
    discard: "Verwerfen",

    remove: "In den Papierkorb",
    showNow: "Jetzt zeigen",
    enable: "Einschalten",
    disable: "Ausschalten",
    problem: "Warum es nicht gezeigt werden kann",
    close: "Einzelheiten schließen",
    dayNames: [
      ...["Montag", "Dienstag", "Mittwoch", "Donnerstag"],
      ...["Freitag", "Samstag", "Sonntag"],
    ],
  };
}
