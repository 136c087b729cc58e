// Decides when a heartbeat carries the report about the screen (L-38), and when the report is worth a heartbeat of its own (L-39).

import type { ScreenReport } from "../../../contract/link/screen-report.ts";
import type { SyncStatus } from "../../../core/sync-plan/sync-state.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { DiskSpace } from "../../machine.ts";
import type { LinkedPlayback } from "./linked-playback.ts";
import {
  isAboutToBeVerified,
  isMissingNews,
  isReportNews,
  screenReportOf,
  type ReportedDisplay,
} from "./screen-report.ts";

export interface ReportWatch {
  /** For the next heartbeat; null if the service has it already, or is to have it a moment later. */
  next(): Promise<ScreenReport | null>;
  /** The service has it now. */
  acknowledge(report: ScreenReport): void;
  /** Whether the service has another report than the present one. */
  isChanged(): boolean;
  /** Something may have changed: notifies of what is worth a heartbeat, and not more often than that is allowed. */
  note(): void;
  stop(): void;
}

export interface ReportWatchOptions {
  readonly connectionId: string;
  readonly playback: LinkedPlayback;
  readonly displays: () => readonly ReportedDisplay[];
  readonly status: () => SyncStatus | undefined;
  readonly isSyncing: () => boolean;
  /** The screen's name lies over it: nothing is verified meanwhile. */
  readonly isIdentifying: () => boolean;
  readonly clockSkewMs: () => number | null;
  readonly clock: Clock;
  /** A heartbeat should be sent now. */
  readonly onNews: () => void;
}

/** Between two heartbeats for changes of the report (L-39). */
const intervalMs = 2000;
/** Free space is no news within minutes, and reading it may wake a disk. */
const storageIntervalMs = 300_000;

export function createReportWatch(options: ReportWatchOptions): ReportWatch {
  const { connectionId, playback, displays, clock } = options;
  /** Null before the service has any. */
  let last: ScreenReport | null = null;
  /** The last heartbeat left the report out, as the screen was about to be verified. */
  let isPending = false;
  let storage: DiskSpace | null = null;
  let storageReadAt = -Infinity;
  /** Until the interval is over; then what has changed meanwhile is considered. */
  let isThrottled = false;
  let isStale = false;
  let stopInterval = (): void => undefined;

  /** Without an explanation where only changes matter: it may take a while to find out. */
  function reportNow(explanation = ""): ScreenReport {
    return screenReportOf({
      ...{ connectionId, screen: playback.now(), explanation, storage },
      ...{ status: options.status(), displays: displays() },
      clockSkewMs: options.clockSkewMs(),
    });
  }

  function isSoonVerified(report: ScreenReport): boolean {
    const wasVerified = last?.showing?.verdict === "verified";
    const isHidden = wasVerified && report.showing?.verdict === null;
    return (
      (isHidden && options.isIdentifying()) ||
      isAboutToBeVerified(report, last, clock.now())
    );
  }

  function isNews(): boolean {
    const report = reportNow();
    if (isPending && report.showing?.verdict != null) return true;
    // Single files are not worth a heartbeat of their own (L-35).
    const isMissingOther = !options.isSyncing() && isMissingNews(report, last);
    return isMissingOther || isReportNews(report, last);
  }

  function note(): void {
    isStale = isThrottled;
    if (isThrottled || !isNews()) return;
    isThrottled = true;
    stopInterval = clock.after(intervalMs, () => {
      isThrottled = false;
      if (isStale) note();
    });
    options.onNews();
  }

  return {
    note,
    isChanged: () =>
      JSON.stringify(reportNow(playback.explanation())) !==
      JSON.stringify(last),
    next: async () => {
      if (clock.monotonic() - storageReadAt > storageIntervalMs) {
        storage = await playback.storage();
        if (storage) storageReadAt = clock.monotonic();
      }
      const report = reportNow(playback.explanation());
      isPending =
        !isPending && !isReportNews(report, last) && isSoonVerified(report);
      const isSame = JSON.stringify(report) === JSON.stringify(last);
      return isSame || isPending ? null : report;
    },
    acknowledge: (report) => {
      last = report;
    },
    stop: () => {
      stopInterval();
      isThrottled = true;
    },
  };
}
