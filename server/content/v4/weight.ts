// Which reads are quick for certain, and which may have to look at every row.

import type { Condition, Embedding, Level } from "./plan.ts";

/** A page of a list in its own order, or rows that are named by a key: an index leads to them. */
const lightPage = 200;

export function isLight(level: Level): boolean {
  if (level.order.length > 0 || !level.conditions.every(isPlain)) return false;
  const isPage =
    level.conditions.length === 0 &&
    level.window.limit !== null &&
    level.window.limit + level.window.offset <= lightPage;
  return (
    (isPage || level.conditions.some(namesRows)) &&
    level.outputs.every(({ kind }) => kind !== "count") &&
    level.embeddings.every(isLightEmbedding)
  );
}

/** Its rows are found by the key that relates them. */
function isLightEmbedding({ level, isInner }: Embedding): boolean {
  return (
    !isInner &&
    level.conditions.every(isPlain) &&
    level.embeddings.every(isLightEmbedding)
  );
}

function isPlain(condition: Condition): boolean {
  switch (condition.kind) {
    case "compare":
    case "in":
    case "is":
      return condition.expression.path.length === 0;
    default:
      return false;
  }
}

function namesRows(condition: Condition): boolean {
  const isExact =
    (condition.kind === "compare" && condition.operator === "=") ||
    (condition.kind === "in" && condition.values.length <= lightPage);
  return isExact && condition.expression.column.name === "id";
}
