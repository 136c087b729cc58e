// German texts of the playlists page.

import type { playlists as measure } from "../english/playlists.ts";
import type { Formats } from "../../../locales/formats.ts";
import { isolate } from "../../../locales/isolate.ts";
import { counted, inGermanQuotes as quoted } from "../counts-and-quotes.ts";

export function playlists(formats: Formats): ReturnType<typeof measure> {
  const playlists = counted(formats, "Playlist", "Playlists");
  const items = counted(formats, "Eintrag", "Einträge");
  return {
    title: "Playlists",
    counted: playlists,
    failed: "Der Player hat seine Playlists nicht genannt.",
    failedCalm: "Der Bildschirm zeigt weiter, was er hat.",
    list: "Alle Playlists",
    search: "Playlists durchsuchen",
    noneFound: (searchText) => `Keine Playlist heißt ${quoted(searchText)}.`,
    back: "Alle Playlists",
    choose: "Playlist wählen, um zu sehen, was sie wann zeigt.",

    emptyTitle: "Playlists bringen Inhalte in Reihenfolge",
    emptyText:
      "Jede hat eigene Zeiten: mittags das Menü, samstags die Angebote, ganztags ein Willkommen. Zuerst eine Playlist anlegen, dann Inhalte hineinziehen.",
    add: "Neue Playlist",
    newName: "Neue Playlist",
    deleted: {
      title: "Diese Playlist wurde gelöscht",
      inTrash: (name) =>
        `${quoted(name)} ist im Papierkorb. Sie können sie mit ihren Inhalten und Zeiten wiederherstellen.`,
      gone: "Sie ist nicht im Papierkorb und lässt sich nicht wiederherstellen.",
      toList: "Alle Playlists zeigen",
      deletedElsewhere: (name) =>
        `Playlist ${quoted(name)} wurde anderswo gelöscht`,
      deletedElsewhereHint:
        "Sie können sie aus dem Papierkorb wiederherstellen.",
    },
    created: (name) => `Playlist ${quoted(name)} wurde angelegt`,
    createFailed:
      "Es wurde keine Playlist angelegt. Der Bildschirm läuft weiter wie zuvor.",
    changeFailed: (name) =>
      `${quoted(name)} wurde nicht geändert. Der Bildschirm läuft weiter wie zuvor.`,
    removed: (name) => `Playlist ${quoted(name)} wurde gelöscht`,
    removeFailed: (name) =>
      `${quoted(name)} wurde nicht gelöscht. Der Bildschirm läuft weiter wie zuvor.`,
    duplicate: "Duplizieren",
    copyOf: (name) => `${name} (Kopie)`,
    remove: "Löschen",
    more: (name) => `Mehr zu ${quoted(name)}`,

    name: "Name",
    nameNeeded: "Eine Playlist braucht einen Namen.",
    enabled: "Eingeschaltet",
    disabled: "Ausgeschaltet",
    playsNow: "Läuft jetzt",
    priorityOf: (priority) => `Vorrang ${formats.count(priority)}`,
    items,
    noItems: "Noch nichts darin",
    total: (seconds, isExact) =>
      isExact
        ? formats.length(seconds)
        : `mindestens ${formats.length(seconds)}`,
    perHour: (rounds) =>
      `${formats.count(rounds)} ${formats.plural(rounds) === "one" ? "Runde" : "Runden"} pro Stunde`,
    aboutItems: (number, length, rounds) =>
      [items(number), length, rounds].filter((part) => part !== "").join(" · "),
    nonePlays: (number) => `${items(number)} · nichts davon kann jetzt laufen`,

    tabs: {
      content: "Inhalt",
      when: "Wann",
      appearance: "Aussehen und Ort",
      preview: "Vorschau",
    },
    tabList: "Teile dieser Playlist",

    strip: "Filmstreifen: breiter heißt länger",
    order: "Einträge in Reihenfolge",
    emptyContent: "Aus dieser Playlist läuft noch nichts",
    emptyContentText: "Inhalte neben dieser Liste auswählen oder hineinziehen.",
    place: (place, all) => `${formats.count(place)} von ${formats.count(all)}`,
    drag: (name) => `${quoted(name)} verschieben`,
    dragHow:
      "Leertaste oder Eingabe nimmt einen Eintrag auf, die Pfeiltasten verschieben ihn, Leertaste oder Eingabe legt ihn ab, Escape legt ihn zurück. Alt mit einer Pfeiltaste verschiebt ihn sofort.",
    pickedUp: (name, place, all) =>
      `${quoted(name)} ist aufgenommen: Eintrag ${place} von ${all}.`,
    over: (name, place, all) =>
      `${quoted(name)} wäre Eintrag ${place} von ${all}.`,
    overNothing: (name) => `${quoted(name)} ist über keinem Platz.`,
    dropped: (name, place, all) =>
      `${quoted(name)} ist jetzt Eintrag ${place} von ${all}.`,
    cancelled: (name) => `${quoted(name)} ist wieder an seinem Platz.`,
    changed: (name) => `${quoted(name)} wurde geändert`,
    moved: (name) => `${quoted(name)} wurde verschoben`,
    duration: "Sekunden",
    durationOf: (name) => `Wie lange ${quoted(name)} bleibt`,
    durationWrong: "Eine Länge wird als 90 oder 1:30 geschrieben.",
    fullLength: "volle Länge",
    itemRemoved: (name) => `${quoted(name)} wurde herausgenommen`,
    itemsRemoved: (number) => `${items(number)} wurden herausgenommen`,
    removeItem: (name) => `${quoted(name)} herausnehmen`,
    missing: "Nicht mehr in der Bibliothek",
    chosenItems: (number) => `${items(number)} gewählt`,
    chooseItem: (name) => `${quoted(name)} wählen`,
    chooseAll: "Alle wählen",
    setLength: "Länge für alle gewählten",
    lengthHint: "1:30",
    lengthNeeded:
      "Geben Sie eine Länge ein, etwa 90 oder 1:30. Soll die des Inhalts gelten, wählen Sie „Länge des Inhalts“.",
    assetLength: "Länge des Inhalts",
    takeOut: "Herausnehmen",

    picker: "Aus der Bibliothek hinzufügen",
    pickerSearch: "Bibliothek durchsuchen",
    pickerHide: "Fertig",
    pickerShow: "Inhalt hinzufügen",
    pickerNone: "In der Bibliothek heißt nichts so.",
    pickerEmpty: "Die Bibliothek ist leer. Zuerst dort Dateien hinzufügen.",
    toLibrary: "Bibliothek öffnen",
    addAsset: (name) => `${quoted(name)} ans Ende setzen`,
    addedAsset: (name) => `${quoted(name)} wurde hinzugefügt`,
    timesIn: (number) => `${formats.count(number)}× darin`,

    appearance: {
      priority: "Vorrang",
      priorityEffect:
        "0 ist der Alltag. Von allem, was ansteht, läuft nur der höchste Vorrang; Gleiche laufen nacheinander.",
      groups: "Gruppen",
      groupsEffect:
        "Bildschirme dieser Gruppen zeigen sie. Ohne Gruppe gilt sie für alle.",
      groupsHint: "Namen tippen, dann Eingabe",
      groupsNotHere: "Dieser Bildschirm ist in keiner dieser Gruppen.",
      transition: "Übergang",
      transitionEffect: "Wie ein Eintrag dem nächsten Platz macht.",
      transitions: {
        usual: "Wie der Bildschirm",
        cut: "Schnitt",
        "cross-fade": "Überblenden",
      },
      usually: (what) => `Einstellung des Bildschirms: ${what}`,
      shuffle: "Reihenfolge",
      shuffleEffect: "Gemischt heißt: in jeder Runde eine andere.",
      shuffles: {
        usual: "Wie der Bildschirm",
        on: "Gemischt",
        off: "Der Reihe nach",
      },
    },

    when: {
      giveTo: "Diese Zeiten geben an …",
      clicked: "Wann sie läuft",
      clickedText: "Zu jeder dieser Zeiten, nach der Uhr des Bildschirms.",
      zone: (zone) => `Ortszeit des Bildschirms: ${isolate(zone)}`,
      unreadable:
        "Der Text darunter ist noch nicht lesbar: berichtigen oder zurücksetzen.",
      always: "Immer, rund um die Uhr",
      addWindow: "Zeit hinzufügen",
      window: (place) => `Zeit ${formats.count(place)}`,
      days: "Tage",
      everyDay: "Täglich",
      workdays: "Mo–Fr",
      weekend: "Wochenende",
      allDay: "Ganztägig",
      from: "Von",
      until: "Bis",
      overMidnight: "Endet am Folgetag",
      confirmNextDay: "Das würde erst am nächsten Tag enden.",
      takeNextDay: "Über Nacht spielen",
      confirmAlways: (name) => `${quoted(name)} jederzeit spielen?`,
      alwaysConsequence:
        "Das ist ihre einzige Zeit. Ohne sie begrenzen weder Uhrzeit noch Wochentag die Playlist. Soll sie nicht mehr laufen, schalten Sie sie aus.",
      playAlways: "Jederzeit spielen",
      turnOff: "Playlist ausschalten",
      sameTimes: "Anfang und Ende sind gleich.",
      noDays: "Mindestens ein Tag ist nötig.",
      removeWindow: (place) => `Zeit ${formats.count(place)} entfernen`,
      dates: "Daten",
      datesText: "Nur zwischen diesen Tagen; beide gehören dazu.",
      anyDate: "An jedem Datum",
      addDates: "Daten hinzufügen",
      firstDay: "Erster Tag",
      lastDay: "Letzter Tag",
      open: "offen",
      wrongDates: "Der letzte Tag liegt vor dem ersten.",
      removeDates: "Diese Daten entfernen",
      alsoWritten: "Und, von Hand geschrieben",
      alsoWrittenText:
        "Für diesen Teil gibt es keine Knöpfe; er wird im Text geändert.",
      removeWritten: "Diesen Teil entfernen",

      written: "Dasselbe als Text",
      writtenText:
        "$WEEKDAY ist 0 Sonntag bis 6 Samstag, $TIME Millisekunden seit Mitternacht, $DATE Millisekunden seit 1970. AND, OR, NOT, BETWEEN {…}, IN {…}.",
      textLabel: "Bedingung",
      apply: "Übernehmen",
      revert: "Zurücksetzen",
      applyKeys: "Strg+Eingabe",
      problemAt: (position) => `Bei Zeichen ${formats.count(position + 1)}:`,
      goThere: "Dorthin",
      notApplied:
        "Noch nicht übernommen: Der Bildschirm geht nach der letzten gültigen.",
      mixed: "AND bindet hier stärker als OR. Klammern sagen, was gemeint ist.",
      canonical: "Einheitliche Schreibweise",
      words: "In Worten",
      plays: (words) => `Läuft ${words}`,
      holdsUntil: (moment) => `Gilt jetzt, bis ${moment}`,
      holdsAlways: "Gilt jetzt und auf Dauer",
      nextAt: (moment) => `Gilt wieder: ${moment}`,
      neverAgain: "Gilt in den nächsten zwei Jahren nicht mehr",
      changed: (name) => `${quoted(name)} läuft zu anderen Zeiten`,
    },

    preview: {
      title: "Vorschau",
      about:
        "Von der Bühne des Bildschirms gezeichnet; der Bildschirm selbst bleibt unberührt.",
      what: "Was die Vorschau zeigt",
      thisPlaylist: "Diese Playlist",
      fullScreen: "Ganzer Bildschirm",
      moment: "Um",
      momentNow: "Jetzt",
      frame: "Vorschau des Bildschirms",
      play: "Abspielen",
      pause: "Anhalten",
      next: "Nächster Eintrag",
      previous: "Vorheriger Eintrag",
      mute: "Ton aus",
      unmute: "Ton an",
      portrait: "Hochkant",
      landscape: "Quer",
      scrub: "Stelle in der Runde",
      at: (position, total) =>
        `${formats.countdown(position)} von ${formats.countdown(total)}`,
      nothing: "Keine Vorschau: Die Playlist ist leer.",
      nothingDue:
        "Dann steht nichts an; der Bildschirm zeigt seine Namenskarte.",
      page: "Webseiten zeichnet der Bildschirm selbst.",
      failed:
        "Das lässt sich hier nicht zeigen. Der Bildschirm übergeht, was scheitert.",
      loading: "Wird gezeichnet …",
      item: (place, all, name) =>
        `${formats.count(place)} von ${formats.count(all)}: ${isolate(name)}`,
    },
  };
}
