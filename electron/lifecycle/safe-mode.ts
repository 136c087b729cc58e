// Safe mode: five crashes within ten minutes start the next run in it; the record of runs by which they are counted.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { replaceFileSync } from "../../server/platform/files/replace-file.ts";

export interface RunRecord {
  /** Why this run is in safe mode, in a sentence; null for an ordinary run (V2-256). */
  readonly safeMode: string | null;
  /** Time until the last crash no longer counts (V2-258). */
  readonly quietInMs: number;
  /** Null for the first run, or if the record cannot be read (L-51). */
  readonly lastRunEnd: "requested" | "unexpected" | null;
  /** From now on an end without `end()` counts as a crash. */
  begin(): void;
  /** However it ends, it counts as a crash: it could not show anything (V2-461). */
  keepAsCrash(): void;
  /** It ends on request. */
  end(): void;
}

const maxCrashes = 5;
const windowMs = 10 * 60_000;

const schema = z.object({
  /** Start times of the runs that crashed. */
  crashes: z.array(z.number()).max(100),
  /** Start time of the run that has not ended yet. */
  runningSince: z.number().nullable(),
  /** Its process; the record of an earlier version has none. */
  pid: z.int().positive().nullable().default(null),
});

type Kept = z.infer<typeof schema>;

/** Safe mode is decided at once; nothing is written before `begin`. */
export function openRunRecord(dataDir: string, now: () => number): RunRecord {
  const file = fileIn(dataDir);
  const last = read(file);
  const stored = last ?? { crashes: [], runningSince: null, pid: null };
  const moment = now();
  const all =
    stored.runningSince === null
      ? stored.crashes
      : [...stored.crashes, stored.runningSince];
  // A clock that was set back leaves times in the future: those no longer count.
  const crashes = all.filter((at) => at <= moment && moment - at < windowMs);

  let isCrash = false;
  function write(content: Kept): void {
    try {
      replaceFileSync(file, JSON.stringify(content));
    } catch {
      // With a full or broken disk there is no record, and the player plays on.
    }
  }

  return {
    lastRunEnd:
      last && (last.runningSince === null ? "requested" : "unexpected"),
    quietInMs: Math.max(0, Math.max(0, ...crashes) + windowMs - moment),
    safeMode:
      crashes.length < maxCrashes
        ? null
        : `Vitrine stopped unexpectedly ${crashes.length} times within ten minutes.`,
    begin: () => write({ crashes, runningSince: now(), pid: process.pid }),
    keepAsCrash: () => (isCrash = true),
    end: () => {
      if (!isCrash) write({ crashes, runningSince: null, pid: null });
    },
  };
}

/** Pid of the run that began last and did not end on request; that process may be gone, and its pid reused. */
export function pidOfRun(dataDir: string): number | null {
  return read(fileIn(dataDir))?.pid ?? null;
}

function fileIn(dataDir: string): string {
  return join(dataDir, "runs.json");
}

/** Null for the first run, or a file torn by a power cut. */
function read(file: string): Kept | null {
  try {
    return schema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return null;
  }
}
