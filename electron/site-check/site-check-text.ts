// Words a site check report for a person in a terminal: one line per check, with the advice below it.

import { findingsIn } from "../../renderer/locales/system-check-findings.ts";
import { translatorFor } from "../../renderer/locales/translator.ts";
import type { SiteReport } from "./site-check.ts";

export function siteAsText(report: SiteReport, language: string): string {
  const translator = translatorFor(language);
  const { messageFor, formats } = translator;
  const findingOf = findingsIn(translator);
  const rows = report.lines.map(({ name, verdict, fact, ms }) => {
    const { found, advice, command } = findingOf(fact);
    return {
      verdict: messageFor("systemCheck.verdicts", verdict) ?? verdict,
      check: messageFor("systemCheck.checks", name) ?? name,
      found: `${found} (${ms} ms)`,
      advice: advice === null ? null : [advice, command ?? ""].join(" ").trim(),
    };
  });
  const width = (column: "verdict" | "check"): number =>
    Math.max(...rows.map((row) => row[column].length));
  const [verdictWidth, checkWidth] = [width("verdict"), width("check")];
  const indent = " ".repeat(verdictWidth + checkWidth + 4);
  const lines = rows.flatMap(({ verdict, check, found, advice }) => [
    `${verdict.padEnd(verdictWidth)}  ${check.padEnd(checkWidth)}  ${found}`,
    ...(advice === null ? [] : [`${indent}→ ${advice}`]),
  ]);
  const sum = messageFor("systemCheck", "summary", {
    count: report.faults,
    time: formats.time(Date.parse(report.time)),
  });
  return `${[...lines, sum].join("\n")}\n`;
}

/** For scripts: the report with what was found and advised, in English. */
export function siteAsJson(report: SiteReport): string {
  const findingOf = findingsIn(translatorFor("en"));
  const lines = report.lines.map((line) => ({
    ...line,
    ...findingOf(line.fact),
  }));
  return `${JSON.stringify({ ...report, lines }, null, 2)}\n`;
}
