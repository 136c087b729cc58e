// Which page hangs or crashes the graphics process: blames one only with evidence (V2-735, V2-754). Pure decisions; the playback
// window carries them out.

/** Times are in monotonic milliseconds from any origin; pages are named by any string that stays the same each time they are shown. */
export interface GraphicsBlame {
  /** Losses of the last ten minutes that no blame explains, the newest last. */
  readonly losses: readonly Loss[];
  /** When each page was last closed. */
  readonly closed: ReadonlyMap<string, number>;
  /** When each page was last rested, to learn from its absence. */
  readonly rested: ReadonlyMap<string, number>;
  /** When which page was up, in the last minute. */
  readonly stays: readonly Stay[];
  /** When the process was lost last, or its use began. */
  readonly workingSinceMs: number;
}

interface Loss {
  readonly atMs: number;
  /** The pages that were up, in the order in which they were opened. */
  readonly pages: readonly string[];
  /** How long the process had worked, at most a minute, since the loss before. */
  readonly workedMs: number;
  /** For how much of that time each page was up. */
  readonly upMs: ReadonlyMap<string, number>;
}

interface Stay {
  readonly page: string;
  readonly fromMs: number;
  /** Null while it is up. */
  readonly toMs: number | null;
}

export type GraphicsBlameEvent =
  | { readonly kind: "opened" | "closed"; readonly page: string }
  /** `open`: the newest last. `sinceMs`: when the process was last known to work. */
  | {
      readonly kind: "lost";
      readonly open: readonly string[];
      readonly sinceMs: number;
    };

export interface GraphicsSuspect {
  readonly page: string;
  /** Otherwise it only rests: the next loss happens without it, or clears the others. */
  readonly isProven: boolean;
}

export interface GraphicsBlameStep {
  readonly state: GraphicsBlame;
  readonly suspect: GraphicsSuspect | null;
}

export const blameWindowMs = 600_000;
/** A closed page matters while the process may have hung since: it is killed after two minutes at the latest. */
const closedKeptMs = 180_000;
/** Keeping more of them would not change any decision. */
const maxKept = 50;
/** What was up earlier says nothing about a loss now. */
const lookbackMs = 60_000;
/** With a page that hangs or crashes it, the process works no longer than this, or not as long as without it. */
const suspiciousMs = 10_000;
/** A page that is rested is closed at once: it was not up when the next process hung. */
const closedAtOnceMs = 1000;
/** Limit for the probability that a page was up at every loss by coincidence; the page is blamed only below it. */
const maxProbability = 0.05;
/** A process that has worked for less without a page may not have drawn anything yet. */
const minWithoutMs = 1000;

export function firstGraphicsBlame(nowMs: number): GraphicsBlame {
  return {
    ...{ losses: [], closed: new Map(), rested: new Map(), stays: [] },
    workingSinceMs: nowMs,
  };
}

export function stepGraphicsBlame(
  before: GraphicsBlame,
  event: GraphicsBlameEvent,
  nowMs: number,
): GraphicsBlameStep {
  const state: GraphicsBlame = {
    losses: before.losses.filter(({ atMs }) => nowMs - atMs < blameWindowMs),
    closed: newest(before.closed, nowMs - closedKeptMs),
    rested: newest(before.rested, nowMs - blameWindowMs),
    stays: before.stays
      .filter(({ toMs }) => toMs === null || nowMs - toMs < closedKeptMs)
      .slice(-maxStays),
    workingSinceMs: before.workingSinceMs,
  };
  const { page } = event.kind === "lost" ? { page: "" } : event;
  switch (event.kind) {
    case "lost":
      return lost(state, event, nowMs);
    case "opened": {
      const stay: Stay = { page, fromMs: nowMs, toMs: null };
      const stays = [...state.stays, stay];
      return { state: { ...state, stays }, suspect: null };
    }
    case "closed": {
      const closed = withNewest(state.closed, page, nowMs);
      // Its next showing may be up already.
      const at = state.stays.findIndex(
        (stay) => stay.page === page && stay.toMs === null,
      );
      const stays = state.stays.map((stay, index) =>
        index === at ? { ...stay, toMs: nowMs } : stay,
      );
      return { state: { ...state, closed, stays }, suspect: null };
    }
  }
}

/** Three minutes of pages that are up for two seconds each. */
const maxStays = 200;

