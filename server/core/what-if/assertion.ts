// Assertions: what an operator keeps about what is due on screens, checked along a timeline of the schedule (V3-105, V3-106).

import {
  compileSchedule,
  type LineupEntry,
  type Span,
} from "../schedule/schedule.ts";
import { scheduledAsset, type FleetAsset } from "./fleet.ts";
import {
  difference,
  intersection,
  joinedPeriods,
  type Period,
} from "./periods.ts";

export const assertionKinds = ["never", "at-least"] as const;

export interface Assertion {
  readonly id: string;
  readonly kind: (typeof assertionKinds)[number];
  /** Its subject: these assets, and those in folders with these names. */
  readonly assetIds: readonly string[];
  readonly folders: readonly string[];
  /** Of the screens that it is about; empty: all screens. */
  readonly labels: readonly string[];
  /** When it applies, by the clock of each screen. */
  readonly predicate: string;
  /** Only of `at-least`. */
  readonly everyMs: number;
}

export function isAbout(
  { labels }: Assertion,
  screenLabels: ReadonlySet<string>,
): boolean {
  return labels.length === 0 || labels.some((label) => screenLabels.has(label));
}

/** Whether an asset is the assertion's subject. */
export function subjectOf(
  { assetIds, folders }: Assertion,
  assets: ReadonlyMap<string, FleetAsset>,
): (assetId: string) => boolean {
  const ids = new Set(assetIds);
  const names = new Set(folders);
  return (id) => {
    const folder = assets.get(id)?.folder ?? "";
    return ids.has(id) || (folder !== "" && names.has(folder));
  };
}

/** The periods in which an assertion applies in a zone, as the schedule itself evaluates its predicate. */
export function periodsOfPredicate(
  predicate: string,
  zone: string,
  { from, until }: Period,
): readonly Period[] {
  const id = "asserted";
  const asset = { id, isPlayable: true, folder: "", durationSeconds: 10 };
  const schedule = compileSchedule({
    assets: [scheduledAsset(asset)],
    playlists: [
      {
        ...{ id, name: id, predicate, priority: 0, isEnabled: true },
        ...{ groups: [], transition: null, isShuffled: null, createdAt: 0 },
        items: [{ id, assetId: id, durationSeconds: null }],
      },
    ],
    ...{ zone, groups: [] },
  });
  return joinedPeriods(
    schedule
      .timeline(from, until)
      .filter(({ playlists }) => playlists.length > 0),
  );
}

export interface CheckedSpans {
  readonly spans: readonly Span[];
  /** When the assertion applies. */
  readonly applies: readonly Period[];
  readonly isSubject: (assetId: string) => boolean;
  readonly secondsOf: (entry: LineupEntry) => number;
}

/** When the assertion is broken. */
export function brokenPeriods(
  assertion: Assertion,
  { spans, applies, isSubject, secondsOf }: CheckedSpans,
): readonly Period[] {
  if (assertion.kind === "never")
    return joinedPeriods(
      intersection(
        spans.filter(({ playlists }) =>
          playlists.some(({ entries }) =>
            entries.some(({ asset }) => isSubject(asset.id)),
          ),
        ),
        applies,
      ),
    );
  const everySeconds = assertion.everyMs / 1000;
  const due = spans.filter(
    ({ playlists }) =>
      longestGapSeconds(
        playlists.flatMap(({ entries }) => entries),
        isSubject,
        secondsOf,
      ) <= everySeconds,
  );
  const start = spans[0]?.from ?? 0;
  const end = spans.at(-1)?.until ?? 0;
  return applies.flatMap((period) => {
    // Of a period that begins before or ends after what is simulated, only a part is known.
    const isWhole = period.from > start && period.until < end;
    const least = isWhole
      ? Math.min(assertion.everyMs, period.until - period.from - 1)
      : assertion.everyMs;
    return difference([period], joinedPeriods(due)).filter(
      ({ from, until }) => until - from > least,
    );
  });
}

/** The longest time within a round of the lineup in which the subject isn't shown; Infinity if it isn't in there. */
function longestGapSeconds(
  entries: readonly LineupEntry[],
  isSubject: (assetId: string) => boolean,
  secondsOf: (entry: LineupEntry) => number,
): number {
  let first: number | null = null;
  let longest = 0;
  let gap = 0;
  for (const entry of entries) {
    if (!isSubject(entry.asset.id)) {
      gap += secondsOf(entry);
      continue;
    }
    if (first === null) first = gap;
    else longest = Math.max(longest, gap);
    gap = 0;
  }
  // The round begins again.
  return first === null ? Infinity : Math.max(longest, gap + first);
}
