// Decides which web page is paused or ended when the main process no longer gets to its own work: pure decisions.

export interface OpenPage {
  /** Of its contents. */
  readonly id: number;
  /** CPU seconds used by its processes so far; null where that is unknown. */
  readonly processorSeconds: number | null;
}

export interface GuardState {
  /** The last beat of the main process, and when it was noticed, in monotonic milliseconds. */
  readonly beat: number;
  readonly beatMs: number;
  readonly tickMs: number;
  /** CPU seconds of the main process's thread at that beat; null where that is unknown. */
  readonly mainBefore: number | null;
  /** CPU seconds of each page at that beat. */
  readonly usedBefore: ReadonlyMap<number, number>;
  readonly pausedId: number | null;
  /** When pages were paused, and which. */
  readonly pauses: readonly Pause[];
  /** Ended since that beat, one after the other. */
  readonly endedIds: readonly number[];
}

interface Pause {
  readonly id: number;
  readonly atMs: number;
  /** How long the main process was kept from its own work, if that was long. */
  readonly keptMs: number;
}

export type GuardAct = "pause" | "continue" | "end";

export interface GuardStep {
  readonly state: GuardState;
  readonly acts: readonly { readonly act: GuardAct; readonly id: number }[];
}

export interface GuardTick {
  /** Number of beats so far. */
  readonly beat: number;
  /** CPU seconds that the thread which beats has used so far; null where that is unknown. */
  readonly mainSeconds: number | null;
  readonly pages: readonly OpenPage[];
  /** Whether a process can be paused here. */
  readonly canPause: boolean;
}

/** Of the thread. */
export const tickIntervalMs = 50;
/**
 * What a page sends within this time, the main process works off within a second; for twice as much it takes ten, since each request
 * costs more than the one before, and its end as much again.
 */
const pauseMs = 100;
/** Work of its own that takes as long as this is rare. */
const longMs = 400;
/** What is in the queue by then is more than the main process can work off; only with the page's end is it dropped. */
const endMs = 1200;
/** Where usage is unknown. A supervisor takes the main process to be hung after five seconds. */
const endAnyMs = 3000;
/** By then it has noticed that a process ended. */
const nextEndMs = 1000;
/** A page for which the main process was kept this long, or that was paused this often, in so much time would be so without end. */
const maxKeptMs = 2000;
const maxPauses = 60;
const pausesMs = 20_000;
/**
 * Where the usage of the main process is unknown: a thread this late was stopped together with the whole process, or the machine is
 * overloaded, which is no evidence.
 */
const maxLateMs = 1000;
/** A page that floods is busy: it has used at least this share of the time without a beat. */
const busyShare = 0.4;

export function firstGuard(
  nowMs: number,
  mainSeconds: number | null = null,
): GuardState {
  return {
    ...{ beat: 0, beatMs: nowMs, tickMs: nowMs, mainBefore: mainSeconds },
    usedBefore: new Map(),
    ...{ pausedId: null, pauses: [], endedIds: [] },
  };
}

export function stepGuard(
  state: GuardState,
  tick: GuardTick,
  nowMs: number,
): GuardStep {
  const isLate =
    tick.mainSeconds === null &&
    nowMs - state.tickMs > tickIntervalMs + maxLateMs;
  if (tick.beat !== state.beat || isLate) return beaten(state, tick, nowMs);
  // A page that is new since the beat begins with what its processes had used by then.
  const usedBefore = new Map([...usageOf(tick.pages), ...state.usedBefore]);
  const waited = { ...state, tickMs: nowMs, usedBefore };
  const silentMs = silenceOf(waited, tick, nowMs);
  const found = busiest(waited, tick, silentMs);
  if (found === null) return { state: waited, acts: [] };
  const isKnown = tick.pages.every(
    ({ id, processorSeconds }) =>
      processorSeconds !== null || state.endedIds.includes(id),
  );
  const dueMs = isKnown ? endMs : endAnyMs;
  if (silentMs >= dueMs + nextEndMs * state.endedIds.length)
    return ended(waited, found);
  const isPaused = state.pausedId !== null || state.endedIds.length > 0;
  if (!tick.canPause || isPaused || silentMs < pauseMs)
    return { state: waited, acts: [] };
  const pause = { id: found, atMs: nowMs, keptMs: 0 };
  const pauses = [...state.pauses, pause];
  return {
    state: { ...waited, pausedId: found, pauses },
    acts: [{ act: "pause", id: found }],
  };
}

/**
 * How long the main process has worked without a beat: by its own CPU time, since on an overloaded machine it and a page that floods
 * it are slow alike, and it is silent without any flood. By the clock where that is unknown.
 */
function silenceOf(
  { beatMs, mainBefore }: GuardState,
  { mainSeconds }: GuardTick,
  nowMs: number,
): number {
  return mainSeconds === null || mainBefore === null
    ? nowMs - beatMs
    : (mainSeconds - mainBefore) * 1000;
}

/** The main process works: what was paused continues, unless that happens again and again. */
function beaten(state: GuardState, tick: GuardTick, nowMs: number): GuardStep {
  const { pausedId } = state;
  const { beat, mainSeconds, pages } = tick;
  const silentMs = silenceOf(state, tick, nowMs);
  const keptMs = silentMs >= longMs ? silentMs : 0;
  const pauses =
    pausedId === null
      ? state.pauses
      : state.pauses.map((pause, at) =>
          at === state.pauses.length - 1 ? { ...pause, keptMs } : pause,
        );
  const recent = pauses.filter(({ atMs }) => nowMs - atMs < pausesMs);
  const usedBefore = usageOf(pages);
  const next = {
    ...firstGuard(nowMs, mainSeconds),
    ...{ beat, usedBefore, pauses: recent },
  };
  if (pausedId === null) return { state: next, acts: [] };
  const own = recent.filter(({ id }) => id === pausedId);
  const isOften =
    own.length >= maxPauses ||
    own.reduce((sum, pause) => sum + pause.keptMs, 0) >= maxKeptMs;
  return isOften
    ? ended(next, pausedId)
    : { state: next, acts: [{ act: "continue", id: pausedId }] };
}

function usageOf(pages: readonly OpenPage[]): ReadonlyMap<number, number> {
  return new Map(
    pages.map(({ id, processorSeconds }) => [id, processorSeconds ?? 0]),
  );
}

function ended(state: GuardState, id: number): GuardStep {
  const pausedId = state.pausedId === id ? null : state.pausedId;
  return {
    state: { ...state, pausedId, endedIds: [...state.endedIds, id] },
    acts: [{ act: "end", id }],
  };
}

/**
 * The page that was paused, else the one that has used most since the last beat, if it was busy at all; of equal ones the one opened
 * last. Where usage is unknown, any may be it.
 */
function busiest(
  { pausedId, usedBefore, endedIds }: GuardState,
  { pages }: GuardTick,
  silentMs: number,
): number | null {
  const used = ({ id, processorSeconds }: OpenPage): number =>
    processorSeconds === null
      ? Infinity
      : processorSeconds - (usedBefore.get(id) ?? 0);
  const open = pages.filter(({ id }) => !endedIds.includes(id));
  if (open.some(({ id }) => id === pausedId)) return pausedId;
  const [first] = open
    .filter((page) => used(page) >= (silentMs / 1000) * busyShare)
    .toSorted((a, b) => b.id - a.id)
    .toSorted((a, b) => used(b) - used(a));
  return first?.id ?? null;
}