function lost(
  before: GraphicsBlame,
  { open, sinceMs }: GraphicsBlameEvent & { readonly kind: "lost" },
  nowMs: number,
): GraphicsBlameStep {
  const state: GraphicsBlame = { ...before, workingSinceMs: nowMs };
  const closedSince = [...state.closed]
    .filter(([page, atMs]) => {
      const restedMs = state.rested.get(page) ?? -Infinity;
      return atMs >= sinceMs && atMs - restedMs > closedAtOnceMs;
    })
    .map(([page]) => page);
  const pages = [...new Set([...closedSince, ...open])];
  // It is lost without any page: whatever the cause is, none of those before is proven.
  if (pages.length === 0)
    return { state: { ...state, losses: [] }, suspect: null };
  const loss = lossWith(pages, before, sinceMs, nowMs);
  const losses = [...state.losses, loss].slice(-maxKept);
  const shared = state.losses
    .map((earlier, index) => ({
      common: pages.filter((page) => earlier.pages.includes(page)),
      between: [...state.losses.slice(index), loss],
    }))
    .toReversed();
  const [proven] =
    shared.find(
      ({ common: [page, ...others], between }) =>
        page !== undefined &&
        others.length === 0 &&
        worksWithout(page, between),
    )?.common ?? [];
  if (proven !== undefined)
    return {
      // What it explains counts against nothing else.
      state: {
        ...state,
        losses: losses.filter((each) => !each.pages.includes(proven)),
      },
      suspect: { page: proven, isProven: true },
    };
  const { common = [] } = shared.find((each) => each.common.length > 0) ?? {};
  // Without the only one, the screen may have nothing else to show: that takes a reason.
  const page = nextToRest(
    state,
    common.length > 1
      ? common
      : common.filter((each) => upIn(loss, each) <= suspiciousMs),
  );
  if (page === undefined) return { state: { ...state, losses }, suspect: null };
  const rested = withNewest(state.rested, page, nowMs);
  return {
    state: { ...state, losses, rested },
    suspect: { page, isProven: false },
  };
}

function lossWith(
  pages: readonly string[],
  { stays, workingSinceMs }: GraphicsBlame,
  sinceMs: number,
  atMs: number,
): Loss {
  const fromMs = Math.max(workingSinceMs, sinceMs - lookbackMs);
  const upMs = new Map(
    pages.map((page) => {
      const parts = stays
        .filter((stay) => stay.page === page)
        .map((stay) => ({
          startMs: Math.max(stay.fromMs, fromMs),
          endMs: Math.min(stay.toMs ?? sinceMs, sinceMs),
        }));
      // Two showings of it may overlap: that counts once.
      let [sum, untilMs] = [0, fromMs];
      for (const { startMs, endMs } of parts) {
        sum += Math.max(0, endMs - Math.max(startMs, untilMs));
        untilMs = Math.max(untilMs, endMs);
      }
      return [page, sum];
    }),
  );
  return { atMs, pages, upMs, workedMs: Math.max(0, sinceMs - fromMs) };
}

function upIn({ upMs }: Loss, page: string): number {
  return upMs.get(page) ?? 0;
}

/**
 * Whether the process worked for longer without the page than with it before these losses (V2-754), and whether it is improbable
 * that the page was up at each of them by coincidence: the product of the shares of the time for which it was up (V2-760).
 */
function worksWithout(page: string, losses: readonly Loss[]): boolean {
  let [withMs, withoutMs, probability] = [0, 0, 1];
  for (const loss of losses) {
    const upMs = upIn(loss, page);
    const otherMs = loss.workedMs - upMs;
    if (upMs > Math.max(otherMs, suspiciousMs)) return false;
    withMs += upMs;
    withoutMs += otherMs;
    if (loss.pages.includes(page) && loss.workedMs > 0)
      probability *= upMs / loss.workedMs;
  }
  return (
    withoutMs >= Math.max(withMs, minWithoutMs) && probability <= maxProbability
  );
}

/** The one that has not rested for longest; among those that have not rested at all, the one that was opened last. */
function nextToRest(
  { rested }: GraphicsBlame,
  pages: readonly string[],
): string | undefined {
  const restedMs = (page: string): number => rested.get(page) ?? -Infinity;
  const least = Math.min(...pages.map(restedMs));
  return pages.findLast((page) => restedMs(page) === least);
}

function newest(
  times: ReadonlyMap<string, number>,
  sinceMs: number,
): ReadonlyMap<string, number> {
  return new Map([...times].filter(([, atMs]) => atMs >= sinceMs));
}

/** In the order of their times. */
function withNewest(
  times: ReadonlyMap<string, number>,
  page: string,
  atMs: number,
): ReadonlyMap<string, number> {
  const others = [...times].filter(([other]) => other !== page);
  return new Map([...others.slice(1 - maxKept), [page, atMs]]);
}
