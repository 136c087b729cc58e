// The checks: how each is run, what it reports, and which of our files it did not cover.

import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { ICruiseResult } from "dependency-cruiser";
import ts from "typescript";
import { houseViolations } from "./house.ts";
import { messageViolations } from "./message-violations.ts";
import { powerShellViolations } from "./powershell.ts";
import { floors, sourceFiles, sourceGlob } from "./sources.ts";
import { runTool } from "./tool.ts";

export interface Finding {
  readonly passed: boolean;
  /** For people to read; each violation begins with its file. */
  readonly report: string;
  /** Our files that it did not examine: a check that misses files does not pass. */
  readonly overlooked: readonly string[];
}

type Guard = (root: string, sources: readonly string[]) => Promise<Finding>;

/** In the best starting order, the slowest first. */
export const guards: Readonly<Record<string, Guard>> = {
  lint,
  types,
  format,
  imports,
  unused,
  house,
  messages,
  scripts,
};

/**
 * The native compiler (TypeScript 7) takes half the time; TypeScript 6 stays installed for its API, which the check of messages
 * and the import rules use.
 */
async function types(root: string, sources: readonly string[]) {
  const { passed, all } = await runTool(root, "typescript-7/bin/tsc", [
    "--build",
    "--pretty",
    "false",
  ]);
  const seen = new Set(compiledFiles(root).map((file) => below(root, file)));
  const typed = sources.filter((file) => /\.tsx?$/.test(file));
  return { passed, report: all, overlooked: without(typed, seen) };
}

/** The part of its answer that is read here. */
interface OxlintAnswer {
  readonly diagnostics: readonly {
    readonly message: string;
    /** `typescript(await-thenable)`; a syntax error has none. */
    readonly code?: string;
    readonly filename: string;
    readonly labels: readonly {
      readonly span: { readonly line: number; readonly column: number };
    }[];
  }[];
  readonly number_of_files: number;
}

async function lint(
  root: string,
  sources: readonly string[],
): Promise<Finding> {
  const { passed, out, all } = await runTool(root, "oxlint/bin/oxlint", [
    "--config=.oxlintrc.json",
    "--disable-nested-config",
    "--type-aware",
    "--format=json",
    ...floors.filter((floor) => existsSync(join(root, floor))),
  ]);
  const answer = parsed<OxlintAnswer>(out);
  if (answer === undefined) return brokeDown(all);
  const report = answer.diagnostics.map(
    ({ message, code, filename, labels }) => {
      const { line, column } = labels[0]?.span ?? { line: 1, column: 1 };
      const place = `${filename.replaceAll("\\", "/")}:${String(line)}:${String(column)}`;
      const rule = code?.replace(/\((.+)\)$/, "/$1") ?? "syntax";
      return `${place}: ${message} (${rule})`;
    },
  );
  // Oxlint reports the number of files, not which.
  const missing = sources.length - answer.number_of_files;
  return {
    passed,
    report: report.join("\n"),
    overlooked: missing > 0 ? [`${String(missing)} files`] : [],
  };
}

async function imports(root: string, sources: readonly string[]) {
  const { passed, out, all } = await runTool(
    root,
    "dependency-cruiser/bin/dependency-cruiser.mjs",
    [
      "--config=build/dependency-rules.cjs",
      "--output-type=json",
      ...floors.filter((floor) => existsSync(join(root, floor))),
    ],
  );
  const cruise = parsed<ICruiseResult>(out);
  if (cruise === undefined) return brokeDown(all);
  const ruleViolations = importViolations(cruise);
  // Without any test the cruiser has no entry point for what tests reach.
  if (!sources.some((file) => /^test\/.+\.test\.tsx?$/.test(file)))
    ruleViolations.push("test: there is no test (reached-by-a-test)");
  const seen = new Set(cruise.modules.map(({ source }) => source));
  return {
    passed: passed && ruleViolations.length === 0,
    report: ruleViolations.join("\n"),
    overlooked: without(sources, seen),
  };
}

/** The violations of each rule, followed once by what to do instead. */
function importViolations({ summary }: ICruiseResult): string[] {
  const { violations, ruleSetUsed } = summary;
  return (ruleSetUsed?.forbidden ?? []).flatMap(
    ({ name = "", comment = "" }) => {
      const ruleViolations = violations
        .filter(({ rule }) => rule.name === name)
        .map(({ from, to, type, cycle }) => {
          const path = cycle?.map((step) => step.name) ?? [to];
          const way = type === "module" ? [from] : [from, ...path];
          return `${way.join(" → ")} (${name})`;
        });
      return ruleViolations.length === 0
        ? []
        : [...ruleViolations, `  ${comment}`];
    },
  );
}

async function unused(root: string, sources: readonly string[]) {
  const { passed, all } = await runTool(root, "knip/bin/knip.js", [
    "--config=build/knip.json",
    "--no-progress",
    "--no-config-hints",
    "--reporter=symbols",
    `--reporter=${join(import.meta.dirname, "knip-reporter.ts")}`,
  ]);
  const checkedFiles = /^looked at (\d+) files$/m.exec(all);
  if (checkedFiles === null) return brokeDown(all);
  // Knip reports the number of files, not which.
  const missing = sources.length - Number(checkedFiles[1]);
  const overlooked = missing > 0 ? [`${String(missing)} files`] : [];
  return {
    passed,
    report: all.replace(checkedFiles[0], "").trim(),
    overlooked,
  };
}

async function format(root: string, sources: readonly string[]) {
  const check = (...files: readonly string[]) =>
    runTool(root, "oxfmt/bin/oxfmt", ["--check", ...files]);
  const { passed, all } = await check();
  // It reports the number of files, not which.
  const { all: ofSources } = await check(sourceGlob);
  const count = Number(/ on (\d+) files/.exec(ofSources)?.[1] ?? 0);
  const missing = sources.length - count;
  return {
    passed,
    report: all,
    overlooked: missing > 0 ? [`${String(missing)} files`] : [],
  };
}

async function house(root: string, sources: readonly string[]) {
  const report = houseViolations(root, sources).join("\n");
  return { passed: report === "", report, overlooked: [] };
}

async function messages(root: string, sources: readonly string[]) {
  const report = messageViolations(root, sources).join("\n");
  return { passed: report === "", report, overlooked: [] };
}

/** Of Windows: nothing else reads them before they run there. */
async function scripts(root: string) {
  const files = sourceFiles(root, /\.ps1$/);
  const report = (await powerShellViolations(root, files)).join("\n");
  return { passed: report === "", report, overlooked: [] };
}

/** The files `tsc --build` compiles: those of every project the root references. */
function compiledFiles(root: string): readonly string[] {
  const read = (config: string) =>
    ts.getParsedCommandLineOfConfigFile(config, undefined, {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: () => undefined,
    });
  const references = read(join(root, "tsconfig.json"))?.projectReferences ?? [];
  return references.flatMap(
    (reference) =>
      read(ts.resolveProjectReferencePath(reference))?.fileNames ?? [],
  );
}

function below(root: string, file: string): string {
  return relative(root, file).split(sep).join("/");
}

function without(files: readonly string[], seen: ReadonlySet<string>) {
  return files.filter((file) => !seen.has(file));
}

function parsed<Answer>(json: string): Answer | undefined {
  try {
    return JSON.parse(json) as Answer;
  } catch {
    return undefined;
  }
}

function brokeDown(report: string): Finding {
  return { passed: false, report, overlooked: [] };
}
