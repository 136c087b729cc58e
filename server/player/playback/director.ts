// The director's shell: feeds events to the state machine and carries its effects out to the stage, the timers and the write queue.

import {
  directorAtStart,
  reduce,
  type DirectorEffect,
  type DirectorEvent,
} from "../../core/director/director.ts";
import { waiting } from "../../core/director/quarantine.ts";
import type { Fault } from "../../core/director/planned-showing.ts";
import {
  activeTakeover,
  following,
  type World,
} from "../../core/director/next-showing.ts";
import type { Asset } from "../../core/asset.ts";
import type { Schedule } from "../../core/schedule/schedule.ts";
import type { IdleScreen } from "../../core/showing.ts";
import type { Log } from "../../platform/log.ts";
import { createAnnouncement } from "../event-emitter.ts";
import { onward } from "../../core/director/playhead.ts";
import { createOrders } from "./command-checks.ts";
import { createCommandSeries } from "./command-series.ts";
import { showingStatusOf, type ShowingStatus } from "./showing-status.ts";
import type { Library } from "../library/library.ts";
import type { Pause } from "./pause.ts";
import { createLineupWatch, type ScheduleInputs } from "./lineup-watch.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Stage } from "./stage.ts";
import type { Takeovers } from "./takeover.ts";
import type { WriteQueue } from "./write-queue.ts";

export interface Director {
  start(): void;
  stop(): void;
  status(): ShowingStatus | null;
  next(): Asset | null;
  /** Throws `not-found` when nothing is due, `conflict` while a takeover has the screen. */
  step(direction: "next" | "previous"): void;
  /** Something that the idle screen shows has changed. */
  refresh(): void;
  /** Shows an asset once; then the lineup resumes where it was (V2-21). Throws as `step` does. */
  show(assetId: string): void;
  /** Something is due now, or a takeover has the screen. */
  isAnythingDue(): boolean;
  /** What is due at any moment, and why. */
  schedule(): Schedule;
  /** Why the current takeover cannot be shown; null while no problem is known. */
  takeoverProblem(): string | null;
  onShowing(listener: () => void): () => void;
  /** An asset could not be shown; the others keep playing. */
  onFault(listener: (fault: Fault) => void): () => void;
  /** Something other than a showing does not work. */
  reportFault(name: string, reason: string): void;
}

export interface DirectorOptions {
  readonly library: Library;
  readonly scheduleInputs: ScheduleInputs;
  readonly takeovers: Takeovers;
  readonly pause: Pause;
  readonly stage: Stage;
  readonly clock: Clock;
  /** From 0 to below 1; used to shuffle. */
  readonly random: () => number;
  readonly makeId: () => string;
  readonly idleScreen: () => IdleScreen;
  /** The stage could not show this asset: its file may have been damaged since it was verified (V2-751). */
  readonly onNotShown?: (asset: Asset) => void;
  /** The screen was verified while this asset was on it. */
  readonly onSeen?: (asset: Asset) => void;
  /** Everything stored goes through this queue: showing never waits for it. */
  readonly writes: WriteQueue;
  /** Nothing is ever put on the stage. */
  readonly isStill?: boolean;
  readonly log: Log;
}

/** A timer this late means that the process was suspended. */
const heldUpMs = 1000;

