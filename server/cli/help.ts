// Help texts, from the table of commands.

import { exitCodeTexts } from "./exit-code.ts";
import type { Command } from "./command.ts";
import { labelOf } from "./command-line.ts";
import { commands } from "./commands/commands.ts";
import { fieldsOf, type Field } from "./fields.ts";
import { globalFlagList } from "./global-flags.ts";

/** Commands that aren't in the table. */
export const otherCommands = {
  completion: "Print a completion script for bash, zsh or powershell",
  mcp: "Serve these commands as an MCP server, on stdio",
} as const;

const otherUsages: Readonly<Record<keyof typeof otherCommands, string>> = {
  completion: "completion SHELL",
  mcp: "mcp [--allow-writes] [FLAGS]",
};

export function otherHelp(name: keyof typeof otherCommands): string {
  return [
    `${otherCommands[name]}.`,
    `Usage: vitrine-cli ${otherUsages[name]}`,
    ...(name === "mcp"
      ? [
          `Flags:\n${columns([["--allow-writes", "Also offer commands that make changes"]])}`,
          `Flags of every command:\n${columns(globalFlags())}`,
        ]
      : []),
  ].join("\n\n");
}

const intro = `vitrine-cli: screens, assets, playlists and takeovers of a Vitrine content service, or of one player.

Usage: vitrine-cli COMMAND [ARGUMENTS] [FLAGS]`;

export function generalHelp(): string {
  const listed = [
    ...commands.map(({ name, summary }) => [name, summary] as const),
    ...Object.entries(otherCommands),
  ];
  return [
    intro,
    `Commands:\n${columns(listed)}`,
    `Flags of every command:\n${columns(globalFlags())}`,
    `Exit codes:\n${columns(Object.entries(exitCodeTexts))}`,
    "For one command: vitrine-cli COMMAND --help",
  ].join("\n\n");
}

/** Of `screens`, for example. */
export function groupHelp(group: string): string {
  const of = commands.filter(({ name }) => name.startsWith(`${group} `));
  return `Commands:\n${columns(of.map(({ name, summary }) => [name, summary]))}`;
}

export function commandHelp(command: Command): string {
  const fields = fieldsOf(command);
  const places = fields.filter(({ flag }) => flag === null);
  const flags = fields.filter(({ flag }) => flag !== null);
  const usage = ["vitrine-cli", command.name, ...places.map(labelOf)];
  const targets = command.targets.includes("service")
    ? command.targets.includes("player")
      ? "Works with a content service, or with one player (--player)."
      : "Requires a content service."
    : "Requires a player (--player).";
  return [
    `${command.summary}.\n${targets}`,
    `Usage: ${[...usage, "[FLAGS]"].join(" ")}`,
    ...(places.length > 0
      ? [
          `Arguments:\n${columns(places.map((each) => [labelOf(each), textOf(each)]))}`,
        ]
      : []),
    ...(flags.length > 0
      ? [
          `Flags:\n${columns(flags.map((each) => [flagText(each), textOf(each)]))}`,
        ]
      : []),
    `Flags of every command:\n${columns(globalFlags())}`,
  ].join("\n\n");
}

function flagText(field: Field): string {
  if (field.type === "switch") return labelOf(field);
  return `${labelOf(field)} ${field.type === "number" ? "N" : field.name.toUpperCase()}`;
}

function textOf({ description, choices, isList, flag }: Field): string {
  const only = choices.length > 0 ? `: ${choices.join(", ")}` : "";
  const repeat = isList && flag !== null ? ". May be repeated" : "";
  return `${description}${only}${repeat}`;
}

function globalFlags(): readonly (readonly [string, string])[] {
  return globalFlagList.map((flag) => [
    `--${flag.name}${flag.value === undefined ? "" : ` ${flag.value}`}`,
    flag.text,
  ]);
}

function columns(pairs: readonly (readonly [string, string])[]): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs
    .map(([name, text]) => `  ${name.padEnd(width)}  ${text}`)
    .join("\n");
}
