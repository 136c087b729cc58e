// Age of stored rows, also where the clock was wrong: when the clock is set, the timestamps that it wrote are moved along (V2-355).

import type { Sqlite } from "../platform/sqlite/sqlite.ts";
import type { Clock } from "../platform/clock.ts";

export interface Ages {
  /** To be called periodically, before anything is judged by its age. Returns whether the clock was set since the last call. */
  update(): boolean;
}

export interface AgesOptions {
  readonly database: Sqlite;
  readonly clock: Pick<Clock, "now" | "monotonic">;
}

/** Small, continuous corrections by a time server move nothing. */
const maxDriftMs = 60_000;
/** A player that was off for longer than this cannot be told apart from one whose clock was set: its downtime is not counted. */
const maxPauseMs = 7 * 86_400_000;

interface AgesRow {
  readonly at: number;
  /** The highest number in the trash at that time. */
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
  // Rows added since the last update are at most as old as that update, whatever timestamp they were given.
  const moveTrash = database.prepare(
    `UPDATE bin SET binned_at = min(:now,
       CASE WHEN number > :binned THEN max(binned_at, :now - :passed) ELSE binned_at + :moved END)
     WHERE :moved <> 0 OR binned_at > :now OR (number > :binned AND binned_at < :now - :passed)`,
  );
  // Uploads wait for an hour at most: letting one wait another hour costs less than keeping track of its age.
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
