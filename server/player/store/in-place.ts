// Watches that the open database still lies where the next start looks for it; what was taken away is put back from what is open (V2-665).

import type { Log } from "../../platform/log.ts";
import {
  identityOf,
  putCopyInPlace,
} from "../../platform/sqlite/sqlite-place.ts";
import type { Sqlite } from "../../platform/sqlite/sqlite.ts";
import type { Clock } from "../../platform/clock.ts";

export interface InPlace {
  /** Resolves when the file in its place holds all that was committed until now; true when it had to be put there. */
  keep(): Promise<boolean>;
  /** The same for who does not wait: something was written just now. */
  check(): void;
  stop(): void;
}

export interface InPlaceOptions {
  readonly database: Sqlite;
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
  /** Before it is put back for the first time, so that it may still be noted in it. */
  readonly onGone: () => void;
  /** It has been put back: only what opens it anew writes into the new file. */
  readonly onPutBack: () => void;
}

/** Of a database that nothing is written to. */
export const leftAsItIs: InPlace = {
  keep: () => Promise.resolve(false),
  check: () => undefined,
  stop: () => undefined,
};

const endings = ["", "-wal", "-shm"] as const;
/** Whoever writes looks at once; this is for what nobody waits for. */
const checkIntervalMs = 30_000;

export function keepInPlace(options: InPlaceOptions): InPlace {
  const { database, clock, log, onGone, onPutBack } = options;
  const file = database.name;
  const own = endings.map((ending) => identityOf(file + ending));
  /** From the first loss on, this connection writes into files that nobody finds any more. */
  let isGone = false;
  let putBackAt: number | null = null;
  let underWay: Promise<boolean> = Promise.resolve(false);
  let cancel = (): void => undefined;

  const isThere = (): boolean =>
    endings.every((ending, at) => identityOf(file + ending) === own[at]);
  const changes = (): number =>
    database.prepare<[], number>("SELECT total_changes()").pluck().get() ?? 0;

  async function putBack(): Promise<boolean> {
    if (!isGone && isThere()) return false;
    if (!isGone) {
      isGone = true;
      log.error("store.missing");
      onGone();
    }
    const count = changes();
    if (count === putBackAt) return true;
    await putCopyInPlace(database);
    const isFirst = putBackAt === null;
    putBackAt = count;
    log.warn("store.put-back");
    if (isFirst) onPutBack();
    return true;
  }

  function keep(): Promise<boolean> {
    underWay = underWay.then(putBack, putBack);
    return underWay;
  }

  function check(): void {
    if (!isGone && isThere()) return;
    keep().catch((error: unknown) =>
      log.error("store.put-back-failed", { error }),
    );
  }

  function plan(): void {
    cancel = clock.after(checkIntervalMs, () => {
      check();
      plan();
    });
  }
  plan();

  return { keep, check, stop: () => cancel() };
}
