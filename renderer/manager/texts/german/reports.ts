// German texts of the reports page.

import type { reports as measure } from "../english/reports.ts";
import type { Formats } from "../../../locales/formats.ts";
import { counted, inGermanQuotes as quoted } from "../counts-and-quotes.ts";

export function reports(formats: Formats): ReturnType<typeof measure> {
  const playbacks = counted(formats, "Mal", "Mal");
  const assets = counted(formats, "Inhalt", "Inhalte");
  return {
    title: "Berichte",
    about: (days) => `Was zu sehen war, ${days}`,
    range: "Tage",
    ranges: {
      week: "Letzte 7 Tage",
      month: "Letzte 31 Tage",
      quarter: "Letzte 92 Tage",
      custom: "Eigene Tage",
    },
    from: "Von",
    to: "Bis",
    wrongOrder: "Der erste Tag liegt nach dem letzten.",
    measure: "Was gezählt wird",
    measures: { playbacks: "Ausspielungen", time: "Zeit auf dem Bildschirm" },
    totalPlaybacks: "Ausspielungen",
    totalTime: "Zeit auf dem Bildschirm",
    totalAssets: "Gezeigte Inhalte",
    busiest: "Am meisten gezeigt",
    chart: (what, days) => `${what} je Tag, ${days}`,
    chartHint: "Dieselben Zahlen stehen unten in der Tabelle.",
    others: "Alle anderen",
    table: "Nach Inhalt",
    tableByDay: "Nach Tag",
    asset: "Inhalt",
    day: "Tag",
    playbacks: "Ausspielungen",
    time: "Zeit auf dem Bildschirm",
    share: "Anteil der Zeit",
    daysShown: "Tage",
    firstAndLast: "Erster und letzter Tag",
    view: "Tabelle",
    sortedBy: (column) => `Sortiert nach ${quoted(column)}`,
    sortBy: (column) => `Nach ${quoted(column)} sortieren`,
    total: "Zusammen",
    dayTotal: (count, shown) => `${playbacks(count)}, ${assets(shown)}`,
    noPlaybacks: "Nichts war zu sehen",
    failed: "Der Player hat nicht gesagt, was zu sehen war.",
    failedCalm: "Er zählt weiter mit, und der Bildschirm läuft weiter.",
    empty: "Hier wird gezählt, was zu sehen war",
    emptySentence:
      "Jeder Inhalt, der den Bildschirm verlässt, wird mit seiner Zeit gezählt. An diesen Tagen war nichts zu sehen.",
    emptyStep: "Etwas zum Zeigen hinzufügen",
    export: "Als Tabelle speichern (CSV)",
    exported: "Der Bericht ist gespeichert",
    exportFailed: "Der Bericht wurde nicht gespeichert.",
    fileName: (from, to) => `vitrine-ausspielungen-${from}-bis-${to}.csv`,
    openAsset: "In der Bibliothek öffnen",
  };
}
