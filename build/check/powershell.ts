// Syntax check of the PowerShell scripts, which run only on Windows: a grammar of the language, compiled to WebAssembly, parses
// them, and what it accepts although Windows PowerShell 5.1 does not is found in its tree.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Language, Parser, type Node } from "web-tree-sitter";

const grammar = fileURLToPath(
  import.meta.resolve("tree-sitter-powershell/tree-sitter-powershell.wasm"),
);

/** Set by PowerShell itself; names are lower case, as it ignores case. */
const automaticVariables = new Set(
  [
    ...["_", "args", "error", "false", "host", "input", "lastexitcode"],
    ...["matches", "myinvocation", "null", "psboundparameters", "pscmdlet"],
    ...["pscommandpath", "psscriptroot", "psversiontable", "pwd", "this"],
    ...["true", "erroractionpreference", "progresspreference"],
  ].map((name) => `$${name}`),
);

/** One sentence per violation, each beginning with its file and line. */
export async function powerShellViolations(
  root: string,
  files: readonly string[],
): Promise<readonly string[]> {
  if (files.length === 0) return [];
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  return files.flatMap((file) => {
    const tree = parser.parse(readFileSync(join(root, file), "utf8"));
    if (tree === null) return [`${file}: cannot be parsed`];
    const nodes = [...nodesOf(tree.rootNode)];
    const faults = nodes.flatMap(syntaxFault);
    // After a syntax error, the rest of the tree is a guess.
    return (
      faults.length > 0
        ? faults.slice(0, 1)
        : [...commandFaults(nodes), ...variableFaults(nodes)]
    ).map(({ node, problem }) => {
      const { row, column } = node.startPosition;
      return `${file}:${String(row + 1)}:${String(column + 1)}: ${problem}`;
    });
  });
}

interface Fault {
  readonly node: Node;
  readonly problem: string;
}

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const child of node.children) yield* nodesOf(child);
}

function syntaxFault(node: Node): readonly Fault[] {
  const fault = (problem: string): readonly Fault[] => [{ node, problem }];
  if (node.isMissing) return fault(`lacks ${node.type}`);
  if (node.isError) {
    // It may span the whole file.
    const at = node.children.find(({ type }) => type !== "comment") ?? node;
    const text = node.text.slice(at.startIndex - node.startIndex).trim();
    const line = text.split("\n")[0]?.slice(0, 40);
    return [{ node: at, problem: `syntax error at ${JSON.stringify(line)}` }];
  }
  const has = (type: string): boolean =>
    node.children.some((child) => child.type === type);
  if (
    node.type === "try_statement" &&
    !has("catch_clauses") &&
    !has("finally_clause")
  )
    return fault("try has neither catch nor finally");
  if (node.type === "pipeline_chain_tail")
    return fault("&& and || need PowerShell 7; Windows has 5.1");
  return [];
}

/** A misspelled keyword is parsed as a command with a block. */
function commandFaults(nodes: readonly Node[]): readonly Fault[] {
  const own = new Set(
    nodes
      .filter(({ type }) => type === "function_name")
      .map(({ text }) => text.toLowerCase()),
  );
  return nodes.flatMap((node) => {
    const { type, text } = node;
    const isKnown =
      type !== "command_name" ||
      own.has(text.toLowerCase()) ||
      /^[a-z]+-[a-z]+$/i.test(text);
    const problem = `${text} is neither a cmdlet nor a function of this script`;
    return isKnown ? [] : [{ node, problem }];
  });
}

/** A variable that nothing sets is empty, without an error. */
function variableFaults(nodes: readonly Node[]): readonly Fault[] {
  /** By the function in which they are set; those of the script itself by null. */
  const set = new Map<number | null, Set<string>>();
  for (const variable of nodes.flatMap(setVariables)) {
    const scope = scopeOf(variable)?.id ?? null;
    set.set(scope, (set.get(scope) ?? new Set()).add(nameOf(variable)));
  }
  const isSet = (name: string, scope: Node | null): boolean =>
    set.get(scope?.id ?? null)?.has(name) === true ||
    (scope !== null && isSet(name, scopeOf(scope)));
  return nodes.flatMap((node) => {
    if (node.type !== "variable") return [];
    const name = nameOf(node);
    // Variables of the environment are set elsewhere.
    const isKnown =
      name.startsWith("$env:") ||
      automaticVariables.has(name) ||
      isSet(name, scopeOf(node));
    return isKnown ? [] : [{ node, problem: `nothing sets ${name}` }];
  });
}

/** The function around it; null in the script itself. */
function scopeOf({ parent }: Node): Node | null {
  if (parent === null || parent.type === "function_statement") return parent;
  return scopeOf(parent);
}

function setVariables(node: Node): readonly Node[] {
  const { type, children } = node;
  if (type === "foreach_statement" || type === "script_parameter")
    return children.filter((child) => child.type === "variable");
  if (type === "left_assignment_expression") return assignedVariables(node);
  return [];
}

/** A member of an object or an element of a list is set in a variable that is set before. */
function assignedVariables(node: Node): readonly Node[] {
  if (node.type === "variable") return [node];
  if (["member_access", "element_access"].includes(node.type)) return [];
  return node.children.flatMap(assignedVariables);
}

/** In lower case, without the braces of `${name}`. */
function nameOf({ text }: Node): string {
  return text.toLowerCase().replace(/^\$\{(.+)\}$/, "$$$1");
}
