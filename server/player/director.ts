// What is on the stage now: takes what is wanted next, hands it over when its time has come, keeps the time.

import type { Asset } from "../core/asset.ts";
import type { Place } from "../core/rotation.ts";
import type { Schedule } from "../core/schedule.ts";
import { canStay, isSameSound, soundOf } from "../core/slide.ts";
import type { HouseCard } from "../core/slide.ts";
import type { Log } from "../platform/log.ts";
import { createAnnouncement } from "./announcement.ts";
import { createFaults } from "./director-faults.ts";
import { createMeanwhile } from "./director-meanwhile.ts";
import { createOrders } from "./director-orders.ts";
import { refreshed } from "./director-refresh.ts";
import { showingOf, type Showing } from "./director-showing.ts";
import { createDirectorTimers } from "./director-timers.ts";
import { createVerdicts } from "./director-verdict.ts";
import { createWanted } from "./director-wanted.ts";
import {
  afterOf,
  atStart,
  isOrdered,
  onward,
  standingAfter,
  type Wish,
} from "./director-wish.ts";
import type { Library } from "./library.ts";
import type { Pause } from "./pause.ts";
import { createLineupWatch, type Programme } from "./lineup-watch.ts";
import { isSame, type Fault, type OnGlass, type Staged } from "./staged.ts";
import type { Clock, GlassVerdict, Stage } from "./stage.ts";
import type { Takeovers } from "./takeover.ts";

export interface Director {
  start(): void;
  stop(): void;
  showing(): Showing | null;
  next(): Asset | null;
  /** Throws `not-found` when nothing is due, `conflict` while a takeover has the screen. */
  step(direction: "next" | "previous"): void;
  /** Something the card tells has changed. */
  look(): void;
  /** Shows an asset once; then the lineup goes on from where it was (V2-21). Throws as `step` does. */
  show(assetId: string): void;
  /** Something is due now, or has taken the screen over. */
  isAnythingDue(): boolean;
  /** What is due at any moment, and why. */
  schedule(): Schedule;
  /** Why the takeover of this moment cannot be shown; null while nothing is known against it. */
  takeoverProblem(): string | null;
  onShowing(listener: () => void): () => void;
  /** Something could not be shown; the rest plays on. */
  onFault(listener: (fault: Fault) => void): () => void;
  /** Something that is no slide does not work. */
  tellFault(name: string, reason: string): void;
}

export interface DirectorOptions {
  readonly library: Library;
  readonly programme: Programme;
  readonly takeovers: Takeovers;
  readonly pause: Pause;
  readonly stage: Stage;
  readonly clock: Clock;
  /** From 0 to before 1; shuffled rounds are drawn with it. */
  readonly chance: () => number;
  readonly makeId: () => string;
  readonly card: () => HouseCard;
  /** Nothing is ever put on the stage. */
  readonly isStill?: boolean;
  readonly log: Log;
}

/** A slide that is due but not ready is waited for this long; then another takes its turn. */
const patienceMs = 3000;
/** A takeover or an order is worth a longer wait, as long as what is on the glass may stay there. */
const longPatienceMs = 10_000;
const notReady = "It was not ready in time.";