export function createDirector(options: DirectorOptions): Director {
  const { library, scheduleInputs, takeovers, pause, stage, clock } = options;
  const { writes, log } = options;
  const showingChanged = createAnnouncement();
  const faultEvent = createAnnouncement<Fault>();
  const endTimer = createTimer(clock);
  const lateTimer = createTimer(clock);
  const checks = new Set<() => void>();

  let state = directorAtStart(options.makeId());
  let events: readonly DirectorEvent[] = [];
  let isAtIt = false;
  let isStopped = false;
  let planned: unknown = null;

  const watch = createLineupWatch({
    ...{ library, scheduleInputs, clock, random: options.random },
    refresh: () => dispatch({ kind: "due-changed" }),
    alsoAt: () => takeovers.current()?.until ?? null,
    waiting: (subjectOf, steady) => waiting(state.ledger, subjectOf, steady),
  });

  function world(): World {
    const takeover = takeovers.current();
    const shown = takeover?.shown;
    return {
      ...{ wall: clock.now(), steady: clock.monotonic(), takeover },
      ...{ lineup: watch.lineup(), ahead: watch.ahead() },
      takeoverAsset:
        shown?.kind === "asset" ? (library.find(shown.assetId) ?? null) : null,
      presentationDefaults: scheduleInputs.presentationDefaults(),
      // It costs a read of the database and the machine's time zone, and most events need neither.
      get idleScreen() {
        return options.idleScreen();
      },
      isPaused: pause.until() !== null,
      isAway: stage.isAway?.() ?? false,
    };
  }

  /** One event at a time, although an effect may cause the next one. */
  function dispatch(event: DirectorEvent): void {
    if (isStopped || options.isStill) return;
    events = [...events, event];
    if (isAtIt) return;
    isAtIt = true;
    try {
      for (let next = events[0]; next; next = events[0]) {
        events = events.slice(1);
        takeEvent(next);
      }
    } finally {
      isAtIt = false;
    }
  }

  function takeEvent(event: DirectorEvent): void {
    const failed = failedAsset(event);
    if (failed) options.onNotShown?.(failed);
    const reduced = reduce(state, event, world());
    state = reduced.state;
    for (const effect of reduced.effects) {
      try {
        carryOut(effect);
      } catch (error) {
        // One failing effect does not drop the rest of the step.
        log.error("director.internal-error", { effect: effect.kind, error });
      }
    }
    keepPlan();
    commands.changed();
  }

  const commands = createCommandSeries({
    clock,
    isUnderWay: () => {
      const { request } = state;
      return (
        request !== onward &&
        (request.kind === "step" || request.kind === "show")
      );
    },
    carryOut: dispatch,
  });

  /** The asset of a showing that has failed, unless another one has replaced it. */
  function failedAsset(event: DirectorEvent): Asset | null {
    if (
      event.kind !== "not-prepared" &&
      event.kind !== "not-shown" &&
      event.kind !== "failed"
    )
      return null;
    const failed = [state.upcoming, state.visible].find(
      (one) => one?.showing.id === event.showingId,
    );
    return failed?.asset ?? null;
  }

  function carryOut(effect: DirectorEffect): void {
    switch (effect.kind) {
      case "prepare": {
        const { showing } = effect;
        return dispatchOutcome(
          () => stage.prepare(showing),
          () => ({ kind: "prepared", showingId: showing.id }),
          (reason) => ({ kind: "not-prepared", showingId: showing.id, reason }),
        );
      }
      case "show": {
        const { showingId } = effect;
        return dispatchOutcome(
          () => stage.show(showingId),
          () => ({ kind: "shown", showingId }),
          (reason) => ({ kind: "not-shown", showingId, reason }),
        );
      }
      case "tune":
        return stage.tune?.(effect.showingId, effect.audio);
      case "arm-end":
        return endTimer.arm(effect.afterMs, () =>
          dispatch({ kind: "ended", showingId: effect.showingId }),
        );
      case "stop-end":
        return endTimer.stop();
      case "arm-late":
        return lateTimer.arm(effect.afterMs, (lateMs) => {
          if (lateMs > heldUpMs) dispatch({ kind: "held-up" });
          dispatch({ kind: "late", showingId: effect.showingId });
        });
      case "stop-late":
        return lateTimer.stop();
      case "check":
        return checkAfter(effect.afterMs);
      case "waits-changed":
        return watch.forgetWaits();
      case "remark": {
        const { assetId, problem } = effect;
        return writes.put(
          () => library.setProblem(assetId, problem),
          `problem of ${assetId}`,
        );
      }
      case "fault": {
        const { assetId, name, reason, isCover } = effect;
        const at = clock.now();
        return faultEvent.emit({ assetId, name, reason, isCover, at });
      }
      case "log":
        return log[effect.level](effect.event, effect.fields);
      case "showing-changed":
        return showingChanged.emit();
    }
  }

  function dispatchOutcome(
    act: () => Promise<void>,
    done: () => DirectorEvent,
    failed: (reason: string) => DirectorEvent,
  ): void {
    // An error that a stage throws synchronously counts as a rejection.
    new Promise<void>((resolve) => resolve(act())).then(
      () => dispatch(done()),
      (error: unknown) => dispatch(failed(reasonOf(error))),
    );
  }

  function checkAfter(ms: number): void {
    if (ms <= 0) return watch.planRefresh();
    const stop = clock.after(ms, () => {
      checks.delete(stop);
      watch.planRefresh();
    });
    checks.add(stop);
  }

  /** For runs without a store: what is due, with its dates. */
  function keepPlan(): void {
    const { entries } = watch.lineup();
    if (entries === planned) return;
    planned = entries;
    stage.keepPlan?.(entries);
  }

  const orders = createOrders({
    ...options,
    watch,
    activeTakeover: () =>
      activeTakeover(state, {
        takeover: takeovers.current(),
        steady: clock.monotonic(),
      }),
  });

  const showingEnded = (showingId: string) =>
    dispatch({ kind: "ended", showingId });
  stage.onEnded(showingEnded);
  stage.onFailed((showingId, reason) =>
    dispatch({ kind: "failed", showingId, reason }),
  );
  stage.onRefreshed?.((showingId, problem) =>
    dispatch({ kind: "refreshed", showingId, problem }),
  );
  stage.onRestarted((loss) => {
    dispatch({ kind: "stage-lost" });
    if (loss === "silent") dispatch({ kind: "stage-silent" });
  });
  stage.onVerdict?.((verdict) => {
    dispatch({ kind: "seen", verdict });
    const { visible } = state;
    if (visible?.asset && visible.showing.id === verdict.showingId)
      options.onSeen?.(visible.asset);
  });
  stage.onDisturbed?.((what) => dispatch({ kind: what }));
  stage.onGraphicsBlamed?.((blame) =>
    dispatch({ kind: "graphics-blamed", ...blame }),
  );
  const endings = [
    takeovers.onChanged(watch.planRefresh),
    pause.onChanged(() => dispatch({ kind: "pause-changed" })),
    writes.onLost((lost) => dispatch({ kind: "disk-refused", lost })),
  ];

  return {
    ...{ start: watch.start, refresh: watch.planRefresh },
    stop: () => {
      isStopped = true;
      watch.stop();
      for (const end of [...endings, ...checks]) end();
      endTimer.stop();
      lateTimer.stop();
    },
    status: () => {
      const { visible, verdicts } = state;
      if (!visible) return null;
      const current = takeovers.current();
      const { isAnythingDue } = watch;
      const isAway = stage.isAway?.() ?? false;
      return showingStatusOf(
        ...([visible, current, isAnythingDue, verdicts, clock] as const),
        isAway,
      );
    },
    next: () =>
      state.upcoming ? state.upcoming.asset : following(state, world()),
    step: (direction) => {
      orders.assertSteppable();
      commands.add({ kind: "stepped", by: direction === "next" ? 1 : -1 });
    },
    show: (assetId) => {
      orders.assertDue(assetId);
      commands.add({ kind: "ordered", request: { kind: "show", assetId } });
    },
    isAnythingDue: () => takeovers.current() !== null || watch.isAnythingDue(),
    schedule: watch.schedule,
    takeoverProblem: () => {
      const { takeoverProblem: problem } = state;
      const current = takeovers.current();
      return problem && problem.id === current?.id ? problem.reason : null;
    },
    onFault: faultEvent.on,
    reportFault: (name, reason) =>
      faultEvent.emit({
        ...{ assetId: null, name, reason, isCover: false },
        at: clock.now(),
      }),
    onShowing: showingChanged.on,
  };
}

interface Timer {
  /** Replaces the timer armed before. The callback receives how late it fired, in milliseconds. */
  arm(ms: number, over: (lateMs: number) => void): void;
  stop(): void;
}

function createTimer(clock: Clock): Timer {
  let stop = (): void => undefined;
  return {
    arm: (ms, over) => {
      stop();
      const dueAt = clock.monotonic() + ms;
      stop = clock.after(ms, () => over(clock.monotonic() - dueAt));
    },
    stop: () => stop(),
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
