// How long something has lain here, also where the clock was wrong: when it is set, what it wrote down moves with it (V2-355).

import type { Sqlite } from "../../platform/sqlite/sqlite.ts";
import type { Clock } from "../../platform/clock.ts";

export interface Ages {
  /** To be called now and then, before anything is judged by its age. Answers whether the clock was set since the last time. */
  update(): boolean;
}

export interface AgesOptions {
  readonly database: Sqlite;
  readonly clock: Pick<Clock, "now" | "monotonic">;
}

/** A time server that corrects a little all the time moves nothing. */
const maxDriftMs = 60_000;
/** A player that was off for longer cannot be told from a clock that was set: its pause counts for nothing. */
const maxPauseMs = 7 * 86_400_000;

interface AgesRow {
  readonly at: number;
  /** Whatever came into the bin by then, by its number. */
  readonly binned: number;
}

export function createAges({ database, clock }: AgesOptions): Ages {
  const selectLast = database.prepare<[], AgesRow>(
    "SELECT at, binned FROM ages",
  );
  const keep = database.prepare(
    `INSERT INTO ages (one, at, binned) VALUES (1, :now, (SELECT coalesce(max(number), 0) FROM bin))
     ON CONFLICT (one) DO UPDATE SET at = excluded.at, binned = excluded.binned`,
  );
  // What came since the last look is as old as that at most, whichever time it was given.
  const moveTrash = database.prepare(
    `UPDATE bin SET binned_at = min(:now,
       CASE WHEN number > :binned THEN max(binned_at, :now - :passed) ELSE binned_at + :moved END)
     WHERE :moved <> 0 OR binned_at > :now OR (number > :binned AND binned_at < :now - :passed)`,
  );
  // They wait for an hour at most: what another one costs is less than counting.
  const moveUploads = database.prepare(
    "UPDATE uploads SET received_at = :now WHERE :moved <> 0 OR received_at > :now",
  );
  let steady = clock.monotonic();
  let isFirst = true;

  return {
    update: () => {
      const [now, ran] = [clock.now(), clock.monotonic() - steady];
      const last = selectLast.get();
      const since = last === undefined ? ran : now - last.at;
      const isPause = isFirst && since >= 0 && since <= maxPauseMs;
      const passed = isPause ? since : ran;
      const isSet = Math.abs(since - passed) > maxDriftMs;
      const moved = isSet ? since - passed : 0;
      database
        .transaction(() => {
          const binned = last?.binned ?? 0;
          if (last) moveTrash.run({ now, passed, moved, binned });
          moveUploads.run({ now, moved });
          keep.run({ now });
        })
        .immediate();
      steady += ran;
      isFirst = false;
      return isSet;
    },
  };
}
