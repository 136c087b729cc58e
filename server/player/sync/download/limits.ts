// Download limits: rate limit, disk space reserve, and the measured speed.

import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import type { Clock } from "../../../platform/clock.ts";
import { statfs } from "node:fs/promises";
import { OutsideError } from "../../../platform/outside-error.ts";

/**
 * Beside playback, whatever the operator's own limit is: as fast as most lines are; hashing and writing more than this would take
 * processor time from a video (V2-337).
 */
export const maxBytesPerSecondDuringPlayback = 32 * 1024 * 1024;

/** Disk space that downloads and imports leave free, unless another amount is given. */
export const defaultReserveBytes = 512 * 1024 * 1024;

export interface Rate {
  isLimited(): boolean;
  /** Bytes to take at a time under a limit: so few that none of many downloads waits for long. */
  stepBytes(): number;
  /** As many files at once as can all make steady progress. */
  maxAtOnce(): number;
  /** Resolves when more may be received; null means at once. */
  take(bytes: number): Promise<void> | null;
  limit(bytesPerSecond: number | null): void;
}

/** Shorter pauses are accumulated. */
const minPauseMs = 5;
/** Unused time within this span may be caught up on, so that the average meets the limit. */
const maxSavedMs = 200;
/** Upper bound of a pause, even for bytes from before the limit was lowered: an aborted download ends within it. */
const maxPauseMs = 2000;
/** Larger steps would not make the rate smoother. */
const maxStepBytes = 64 * 1024;
/** Maximum number of downloads that share the rate. */
const maxSharers = 16;
/** A download whose server does not respond does not hold up the others. */
const minAtOnce = 2;

export function createRate(clock: Clock): Rate {
  let perMs: number | null = null;
  /** When all bytes taken so far would have arrived at an even rate. */
  let dueAt = 0;
  return {
    limit: (bytesPerSecond) => {
      perMs = bytesPerSecond === null ? null : bytesPerSecond / 1000;
    },
    isLimited: () => perMs !== null,
    stepBytes: () =>
      Math.ceil(
        Math.min(maxStepBytes, ((perMs ?? Infinity) * 1000) / maxSharers),
      ),
    maxAtOnce: () =>
      Math.max(minAtOnce, ((perMs ?? Infinity) * 1000) / maxStepBytes),
    take: (bytes) => {
      if (perMs === null) return null;
      const now = clock.monotonic();
      dueAt = Math.max(dueAt, now - maxSavedMs) + bytes / perMs;
      const pauseMs = Math.min(maxPauseMs, dueAt - now);
      if (pauseMs < minPauseMs) return null;
      return new Promise<void>((resolve) => clock.after(pauseMs, resolve));
    },
  };
}

export interface Speed {
  begin(): void;
  /** Total bytes received since the beginning. */
  note(bytes: number): void;
  perSecond(): number;
}

const windowMs = 5000;

export function createSpeed(clock: Clock): Speed {
  let marks: { readonly at: number; readonly bytes: number }[] = [];
  return {
    begin: () => {
      marks = [{ at: clock.monotonic(), bytes: 0 }];
    },
    note: (bytes) => {
      const at = clock.monotonic();
      marks = [
        ...marks.filter((mark) => at - mark.at <= windowMs),
        { at, bytes },
      ];
    },
    perSecond: () => {
      const first = marks[0];
      const last = marks.at(-1);
      if (!first || !last || last.at <= first.at) return 0;
      const rate = ((last.bytes - first.bytes) * 1000) / (last.at - first.at);
      return Math.max(0, Math.round(rate));
    },
  };
}

export interface DiskSpace {
  /** Throws `no-space` if this many more bytes would use up the reserve. */
  assertFor(bytes: number, reserveBytes: number): Promise<void> | null;
}

/** Other programs write to the disk, too. */
const measureIntervalMs = 500;
/** With less than this to spare, every call measures. */
const plentyBytes = 256 * 1024 * 1024;

export function createDiskSpace(
  dir: string,
  monotonic: () => number,
): DiskSpace {
  let measuredAt = -Infinity;
  /** As measured then, minus what has been promised since. */
  let freeBytes = 0;

  async function measure(bytes: number, reserveBytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(dir);
    measuredAt = monotonic();
    freeBytes = bavail * bsize - bytes;
    if (freeBytes < reserveBytes)
      throw new OutsideError("no-space", playerSentences["disk-reserve-left"]);
  }

  return {
    assertFor: (bytes, reserveBytes) => {
      const isRecent = monotonic() - measuredAt < measureIntervalMs;
      if (!isRecent || freeBytes - bytes < reserveBytes + plentyBytes)
        return measure(bytes, reserveBytes);
      freeBytes -= bytes;
      return null;
    },
  };
}
