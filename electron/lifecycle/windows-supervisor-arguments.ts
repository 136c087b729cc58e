// The supervisor's command line: which player it starts, and which running one it adopts first.

import type { Environment } from "../../server/platform/process/start-flags.ts";

const superviseFlag = "--supervise";

export interface Supervision {
  /** Pid of a running player that is adopted first. */
  readonly adopted: number | null;
  /** How the player is started. */
  readonly program: string;
  readonly flags: readonly string[];
  /** What a player starts, with `--adopt`, when this supervisor has ended. */
  readonly self: string;
  readonly env: Environment;
}

/** `--supervise FLAG…` of the player itself, and `--adopt PID PROGRAM FLAG…`; null where the process plays itself. */
export function supervisionOf(
  self: string,
  words: readonly string[],
  flags: readonly string[],
  env: Environment,
): Supervision | null {
  const [order, pid, program = ""] = flags;
  if (flags.includes(superviseFlag))
    return {
      ...{ adopted: null, program: self, self, env },
      // In a run from the sources, the app's own folder comes before its flags.
      flags: words.filter((word) => word !== superviseFlag),
    };
  if (order !== "--adopt" || !/^\d+$/.test(pid ?? "") || program === "")
    return null;
  return {
    ...{ adopted: Number(pid), program, self, env },
    flags: flags.slice(3),
  };
}
