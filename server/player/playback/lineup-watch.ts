// Caches the current lineup, and the next one shortly before its edge; calls back when the lineup has to be read again.

import type { Playlist } from "../../core/playlist.ts";
import {
  orderLineup,
  type OrderedLineup,
} from "../../core/schedule/ordered-lineup.ts";
import {
  compileSchedule,
  type Schedule,
  type ScheduleInput,
} from "../../core/schedule/schedule.ts";
import { contentKey, type PresentationDefaults } from "../../core/showing.ts";
import type { Asset } from "../../core/asset.ts";
import { createOneGo } from "../event-emitter.ts";
import type { Library } from "../library/library.ts";
import { maxWaitMsFor, type LibraryChange } from "../library/library-change.ts";
import type { Subject } from "../../core/director/quarantine.ts";
import { leadMs } from "../../core/director/next-showing.ts";
import type { Clock } from "../../platform/clock.ts";

/** What the lineup is made from besides the assets, and how its items are shown. */
export interface ScheduleInputs {
  playlists(): readonly Playlist[];
  screen(): Pick<ScheduleInput, "zone" | "groups">;
  /** Where a playlist does not specify it. */
  isShuffled(): boolean;
  presentationDefaults(): PresentationDefaults;
  onChanged(listener: () => void): () => void;
}

export interface LineupWatch {
  start(): void;
  stop(): void;
  /** What is due now, in the order of each cycle. */
  lineup(): OrderedLineup;
  /** What is due from the next edge on; null while that is far away, or none is planned. */
  ahead(): { readonly atMs: number; readonly lineup: OrderedLineup } | null;
  /** Whether anything would be due now if nothing had failed. */
  isAnythingDue(): boolean;
  /** For any moment; compiled again only when its inputs have changed. */
  schedule(): Schedule;
  /** The retry pauses of failed assets have changed. */
  forgetWaits(): void;
  /** Several reasons in quick succession cause one refresh. */
  planRefresh(): void;
}

export interface LineupWatchOptions {
  readonly library: Library;
  readonly scheduleInputs: ScheduleInputs;
  readonly clock: Clock;
  /** From 0 to below 1: used to shuffle. */
  readonly random: () => number;
  /** Assets that are skipped after a failure: by id, until which monotonic moment. */
  readonly waiting: (
    subjectOf: (id: string) => Subject | null,
    steady: number,
  ) => ReadonlyMap<string, number>;
  /** Another moment that requires a refresh, in wall-clock milliseconds. */
  readonly alsoAt: () => number | null;
  readonly refresh: () => void;
}

/** The wall clock is compared with the monotonic one every second: a jump is noticed within that time (V2-142). */
const jumpMs = 500;
/** A moment nearer than this gets its own timer; all others are checked every second. */
const nearMs = 3000;

interface Kept {
  readonly fromMs: number;
  readonly changesAt: number | null;
  readonly lineup: OrderedLineup;
}

