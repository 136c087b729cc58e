// Wrong pins, counted per key on all instances together: who guesses for long is not heard for a while (V3-42).

import type { Database } from "../../platform/database.ts";
import type { ContentTables } from "../tables.ts";
import { Refusal } from "../v4/refusal.ts";
import { sql, statementOf } from "../v4/sql.ts";

export interface PinGuesses {
  /** Before it is known whether the pin is right, so that many at once are counted too; throws when it is too many. */
  count(guesser: string): Promise<void>;
  /** It was right. */
  takeBack(guesser: string): Promise<void>;
}

export interface PinGuessesOptions {
  readonly database: Database<ContentTables>;
  readonly now: () => number;
}

const mostWrong = 30;
const windowMs = 15 * 60_000;

export function createPinGuesses({
  database,
  now,
}: PinGuessesOptions): PinGuesses {
  const write = (of: ReturnType<typeof sql>) =>
    database.write((run) => run(statementOf(of, database.kind)));
  return {
    count: async (guesser) => {
      const moment = now();
      const [row] = await write(
        sql`INSERT INTO pin_guesses (guesser, count, since) VALUES (${guesser}, 1, ${moment})
          ON CONFLICT (guesser) DO UPDATE SET
            count = CASE WHEN pin_guesses.since <= ${moment - windowMs} THEN 1 ELSE pin_guesses.count + 1 END,
            since = CASE WHEN pin_guesses.since <= ${moment - windowMs} THEN ${moment} ELSE pin_guesses.since END
          RETURNING count, since`,
      );
      if (Number(row?.["count"]) <= mostWrong) return;
      const left = Number(row?.["since"]) + windowMs - moment;
      const seconds = Math.max(1, Math.ceil(left / 1000));
      throw new Refusal(
        429,
        "53400",
        `More than ${mostWrong} wrong pins came with this key; it may try again in ${seconds} seconds.`,
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
