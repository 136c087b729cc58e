// German texts of the schedule page.

import type { schedule as measure } from "../english/schedule.ts";
import type { Formats } from "../../../locales/formats.ts";
import { isolate } from "../../../locales/isolate.ts";
import { counted, inGermanQuotes as quoted } from "../counts-and-quotes.ts";

export function schedule(formats: Formats): ReturnType<typeof measure> {
  const items = counted(formats, "Eintrag", "Einträge");
  const playlists = counted(formats, "Playlist", "Playlists");
  const ofItems = counted(formats, "Eintrag", "Einträgen");
  return {
    title: "Zeitplan",
    failed: "Der Player hat seinen Zeitplan nicht genannt.",
    failedCalm: "Der Bildschirm zeigt weiter, was er hat.",
    emptyTitle: "Jede Playlist bekommt hier eine Zeile",
    emptyText:
      "Zu sehen ist dann, wer in jedem Augenblick der Woche den Bildschirm hat, wer zurücksteht und warum. Der erste Schritt ist eine Playlist.",
    toPlaylists: "Neue Playlist",

    scale: "Wie viel zu sehen ist",
    week: "Woche",
    day: "Tag",
    earlier: { week: "Vorige Woche", day: "Voriger Tag" },
    later: { week: "Nächste Woche", day: "Nächster Tag" },
    today: "Heute",
    laying: (done, all) =>
      `Der Plan wird ausgelegt: ${formats.count(done)} von ${playlists(all)}`,
    zone: (zone) => `Ortszeit des Bildschirms: ${isolate(zone)}`,
    zoneDiffers: (zone) =>
      `Ortszeit des Bildschirms: ${isolate(zone)}, nicht die dieses Computers`,
    search: "Playlists suchen",
    lanes: "Playlists nach Vorrang",
    onScreen: "Auf dem Bildschirm",
    nothing: "Nichts vorgesehen",
    local: "Eigene Inhalte",
    priority: (priority) => `V${formats.count(priority)}`,
    priorityAloud: (priority) => `Vorrang ${formats.count(priority)}`,
    disabled: "ausgeschaltet",
    otherGroups: "für andere Bildschirme",
    openPlaylist: (name) => `Playlist ${quoted(name)} öffnen`,
    addTime: (name) => `Zeit für ${quoted(name)} hinzufügen`,
    drawHint: "Über eine Zeile ziehen, um festzulegen, wann sie läuft.",
    noItems: "ohne Einträge",
    noneCanPlay: "nichts darin kann laufen",
    timesOf: { always: "immer", written: "von Hand geschrieben" },
    legend: {
      plays: "Läuft",
      outranked: "Steht zurück",
      cannot: "Kann nicht laufen",
    },
    now: "Jetzt",
    hoursOfDay: (hours) => `${formats.count(hours)} h`,
    clockForward: (from, until) =>
      `Uhren werden vorgestellt: ${from} bis ${until} entfällt`,
    clockBack: (from, until) =>
      `Uhren werden zurückgestellt: ${from} bis ${until} kommt zweimal`,

    block: (name, day, from, until) =>
      `${isolate(name)}, ${day} ${from} bis ${until}`,
    blockHow:
      "Pfeil links und rechts verschieben, mit Alt das Ende, mit Alt und Umschalt den Anfang; Eingabe öffnet, Entf entfernt.",
    times: (from, until) => `${from}–${until}`,
    movedTo: (from, until) => `Jetzt ${from} bis ${until}`,
    timeChanged: (name) => `${quoted(name)} läuft zu anderen Zeiten`,
    timeRemoved: (name) => `Eine Zeit von ${quoted(name)} wurde entfernt`,
    editTitle: (name) => `Wann ${quoted(name)} läuft`,
    removeTime: "Diese Zeit entfernen",
    allDetails: "Alle Zeiten",

    scrubber: "Betrachteter Augenblick",
    moment: "Zeitpunkt",
    backToNow: "Jetzt",
    expected: "Was der Bildschirm zeigen würde",
    nothingDue: "Dann steht nichts an; der Bildschirm zeigt seine Namenskarte.",
    inSequence: (number) => `${items(number)} nacheinander`,
    changesAt: (moment) => `Nächster Wechsel: ${moment}`,
    staysSo: "Weiter ist nichts geplant.",
    takeover: (until) =>
      until === null
        ? "Eine Übernahme hat den Bildschirm, bis sie beendet wird."
        : `Eine Übernahme hat den Bildschirm bis ${until}.`,
    why: "Warum",
    whyTable: "Jede Playlist und warum sie läuft oder nicht",
    candidate: "Playlist",
    verdict: "Urteil",
    because: "Grund",
    showItems: (name) => `Einträge von ${quoted(name)} zeigen`,
    covered: "Von einer Sondermeldung verdeckt",
    coveredBecause: "Es läuft, sobald die Sondermeldung endet.",
    verdicts: {
      plays: "Läuft",
      outranked: "Steht zurück",
      "predicate-false": "Nicht ihre Zeit",
      disabled: "Ausgeschaltet",
      "outside-dates": "Außerhalb der Daten",
      "outside-hours": "Außerhalb der Zeiten",
      "other-groups": "Andere Bildschirme",
      "not-on-disk": "Noch nicht da",
      quarantined: "Nicht darstellbar",
      "playlist-empty": "Kann nicht laufen",
    },
    reasons: {
      plays: "Steht in diesem Augenblick an.",
      playsWith: (number) =>
        number === 1
          ? "Steht an, im Wechsel mit einer weiteren Playlist gleichen Vorrangs."
          : `Steht an, im Wechsel mit ${formats.count(number)} weiteren gleichen Vorrangs.`,
      outranked: (name, priority) =>
        `${quoted(name)} hat Vorrang ${formats.count(priority)}.`,
      predicateFalse: (words) => `Läuft nur: ${words}.`,
      predicateNever: (part) => `Trifft hier nicht zu: ${isolate(part)}`,
      disabled: "Von Hand ausgeschaltet.",
      dates: (from, until) => `Vom ${from} bis ${until}.`,
      datesFrom: (from) => `Ab ${from}.`,
      datesUntil: (until) => `Bis ${until}.`,
      noDates: "Ohne Daten.",
      hours: (days, times) =>
        `Nur ${[days, times].filter((part) => part !== "").join(", ")}.`,
      groups: (groups) => `Nur für ${isolate(groups)}.`,
      notOnDisk: "Die Datei ist noch unterwegs.",
      quarantined: "Ließ sich nicht zeigen und bleibt eine Weile in Ruhe.",
      empty: "Ohne Einträge.",
      noneCan: (number) => `Keiner von ${ofItems(number)} kann gerade laufen.`,
    },
  };
}
