// Which page hangs or crashes the graphics process: blames one only with evidence (V2-735). Pure decisions; the playback window
// carries them out.

/** Times are in monotonic milliseconds from any origin; pages are named by any string that stays the same each time they are shown. */
export interface GraphicsBlame {
  /** Losses of the last ten minutes that no blame explains, the newest last. */
  readonly losses: readonly Loss[];
  /** When each page was last closed. */
  readonly closed: ReadonlyMap<string, number>;
  /** When each page was last rested, to learn from its absence. */
  readonly rested: ReadonlyMap<string, number>;
}

interface Loss {
  readonly atMs: number;
  /** The pages that were up, in the order in which they were opened. */
  readonly pages: readonly string[];
}

export type GraphicsBlameEvent =
  | { readonly kind: "closed"; readonly page: string }
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

export const noGraphicsBlame: GraphicsBlame = {
  ...{ losses: [], closed: new Map(), rested: new Map() },
};

export function stepGraphicsBlame(
  before: GraphicsBlame,
  event: GraphicsBlameEvent,
  nowMs: number,
): GraphicsBlameStep {
  const state: GraphicsBlame = {
    losses: before.losses.filter(({ atMs }) => nowMs - atMs < blameWindowMs),
    closed: newest(before.closed, nowMs - closedKeptMs),
    rested: newest(before.rested, nowMs - blameWindowMs),
  };
  if (event.kind === "lost") return lost(state, event, nowMs);
  const closed = withNewest(state.closed, event.page, nowMs);
  return { state: { ...state, closed }, suspect: null };
}

function lost(
  state: GraphicsBlame,
  { open, sinceMs }: GraphicsBlameEvent & { readonly kind: "lost" },
  nowMs: number,
): GraphicsBlameStep {
  const closedSince = [...state.closed]
    .filter(([, atMs]) => atMs >= sinceMs)
    .map(([page]) => page);
  const pages = [...new Set([...closedSince, ...open])];
  // It is lost without any page: whatever the cause is, none of those before is proven.
  if (pages.length === 0)
    return { state: { ...state, losses: [] }, suspect: null };
  const losses = [...state.losses, { atMs: nowMs, pages }].slice(-maxKept);
  const shared = state.losses
    .toReversed()
    .map((loss) => pages.filter((page) => loss.pages.includes(page)));
  const [proven] = shared.find((common) => common.length === 1) ?? [];
  if (proven !== undefined)
    return {
      // What it explains counts against nothing else.
      state: {
        ...state,
        losses: losses.filter((loss) => !loss.pages.includes(proven)),
      },
      suspect: { page: proven, isProven: true },
    };
  const page = nextToRest(state, shared.find(({ length }) => length > 1) ?? []);
  if (page === undefined) return { state: { ...state, losses }, suspect: null };
  const rested = withNewest(state.rested, page, nowMs);
  return {
    state: { ...state, losses, rested },
    suspect: { page, isProven: false },
  };
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
