// Prints a site check report for a person: one line per check, with the advice below it.

import type { SiteReport } from "./site-check.ts";
import type { Verdict } from "../system/check-result.ts";

const words: Readonly<Record<Verdict, string>> = {
  good: "good   ",
  advice: "advice ",
  fault: "FAULT  ",
  unknown: "unknown",
};

export function siteAsText({ lines, faults }: SiteReport): string {
  const width = Math.max(...lines.map(({ name }) => name.length));
  const text = lines.flatMap(({ verdict, name, found, advice, ms }) => [
    `${words[verdict]}  ${name.padEnd(width)}  ${found} (${ms} ms)`,
    ...(advice === null ? [] : [`${" ".repeat(11 + width)}→ ${advice}`]),
  ]);
  const sum =
    faults === 0
      ? "Nothing is at fault."
      : `${faults} ${faults === 1 ? "thing is" : "things are"} at fault.`;
  return `${[...text, sum].join("\n")}\n`;
}
