// How the last runs ended: five that nobody ended, within ten minutes, make the next one careful.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { replaceFileSync } from "../../server/platform/files/replace-file.ts";

export interface RunRecord {
  /** Why this run is careful, in a sentence; null for an ordinary run (V2-256). */
  readonly safeMode: string | null;
  /** So long until the last crash is forgotten (V2-258). */
  readonly quietInMs: number;
  /** From now on an end that is not told counts as a crash. */
  begin(): void;
  /** However it ends, it counts as a crash: it could not show anything (V2-461). */
  keepAsCrash(): void;
  /** It ends because it was told to. */
  end(): void;
}

const maxCrashes = 5;
const windowMs = 10 * 60_000;

const schema = z.object({
  /** When the runs began that nobody ended. */
  crashes: z.array(z.number()).max(100),
  /** When the run began that has not ended yet. */
  runningSince: z.number().nullable(),
  /** Its process; a record of before names none. */
  pid: z.int().positive().nullable().default(null),
});

type Kept = z.infer<typeof schema>;

/** The answer is decided at once; nothing is written before `begin`. */
export function openRunRecord(dataDir: string, now: () => number): RunRecord {
  const file = fileIn(dataDir);
  const kept = read(file);
  const moment = now();
  const all =
    kept.runningSince === null
      ? kept.crashes
      : [...kept.crashes, kept.runningSince];
  // A clock that was set back leaves moments of the future: those are of another time and count no more.
  const crashes = all.filter((at) => at <= moment && moment - at < windowMs);

  let isCrash = false;
  function write(content: Kept): void {
    try {
      replaceFileSync(file, JSON.stringify(content));
    } catch {
      // A full or broken disk keeps no record, and the player plays.
    }
  }

  return {
    quietInMs: Math.max(0, Math.max(0, ...crashes) + windowMs - moment),
    safeMode:
      crashes.length < maxCrashes
        ? null
        : `Vitrine ended ${crashes.length} times within ten minutes without being told to.`,
    begin: () => write({ crashes, runningSince: now(), pid: process.pid }),
    keepAsCrash: () => (isCrash = true),
    end: () => {
      if (!isCrash) write({ crashes, runningSince: null, pid: null });
    },
  };
}

/** The process of the run that began last and was not told to end; it may be gone, and its number another's. */
export function pidOfRun(dataDir: string): number | null {
  return read(fileIn(dataDir)).pid;
}

function fileIn(dataDir: string): string {
  return join(dataDir, "runs.json");
}

function read(file: string): Kept {
  try {
    return schema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    // The first run, or a file that a power cut tore.
    return { crashes: [], runningSince: null, pid: null };
  }
}
