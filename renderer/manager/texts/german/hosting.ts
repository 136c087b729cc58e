// German texts for the content service on this PC.

import type { hosting as measure } from "../english/hosting.ts";
import type { Formats } from "../../../locales/formats.ts";
import { inGermanQuotes as quoted } from "../counts-and-quotes.ts";

export function hosting(formats: Formats): ReturnType<typeof measure> {
  return {
    title: "Inhaltsdienst auf diesem PC",
    about:
      "Eine eigene Cloud: Andere Player und Programme holen ihre Inhalte von diesem PC. Ohne Konto, nichts verlässt das eigene Netz.",
    switch: "Inhaltsdienst betreiben",
    states: {
      off: "Aus",
      starting: "Startet …",
      on: "Läuft",
      failed: "Läuft nicht",
    },
    onSince: (when) => `Läuft seit ${when}`,
    restarted: (times) =>
      times === 1
        ? "einmal nach einem Fehler neu gestartet"
        : `${formats.count(times)}-mal nach Fehlern neu gestartet`,
    failedStep:
      "Den Port ändern oder erneut versuchen. Der Bildschirm ist nicht betroffen.",
    tryAgain: "Erneut versuchen",
    address: "Seine Adresse",
    copyAddress: "Adresse kopieren",
    folder: (path) => `Seine Dateien liegen in ${path}`,
    changeFailed: "Am Inhaltsdienst wurde nichts geändert.",
    options: "Port und Reichweite",
    port: "Port",
    portEffect: "Standard: 8090. Ein anderes Programm könnte ihn schon haben.",
    reach: "Wer ihn erreicht",
    reaches: { "this-pc": "Nur dieser PC", network: "Das Netz" },
    reachEffect:
      "Für andere PCs braucht er ein Zertifikat, damit Schlüssel nie lesbar durchs Netz gehen.",
    certificate: "Zertifikat (PEM)",
    certificateKey: "Dessen Schlüssel (PEM)",
    chooseFile: "Datei wählen",
    apply: "Übernehmen",

    keys: "Schlüssel",
    keysAbout:
      "Wer einen davon vorweist, darf den Dienst benutzen. Ein Schlüssel wird einmal gezeigt, wenn er entsteht.",
    keysEmpty:
      "Noch keine Schlüssel. Für jeden Player und jedes Programm einen anlegen.",
    keyName: "Für wen er ist",
    keyHint: "Zum Beispiel: Bildschirm im Foyer",
    makeKey: "Schlüssel anlegen",
    makeKeyFailed: "Der Schlüssel wurde nicht angelegt.",
    madeTitle: (name) => `Schlüssel für ${quoted(name)}`,
    keysFailed: "Der Inhaltsdienst hat seine Schlüssel nicht genannt.",
    revokeKey: "Widerrufen",
    revokeNamed: (name) => `Den Schlüssel für ${quoted(name)} widerrufen`,
    revokeQuestion: (name) => `Den Schlüssel für ${quoted(name)} widerrufen?`,
    revokeWhat:
      "Was ihn benutzt, wird binnen einer Sekunde abgewiesen und zeigt weiter, was es hat. Das lässt sich nicht zurücknehmen.",
    revoked: (name) => `Der Schlüssel für ${quoted(name)} gilt nicht mehr`,
    revokeFailed: "Der Schlüssel wurde nicht widerrufen.",
    keep: "Behalten",
    made: (day) => `Angelegt ${day}`,
    neverUsed: "Nie benutzt",
    lastUsed: (when) => `Zuletzt benutzt ${when}`,

    connectThis: "Seine Inhalte auf diesem Bildschirm zeigen",
    connectThisDone:
      "Dieser Player folgt jetzt dem Inhaltsdienst auf diesem PC",
    connectThisFailed: "Dieser Player wurde nicht verbunden.",
    thisPlayer: "dieser Player",

    screens: "Bildschirme",
    screensAbout:
      "Player, die von hier holen. Ein wartender Player zeigt eine PIN: Hier eingegeben gehört er zum Dienst.",
    screensEmpty: "Noch keine Bildschirme",
    screensFailed: "Der Inhaltsdienst hat seine Bildschirme nicht genannt.",
    pin: "PIN auf dem Bildschirm",
    pinHint: "Vom wartenden Bildschirm",
    screenName: "Sein Name",
    defaultName: (number) => `Bildschirm ${formats.count(number)}`,
    claim: "Bildschirm übernehmen",
    claimed: (name) => `${quoted(name)} gehört jetzt zu diesem Dienst`,
    claimFailed: "Kein Bildschirm wurde übernommen.",
    claimStep:
      "Die PIN auf dem Bildschirm prüfen; sie wechselt alle 15 Minuten.",
    inSync: "Auf dem Stand",
    notInSync: "Nicht auf dem Stand",
    syncing: "Wird abgeglichen",
    offline: "Offline",
    lastPing: (when) => `zuletzt gehört ${when}`,
    neverContacted: "noch nie gehört",
    disabled: "ausgeschaltet",
  };
}
