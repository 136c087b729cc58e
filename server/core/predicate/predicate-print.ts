// Prints a predicate in its canonical form: capitals, single blanks, parentheses wherever AND or OR are inside another part.

import type { PredicateNode } from "./predicate-tree.ts";

/** e.g. `$WEEKDAY IN {6, 0} AND NOT ($TIME >= 28800000 OR FALSE)` */
export function printPredicate(node: PredicateNode): string {
  switch (node.kind) {
    case "constant":
      return node.value ? "TRUE" : "FALSE";
    case "not":
      return `NOT ${printPart(node.part)}`;
    case "and":
      return node.parts.map(printPart).join(" AND ");
    case "or":
      return node.parts.map(printPart).join(" OR ");
    case "compare":
      return `${node.variable} ${node.relation} ${node.literal.digits}`;
    case "between":
      return `${node.variable} BETWEEN {${node.least.digits}, ${node.most.digits}}`;
    case "in":
      return `${node.variable} IN {${node.members.map(({ digits }) => digits).join(", ")}}`;
  }
}

function printPart(node: PredicateNode): string {
  const isJoined = node.kind === "and" || node.kind === "or";
  return isJoined ? `(${printPredicate(node)})` : printPredicate(node);
}