export function createDirector(options: DirectorOptions): Director {
  const { library, programme, takeovers, pause, stage, clock, log } = options;
  const watch = createLineupWatch({
    ...{ library, programme, clock, chance: options.chance, look },
    alsoAt: () => takeovers.current()?.until ?? null,
  });
  const faults = createFaults({ library, watch, clock, log });
  const wanted = createWanted({ ...options, watch, faults });
  const orders = createOrders({ ...options, watch, faults });
  const verdicts = createVerdicts();
  const timers = createDirectorTimers(clock);
  const meanwhile = createMeanwhile();
  const showingChanged = createAnnouncement();

  let standing = atStart;
  let wish = onward;
  /** The swap under way, and the wish it fulfils. */
  let swapping: { readonly slideId: string; readonly wish: Wish } | null = null;
  let onGlass: OnGlass | null = null;
  let upcoming: (Staged & { ready: boolean }) | null = null;
  /** The current slide's time is over, or somebody ordered something else. */
  let isTimeUp = false;
  let isStopped = false;
  /** Its time is over, but a pause keeps it. */
  let keptSlideId: string | null = null;
  const state = () => ({ standing, wish, onGlass, isTimeUp });

  /** Swap as soon as the next one is ready. */
  function isDue(): boolean {
    return isTimeUp || !onGlass || !wanted.isStillRight(onGlass);
  }

  /** Holds what is on the glass and what is prepared against the lineup of this moment. */
  function look(): void {
    if (swapping || options.isStill) return;
    if (onGlass && wanted.isStillRight(onGlass)) refresh(onGlass);
    prepareWanted();
    if (isDue()) advance();
  }

  function refresh(current: OnGlass): void {
    onGlass = refreshed(current, watch.rotation(), programme.manner());
    const { slide: before } = current;
    const { id, name, durationSeconds, content } = onGlass.slide;
    const sound = soundOf(content);
    if (sound && !isSameSound(sound, soundOf(before.content)))
      stage.tune?.(id, sound);
    const isOtherDuration = durationSeconds !== before.durationSeconds;
    if (isOtherDuration && !isTimeUp) timers.armEnd(onGlass, ended);
    if (isOtherDuration || name !== before.name) showingChanged.tell();
  }

  function prepareWanted(): void {
    const next = wanted.next(state());
    if (!isDue() && isSame(next, onGlass) && canStay(next.slide)) {
      upcoming = null;
      return;
    }
    if (upcoming && isSame(next, upcoming)) {
      const slide = { ...next.slide, id: upcoming.slide.id };
      upcoming = { ...next, slide, ready: upcoming.ready };
      return;
    }
    prepare(next);
  }

  function prepare(next: Staged): void {
    timers.forgetLate();
    upcoming = { ...next, ready: false };
    const { slide } = next;
    stage.prepare(slide).then(
      () => {
        if (upcoming?.slide.id !== slide.id || isStopped) return;
        upcoming = { ...upcoming, ready: true };
        if (isDue()) advance();
      },
      (error: unknown) => {
        if (upcoming?.slide.id === slide.id && !isStopped)
          giveUp(next, reasonOf(error));
      },
    );
  }

  /** It cannot be shown: the rest plays on. */
  function giveUp(staged: Staged, reason: string): void {
    if (upcoming?.slide.id === staged.slide.id) {
      // What it was to fulfil is over with it; what was ordered since stands (V2-370).
      const isItsOwn = !swapping || swapping.wish === wish;
      if (staged.turn && wish.kind !== "step" && isItsOwn) wish = onward;
      upcoming = null;
    }
    faults.failed(staged, reason);
  }

  function advance(): void {
    if (swapping || isStopped) return;
    if (!upcoming) {
      if (onGlass && wanted.isStillRight(onGlass)) stayOn(onGlass);
      return;
    }
    if (upcoming.ready) {
      void swap(upcoming);
      return;
    }
    const late = upcoming;
    const isWorthIt = onGlass && wanted.isWorthAWait(late, onGlass);
    const waitMs = isWorthIt ? longPatienceMs : patienceMs;
    timers.waitFor(late.slide.id, waitMs, () => {
      if (stage.isAway?.() || upcoming?.slide.id !== late.slide.id) return;
      if (isDue()) skipLate(upcoming);
    });
  }

  /** It follows itself and can stay: only its time begins anew. */
  function stayOn(current: OnGlass): void {
    isTimeUp = false;
    wish = onward;
    onGlass = { ...current, since: clock.monotonic(), sinceMs: clock.now() };
    timers.armEnd(onGlass, ended);
    showingChanged.tell();
    watch.planLook();
  }

  /** Late slides are replaced, not waited for; with nothing in their place, the card replaces what must go. */
  function skipLate(late: Staged): void {
    if (late.takeover) return giveUp(late, notReady);
    if (isOrdered(late)) return dropOrdered(late);
    const after = afterOf(watch.rotation(), late);
    if (after) {
      log.warn("slide.late", { asset: late.asset?.id });
      wish = onward;
      faults.suspected(late, notReady);
      passOver(late, after);
      return;
    }
    if (onGlass && wanted.mustGo(onGlass)) {
      wish = { kind: "card" };
      prepareWanted();
      advance();
    }
  }

  /** It had its time (V2-366): where it comes next in the lineup, too, that goes on past it. */
  function dropOrdered(late: Staged): void {
    wish = onward;
    timers.forgetLate();
    faults.missed(late, notReady);
    prepareWanted();
    const next = upcoming?.slide.id === late.slide.id ? upcoming : null;
    const after = next && afterOf(watch.rotation(), next);
    if (next && after) passOver(next, after);
    else if (next) skipLate(next);
    else if (isDue()) advance();
  }

  function passOver(late: Staged, after: Place): void {
    standing = { ...standing, place: late.place ?? standing.place };
    if (onGlass?.turn?.id === after.turnId && wanted.mayStay(onGlass)) {
      standing = { ...standing, place: after };
      timers.forgetLate();
      stayOn(onGlass);
      return;
    }
    prepareWanted();
    if (isDue()) advance();
  }

  async function swap(next: Staged): Promise<void> {
    const mine = { slideId: next.slide.id, wish };
    swapping = mine;
    const isOver = isTimeUp;
    timers.forgetLate();
    try {
      await stage.show(next.slide.id);
      // The stage was lost meanwhile: this change is nobody's any more.
      if (swapping !== mine) return;
      // An order that came during the swap still stands.
      isTimeUp = wish !== mine.wish;
      if (!isTimeUp) wish = onward;
      standing = standingAfter(standing, onGlass, next, {
        ...{ rotation: watch.rotation(), isOver },
      });
      onGlass = { ...next, since: clock.monotonic(), sinceMs: clock.now() };
      upcoming = null;
      timers.armEnd(onGlass, ended);
      log.info("slide.shown", {
        asset: next.asset?.id ?? null,
        kind: next.slide.content.kind,
      });
      faults.shown(next);
      showingChanged.tell();
    } catch (error) {
      if (swapping === mine && upcoming) giveUp(next, reasonOf(error));
    } finally {
      if (swapping === mine) {
        swapping = null;
        watch.planLook();
        meanwhile.over(onGlass?.slide.id);
      }
    }
  }

  function ended(slideId: string): void {
    if (swapping) return meanwhile.keep(slideId, () => ended(slideId));
    if (onGlass?.slide.id !== slideId) return;
    if (pause.until() !== null && !onGlass.takeover) {
      keptSlideId = slideId;
      return;
    }
    faults.played(onGlass);
    // What was prepared for an edge to come may not be what comes now; behind a takeover, it comes itself again.
    if (!onGlass.takeover) prepareWanted();
    isTimeUp = true;
    if (onGlass.takeover) prepareWanted();
    advance();
  }

  function pauseChanged(): void {
    const kept = keptSlideId;
    if (pause.until() === null) keptSlideId = null;
    showingChanged.tell();
    if (kept !== null && keptSlideId === null) ended(kept);
  }

  function order(next: Wish): void {
    wish = next;
    isTimeUp = true;
    if (swapping) return;
    timers.forgetLate();
    prepareWanted();
    advance();
  }

  /** Steps asked for while one is still under way add up. */
  function orderStep(by: number): void {
    const isPending = wish !== onward && wish !== swapping?.wish;
    const before = isPending && wish.kind === "step" ? wish.by : 0;
    order({ kind: "step", by: before + by });
  }

  const takeoverProblem = (): string | null => {
    const takeover = takeovers.current();
    return takeover && faults.problemOf(takeover);
  };

  function stageFailed(slideId: string, reason: string): void {
    if (swapping?.slideId === slideId)
      return meanwhile.keep(slideId, () => stageFailed(slideId, reason));
    if (onGlass?.slide.id !== slideId) return;
    isTimeUp = true;
    giveUp(onGlass, reason);
  }

  function stageRestarted(): void {
    const lost = onGlass;
    // What was being loaded or swapped in is the likelier reason.
    const suspect = upcoming && (swapping || !upcoming.ready) ? upcoming : lost;
    onGlass = null;
    upcoming = null;
    isTimeUp = false;
    swapping = null;
    meanwhile.over(undefined);
    timers.stopEnd();
    const isExtra = lost?.place === null;
    if (lost?.turn) wish = { kind: "put-back", turnId: lost.turn.id, isExtra };
    if (suspect) faults.suspected(suspect, "The stage was lost with it.");
    watch.planLook();
  }

  function glassSeen(seen: GlassVerdict): void {
    if (onGlass?.slide.id !== seen.slideId) return;
    // A film that a pause keeps stands still at its end.
    if (keptSlideId === seen.slideId) return;
    const before = verdicts.of(seen.slideId);
    const trouble = verdicts.hear(seen);
    if (trouble?.isHopeless && (onGlass.asset || onGlass.takeover))
      stageFailed(seen.slideId, trouble.sentence);
    else if (trouble?.isEdge)
      faults.noticed(onGlass, trouble.sentence, seen.verdict === "wrong");
    if (before?.verdict !== seen.verdict) showingChanged.tell();
  }

  stage.onEnded(ended);
  stage.onFailed(stageFailed);
  stage.onRestarted(stageRestarted);
  stage.onVerdict?.(glassSeen);
  const endings = [
    takeovers.onChanged(watch.planLook),
    pause.onChanged(pauseChanged),
  ];
  return {
    ...{ start: watch.start, look: watch.planLook },
    stop: () => {
      isStopped = true;
      swapping = null;
      watch.stop();
      faults.stop();
      for (const end of [...endings, timers.stopEnd, timers.forgetLate]) end();
    },
    showing: () => {
      if (!onGlass) return null;
      return showingOf(onGlass, watch.isAnythingDue, verdicts, clock);
    },
    next: () => (upcoming ? upcoming.asset : wanted.following(state())),
    step: (direction) => {
      orders.assertSteppable();
      orderStep(direction === "next" ? 1 : -1);
    },
    show: (assetId) => {
      orders.assertDue(assetId);
      order({ kind: "show", assetId });
    },
    isAnythingDue: () => takeovers.current() !== null || watch.isAnythingDue(),
    ...{ schedule: watch.schedule, takeoverProblem },
    ...{ onFault: faults.on, tellFault: faults.tell },
    onShowing: showingChanged.on,
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
