// Derives changes from samples of the screen: what was visible between two showings, and for how long.

import type { Frame } from "../../support/screen/screen.ts";

export interface Change {
  readonly from: string;
  readonly to: string;
  /** Wall clock milliseconds of the first sample of the new one. */
  readonly atMs: number;
  /** From the last visible change of the old one to the first sample of the new one, minus the nominal time. */
  readonly gapMs: number;
  /** How long the old one was on the screen. */
  readonly stayedMs: number;
  /** What was visible between the two. */
  readonly between: readonly string[];
  /** The sampler itself missed samples there, so no figure is available. */
  readonly isUnmeasured: boolean;
}

export interface ChangeReader {
  read(frame: Frame): void;
  /** Discards what was read so far. */
  begin(): void;
  readonly changes: readonly Change[];
  /** For what moves: the longest time it stood still. */
  longestStandstillMs(): number;
}

export interface ReaderOptions {
  readonly decode: (frame: Frame) => string;
  /** Frame duration of what has its own frame rate; null for anything else. */
  readonly frameMsOf: (name: string) => number | null;
  readonly sampleMs: number;
}

/** Minimum change of a sample's colours by a moving mark; compression alone causes less. */
const minMove = 6;

export function readChanges(options: ReaderOptions): ChangeReader {
  const { decode, frameMsOf, sampleMs } = options;
  const changes: Change[] = [];
  let now: { name: string; sinceMs: number } | null = null;
  let last: Frame | null = null;
  let aliveMs = 0;
  let between: string[] = [];
  let hasHole = false;
  let standstillMs = 0;

  function stay(name: string, frame: Frame): void {
    const frameMs = frameMsOf(name);
    if (frameMs !== null && last && !hasMoved(last, frame)) return;
    if (frameMs !== null && between.length === 0 && !hasHole)
      standstillMs = Math.max(standstillMs, frame.atMs - aliveMs);
    aliveMs = frame.atMs;
    hasHole = false;
  }

  function read(frame: Frame): void {
    if (last && frame.atMs - last.atMs > 1.5 * sampleMs) hasHole = true;
    const name = decode(frame);
    if (now && name === now.name) {
      // Something appeared in between, and it is the same as before.
      if (between.length > 0) note(now.name, frame, now.sinceMs);
      stay(name, frame);
    } else if (name === "blank" || name.startsWith("something else")) {
      between.push(name);
    } else {
      if (now) note(now.name, frame, now.sinceMs, name);
      now = { name, sinceMs: frame.atMs };
      aliveMs = frame.atMs;
      hasHole = false;
    }
    last = frame;
  }

  function note(
    from: string,
    { atMs }: Frame,
    sinceMs: number,
    to = from,
  ): void {
    const nominalMs = Math.max(sampleMs, frameMsOf(from) ?? 0);
    changes.push({
      ...{ from, to, atMs, between },
      gapMs: atMs - aliveMs - nominalMs,
      stayedMs: atMs - sinceMs,
      isUnmeasured: hasHole,
    });
    between = [];
  }

  return {
    read,
    begin: () => {
      changes.length = 0;
      between = [];
      standstillMs = 0;
    },
    changes,
    longestStandstillMs: () => standstillMs,
  };
}

function hasMoved(a: Frame, b: Frame): boolean {
  return b.pixels.some(
    (part, at) => Math.abs(part - (a.pixels[at] ?? 0)) >= minMove,
  );
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1);
  return sorted[Math.max(0, at)] ?? NaN;
}
