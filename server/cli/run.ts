// Runs one command line and returns its exit code; everything outside comes as a parameter.

import { writeFile } from "node:fs/promises";
import { Failure } from "../core/failure.ts";
import type { Command, Outcome, Plan } from "./command.ts";
import {
  readFlags,
  readInput,
  refuseSurplus,
  splitWords,
  type GlobalValues,
} from "./command-line.ts";
import { commands } from "./commands/commands.ts";
import { completionScript } from "./completion.ts";
import { readConnection } from "./config.ts";
import { connect } from "./connection.ts";
import { exitCodeOf, exitCodes } from "./exit-code.ts";
import { commandHelp, generalHelp, groupHelp, otherHelp } from "./help.ts";
import { serveMcp } from "./mcp/mcp.ts";
import { plain } from "./output/text.ts";

/** What the process offers a command. */
export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly version: () => string;
  /** A line of the result. */
  readonly print: (text: string) => void;
  /** A line about an error. */
  readonly printError: (text: string) => void;
}

export async function run(
  words: readonly string[],
  context: CliContext,
): Promise<number> {
  try {
    return await dispatch(words, context);
  } catch (error) {
    const message =
      error instanceof Failure ? error.message : String((error as Error).stack);
    const code = error instanceof Failure ? error.code : "unexpected";
    context.printError(
      words.includes("--json")
        ? JSON.stringify({ error: { code, message } })
        : plainLines(message),
    );
    return exitCodeOf(error);
  }
}

function plainLines(text: string): string {
  return text.split("\n").map(plain).join("\n");
}

async function dispatch(
  words: readonly string[],
  context: CliContext,
): Promise<number> {
  const { command: named, rest } = splitWords(words);
  const [group, action] = named;
  if (group === undefined) return withoutCommand(rest, context);
  if (group === "completion") return completion(words, context);
  if (group === "mcp") return mcp(words, context);
  const command =
    commands.find(({ name }) => name === named.join(" ")) ??
    commands.find(({ name }) => name === group);
  if (command) {
    const isGroupOnly = command.name === group && action !== undefined;
    return runCommand(command, isGroupOnly ? [action, ...rest] : rest, context);
  }
  if (!commands.some(({ name }) => name.startsWith(`${group} `)))
    throw new Failure(
      "malformed",
      `There is no command "${group}". See --help.`,
    );
  if (action === undefined && words.includes("--help")) {
    context.print(groupHelp(group));
    return exitCodes.done;
  }
  throw new Failure(
    "malformed",
    action === undefined
      ? `"${group}" needs a subcommand.\n${groupHelp(group)}`
      : `There is no command "${group} ${action}".\n${groupHelp(group)}`,
  );
}

function withoutCommand(
  rest: readonly string[],
  { print, version, printError }: CliContext,
): number {
  const { values } = readFlags(rest, {});
  if (values.version) print(version());
  else if (values.help) print(generalHelp());
  else {
    printError(generalHelp());
    return exitCodes.usage;
  }
  return exitCodes.done;
}

function completion(words: readonly string[], { print }: CliContext): number {
  const { values, positionals } = readFlags(words, {});
  const [name, shell, ...surplus] = positionals;
  if (values.help) print(otherHelp("completion"));
  else {
    refuseSurplus(name, surplus);
    print(completionScript(shell).trimEnd());
  }
  return exitCodes.done;
}

async function mcp(
  words: readonly string[],
  context: CliContext,
): Promise<number> {
  const { values, positionals } = readFlags(words, {
    "allow-writes": { type: "boolean" },
  });
  if (values.help) {
    context.print(otherHelp("mcp"));
    return exitCodes.done;
  }
  const [name, ...surplus] = positionals;
  refuseSurplus(name, surplus);
  const connection = connect({
    ...readConnection(values, context.env),
    // Its client has no business with the files of this PC.
    ...{ mayReadFiles: false, now: context.now },
  });
  await serveMcp({
    ...{ connection, version: context.version() },
    allowWrites: values["allow-writes"] === true,
  });
  return exitCodes.done;
}

async function runCommand(
  command: Command,
  rest: readonly string[],
  context: CliContext,
): Promise<number> {
  const { globals, input } = readInput(command, rest);
  if (globals.help) {
    context.print(commandHelp(command));
    return exitCodes.done;
  }
  if (globals.output !== undefined && !command.hasFile)
    throw new Failure(
      "malformed",
      `"${command.name}" returns no file for --output.`,
    );
  const connection = connect({
    ...readConnection(globals, context.env),
    ...{ mayReadFiles: true, now: context.now },
  });
  const plan = await command.prepare(connection, input);
  if (globals["dry-run"] && command.isWrite) {
    context.print(dryRunText(plan, globals));
    return exitCodes.done;
  }
  const outcome = await plan.carryOut();
  const text = await outcomeText(outcome, globals);
  // Names come from everyone who can change content.
  context.print(globals.json ? text : plainLines(text));
  return outcome.isFailed ? exitCodes["not-carried-out"] : exitCodes.done;
}

function dryRunText({ changes }: Plan, { json }: GlobalValues): string {
  if (json) return JSON.stringify({ dry_run: true, changes }, null, 2);
  return changes.length === 0
    ? "Nothing would change."
    : `Nothing was changed. This would be done:\n${changes.map(plain).join("\n")}`;
}

async function outcomeText(
  { data, text, file }: Outcome,
  { json, output }: GlobalValues,
): Promise<string> {
  if (file && output !== undefined) {
    const { bytes } = await file();
    await writeFile(output, bytes).catch((error: unknown) => {
      throw new Failure(
        "malformed",
        `Cannot write ${output} (${(error as NodeJS.ErrnoException).code ?? "unknown"}).`,
      );
    });
    if (!json) return `${text}\nSaved to ${output}.`;
  }
  return json ? JSON.stringify(data, null, 2) : text;
}
