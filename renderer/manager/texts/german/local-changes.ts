// German texts for local changes to the content of a content service.

import type { localChanges as measure } from "../english/local-changes.ts";
import type { Formats } from "../../../locales/formats.ts";
import { counted, inGermanQuotes as quoted } from "../counts-and-quotes.ts";

export function localChanges(formats: Formats): ReturnType<typeof measure> {
  const items = counted(formats, "Eintrag", "Einträge");
  return {
    title: "Auf diesem Player geändert",
    counted: items,
    about: (service) =>
      `Was Sie hier geändert haben, bleibt so, auch wenn ${quoted(service)} es ändert. Alles andere folgt ${quoted(service)}.`,
    changed: (fields) => `Auf diesem Player geändert: ${formats.list(fields)}.`,
    changedBriefly: (fields) => `Geändert: ${formats.list(fields)}.`,
    notFollowed: (_number, service) =>
      `${quoted(service)} aktualisiert das nicht mehr. Alles andere folgt weiterhin.`,
    deleted:
      "Hier gelöscht. Es bleibt weg, bis Sie die Version des Dienstes verwenden.",
    notDelivered: (service) =>
      `${quoted(service)} sendet das zurzeit nicht. Kommt es wieder, gelten Ihre Änderungen erneut.`,
    deletedNotDelivered: (service) =>
      `${quoted(service)} sendet das zurzeit nicht. Kommt es wieder, bleibt es hier gelöscht.`,
    nameless: {
      asset: "Im Dienst entfernter Inhalt",
      playlist: "Im Dienst entfernte Playlist",
    },

    use: "Version des Dienstes verwenden",
    useOf: (name) => `Version des Dienstes verwenden: ${quoted(name)}`,
    done: (name, service) => `${quoted(name)} folgt wieder ${quoted(service)}`,
    back: (name) => `${quoted(name)} ist wieder da`,
    backLater: (name) =>
      `${quoted(name)} kommt wieder, sobald die Datei geladen ist`,
    forgotten: (name) => `Ihre Änderungen an ${quoted(name)} gelten nicht mehr`,
    failed: (name) =>
      `Die Version des Dienstes konnte für ${quoted(name)} nicht verwendet werden`,
    question: (name) => `Version des Dienstes für ${quoted(name)} verwenden?`,
    loses: {
      file: "Die Datei, die Sie hier eingesetzt haben, wird von diesem Player entfernt, sobald die des Dienstes da ist. Das lässt sich nicht rückgängig machen.",
      address:
        "Die Adresse, die Sie hier eingegeben haben, wird durch die des Dienstes ersetzt. Das lässt sich nicht rückgängig machen.",
      rest: "Was Sie hier geändert haben, geht verloren. Das lässt sich nicht rückgängig machen.",
    },

    useAll: "Für alle die Version des Dienstes verwenden",
    allQuestion: (number) =>
      `Version des Dienstes für alle ${items(number)} verwenden?`,
    allLoses: (service) =>
      `Alles, was Sie hier geändert oder gelöscht haben, wird wieder so wie bei ${quoted(service)}. Das lässt sich nicht rückgängig machen.`,
    allDone: (service) => `Alles folgt wieder ${quoted(service)}`,
    allFailed: "Die Version des Dienstes konnte nicht verwendet werden",

    fields: {
      ...{ name: "Name", source: "Datei", address: "Adresse" },
      ...{ start_date: "Beginn", end_date: "Ende" },
      ...{ duration: "Anzeigedauer", is_enabled: "Ein/Aus" },
      ...{ playlist_only: "Nur in Playlists", metadata: "Metadaten" },
      ...{ fit: "Bildanpassung", volume: "Lautstärke", muted: "Ton ein/aus" },
      ...{ pages: "Seiten", rotation: "Drehung" },
      ...{ custom_headers: "Kopfzeilen", user_agent: "Browserkennung" },
      ...{ zoom_level: "Zoom", js_injection: "Skript" },
      ...{ refresh_interval_s: "Abstand zum Neuladen" },
      ...{ send_metadata: "Angaben zum Bildschirm für die Seite" },
      ...{ player_side_render: "Darstellung der Seite" },
      ...{ screenshot_cache_seconds: "Alter des Seitenbildes" },
      ...{ skip_ssl_verify: "Zertifikatsprüfung" },
      ...{ predicate: "Zeitplan", priority: "Priorität", items: "Inhalte" },
      ...{ transition: "Übergang", shuffle: "Zufallsfolge" },
    },
  };
}
