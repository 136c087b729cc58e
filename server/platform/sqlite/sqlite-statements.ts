// Cache of prepared statements of one connection: their texts differ only in shape, as all values are parameters.

import type { Sqlite } from "./sqlite.ts";

export type KeptStatements = (text: string) => ReturnType<Sqlite["prepare"]>;

/** The usual clients have a few dozen. */
const statementsKept = 500;

export function keepStatements(database: Sqlite): KeptStatements {
  const statements = new Map<string, ReturnType<Sqlite["prepare"]>>();
  return (text) => {
    const cached = statements.get(text);
    if (cached) return cached;
    const oldest = statements.keys().next();
    if (statements.size >= statementsKept && !oldest.done)
      statements.delete(oldest.value);
    const statement = database.prepare(text);
    statements.set(text, statement);
    return statement;
  };
}
