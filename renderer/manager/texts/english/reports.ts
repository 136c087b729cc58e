// English texts of the reports page.

import type { Formats } from "../../../locales/formats.ts";
import { counted, inEnglishQuotes as quoted } from "../counts-and-quotes.ts";

export function reports(formats: Formats) {
  const playbacks = counted(formats, "play", "plays");
  const assets = counted(formats, "asset", "assets");
  return {
    title: "Reports",
    about: (days: string) => `What was shown, ${days}`,
    range: "Days",
    ranges: {
      week: "Last 7 days",
      month: "Last 31 days",
      quarter: "Last 92 days",
      custom: "Own days",
    },
    from: "From",
    to: "To",
    wrongOrder: "The first day comes after the last one.",
    measure: "What is counted",
    measures: { playbacks: "Plays", time: "Time on screen" },
    totalPlaybacks: "Plays",
    totalTime: "Time on screen",
    totalAssets: "Assets shown",
    busiest: "Shown most",
    chart: (measure: string, days: string) => `${measure} per day, ${days}`,
    chartHint: "The same figures stand in the table below.",
    others: "All others",
    table: "By asset",
    tableByDay: "By day",
    asset: "Asset",
    day: "Day",
    playbacks: "Plays",
    time: "Time on screen",
    share: "Share of time",
    daysShown: "Days",
    firstAndLast: "First and last day",
    view: "Table",
    sortedBy: (column: string) => `Sorted by ${quoted(column)}`,
    sortBy: (column: string) => `Sort by ${quoted(column)}`,
    total: "Total",
    dayTotal: (count: number, shown: number) =>
      `${playbacks(count)} of ${assets(shown)}`,
    noPlaybacks: "Nothing was shown",
    failed: "The player did not tell what was shown.",
    failedCalm: "It goes on counting, and the screen goes on showing.",
    empty: "What was shown will be counted here",
    emptySentence:
      "Every asset that leaves the screen is counted with the time it was seen. Nothing was shown on these days.",
    emptyStep: "Add something to show",
    export: "Save as a table (CSV)",
    exported: "The report is saved",
    exportFailed: "The report was not saved.",
    fileName: (from: string, to: string) =>
      `vitrine-plays-${from}-to-${to}.csv`,
    openAsset: "Open in the library",
  };
}
