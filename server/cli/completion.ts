// Completion scripts for bash, zsh and PowerShell, from the table of commands.

import { Failure } from "../core/failure.ts";
import { commands } from "./commands/commands.ts";
import { fieldsOf } from "./fields.ts";
import { globalFlagList } from "./global-flags.ts";
import { otherCommands } from "./help.ts";

/** What may follow the words of a command so far. */
interface Completions {
  /** By the words so far, such as `screens`. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  /** By a flag with its command: `screens list --state`. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Flags that take a value. */
  readonly valued: readonly string[];
  readonly files: readonly string[];
}

const shells = ["bash", "zsh", "powershell"] as const;
type Shell = (typeof shells)[number];

export function completionScript(shell: string | undefined): string {
  const known = shells.find((each) => each === shell);
  if (!known)
    throw new Failure(
      "malformed",
      `Name the shell: completion ${shells.join(", completion ")}.`,
    );
  return scripts[known](completions());
}

function completions(): Completions {
  const globals = globalFlagList.map(({ name }) => `--${name}`);
  const words = new Map<string, string[]>();
  const values = new Map<string, readonly string[]>();
  const valued = new Set(
    globalFlagList
      .filter(({ type }) => type === "string")
      .map(({ name }) => `--${name}`),
  );
  const add = (path: string, word: string): void => {
    const list = words.get(path) ?? [];
    if (!list.includes(word)) words.set(path, [...list, word]);
  };
  for (const command of commands) {
    const [group = "", action] = command.name.split(" ");
    add("", group);
    if (action !== undefined) add(group, action);
    for (const { flag, choices, type } of fieldsOf(command)) {
      for (const choice of flag === null ? choices : [])
        add(command.name, choice);
      if (flag === null) continue;
      add(command.name, flag);
      if (type !== "switch") valued.add(flag);
      if (choices.length > 0) values.set(`${command.name} ${flag}`, choices);
    }
    for (const flag of globals) add(command.name, flag);
  }
  for (const name of Object.keys(otherCommands)) add("", name);
  for (const shell of shells) add("completion", shell);
  add("mcp", "--allow-writes");
  for (const flag of globals) add("", flag);
  const files = globalFlagList.filter((flag) => flag.isFile);
  return {
    ...{ words, values, valued: [...valued] },
    files: files.map(({ name }) => `--${name}`),
  };
}

const scripts: Readonly<Record<Shell, (of: Completions) => string>> = {
  bash: ({
    words,
    values,
    valued,
    files,
  }) => `# Completion of vitrine-cli for bash: source this file, or put it into
# ~/.local/share/bash-completion/completions/vitrine-cli
_vitrine_cli() {
  # Bash also breaks words at characters such as ":", as in an address: without a space in between, they are one word.
  local at rest=$COMP_LINE last=-1
  local -a words=()
  for ((at = 0; at <= COMP_CWORD; at++)); do
    if ((last < 0)) || [[ $rest == [[:space:]]* || -z $rest ]]; then words[++last]=; fi
    rest=\${rest#"\${rest%%[![:space:]]*}"}
    rest=\${rest#"\${COMP_WORDS[at]}"}
    words[last]+=\${COMP_WORDS[at]}
  done
  local current=\${words[last]} previous=
  if ((last > 0)); then previous=\${words[last-1]}; fi
  local path= count=0 found=
  for ((at = 1; at < last; at++)); do
    case \${words[at]} in
      ${valued.join("|")}) ((at++)) ;;
      -*) ;;
      *) if ((count++ < 2)); then path="\${path:+$path }\${words[at]}"; fi ;;
    esac
  done
  case "$path $previous" in
${caseLines(values, "    ")}
  esac
  if [[ -z $found ]]; then
    case $previous in
      ${files.join("|")}) COMPREPLY=($(compgen -f -- "$current")); return ;;
      ${valued.join("|")}) COMPREPLY=(); return ;;
    esac
    case $path in
${caseLines(words, "      ")}
    esac
  fi
  COMPREPLY=($(compgen -W "$found" -- "$current"))
  if [[ \${#COMPREPLY[@]} -eq 0 && $path == "assets add" ]]; then
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -F _vitrine_cli vitrine-cli
`,
  zsh: ({ words, values, valued, files }) => `#compdef vitrine-cli
# Completion of vitrine-cli for zsh: put this file into a folder of $fpath as _vitrine-cli
_vitrine_cli() {
  local previous=\${words[CURRENT-1]} place= found=
  local -i at count=0
  for ((at = 2; at < CURRENT; at++)); do
    case \${words[at]} in
      (${valued.join("|")}) ((at++)) ;;
      (-*) ;;
      (*) if ((count++ < 2)); then place="\${place:+$place }\${words[at]}"; fi ;;
    esac
  done
  case "$place $previous" in
${caseLines(values, "    ", "(")}
  esac
  if [[ -z $found ]]; then
    case $previous in
      (${files.join("|")}) _files; return ;;
      (${valued.join("|")}) return ;;
    esac
    case $place in
${caseLines(words, "      ", "(")}
    esac
  fi
  compadd -- \${=found}
  if [[ $place == "assets add" ]]; then _files; fi
}
if [[ $funcstack[1] == _vitrine-cli ]]; then _vitrine_cli "$@"; else compdef _vitrine_cli vitrine-cli; fi
`,
  powershell: ({
    words,
    values,
    valued,
    files,
  }) => `# Completion of vitrine-cli for PowerShell: add this to your profile ($PROFILE)
Register-ArgumentCompleter -Native -CommandName vitrine-cli -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @{
${tableLines(words)}
  }
  $values = @{
${tableLines(values)}
  }
  $valued = @(${valued.map(quoted).join(", ")})
  $files = @(${files.map(quoted).join(", ")})
  $given = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $path = @()
  for ($at = 0; $at -lt $given.Count; $at++) {
    if ($valued -contains $given[$at]) { $at++ }
    elseif (-not $given[$at].StartsWith('-') -and $path.Count -lt 2) { $path += $given[$at] }
  }
  $place = $path -join ' '
  $previous = if ($given.Count -gt 0) { $given[-1] } else { '' }
  if ($values.ContainsKey("$place $previous")) { $found = $values["$place $previous"] }
  elseif ($valued -contains $previous) { $found = @() }
  else { $found = $words[$place] }
  $found | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`,
};

function caseLines(
  map: ReadonlyMap<string, readonly string[]>,
  indent: string,
  open = "",
): string {
  return [...map]
    .map(
      ([key, list]) => `${indent}${open}"${key}") found="${list.join(" ")}" ;;`,
    )
    .join("\n");
}

function tableLines(map: ReadonlyMap<string, readonly string[]>): string {
  return [...map]
    .map(
      ([key, list]) => `    ${quoted(key)} = @(${list.map(quoted).join(", ")})`,
    )
    .join("\n");
}

function quoted(word: string): string {
  return `'${word}'`;
}
