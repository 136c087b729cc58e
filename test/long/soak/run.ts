// npm run soak -- 30m: plays one-second items of every kind for that time, and reports what grows.

import { mkdir, writeFile } from "node:fs/promises";
import { soak, type Limits, type SoakLine } from "./soak.ts";

/** The first five minutes are ignored; of a shorter run, the first sixth. */
const warmUpMs = 5 * 60_000;
const intervalMs = 5000;
/** A sample every five seconds for 25 minutes tells 5 MiB per hour from noise. */
const limits: Limits = { mebibytes: 5, descriptors: 2, nodes: 5 };

const totalMs = durationOf(process.argv[2] ?? "30m");
if (totalMs === null) {
  console.error("How long? npm run soak -- 30m, 90s or 2h.");
  process.exitCode = 2;
} else {
  const judgedFromMs = Math.min(warmUpMs, totalMs / 6);
  const report = await soak({
    ...{ warmUpMs: judgedFromMs, watchMs: totalMs - judgedFromMs },
    ...{ intervalMs, limits, maxWatches: 1, minSwaps: 0 },
  });
  const { lines, measurements, swaps, mediaElements } = report;
  console.log(
    `${swaps} changes, ${measurements.length} looks after the first ${Math.round(judgedFromMs / 1000)} s; media elements: ${mediaElements} at most.\n` +
      "Least squares; the bounds hold with 95 % confidence, for as many looks as are independent of each other.\n" +
      "A series grows when its lower bound is above the limit.\n",
  );
  for (const line of lines) console.log(sentenceOf(line));
  await mkdir("dist/soak", { recursive: true });
  await writeFile("dist/soak/looks.json", JSON.stringify(measurements));
  console.log("\nKept in dist/soak/looks.json: every look.");
  if (lines.some(({ grows }) => grows)) process.exitCode = 1;
}

function durationOf(text: string): number | null {
  const [, number, unit] = /^(\d+)(s|m|h)$/.exec(text) ?? [];
  const unitMs = { s: 1000, m: 60_000, h: 3_600_000 }[unit as "s" | "m" | "h"];
  return number === undefined ? null : Number(number) * unitMs;
}

function sentenceOf(line: SoakLine): string {
  const { series, unit, mean, perHour, minPerHour, maxPerHour } = line;
  const figure = (value: number): string => value.toFixed(1).padStart(9);
  return [
    line.grows ? "GROWS" : "still",
    series.padEnd(44),
    `mean ${figure(mean)} ${unit}`.padEnd(20),
    `slope an hour ${figure(perHour)} (${figure(minPerHour)} to ${figure(maxPerHour)})`,
    `limit ${line.limitPerHour}`,
  ].join("  ");
}
