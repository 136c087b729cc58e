// German texts of the settings page.

import type { settings as measure } from "../english/settings.ts";
import type { Formats } from "../../../locales/formats.ts";
import { counted, inGermanQuotes as quoted } from "../counts-and-quotes.ts";
import { settingWords } from "./setting-words.ts";
import { site } from "./site.ts";

export function settings(formats: Formats): ReturnType<typeof measure> {
  const assets = counted(formats, "Inhalt", "Inhalte");
  const playlists = counted(formats, "Playlist", "Playlists");
  const files = counted(formats, "Datei", "Dateien");
  const settingsCounted = counted(formats, "Einstellung", "Einstellungen");
  return {
    title: "Einstellungen",
    search: "Einstellungen durchsuchen",
    sectionsLabel: "Abschnitte",
    found: (number) =>
      number === 0 ? "Nichts gefunden" : `${formats.count(number)} gefunden`,
    nothingFound: (searchText) =>
      `Zu ${quoted(searchText)} gibt es hier nichts`,
    nothingFoundStep:
      "Ein anderes Wort versuchen: was es bewirkt, oder wo es auffällt.",
    clearSearch: "Alle Einstellungen zeigen",
    failed: "Der Player hat seine Einstellungen nicht genannt.",
    failedCalm: "Der Bildschirm läuft mit den bisherigen Einstellungen weiter.",
    copyCommand: "Befehl kopieren",
    defaultIs: (value) => `Standard: ${value}`,
    backToDefault: "Zurück zum Standard",
    backToDefaultOf: (name) => `Zurück zum Standard: ${quoted(name)}`,
    changed: (name, value) => `${name}: ${value}`,
    notChanged: (name) => `${quoted(name)} wurde nicht geändert.`,
    refused: "Nicht übernommen:",
    stays: "Auf dem Bildschirm gilt der bisherige Wert weiter.",
    emptyValue: "leer",
    on: "An",
    off: "Aus",
    wireName: "In der Schnittstelle:",
    pressKeys: "Hier klicken und die Tasten drücken",
    clear: "Leeren",
    noAsset: "Kein Inhalt",
    assetGone: "Ein Inhalt, den es nicht mehr gibt",
    followSystem: "Wie das System",
    sections: {
      screen: "Dieser Bildschirm",
      display: "Anzeige",
      audio: "Ton",
      playback: "Wiedergabe",
      takeover: "Sondermeldung",
      kiosk: "Kiosk und Start",
      access: "Schnittstelle und Zugang",
      backup: "Sichern und Wiederherstellen",
      manager: "Dieses Fenster",
      more: "Weiteres",
      about: "Über Vitrine",
    },
    fields: settingWords,

    tokens: {
      title: "Zugangsschlüssel",
      about:
        "Programme und andere Arbeitsplätze weisen sich mit einem davon aus. Der Schlüssel wird einmal gezeigt, wenn er entsteht; der Player behält nur einen Fingerabdruck.",
      empty: "Noch keine Schlüssel. Programme auf diesem PC brauchen keinen.",
      name: "Wofür er ist",
      nameHint: "Zum Beispiel: Empfang",
      make: "Schlüssel anlegen",
      madeTitle: (name) => `Schlüssel ${quoted(name)}`,
      madeOnce:
        "Jetzt kopieren: Er wird nur dieses eine Mal gezeigt und lässt sich nicht wieder lesen. Geht er verloren, einen neuen anlegen.",
      copy: "Schlüssel kopieren",
      keptIt: "Ich habe ihn verwahrt",
      refused: "Der Schlüssel wurde nicht angelegt.",
      created: (day) => `Angelegt ${day}`,
      neverUsed: "Nie benutzt",
      lastUsed: (when) => `Zuletzt benutzt ${when}`,
      revoke: "Widerrufen",
      revokeNamed: (name) => `${quoted(name)} widerrufen`,
      revokeQuestion: (name) => `${quoted(name)} widerrufen?`,
      revokeWhat:
        "Was ihn benutzt, wird sofort abgewiesen. Das lässt sich nicht zurücknehmen: Dort müsste ein neuer eingetragen werden.",
      keep: "Behalten",
      revoked: (name) => `${quoted(name)} gilt nicht mehr`,
      revokeFailed: (name) => `${quoted(name)} wurde nicht widerrufen.`,
      listFailed: "Der Player hat seine Schlüssel nicht genannt.",
      list: "Zugangsschlüssel",
    },

    site: {
      title: "Prüfung des Standorts",
      about:
        "Sieht nach allem, was diesen Bildschirm anhalten, verdecken, bremsen oder schwarz machen würde. Sie stört nichts und dauert ein paar Sekunden.",
      check: "Diesen PC prüfen",
      again: "Noch einmal prüfen",
      checking:
        "Energiesparen, Bildschirm, Grafik, Platte, Uhr werden angesehen …",
      failed: "Die Prüfung kam nicht zu Ende.",
      sum: (faults, time) =>
        faults === 0
          ? `Um ${time} geprüft: kein Fehler.`
          : `Um ${time} geprüft: ${formats.count(faults)} fehlerhaft.`,
      judged: (what, verdict) => `${what}: ${verdict}`,
      verdicts: {
        good: "gut",
        advice: "könnte besser sein",
        fault: "fehlerhaft",
        unknown: "nicht bekannt",
      },
      names: {
        sleep: "Energiesparen und Abschalten",
        updates: "Updates des Systems",
        displays: "Bildschirme",
        graphics: "Grafik",
        codecs: "Filmformate",
        disk: "Platte",
        "data folder": "Datenordner",
        "shared memory": "Gemeinsamer Speicher",
        clock: "Uhr",
        autostart: "Mit diesem PC starten",
        sandbox: "Sandbox",
        "exit PIN": "PIN zum Verlassen",
        "kill and recover": "Erholung nach einem Absturz",
      },
      siteTexts: site(formats),
    },

    unattended: {
      question: "Diesen Bildschirm unbeaufsichtigt lassen?",
      consequence: (key) =>
        `Ist dieses Fenster geschlossen, bleibt das Bild oben, und die Tasten des Systems tun nichts. Zurück führt ${key}.`,
      withPin: "Dann wird nach der PIN gefragt.",
      withoutPin:
        "Es ist keine PIN gesetzt: Wer die Taste kennt, kommt hinaus.",
      no: "Beaufsichtigt lassen",
      yes: "Unbeaufsichtigt lassen",
    },

    pin: {
      title: "PIN zum Verlassen des Bildschirms",
      about:
        "Aus einem unbeaufsichtigten Bildschirm führt eine PIN hinaus. Es ist keine gesetzt: Wer die Tasten kennt, kommt hinaus.",
      aboutSet:
        "Aus einem unbeaufsichtigten Bildschirm führt diese PIN hinaus.",
      first: "PIN, 4 bis 12 Ziffern",
      current: "Aktuelle PIN",
      next: "Neue PIN",
      set: "PIN setzen",
      change: "Ändern",
      remove: "Entfernen",
      isSet: "Die PIN ist gesetzt",
      isGone: "Es gibt keine PIN mehr",
      shape: "Vier bis zwölf Ziffern.",
      wrong: (left) =>
        `Das ist nicht die aktuelle PIN. Noch ${formats.count(left)} ${left === 1 ? "Versuch" : "Versuche"}.`,
      locked: (length) =>
        `Zu viele falsche Versuche. Versuchen Sie es in ${length} wieder.`,
      failed: "Die PIN wurde nicht geändert.",
    },

    docs: {
      title: "Beschreibung der Schnittstelle",
      about: (address) =>
        `Jede Operation dieses Players, von ihm selbst beschrieben und ohne Netz zu lesen. Die Beispiele gehen an ${address}. Beschrieben wird auf Englisch.`,
      search: "Operationen durchsuchen",
      failed: "Der Player hat seine Beschreibung nicht genannt.",
      none: "Dazu gibt es keine Operation.",
      parameters: "Parameter",
      body: "Inhalt der Anfrage",
      answers: "Antworten",
      example: "Als Befehl",
      copy: "Befehl kopieren",
      try: "Jetzt fragen",
      trying: "Wird gefragt …",
      answered: "Der Player hat geantwortet",
      refused: "Der Player hat abgelehnt",
      value: (name) => `Wert von ${name}`,
      required: "nötig",
      optional: "optional",
      inPlace: {
        path: "im Pfad",
        query: "in der Abfrage",
        header: "im Kopf",
      },
      openPage: "Dasselbe als Seite für jeden Browser:",
      operations: (number) =>
        `${formats.count(number)} ${number === 1 ? "Operation" : "Operationen"}`,
    },

    backup: {
      title: "Sicherungen",
      about:
        "Eine Sicherung enthält Einstellungen, Inhalte mit ihren Dateien und Playlists; niemals Schlüssel. Sie liegt auf diesem PC, bis sie anderswo gespeichert wird.",
      make: "Jetzt sichern",
      making: "Einstellungen, Dateien und Playlists werden gepackt …",
      made: "Die Sicherung ist fertig",
      makeFailed: "Es wurde nicht gesichert.",
      list: "Sicherungen auf diesem PC",
      empty: "Noch keine Sicherungen",
      emptyStep:
        "Vor einer großen Änderung eine anlegen: Sie ist der Weg zurück, auch auf einen neuen PC.",
      listFailed: "Der Player hat seine Sicherungen nicht genannt.",
      facts: (when, size) => `${when} · ${size}`,
      save: "Kopie speichern",
      saveNamed: (name) => `Kopie von ${quoted(name)} speichern`,
      saved: "Die Kopie ist gespeichert",
      saveFailed: "Die Kopie wurde nicht gespeichert.",
      restore: "Wiederherstellen",
      restoreNamed: (name) => `${quoted(name)} wiederherstellen`,
      remove: "Löschen",
      removeNamed: (name) => `${quoted(name)} löschen`,
      removeQuestion: (name) => `${quoted(name)} löschen?`,
      removeWhat:
        "Das Archiv ist dann endgültig fort. Was auf dem Bildschirm läuft, bleibt wie es ist.",
      keep: "Behalten",
      removed: (name) => `${quoted(name)} wurde gelöscht`,
      removeFailed: (name) => `${quoted(name)} wurde nicht gelöscht.`,
    },

    restore: {
      title: "Wiederherstellen",
      about:
        "Eine Sicherung dieses Players oder von Anthias wählen. Bevor sich etwas ändert, wird gezeigt, was darin ist.",
      choose: "Archiv wählen",
      chosen: (name) => `Wiederherstellen aus ${quoted(name)}`,
      reading: "Das ganze Archiv wird gelesen und jede Datei geprüft …",
      refused: "Dieses Archiv lässt sich nicht wiederherstellen.",
      nothingChanged:
        "Es wurde nichts geändert. Ein anderes Archiv wählen oder die Sicherung neu anlegen.",
      ofPlayer: (player, when, version) =>
        `Sicherung von ${quoted(player)}, angelegt ${when} mit Version ${version}`,
      ofAnthias: "Sicherung von Anthias",
      holds: "Sie enthält",
      now: "Jetzt hier",
      then: "Danach",
      assets: "Inhalte",
      playlists: "Playlists",
      files: "Dateien",
      assetsCounted: assets,
      playlistsCounted: playlists,
      connections: "Verbundene Clouds",
      changedSince: (names) =>
        `Seit dem Wiederherstellen hinzugekommen oder geändert: ${names.map(quoted).join(", ")}. Das ginge dabei verloren.`,
      connectionsGo: (names) =>
        `Danach nicht mehr verbunden: ${names.map(quoted).join(", ")}.`,
      connectionsNeedToken: (names) =>
        `Braucht wieder einen Schlüssel: ${names.map(quoted).join(", ")}.`,
      filesCounted: (number, size) => `${files(number)}, ${size}`,
      problems: (number) =>
        number === 1
          ? "1 Inhalt lässt sich nicht zeigen"
          : `${formats.count(number)} Inhalte lassen sich nicht zeigen`,
      settingsDiffer: (number) =>
        number === 0
          ? "Alle Einstellungen bleiben, wie sie sind"
          : `${settingsCounted(number)} ${number === 1 ? "würde" : "würden"} sich ändern`,
      assetList: "Inhalte im Archiv",
      more: (number) => `und ${formats.count(number)} weitere`,
      replaces: (now) =>
        now === 0
          ? "Hier ist nichts, das ersetzt würde."
          : `Ersetzt, was hier ist: ${assets(now)}. Davon wird vorher eine Sicherung angelegt, der Weg zurück bleibt offen.`,
      question: (player) => `Ersetzen, was ${quoted(player)} enthält?`,
      confirm: "Wiederherstellen",
      cancel: "Alles lassen, wie es ist",
      restoring: "Erst der Weg zurück, dann wird wiederhergestellt …",
      done: "Wiederhergestellt: Der Bildschirm zeigt, was die Sicherung enthält",
      failed: "Das Archiv wurde nicht wiederhergestellt.",
      disabled: "ausgeschaltet",
    },

    manager: {
      language: "Sprache",
      languageEffect:
        "Die Sprache dieses Fensters. Den Bildschirm betrifft sie nicht.",
      languages: { en: "English", de: "Deutsch" },
      appearance: "Aussehen",
      appearanceEffect:
        "Hell oder dunkel, nur für dieses Fenster. Wie das System heißt: Es wechselt mit ihm.",
      appearances: { auto: "Wie das System", light: "Hell", dark: "Dunkel" },
    },

    about: {
      version: "Version",
      runsOn: "Läuft auf",
      system: "System",
      packaged: "Installiertes Paket",
      fromSource: "Aus den Quellen gestartet",
      folder: "Datenordner",
      openFolder: "Ordner öffnen",
      openLog: "Protokolle öffnen",
      openFailed: "Der Ordner wurde nicht geöffnet.",
      licence: "Lizenz",
      licenceWords:
        "Vitrine ist freie Software unter der MIT-Lizenz: benutzen, ändern und weitergeben, mit ihrem Lizenztext.",
      others: "Arbeit anderer darin",
      othersCounted: (number) =>
        `${formats.count(number)} Pakete, jedes unter eigener Lizenz`,
      searchLicences: "Pakete durchsuchen",
      noText: "Das Paket bringt keinen eigenen Lizenztext mit.",
      failed: "Das Programm hat nicht gesagt, was es ist.",
      free: (free, total) => `${free} frei von ${total}`,
      disk: "Speicher",
      uptime: "Läuft seit",
    },
  };
}
