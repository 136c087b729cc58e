// Compares two timelines of a screen: when something else is shown, and when nothing is shown any more (V3-102).

import type { Span } from "../schedule/schedule.ts";
import type { Period } from "./periods.ts";

/** Something else is shown all the time from the first to before the second moment. */
export interface Change extends Period {
  /** Identifiers of the playlists, in order; empty: nothing is due. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

type Playing = Span["playlists"][number];

/** Whether what is due is the same. */
export type IsSameContent = (
  some: readonly Playing[],
  others: readonly Playing[],
) => boolean;

/** Compares by the entries in their order; numbers them once, however often the same comes again. */
export function contentComparison(): IsSameContent {
  const numbers = new Map<string, number>();
  const known = new WeakMap<Playing, number>();
  const numberOf = (playing: Playing): number => {
    const before = known.get(playing);
    if (before !== undefined) return before;
    const text = playing.entries
      .map(
        ({ asset, durationSeconds, transition }) =>
          `${asset.id} ${durationSeconds ?? asset.durationSeconds} ${transition}`,
      )
      .join();
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    known.set(playing, number);
    return number;
  };
  return (some, others) =>
    some.length === others.length &&
    some.every((playing, at) => {
      const other = others[at];
      return other !== undefined && numberOf(playing) === numberOf(other);
    });
}

export function changesBetween(
  before: readonly Span[],
  after: readonly Span[],
  isSame: IsSameContent,
): readonly Change[] {
  const changes: Change[] = [];
  let last: { readonly old: Span; readonly now: Span } | null = null;
  const add = (old: Span, now: Span): void => {
    const from = Math.max(old.from, now.from);
    const until = Math.min(old.until, now.until);
    const previous = changes.at(-1);
    const continues =
      previous?.until === from &&
      last !== null &&
      isSameSpan(last.old, old, isSame) &&
      isSameSpan(last.now, now, isSame);
    if (continues) changes[changes.length - 1] = { ...previous, until };
    else changes.push({ from, until, before: idsOf(old), after: idsOf(now) });
    last = { old, now };
  };
  let at = 0;
  for (const old of before)
    for (; at < after.length; at += 1) {
      const now = after[at];
      if (!now || now.from >= old.until) break;
      if (!isSame(old.playlists, now.playlists)) add(old, now);
      // It continues into the next span.
      if (now.until > old.until) break;
    }
  return changes;
}

/** The same content of the same playlists. */
function isSameSpan(one: Span, other: Span, isSame: IsSameContent): boolean {
  return (
    isSame(one.playlists, other.playlists) &&
    one.playlists.every(
      ({ playlistId }, at) => playlistId === other.playlists[at]?.playlistId,
    )
  );
}

function idsOf({ playlists }: Span): readonly string[] {
  return playlists.map(({ playlistId }) => playlistId ?? "");
}
