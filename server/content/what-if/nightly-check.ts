// Checks all assertions once a night; of all instances, one at a time does (V3-109).

import type { Database } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import { createPeriodicTask } from "../files/periodic-task.ts";
import type { ContentTables } from "../tables.ts";

export interface NightlyCheck {
  start(): void;
  stop(): Promise<void>;
}

export interface NightlyCheckOptions {
  readonly database: Database<ContentTables>;
  readonly log: Log;
  readonly now: () => number;
  readonly check: (team: string) => Promise<void>;
  readonly checkMs?: number | undefined;
}

const defaultCheckMs = 600_000;
const leaseMs = 120_000;
/** By the clock of this machine. */
const nightlyHour = 2;

export function createNightlyCheck(options: NightlyCheckOptions): NightlyCheck {
  const { database, log, now, check } = options;
  const { checkMs = defaultCheckMs } = options;
  const task = createPeriodicTask({
    // Shorter than the pause between two looks, so that each finds it due.
    ...{ database, name: "assertions", leaseMs },
    pauseMs: Math.ceil(checkMs / 2),
  });
  let timer: NodeJS.Timeout | undefined;
  let checking: Promise<void> | null = null;
  let isStopped = false;

  async function checkDue(): Promise<void> {
    const teams = await dueTeams(database, lastNight(now()));
    if (teams.length === 0 || (await task.take()) === null) return;
    try {
      for (const team of teams) {
        if (isStopped || !(await task.hold(""))) return;
        await check(team).catch((error: unknown) => {
          // Others are not held up by one that cannot be simulated.
          if (!isStopped) log.error("assertions.check-failed", { team, error });
        });
      }
      await task.finish();
    } finally {
      await task.release();
    }
  }

  return {
    start: () => {
      const check = (): void => {
        checking ??= checkDue()
          .catch((error: unknown) => {
            if (!isStopped) log.warn("assertions.check-failed", { error });
          })
          .then(() => {
            checking = null;
          });
      };
      check();
      timer = setInterval(check, checkMs);
    },
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await checking;
    },
  };
}

/** Those with an enabled assertion that has not been checked since. */
async function dueTeams(
  { kysely }: Database<ContentTables>,
  since: number,
): Promise<readonly string[]> {
  const rows = await kysely
    .selectFrom("assertions")
    .select("team_id")
    .distinct()
    .where("is_enabled", "=", true)
    .where((eb) =>
      eb.or([eb("checked_at", "is", null), eb("checked_at", "<", since)]),
    )
    .execute();
  return rows.map(({ team_id }) => team_id);
}

/** The last time that this hour began. */
function lastNight(moment: number): number {
  const night = new Date(moment);
  night.setHours(nightlyHour, 0, 0, 0);
  if (night.getTime() > moment) night.setDate(night.getDate() - 1);
  return night.getTime();
}
