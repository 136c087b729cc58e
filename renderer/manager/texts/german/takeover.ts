// German texts of the takeover.

import type { takeover as measure } from "../english/takeover.ts";
import type { Formats } from "../formats.ts";
import { isolate } from "../isolate.ts";

export function takeover(formats: Formats): ReturnType<typeof measure> {
  return {
    title: "Den Bildschirm übernehmen",
    open: "Sondermeldung",
    end: "Sondermeldung beenden",
    isOn: "Sondermeldung läuft",
    ended: "Das Programm geht weiter, wo es war",
    notEnded: "Die Sondermeldung wurde nicht beendet.",
    replaces:
      "Der Bildschirm ist schon übernommen. Was Sie jetzt senden, ersetzt die laufende Sondermeldung.",
    description:
      "Die Sondermeldung verdeckt sofort alles und endet von selbst oder wenn Sie sie beenden.",
    ready: "Vorbereitete Meldungen",
    custom: "Ein eigener Text",
    customSays: "Jetzt geschrieben, groß gezeigt",
    customText: "Text auf dem Bildschirm",
    anAsset: "Ein Inhalt der Bibliothek",
    blank: "Ein leerer dunkler Bildschirm",
    howLong: "Wie lange",
    untilEnded: "Bis jemand sie beendet",
    covers: (since) =>
      `Seit ${formats.clock(since)} verdeckt eine Sondermeldung den Bildschirm. Danach geht es nach Plan weiter.`,
    whichEnds: "bis jemand sie beendet",
    forSeconds: (seconds) => `Für ${formats.length(seconds)}`,
    customLength: "Andere Dauer …",
    minutes: "Minuten",
    isDrill: "Das ist eine Übung",
    drill: "Übung:",
    drillHelp:
      "Der Bildschirm sagt es dazu; die Übung endet nach einer Minute.",
    drillText: (text) => `ÜBUNG\n${text}`,
    chooseFirst: "Zuerst eine Meldung wählen",
    holdToEnd: "Zum Beenden eine Sekunde halten",
    holdToSend: "Zum Senden eine Sekunde halten",
    holdToDrill: "Zum Beginn der Übung eine Sekunde halten",
    scheduleContinues: "Das Programm läuft weiter. Wählen Sie eine andere.",
    edit: "Vorbereitete Meldungen ändern",
    editDescription: "Sie liegen auf dem Player und gehen ohne Netz.",
    name: "Name",
    shows: "Zeigt",
    contents: {
      text: "Text",
      asset_id: "Inhalt der Bibliothek",
      url: "Webseite",
    },
    add: "Meldung hinzufügen",
    newName: "Neue Meldung",
    newText: "Bitte warten Sie hier.",
    removeNamed: (name) => `${isolate(name)} entfernen`,
    usual: [
      {
        name: "Gebäude verlassen",
        text: "Bitte verlassen Sie jetzt das Gebäude.",
        seconds: null,
      },
      {
        name: "Gleich zurück",
        text: "Wir sind in wenigen Minuten zurück.",
        seconds: 900,
      },
      {
        name: "Geschlossen",
        text: "Für heute geschlossen.",
        seconds: 3600,
      },
    ],
  };
}
