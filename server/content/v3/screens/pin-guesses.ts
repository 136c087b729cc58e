// Limit on wrong pins when a screen is claimed: per key across all instances; too many are blocked for a while (V3-42).

import { composeSentence } from "../../../contract/sentence-templates.ts";
import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import type { Database } from "../../../platform/database/database.ts";
import { Refusal } from "../../http/v4-errors.ts";
import { sql, statementOf } from "../../sql.ts";
import type { ContentTables } from "../../tables.ts";

export interface PinGuesses {
  /** Called before the pin is checked, so that parallel attempts count, too; throws when there are too many. */
  count(guesser: string): Promise<void>;
  /** Called when the pin was right. */
  takeBack(guesser: string): Promise<void>;
}

export interface PinGuessesOptions {
  readonly database: Database<ContentTables>;
  readonly now: () => number;
}

/** With one key, within the window. */
const maxWrong = 30;
const windowMs = 15 * 60_000;
/** A window that began later than now dates from before the database's clock was set back (L-37). */
const clockStepMs = 60_000;

export function createPinGuesses({
  database,
  now,
}: PinGuessesOptions): PinGuesses {
  const write = (of: ReturnType<typeof sql>) =>
    database.write((run) => run(statementOf(of, database.kind)));
  return {
    count: async (guesser) => {
      const moment = now();
      const isOver = sql`(pin_guesses.since <= ${moment - windowMs} OR pin_guesses.since > ${moment + clockStepMs})`;
      const [row] = await write(
        sql`INSERT INTO pin_guesses (guesser, count, since) VALUES (${guesser}, 1, ${moment})
          ON CONFLICT (guesser) DO UPDATE SET
            count = CASE WHEN ${isOver} THEN 1 ELSE pin_guesses.count + 1 END,
            since = CASE WHEN ${isOver} THEN ${moment} ELSE pin_guesses.since END
          RETURNING count, since`,
      );
      if (Number(row?.["count"]) <= maxWrong) return;
      const left = Number(row?.["since"]) + windowMs - moment;
      const seconds = Math.max(1, Math.ceil(left / 1000));
      throw new Refusal(
        429,
        "53400",
        composeSentence(serviceSentences["pins-limit"], {
          limit: maxWrong,
          seconds,
        }),
        { headers: { "Retry-After": String(seconds) } },
      );
    },
    takeBack: async (guesser) => {
      await write(
        sql`UPDATE pin_guesses SET count = count - 1 WHERE guesser = ${guesser} AND count > 0`,
      );
    },
  };
}
