// German texts of the connections page.

import type { cloud as measure } from "../english/cloud.ts";
import type { Formats } from "../../../locales/formats.ts";
import { isolate } from "../../../locales/isolate.ts";
import { counted, inGermanQuotes as quoted } from "../counts-and-quotes.ts";
import { cloudEditing } from "./cloud-editing.ts";
import { hosting } from "./hosting.ts";
import { localChanges } from "./local-changes.ts";
import { offlineBundle } from "./offline-bundle.ts";

export function cloud(formats: Formats): ReturnType<typeof measure> {
  const assets = counted(formats, "Inhalt", "Inhalte");
  const playlists = counted(formats, "Playlist", "Playlists");
  const files = counted(formats, "Datei", "Dateien");
  const changes = counted(formats, "Änderung", "Änderungen");
  return {
    title: "Cloud",
    hosting: hosting(formats),
    offlineBundle: offlineBundle(formats),
    editing: cloudEditing(formats),
    localChanges: localChanges(formats),
    failed: "Der Player hat nicht gesagt, wie es um seine Clouds steht.",
    screenContinues: "Der Bildschirm läuft mit dem weiter, was hier ist.",
    connections: "Verbundene Clouds",
    empty: "Inhalte aus einer Cloud, auf diesem PC gespeichert",
    emptySentence:
      "Einen Inhaltsdienst verbinden: Seine Inhalte und Playlists werden geholt, geprüft und gezeigt, auch wenn die Cloud nicht erreichbar ist.",

    connect: "Cloud verbinden",
    address: "Adresse",
    addressHint: "https://content.example.org",
    token: "Schlüssel",
    tokenHint: "Wie ihn der Dienst vergeben hat",
    labels: "Gruppen oder Labels dieses Bildschirms",
    labelsHint: "Optional, mit Kommas; leer: alle Bildschirme",
    check: "Prüfen und verbinden",
    checking: "Die Cloud wird gefragt, wer sie ist …",
    checkedFor: (seconds) =>
      `Die Cloud wird gefragt, wer sie ist … ${formats.length(seconds)}`,
    connectFailed: "Nicht verbunden.",
    connected: (name, version) =>
      `Verbunden mit ${quoted(name)}, Version ${isolate(version)}`,
    cancel: "Abbrechen",
    confirmConnectAgain: (name) =>
      `${quoted(name)} ist mit diesem Dienst schon verbunden. Noch einmal verbinden?`,
    connectAgainConsequence:
      "Mit demselben Token und denselben Gruppen wäre alles zweimal hier.",
    connectAgain: "Noch einmal verbinden",

    phases: {
      idle: "Wartet auf den nächsten Blick",
      polling: "Sieht nach, was neu ist",
      downloading: "Holt Dateien",
      "waiting-for-hours": "Wartet auf die erlaubten Stunden",
      applying: "Übernimmt",
      held: "Wartet auf eine Entscheidung",
      failing: "Nicht erreicht",
      off: "Ausgeschaltet",
    },
    inSync: "Auf dem Stand",
    notInSync: "Noch nicht auf dem Stand",
    never: "Nie",
    version: (version) => `Version ${isolate(version)}`,
    versionUnknown: "Version noch nicht bekannt",
    paired: "Mit PIN verbunden",
    pairedAs: (screen) => `Mit PIN verbunden als ${quoted(screen)}`,
    fromOfflineBundle: "Plan von einem Stick",
    fromOfflineBundleAbout:
      "Von einem Stick geladen: Keine Cloud wird gefragt. Ein neuerer Plan desselben Players tritt an seine Stelle.",
    lastContact: (when) => `Antwortete ${when}`,
    neverAnswered: "Hat noch nicht geantwortet",
    nextPoll: (when) => `sieht wieder nach ${when}`,
    from: (name) => `Von ${quoted(name)}`,
    inTrash: (number) => `davon ${assets(number)} hier im Papierkorb`,
    nothingForScreen:
      "Der Dienst hat nichts für diesen Bildschirm. Prüfen Sie, für welche Gruppen oder Labels seine Playlists sind.",
    holds: (number, lists) => `${assets(number)}, ${playlists(lists)}`,
    itemsFailed: (here, total, failed) =>
      `${here} von ${total} Inhalten; ${failed} fehlgeschlagen`,
    pollNow: "Jetzt nachsehen",
    pollNowFrom: (name) => `Jetzt nachsehen, was ${quoted(name)} hat`,
    pollFailed: "Die Cloud wurde nicht gefragt.",
    more: (name) => `Mehr zu ${quoted(name)}`,

    progress: (name) => `Holt von ${quoted(name)}`,
    progressFiles: (done, all) => `${formats.count(done)} von ${files(all)}`,
    progressBytes: (done, all) => `${done} von ${all}`,
    speed: (size) => `${size}/s`,
    left: (seconds) => `noch ${formats.length(seconds)}`,

    holdReasons: {
      ask: "Diese Änderungen warten auf ein Ja.",
      tonight: "Diese Änderungen werden zur gewählten Stunde übernommen.",
      "more-than-half":
        "Das würde fast alles entfernen, was hier ist; alles andere davon ist übernommen. Wurde die Cloud versehentlich geleert, zurückstellen; nichts geht verloren.",
      postponed:
        "Diese Änderungen sind zurückgestellt. Sie warten, bis jemand sie übernimmt oder die Cloud etwas anderes sagt.",
    },
    review: "Was sich unterscheidet",
    reviewCounts: (add, change, remove) =>
      [
        add > 0 ? `${formats.count(add)} neu` : "",
        change > 0 ? `${formats.count(change)} geändert` : "",
        remove > 0 ? `${formats.count(remove)} entfernt` : "",
      ]
        .filter((part) => part !== "")
        .join(", ") || "Nichts unterscheidet sich",
    toFetch: (size) => `${size} zu holen`,
    staged: "alles ist schon hier",
    actions: { add: "Neu", change: "Geändert", remove: "Entfernt" },
    what: { asset: "Inhalt", playlist: "Playlist" },
    showMore: (number) => `${formats.count(number)} weitere zeigen`,
    apply: "Jetzt übernehmen",
    applyRemoving: (number) =>
      `Übernehmen und ${formats.count(number)} entfernen`,
    applyOf: (label, name) => `${label}: ${quoted(name)}`,
    applyQuestion: (name, number) =>
      `Darf ${quoted(name)} ${formats.count(number)} entfernen?`,
    applyConsequence:
      "Was entfernt wird, verlässt den Bildschirm. Der bisherige Plan bleibt, und ein Klick führt zu ihm zurück.",
    applying: "Wird übernommen …",
    applied: (name) => `${quoted(name)} ist übernommen`,
    approved: (name) =>
      `${quoted(name)} wird übernommen, wenn alle Dateien hier sind und zu Ende gezeigt ist, was weicht`,
    applyFailed: "Die Änderungen wurden nicht übernommen.",
    anotherPlan:
      "Die Cloud hat inzwischen etwas anderes gesagt: Bitte ansehen, was sie jetzt ändert.",
    noPlanBefore: "Der Plan davor ist nicht mehr da.",
    putOff: "Zurückstellen",
    putOffDone: (name) =>
      `Was ${quoted(name)} geändert hat, ist zurückgestellt`,
    putOffFailed: "Die Änderungen wurden nicht zurückgestellt.",
    keepAll: "Alles lassen, wie es ist",

    itemFailures: (number) =>
      number === 1
        ? "1 Teil kam nicht an"
        : `${formats.count(number)} Teile kamen nicht an`,
    failureGivenUp: "Wird erst wieder versucht, wenn die Cloud es ändert.",
    failureRetried: "Wird von selbst wieder versucht.",
    retry: "Alle erneut versuchen",

    history: "Zurückgehen",
    historyAbout:
      "Die letzten übernommenen Pläne bleiben mit ihren Dateien hier. Zurück ist es ein Schritt, und wovon man kam, wartet hier.",
    current: "Jetzt auf dem Bildschirm",
    appliedAt: (when) => `Übernommen ${when}`,
    goBack: "Dahin zurück",
    goBackTo: (when) => `Dahin zurück, übernommen ${when}`,
    wentBack: (name) => `${quoted(name)}: zurück beim Plan davor`,
    goBackFailed: "Es ging nicht zurück.",

    problems: {
      unauthorized: {
        message: "Die Cloud nimmt den Schlüssel nicht mehr an.",
        step: "Einen neuen Schlüssel eingeben.",
      },
      unavailable: {
        message: "Die Cloud ist nicht zu erreichen.",
        step: "Es wird von selbst wieder versucht; Adresse und Netz prüfen.",
      },
      refused: {
        message: "Die Cloud hat die Antwort verweigert.",
        step: "Mit den Worten unten bei ihrem Betreiber nachfragen.",
      },
      portal: {
        message: "Statt der Cloud antwortet eine Anmeldeseite des Netzes.",
        step: "Sich an diesem PC mit einem Browser im Netz anmelden.",
      },
      certificate: {
        message: "Dem Zertifikat der Cloud ist nicht zu trauen.",
        step: "Die Uhr dieses PCs prüfen, oder es in den Einstellungen des Kontos erlauben.",
      },
      proxy: {
        message: "Der Proxy lässt diesen Player nicht durch.",
        step: "Den Proxy in den Einstellungen des Kontos prüfen.",
      },
      malformed: {
        message: "Die Cloud antwortet etwas Unverständliches.",
        step: "Prüfen, ob die Adresse die eines Inhaltsdienstes ist.",
      },
      "no-space": {
        message: "Der Datenträger ist voll.",
        step: "Platz schaffen; dann geht es von selbst weiter.",
      },
      "read-only": {
        message: "Auf diesem PC lässt sich nichts schreiben.",
        step: "Den Datenträger prüfen; was hier ist, läuft weiter.",
      },
      "no-token": {
        message: "Der Schlüssel dieses Kontos fehlt auf diesem PC.",
        step: "Den Schlüssel noch einmal eingeben.",
      },
      interrupted: {
        message: "Der letzte Abgleich ist unerwartet abgebrochen.",
        step: "Der nächste beginnt nach einer Weile von selbst. Sie können ihn auch gleich starten.",
      },
      bug: {
        message: "In Vitrine ist etwas schiefgegangen.",
        step: "Es wird von selbst wieder versucht; mehr steht im Protokoll.",
      },
    },
    since: (when) => `seit ${when}`,
    enterToken: "Schlüssel eingeben",
    enterTokenFor: (name) => `Schlüssel eingeben für ${quoted(name)}`,

    settings: "Einstellungen des Kontos",
    settingsOf: (name) => `Einstellungen von ${quoted(name)}`,
    fields: {
      name: "Name",
      base_url: "Adresse",
      token: "Neuer Schlüssel",
      version: "Version",
      labels: "Gruppen oder Labels dieses Bildschirms",
      asset_groups: "Nur diese Inhaltsgruppen",
      screen_id: "Kennung dieses Bildschirms dort",
      mode: "Wann Änderungen übernommen werden",
      apply_at: "Stunde des Übernehmens",
      poll_seconds: "Sekunden zwischen zwei Blicken",
      rate_limit: "Höchstens, in Kilobyte je Sekunde",
      download_from: "Dateien holen von",
      download_until: "Dateien holen bis",
      proxy_url: "Proxy",
      finish_current_item: "Einträge zu Ende spielen lassen",
      skip_ssl_verify: "Jedes Zertifikat dieser Cloud annehmen",
      is_enabled: "Eingeschaltet",
    },
    effects: {
      version: "Von selbst herausgefunden passt fast immer.",
      labels: "Durch Kommas getrennt. Leer heißt All Screens.",
      asset_groups:
        "Durch Kommas getrennt. Sind es welche, kommen nur ihre Inhalte her.",
      mode: "In jedem Fall gilt: Fast alles auf einmal geht nie ungefragt.",
      poll_seconds:
        "Standard: 60. Eine kleine Anfrage, wenn sich nichts geändert hat.",
      rate_limit: "Leer: so schnell es geht.",
      download_from: "Leer: zu jeder Stunde.",
      token: "Leer behält den bisherigen.",
      finish_current_item:
        "Was die Cloud wegnimmt, während es zu sehen ist, geht nach seinem Durchgang. Standard: sofort.",
      skip_ssl_verify: "Nur für eine Cloud in einem vertrauten Netz.",
      proxy_url:
        "Wie in http://proxy.example.org:3128. Leer geht es geradewegs.",
      screen_id: "Eines Bildschirms, der dort gekoppelt ist; sonst leer.",
    },
    versions: {
      auto: "Von selbst herausfinden",
      "v4.1": "4.1",
      v4: "4.0",
      v3: "3",
    },
    modes: {
      now: "Sofort",
      tonight: "Zu einer Stunde der Nacht",
      ask: "Wenn ich es sage",
    },
    tokenSealed: "Der Schlüssel ist vom Betriebssystem versiegelt.",
    tokenInFile:
      "Dieses System kann Schlüssel nicht versiegeln: Er liegt in einer Datei, die nur dieser Benutzer lesen kann.",
    tokenNone: "Für dieses Konto gibt es keinen Schlüssel.",
    save: "Speichern",
    saved: (name) => `${quoted(name)} wurde geändert`,
    saveFailed: "Es wurde nichts geändert.",
    switchOff: "Ausschalten",
    switchOn: "Einschalten",

    remove: "Trennen",
    removeQuestion: (name) => `${quoted(name)} trennen?`,
    removeWhat: (number) =>
      `Der Schlüssel geht, und mit ihm, was von dort kam: ${assets(number)}. In der Cloud ändert sich nichts.`,
    removePlan: "Entfernen",
    removePlanQuestion: (name) => `Den Plan von ${quoted(name)} entfernen?`,
    removePlanWhat: (number) =>
      `Mit ihm geht, was er brachte: ${assets(number)}.`,
    planRemoved: (name) => `Der Plan von ${quoted(name)} ist entfernt`,
    removeKeep: "Was von dort kam, hier als eigenen Inhalt behalten",
    removed: (name) => `${quoted(name)} ist getrennt`,
    removeFailed: (name) => `${quoted(name)} wurde nicht getrennt.`,
    keep: "Behalten",
    changes,
  };
}
