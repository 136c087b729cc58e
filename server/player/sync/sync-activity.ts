// Writes state changes of connections to the activity log: one line per change, however often it is checked (V2-381).

import {
  contentText,
  holdTexts,
} from "../../contract/v2/v2-sync-history-text.ts";
import type {
  HoldReason,
  SyncPhase,
  SyncStatus,
} from "../../core/sync-plan/sync-state.ts";
import type { Sync } from "./connection/connections.ts";
import { createThrottle } from "../logs/log-recorder.ts";
import type { ActivityNote } from "../logs/logs.ts";
import type { Clock } from "../../platform/clock.ts";

type WatchedSync = Pick<Sync, "status" | "onProgress">;

export interface SyncHistory {
  /** The state at this moment is not reported. */
  watch(sync: WatchedSync): void;
  stop(): void;
}

interface PreviousState {
  /** It has answered or is not polled: before that, its state is provisional. */
  readonly isReported: boolean;
  readonly name: string;
  readonly isFailing: boolean;
  readonly appliedAt: number | null;
  /** Undefined until it is idle: a plan that waited before the start is found again and is not news. */
  readonly hold: HoldReason | null | undefined;
}

/** Frequent progress events are checked once per interval. */
const checkIntervalMs = 1000;

/** In these phases a plan is applied piece by piece: that is one line. */
const underWay: ReadonlySet<SyncPhase> = new Set([
  ...(["polling", "downloading", "applying"] as const),
]);

const untouched = {
  isReported: false,
  isFailing: false,
  appliedAt: null,
  hold: null,
};

export function keepSyncHistory(
  note: (happened: ActivityNote) => void,
  clock: Clock,
): SyncHistory {
  let watched: WatchedSync | null = null;
  let previous: ReadonlyMap<string, PreviousState> = new Map();
  let stopListening = (): void => undefined;

  function noteStatus(
    status: SyncStatus,
    was: Omit<PreviousState, "name">,
  ): PreviousState {
    const { name, problem, phase, hold, lastAppliedAt } = status;
    const record = (what: string, says = ""): void =>
      note({ kind: "sync", what, name, says });
    if (problem && !was.isFailing) record("lost", problem.message);
    if (!problem && was.isFailing && phase !== "off") record("back");
    const now = { ...was, name, isFailing: problem !== null };
    if (underWay.has(phase)) return now;
    const isApplied = lastAppliedAt !== was.appliedAt;
    const isBack = isApplied && hold === "postponed";
    if (isApplied) record(isBack ? "undone" : "applied", contentText(status));
    const isHeld = hold !== null && hold !== was.hold && !isBack;
    if (isHeld && was.hold !== undefined) record("held", holdTexts[hold]);
    return { ...now, hold, appliedAt: lastAppliedAt };
  }

  function checkStatuses(): void {
    const before = previous;
    const statuses = watched?.status() ?? [];
    previous = new Map(
      statuses.map((status) => {
        const { connectionId: id, name } = status;
        const was = before.get(id);
        const isContacted =
          status.lastContactAt !== null || status.phase === "off";
        const isReported = was?.isReported === true || isContacted;
        if (isReported && !was?.isReported)
          note({ kind: "sync", what: "added", name });
        return [id, noteStatus(status, { ...(was ?? untouched), isReported })];
      }),
    );
    for (const [id, { name, isReported }] of before)
      if (isReported && !previous.has(id))
        note({ kind: "sync", what: "removed", name });
  }

  const pendingCheck = createThrottle(clock, checkIntervalMs, checkStatuses);
  return {
    watch: (attached) => {
      watched = attached;
      previous = new Map(
        attached
          .status()
          .map(({ connectionId, name, lastAppliedAt: appliedAt }) => [
            connectionId,
            {
              name,
              isReported: true,
              isFailing: false,
              appliedAt,
              hold: undefined,
            },
          ]),
      );
      stopListening = attached.onProgress(pendingCheck.request);
    },
    stop: () => {
      stopListening();
      pendingCheck.stop();
    },
  };
}