export function createLineupWatch(options: LineupWatchOptions): LineupWatch {
  const { library, scheduleInputs, clock, refresh } = options;
  const seed = Math.floor(options.random() * 2 ** 32);
  let schedule: Schedule | null = null;
  /** In which the schedule was compiled. */
  let zone = "";
  let waiting: ReadonlyMap<string, number> = new Map();
  let current: Kept | null = null;
  let next: Kept | null = null;
  let wouldBeDue: boolean | null = null;
  let isRefreshPlanned = false;
  let isStarted = false;
  let isStopped = false;
  let stopTicking = (): void => undefined;
  let stopWaiting = (): void => undefined;
  let stopListening = (): void => undefined;
  let wallOffset = clock.now() - clock.monotonic();

  function planRefresh(): void {
    if (isRefreshPlanned || isStopped) return;
    isRefreshPlanned = true;
    queueMicrotask(() => {
      isRefreshPlanned = false;
      refreshNow();
    });
  }

  function refreshNow(): void {
    if (isStopped) return;
    refresh();
    // The moment found may be earlier than the one the timer waits for.
    if (isStarted) waitForNear();
  }

  /** Changes that arrive together cause one refresh; with ten thousand assets a refresh is expensive. */
  const refreshSoon = createOneGo(refreshNow, clock);

  function forget(): void {
    schedule = null;
    wouldBeDue = null;
    current = null;
    next = null;
  }

  function changed(change: Pick<LibraryChange, "how">): void {
    forget();
    refreshSoon.request(maxWaitMsFor(change));
  }

  function inputFor(left: ReadonlyMap<string, number>): ScheduleInput {
    const screen = scheduleInputs.screen();
    zone = screen.zone;
    return {
      assets: library.assets(),
      playlists: scheduleInputs.playlists(),
      ...screen,
      quarantine: left,
    };
  }

  function compiled(): Schedule {
    if (schedule) return schedule;
    const steady = clock.monotonic();
    const toWall = clock.now() - steady;
    const waits = options.waiting(subjectById, steady);
    waiting = new Map(
      [...waits].map(([id, until]) => [id, Math.ceil(until + toWall)]),
    );
    schedule = compileSchedule(inputFor(waiting));
    return schedule;
  }

  function subjectById(id: string): Subject | null {
    const asset = library.find(id);
    return asset ? subjectOf(asset) : null;
  }

  function keptAt(moment: number): Kept {
    const { entries, changesAt } = compiled().lineupAt(moment);
    return {
      fromMs: moment,
      changesAt,
      lineup: orderLineup(entries, shuffling()),
    };
  }

  function shuffling(): Parameters<typeof orderLineup>[1] {
    const byDefault = scheduleInputs.isShuffled();
    const entryById = new Map(
      scheduleInputs.playlists().map(({ id, isShuffled }) => [id, isShuffled]),
    );
    return {
      seed,
      isShuffled: (id) => (id === null ? null : entryById.get(id)) ?? byDefault,
    };
  }

  function now(): Kept {
    const moment = clock.now();
    if (!current || !isInside(current, moment)) {
      current = next && isInside(next, moment) ? next : keptAt(moment);
      next = null;
      wouldBeDue = null;
    }
    return current;
  }

  function tick(): void {
    if (isRefreshDue()) planRefresh();
    waitForNear();
  }

  function waitForNear(): void {
    stopWaiting();
    const inMs = untilNextPoint();
    stopWaiting = inMs <= nearMs ? clock.after(inMs, tick) : () => undefined;
  }

  function untilNextPoint(): number {
    const moment = clock.now();
    const edge = current?.changesAt ?? null;
    const points = [
      options.alsoAt(),
      edge,
      next || edge === null ? null : edge - leadMs,
    ];
    return points.reduce<number>(
      (least, point) =>
        point === null ? least : Math.min(least, Math.max(1, point - moment)),
      Infinity,
    );
  }

  /** At an edge, shortly before one, at the additional moment, or when the wall clock jumped or the machine's zone changed. */
  function isRefreshDue(): boolean {
    const offset = clock.now() - clock.monotonic();
    const hasJumped = Math.abs(offset - wallOffset) > jumpMs;
    wallOffset = offset;
    const hasMoved = schedule !== null && scheduleInputs.screen().zone !== zone;
    // Retry pauses run in monotonic time; the zone may change without any setting (V2-862).
    if (hasJumped || hasMoved) forget();
    const moment = clock.now();
    const before = current;
    const after = now();
    const isNearNow = next === null && isNear(after.changesAt, moment);
    if (isNearNow) next = keptAt(after.changesAt ?? moment);
    const also = options.alsoAt();
    return before !== after || isNearNow || (also !== null && also <= moment);
  }

  return {
    start: () => {
      if (isStarted) return;
      isStarted = true;
      const endings = [
        library.onChanged(changed),
        scheduleInputs.onChanged(() => changed({ how: "changed" })),
      ];
      stopListening = () => endings.forEach((end) => end());
      planRefresh();
      stopTicking = clock.everySecond(tick);
      waitForNear();
    },
    stop: () => {
      isStopped = true;
      stopListening();
      refreshSoon.stop();
      stopTicking();
      stopWaiting();
    },
    lineup: () => now().lineup,
    ahead: () => {
      const { changesAt } = now();
      if (changesAt === null || !isNear(changesAt, clock.now())) return null;
      next ??= keptAt(changesAt);
      return { atMs: changesAt, lineup: next.lineup };
    },
    isAnythingDue: () => {
      if (now().lineup.entries.length > 0) return true;
      if (waiting.size === 0) return false;
      wouldBeDue ??=
        compileSchedule(inputFor(new Map())).lineupAt(clock.now()).entries
          .length > 0;
      return wouldBeDue;
    },
    schedule: compiled,
    forgetWaits: forget,
    planRefresh,
  };
}

function subjectOf(asset: Asset): Subject {
  return { id: asset.id, content: contentKey(asset) };
}

function isInside({ fromMs, changesAt }: Kept, moment: number): boolean {
  return fromMs <= moment && (changesAt === null || moment < changesAt);
}

function isNear(edge: number | null, moment: number): boolean {
  return edge !== null && edge - leadMs <= moment;
}
