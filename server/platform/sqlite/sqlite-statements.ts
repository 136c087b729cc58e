// Cache of prepared statements of one connection: their texts differ only in shape, as all values are parameters.

import type { Sqlite } from "./sqlite.ts";

export type KeptStatements = (text: string) => ReturnType<Sqlite["prepare"]>;

/** The usual clients have a few dozen. */
const statementsKept = 500;

export function keepStatements(database: Sqlite): KeptStatements {
  const kept = new Map<string, ReturnType<Sqlite["prepare"]>>();
  return (text) => {
    const found = kept.get(text);
    if (found) return found;
    const oldest = kept.keys().next();
    if (kept.size >= statementsKept && !oldest.done) kept.delete(oldest.value);
    const statement = database.prepare(text);
    kept.set(text, statement);
    return statement;
  };
}
