// Runs one benchmark and prints its figures side by side: node build/bench.ts NAME

import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** One figure, its reference value, and whether the stated goal is met; null where none is stated. */
export interface Row {
  readonly figure: string;
  readonly value: number | string | null;
  readonly unit: string;
  readonly against: number | string | null;
  readonly ratio: number | null;
  readonly goal: string | null;
  readonly met: boolean | null;
}

/** A long benchmark yields each row as it is measured. */
interface Bench {
  readonly run: () => Promise<readonly Row[]> | AsyncIterable<Row>;
}

const benches = fileURLToPath(new URL("../test/bench/", import.meta.url));
const results = fileURLToPath(new URL("../dist/bench/", import.meta.url));

const [name] = process.argv.slice(2);
const names = listNames();
if (name === undefined) {
  console.log(
    `Usage: npm run bench -- NAME, with one of:\n${names.map((one) => `  ${one}`).join("\n")}`,
  );
} else if (!names.includes(name)) {
  console.error(
    `There is no benchmark "${name}". Available: ${names.join(", ")}.`,
  );
  process.exitCode = 2;
} else {
  const { run } = (await import(
    pathToFileURL(join(benches, `${name}.ts`)).href
  )) as Bench;
  const rows: Row[] = [];
  for await (const row of await run()) {
    // An aborted long benchmark has at least printed what it measured.
    console.error(lineOf(row));
    rows.push(row);
  }
  console.log(tableOf(rows));
  console.log(`\nKept in ${keep(name, rows)}`);
}

function listNames(): string[] {
  const files = existsSync(benches) ? readdirSync(benches) : [];
  return files
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.slice(0, -".ts".length))
    .sort();
}

function lineOf({ figure, value, unit, met }: Row): string {
  const verdict = met === false ? ", goal missed" : "";
  return `${figure}: ${readable(value)} ${unit}${verdict}`;
}

function tableOf(rows: readonly Row[]): string {
  const head = ["figure", "value", "unit", "against", "ratio", "goal", "met"];
  const lines = rows.map(
    ({ figure, value, unit, against, ratio, goal, met }) => [
      figure,
      readable(value),
      unit,
      readable(against),
      ratio === null ? "" : `${readable(ratio)} ×`,
      goal ?? "",
      met === null ? "" : met ? "yes" : "NO",
    ],
  );
  const widths = head.map((title, column) =>
    Math.max(title.length, ...lines.map((line) => line[column]?.length ?? 0)),
  );
  const numeric = new Set([1, 3, 4]);
  const draw = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        numeric.has(column)
          ? cell.padStart(widths[column] ?? 0)
          : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  return [
    draw(head),
    draw(widths.map((width) => "─".repeat(width))),
    ...lines.map(draw),
  ].join("\n");
}

function readable(value: number | string | null): string {
  if (typeof value !== "number") return value ?? "";
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}

function keep(bench: string, rows: readonly Row[]): string {
  mkdirSync(results, { recursive: true });
  const file = join(results, `${bench}.json`);
  writeFileSync(
    `${file}.part`,
    `${JSON.stringify({ name: bench, rows }, null, 2)}\n`,
  );
  renameSync(`${file}.part`, file);
  return file;
}
