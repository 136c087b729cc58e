// What downloads may take of the line and of the disk, and how fast they come in.

import type { Clock } from "../../../platform/clock.ts";
import { statfs } from "node:fs/promises";
import { OutsideError } from "../../../platform/outside-error.ts";

export interface Rate {
  isLimited(): boolean;
  /** Taken at a time, under a limit: so few that among many at once nobody waits for long. */
  stepBytes(): number;
  /** So many files at once that each of them comes on all the time. */
  maxAtOnce(): number;
  /** Answers when more may come in; null is at once. */
  take(bytes: number): Promise<void> | null;
  limit(bytesPerSecond: number | null): void;
}

/** Shorter pauses than this are saved up. */
const minPauseMs = 5;
/** What was not used for a moment may be made up for, so that the whole comes to what was said. */
const maxSavedMs = 200;
/** Longer nobody waits, not even for what came in before the limit was lowered: whoever is called off ends with it. */
const maxPauseMs = 2000;
/** Larger steps are none the evener for it. */
const maxStepBytes = 64 * 1024;
/** As many come in together at the most. */
const maxSharers = 16;
/** One whose server does not answer holds up nobody else. */
const minAtOnce = 2;

export function createRate(clock: Clock): Rate {
  let perMs: number | null = null;
  /** When what was taken so far would all have come at the even pace. */
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
  /** So many bytes have come in since the beginning. */
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
  /** Throws `no-space` where so many bytes more would touch the reserve. */
  assertFor(bytes: number, reserveBytes: number): Promise<void> | null;
}

/** Others write to a disk, too. */
const measureIntervalMs = 500;
/** With less than this to spare each is looked at. */
const plentyBytes = 256 * 1024 * 1024;

export function createDiskSpace(
  dir: string,
  monotonic: () => number,
): DiskSpace {
  let measuredAt = -Infinity;
  /** As it was then, without what was promised room since. */
  let freeBytes = 0;

  async function measure(bytes: number, reserveBytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(dir);
    measuredAt = monotonic();
    freeBytes = bavail * bsize - bytes;
    if (freeBytes < reserveBytes)
      throw new OutsideError(
        "no-space",
        "The disk of this player is full: its reserve would be touched.",
      );
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
