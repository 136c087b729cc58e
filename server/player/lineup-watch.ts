// Keeps the lineup of this moment at hand, and says when it is time to look at it again.

import type { Asset } from "../core/asset.ts";
import { lineupAt } from "../core/schedule.ts";
import { createOneGo } from "./announcement.ts";
import type { Library } from "./library.ts";
import { createSetAside } from "./set-aside.ts";
import type { Clock } from "./stage.ts";

export interface LineupWatch {
  start(): void;
  stop(): void;
  /** What is due now, without what is set aside. */
  lineup(): readonly Asset[];
  /** Whether anything was due at the last look, set aside or not. */
  isAnythingDue(): boolean;
  /** Leaves an asset out for a while, or until its content changes. */
  setAside(asset: Asset): void;
  /** Many reasons in one breath lead to one look. */
  planLook(): void;
}

/** How often the wall clock is compared with the steady one: a jump is noticed within a second. */
const lookEveryMs = 1000;
const jumpMs = 500;

export function createLineupWatch(
  library: Library,
  clock: Clock,
  look: () => void,
): LineupWatch {
  const setAside = createSetAside();
  let changesAt: number | null = null;
  let isAnythingDue = false;
  let isLookPlanned = false;
  let isStarted = false;
  let isStopped = false;
  let stopTicking = (): void => undefined;
  let stopListening = (): void => undefined;
  let wallOffset = clock.now() - clock.monotonic();

  function planLook(): void {
    if (isLookPlanned || isStopped) return;
    isLookPlanned = true;
    queueMicrotask(() => {
      isLookPlanned = false;
      if (!isStopped) look();
    });
  }

  /** Changes that arrive together are one change to look at. */
  const lookSoon = createOneGo(planLook);

  function tick(): void {
    stopTicking = clock.after(untilNextTick(), () => {
      if (isTimeToLook()) planLook();
      tick();
    });
  }

  function untilNextTick(): number {
    const toEdge = changesAt === null ? lookEveryMs : changesAt - clock.now();
    return Math.min(lookEveryMs, Math.max(1, toEdge));
  }

  /** When dates say so, when what was set aside may be tried again, or when the wall clock jumped. */
  function isTimeToLook(): boolean {
    const offset = clock.now() - clock.monotonic();
    const hasJumped = Math.abs(offset - wallOffset) > jumpMs;
    wallOffset = offset;
    const tryAt = setAside.nextTryAt();
    return (
      hasJumped ||
      (changesAt !== null && changesAt <= clock.now()) ||
      (tryAt !== null && tryAt <= clock.monotonic())
    );
  }

  return {
    start: () => {
      if (isStarted) return;
      isStarted = true;
      stopListening = library.onChanged(lookSoon.ask);
      planLook();
      tick();
    },
    stop: () => {
      isStopped = true;
      stopListening();
      lookSoon.stop();
      stopTicking();
    },
    lineup: () => {
      const due = lineupAt(library.assets(), clock.now());
      changesAt = due.changesAt;
      isAnythingDue = due.assets.length > 0;
      const steady = clock.monotonic();
      return due.assets.filter((asset) => !setAside.has(asset, steady));
    },
    isAnythingDue: () => isAnythingDue,
    setAside: (asset) => setAside.add(asset, clock.monotonic()),
    planLook,
  };
}
