// German results and advice of the system check.

import type { Formats } from "../../../locales/formats.ts";
import { isolate } from "../../../locales/isolate.ts";
import {
  siteCommands as type,
  sizeOfDisplay,
  type SiteTexts,
} from "../site.ts";
import { counted } from "../counts-and-quotes.ts";

export function site(formats: Formats): SiteTexts {
  const displaysCounted = counted(formats, "Bildschirm", "Bildschirme");
  const list = new Intl.ListFormat("de");
  const inTerminal = "In einem Terminal eingeben:";
  const good = (found: string) => ({ found, advice: null });
  const displaysOf: SiteTexts["displays"] = ({ displays }) =>
    good(
      `${displaysCounted(displays.length)}: ${list.format(
        displays.map(
          ({ width, height, rate }) =>
            `${sizeOfDisplay(width, height)}${rate > 0 ? ` mit ${formats.count(rate)} Hz` : ""}`,
        ),
      )}.`,
    );
  const decodingOf: SiteTexts["decodes"] = ({ plays, lacks }) =>
    good(
      `Spielt ${list.format(plays)}${lacks.length > 0 ? `; nicht ${list.format(lacks)}` : ""}.`,
    );
  const diskOf: SiteTexts["disk"] = ({ freeBytes, bytesPerSecond }) =>
    good(
      `${formats.size(freeBytes)} frei, ${formats.size(bytesPerSecond)} in der Sekunde werden durchgeschrieben.`,
    );
  const clockOf = (now: number, zone: string): string =>
    `Es ist ${formats.moment(now)} in ${isolate(zone)}`;
  return {
    late: ({ seconds }) => ({
      found: `Keine Antwort in ${formats.length(seconds)}.`,
      advice: "Von Hand nachsehen.",
    }),
    failed: ({ reason }) => ({
      found: `Das ließ sich nicht ansehen: ${isolate(reason)}`,
      advice: "Von Hand nachsehen.",
    }),

    awake: () => good("Nichts schläft ein oder wird dunkel."),
    "may-sleep": ({ hasDpms, saverSeconds, mayBeSuspended }) => {
      const causes = [
        ...(hasDpms ? ["der Bildschirm kann abgeschaltet werden"] : []),
        ...(saverSeconds === null
          ? []
          : [
              `der Bildschirmschoner kommt nach ${formats.length(saverSeconds)}`,
            ]),
        ...(mayBeSuspended ? ["der PC kann einschlafen"] : []),
      ];
      return {
        found: `Der Player hält ihn wach, aber ${list.format(causes)}.`,
        advice: inTerminal,
        command: type.stayAwake,
      };
    },
    "sleep-untold": () => ({
      found: "Dieses System sagt nicht, ob es einschläft.",
      advice:
        "In seinen Einstellungen nachsehen, dass nichts einschläft oder dunkel wird.",
    }),
    "plan-sleeps": () => ({
      found: "Der Energiesparplan schläft nach einer Weile ein.",
      advice: inTerminal,
      command: type.stayAwakeOnWindows,
    }),
    "plan-untold": () => ({
      found: "Der Energiesparplan lässt sich nicht lesen.",
      advice: "In den Energieeinstellungen nachsehen, dass nichts einschläft.",
    }),

    "no-apt": () => ({
      found: "Dieses System wird nicht durch apt aktualisiert.",
      advice:
        "Nachsehen, dass Updates nichts neu starten, während jemand zusieht.",
    }),
    "never-restarts": () =>
      good("Updates starten diesen PC nie von selbst neu."),
    "restarts-at": ({ at }) =>
      good(`Updates starten diesen PC um ${isolate(at)} neu.`),
    "restarts-at-once": () => ({
      found: "Updates starten diesen PC sofort neu.",
      advice: "In eine Datei von /etc/apt/apt.conf.d schreiben:",
      command: type.rebootTime,
    }),
    "active-hours": () => good("Updates halten sich an die Zeiten dieses PCs."),
    "no-active-hours": () => ({
      found: "Windows startet für Updates neu, wann es will.",
      advice:
        "windows.ps1 aus dem Ordner „resources“ des Players ausführen oder die Nutzungszeit durch eine Richtlinie setzen.",
    }),

    "no-display": () => ({
      found: "Es ist kein Bildschirm da.",
      advice: "Einschalten und nachsehen, ob das Kabel an beiden Enden steckt.",
    }),
    displays: displaysOf,
    "other-display": ({ displays, configured }) => ({
      found: displaysOf({ displays }).found,
      advice: `Der Player soll Bildschirm ${formats.count(configured + 1)} benutzen; den gibt es nicht.`,
    }),
    "drawn-by-card": ({ decodes }) =>
      good(
        decodes
          ? "Die Grafikkarte zeichnet und entschlüsselt Filme."
          : "Die Grafikkarte zeichnet; Filme entschlüsselt der Prozessor.",
      ),
    "drawn-by-processor": () => ({
      found: "Alles wird vom Prozessor gezeichnet.",
      advice:
        "Gut für Bilder und, mit schnellem Prozessor, für Filme bis 1080p; sonst den Treiber der Karte einrichten.",
    }),
    decodes: decodingOf,
    "decodes-too-little": ({ needed, ...decoding }) => ({
      found: decodingOf(decoding).found,
      advice: `Die meisten Filme brauchen ${list.format(needed)}: Diese Ausgabe kann es nicht.`,
    }),

    disk: diskOf,
    "disk-full": (measure) => ({
      found: diskOf(measure).found,
      advice: "Platz schaffen: Ein paar Filme füllen das.",
    }),
    "folder-own": () => good("Niemand sonst darf den Datenordner lesen."),
    "folder-open": ({ dataDir, others, system }) =>
      system === "windows"
        ? {
            found: `Andere dürfen ${isolate(dataDir)} und die Geheimnisse darin lesen: ${list.format(others)}.`,
            advice: inTerminal,
            command: type.restrictFolder(dataDir),
          }
        : {
            found: `Andere Benutzer dieses PCs dürfen ${isolate(dataDir)} und die Geheimnisse darin lesen.`,
            advice: "Dem Player einen eigenen Ordner geben.",
          },
    "shared-memory": () => good("Es gibt genug gemeinsamen Speicher."),
    "shared-memory-small": ({ bytes }) => ({
      found: `Der gemeinsame Speicher ist klein: ${formats.size(bytes)}. Stattdessen werden Dateien benutzt.`,
      advice:
        "Einem Container mehr geben (docker run --shm-size=512m); Filme brauchen dann weniger Prozessor.",
    }),
    "disk-slow": (measure) => ({
      found: diskOf(measure).found,
      advice:
        "Diese Platte ist langsam: Das Laden kann dauern, das Spielen nicht.",
    }),
    "clock-behind": ({ now, zone }) => ({
      found: `${clockOf(now, zone)}.`,
      advice: "Die Uhr geht nach: Datierte Inhalte warten, bis sie stimmt.",
    }),
    "clock-kept": ({ now, zone }) =>
      good(`${clockOf(now, zone)}, vom Netz gestellt.`),
    "clock-not-kept": ({ now, zone, system }) => ({
      found: `${clockOf(now, zone)}, nicht vom Netz gestellt.`,
      advice: inTerminal,
      command: system === "windows" ? type.setClockOnWindows : type.setClock,
    }),
    "clock-untold": ({ now, zone }) => ({
      found: `${clockOf(now, zone)}; ob sie richtig gehalten wird, sagt niemand.`,
      advice: "Nachsehen, dass das Netz die Uhr stellt.",
    }),

    "started-and-watched": () =>
      good(
        "Das System startet den Player mit seinem Benutzer und wacht über ihn.",
      ),
    "started-only": ({ system }) => ({
      found: "Der Desktop startet den Player, und niemand wacht über ihn.",
      ...(system === "windows"
        ? {
            advice:
              "windows.ps1 aus dem Ordner „resources“ des Players ausführen.",
          }
        : { advice: inTerminal, command: type.watch }),
    }),
    "not-started": () => ({
      found: "Nichts startet den Player, wenn dieser PC startet.",
      advice: "„Mit diesem PC starten“ auf dieser Seite einschalten.",
    }),
    "no-sandbox": () => ({
      found: "Der Player läuft ohne Chromiums Sandbox.",
      advice: "Als eigenen Benutzer laufen lassen, ohne --no-sandbox.",
    }),
    sandbox: ({ name, version }) =>
      good(`${isolate(`${name} ${version}`)} läuft in Chromiums Sandbox.`),
    pin: () => good("Eine PIN bewacht den Weg hinaus."),
    "no-pin": () => ({
      found:
        "Wer die Tasten kennt, kommt aus einem unbeaufsichtigten Bildschirm hinaus.",
      advice: "Auf dieser Seite eine PIN setzen.",
    }),

    "not-killed": ({ call }) => ({
      found: "Nicht versucht, weil es die Vorführung unterbricht.",
      advice: "Versuchen, bevor jemand zusieht:",
      command: type.kill(call),
    }),
    "no-player": ({ dataDir }) => ({
      found: `Auf ${isolate(dataDir)} läuft kein Player.`,
      advice: "Ihn starten, dann noch einmal prüfen.",
    }),
    "not-back": ({ seconds }) => ({
      found: `Mit Gewalt beendet, kam er in ${formats.length(seconds)} nicht zurück.`,
      advice:
        "Das System oder den Aufpasser ihn starten lassen: Die Anleitung sagt, wie.",
    }),
    back: ({ seconds }) =>
      good(
        `Mit Gewalt beendet, war er nach ${formats.length(seconds)} zurück.`,
      ),
    "back-late": ({ seconds }) => ({
      found: `Mit Gewalt beendet, war er nach ${formats.length(seconds)} zurück.`,
      advice: "Zehn Sekunden sind das Ziel; eine schnellere Platte hilft.",
    }),
  };
}
