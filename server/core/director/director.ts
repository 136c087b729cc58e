// Director, as a state machine (state, event, world) → (state, effects): decides what to show, when to replace it, and what to
// blame for a failure.

import type { Asset } from "../asset.ts";
import { startPlace, type Place } from "../schedule/ordered-lineup.ts";
import {
  canStay,
  contentKey,
  isSameAudio,
  loopsToFillDuration,
  roundLeadMs,
  audioOf,
  type Showing,
  type AudioSettings,
} from "../showing.ts";
import * as quarantine from "./quarantine.ts";
import {
  afterOf,
  atStart,
  isOrdered,
  onward,
  playheadAfter,
  type ScreenRequest,
} from "./playhead.ts";
import { plannedEntry, refreshed } from "./plan-showing.ts";
import {
  isSame,
  type VisibleShowing,
  type ScreenTakeover,
  type PlannedShowing,
} from "./planned-showing.ts";
import {
  isStillRight,
  isWorthAWait,
  mayStay,
  mustGo,
  nextShowing,
  takeoverSubject,
  type ScreenState,
  type World,
} from "./next-showing.ts";
import {
  noVerdicts,
  verdictOf,
  withoutLast,
  withVerdict,
  type Verdict,
  type Verdicts,
} from "./verification-results.ts";

/** Reports about one showing. */
type ShowingEvent =
  | { readonly kind: "ended"; readonly showingId: string }
  | {
      readonly kind: "failed";
      readonly showingId: string;
      readonly reason: string;
    };

export type DirectorEvent =
  /** What is due, the takeover, a setting or the clock may have changed. */
  | { readonly kind: "due-changed" }
  | { readonly kind: "prepared"; readonly showingId: string }
  | {
      readonly kind: "not-prepared";
      readonly showingId: string;
      readonly reason: string;
    }
  | { readonly kind: "shown"; readonly showingId: string }
  | {
      readonly kind: "not-shown";
      readonly showingId: string;
      readonly reason: string;
    }
  | ShowingEvent
  /** A fresh copy of it, which refreshes it on the screen, could not be loaded, or, with null, has been. */
  | {
      readonly kind: "refreshed";
      readonly showingId: string;
      readonly problem: string | null;
    }
  /** The timeout that was armed for it has expired. */
  | { readonly kind: "late"; readonly showingId: string }
  | { readonly kind: "seen"; readonly verdict: Verdict }
  | { readonly kind: "ordered"; readonly request: ScreenRequest }
  /** Steps requested while one is still under way add up. */
  | { readonly kind: "stepped"; readonly by: number }
  | { readonly kind: "pause-changed" }
  /** The stage was lost and has restarted, with nothing on it. */
  | { readonly kind: "stage-lost" }
  /** The stage or the graphics process hung or crashed: anything late or blank in the meantime is not to blame (V2-411). */
  | { readonly kind: "stage-silent" }
  | { readonly kind: "graphics-lost" }
  /** With this page, the graphics process hung or crashed twice: its view is closed (V2-735). Unproven, it only rests. */
  | {
      readonly kind: "graphics-blamed";
      readonly showingId: string;
      readonly assetId: string | null;
      readonly isProven: boolean;
    }
  /** Content for the screen could not be fetched (V2-663); what is visible stays as it is. */
  | { readonly kind: "network-lost" }
  /** What has sound could not become ready, or stood still (V2-728). */
  | { readonly kind: "audio-lost" }
  /** Too few file descriptors are left to start anything: a failure now may be due to that (V2-653). */
  | { readonly kind: "descriptors-few" }
  /** This process itself was blocked: what it waited for may have been ready long ago. */
  | { readonly kind: "held-up" }
  /** Data to be saved could not be written; playback continues. */
  | { readonly kind: "disk-refused"; readonly lost: number };

export type DirectorEffect =
  | { readonly kind: "prepare"; readonly showing: Showing }
  | { readonly kind: "show"; readonly showingId: string }
  | {
      readonly kind: "tune";
      readonly showingId: string;
      readonly audio: AudioSettings;
    }
  /** Sends `ended` for it after `afterMs`; there is only one such timer. */
  | {
      readonly kind: "arm-end";
      readonly showingId: string;
      readonly afterMs: number;
    }
  | { readonly kind: "stop-end" }
  /** Sends `late` for it after `afterMs`; there is only one such timer. */
  | {
      readonly kind: "arm-late";
      readonly showingId: string;
      readonly afterMs: number;
    }
  | { readonly kind: "stop-late" }
  /** Sends `due-changed` after `afterMs`. */
  | { readonly kind: "check"; readonly afterMs: number }
  /** The set of assets waiting for their next try has changed. */
  | { readonly kind: "waits-changed" }
  /** Stored with the asset. */
  | {
      readonly kind: "remark";
      readonly assetId: string;
      readonly problem: string | null;
    }
  | {
      readonly kind: "fault";
      /** Null for the idle screen and for a message. */
      readonly assetId: string | null;
      readonly name: string;
      readonly reason: string;
      /** It was shown, but something else covered it. */
      readonly isCover: boolean;
    }
  | {
      readonly kind: "log";
      readonly level: "info" | "warn" | "error";
      readonly event: string;
      readonly fields: Readonly<Record<string, unknown>>;
    }
  /** The reported status of the screen has changed. */
  | { readonly kind: "showing-changed" };

interface TakeoverTrial {
  readonly id: string;
  readonly failures: number;
  /** Something else was shown since the last failure: the stage is not the cause. */
  readonly isOtherShown: boolean;
}

interface Upcoming extends PlannedShowing {
  readonly isReady: boolean;
  /** Steady time of the prepare request. */
  readonly since: number;
  /** Why it is an older copy than it should be. */
  readonly copyProblem?: string;
}

export interface DirectorState extends ScreenState {
  /** Prefix of the ids of showings. */
  readonly seed: string;
  readonly made: number;
  /** The swap under way, and the request it fulfils. */
  readonly swapping: {
    readonly showingId: string;
    readonly request: ScreenRequest;
    /** The showing it replaces had reached its end. */
    readonly isOver: boolean;
  } | null;
  readonly upcoming: Upcoming | null;
  /** Its time is over, but a pause keeps it on screen. */
  readonly keptShowingId: string | null;
  /** Reports about showings during a swap: what is visible is only known after it (V2-350). */
  readonly meanwhile: readonly ShowingEvent[];
  /** The showing that is waited for, and since when. */
  readonly waited: {
    readonly showingId: string;
    readonly ms: number;
    readonly since: number;
  } | null;
  /** Consecutive late showings since one was shown. */
  readonly latesInARow: number;
  /** Failures and losses of assets. */
  readonly ledger: quarantine.Ledger;
  readonly verdicts: Verdicts;
  /** Assets with a noted problem. */
  readonly remarked: ReadonlySet<string>;
  /** Steady time at which stage, graphics or this process last hung. */
  readonly disturbedAt: number;
  /** Steady time at which descriptors last were scarce. */
  readonly fewAt: number;
  /** What was on the stage, or being loaded, when the stage was found lost; null while it is up. */
  readonly gone: { readonly with: PlannedShowing | null } | null;
  /** Losses of the stage with the takeover since it was last verified on screen. */
  readonly takeoverLosses: number;
  /** Failures of a takeover since it was last verified on screen (V2-600). */
  readonly takeoverTrial: TakeoverTrial | null;
  /** Why the takeover cannot be shown. */
  readonly takeoverProblem: {
    readonly id: string;
    readonly reason: string;
  } | null;
}

export interface Reduced {
  readonly state: DirectorState;
  readonly effects: readonly DirectorEffect[];
}

/** How long a showing that is due but not ready is waited for; then another one is shown. */
const timeoutMs = 3000;
/** A takeover or a request is worth a longer wait, as long as what is visible may stay. */
const longTimeoutMs = 10_000;
/** Longer than a stage needs to report a failed swap itself. */
const maxSwapMs = 15_000;
/** Retry interval of the idle screen if even that failed. */
const cardAgainMs = 1000;
/** What was started without descriptors may fail this much later. */
const fewMs = 20_000;
const notReady = "The asset did not load in time.";
const notShown = "The asset was not displayed in time.";
const stageLost =
  "The playback window's process ended while the asset was loading or playing.";

const graphicsLost =
  "The graphics process hung or crashed twice while the page was loading or shown.";
/** Rest of a page that may be the cause: long enough for the graphics process to hang without it. */
const graphicsRestMs = 60_000;

export function directorAtStart(seed: string): DirectorState {
  return {
    ...{ seed, made: 0, playhead: atStart, request: onward },
    ...{ visible: null, upcoming: null, swapping: null, isTimeUp: false },
    ...{ keptShowingId: null, meanwhile: [], waited: null, latesInARow: 0 },
    ...{
      ledger: quarantine.emptyLedger,
      takeoverLedger: quarantine.emptyLedger,
    },
    ...{ verdicts: noVerdicts, remarked: new Set(), disturbedAt: -Infinity },
    fewAt: -Infinity,
    ...{ gone: null, takeoverLosses: 0, takeoverTrial: null },
    takeoverProblem: null,
  };
}

export function reduce(
  state: DirectorState,
  event: DirectorEvent,
  world: World,
): Reduced {
  const step: Step = { state: { ...state }, world, effects: [] };
  take(step, event);
  return { state: step.state, effects: step.effects };
}

/** Work on one event: the state so far, and the effects. */
interface Step {
  readonly state: {
    -readonly [Field in keyof DirectorState]: DirectorState[Field];
  };
  readonly world: World;
  readonly effects: DirectorEffect[];
}

function take(step: Step, event: DirectorEvent): void {
  const { state, world } = step;
  // Requests to a stage that is already gone have nothing to do with its loss.
  if (world.isAway) state.gone ??= { with: likeliest(state) };
  switch (event.kind) {
    case "due-changed":
      return check(step);
    case "prepared":
      return prepared(step, event.showingId);
    case "not-prepared":
      if (state.upcoming?.showing.id === event.showingId)
        giveUp(step, state.upcoming, event.reason);
      return;
    case "shown":
      if (state.swapping?.showingId === event.showingId) shown(step);
      return;
    case "not-shown":
      if (state.swapping?.showingId === event.showingId)
        swapFailed(step, event.reason);
      return;
    case "ended":
    case "failed":
      return showingEvent(step, event);
    case "refreshed":
      return freshCopy(step, event);
    case "late":
      return late(step, event.showingId);
    case "seen":
      return seen(step, event.verdict);
    case "ordered":
      return order(step, event.request);
    case "stepped": {
      const { request, swapping } = state;
      const isPending = request !== onward && request !== swapping?.request;
      const before = isPending && request.kind === "step" ? request.by : 0;
      return order(step, { kind: "step", by: before + event.by });
    }
    case "pause-changed":
      return pauseChanged(step);
    case "stage-lost":
      return stageRestarted(step);
    case "stage-silent":
    case "graphics-lost":
      pardon(step);
      state.disturbedAt = world.steady;
      state.verdicts = withoutLast(state.verdicts);
      step.effects.push({ kind: "showing-changed" });
      return later(step);
    case "graphics-blamed":
      return graphicsBlamed(step, event);
    case "network-lost":
    case "audio-lost":
      pardon(step);
      state.disturbedAt = world.steady;
      return later(step);
    case "descriptors-few":
      pardon(step);
      state.disturbedAt = world.steady;
      state.fewAt = world.steady;
      return later(step);
    case "held-up":
      state.disturbedAt = world.steady;
      return;
    case "disk-refused":
      fault(step, null, {
        name: "Disk",
        reason: `The disk cannot be written to: ${event.lost} log entries were lost.`,
      });
  }
}

/** Swap as soon as the next showing is ready. */
function isDue({ state, world }: Step): boolean {
  return (
    state.isTimeUp ||
    !state.visible ||
    !isStillRight(state, world, state.visible)
  );
}

/** Nothing is visible, or something that must not stay. */
function isBare({ state, world }: Step): boolean {
  return !state.visible || mustGo(state, world, state.visible);
}

/** Compares what is visible and what is prepared with what is due now. */
function check(step: Step): void {
  const { state, world } = step;
  if (state.swapping) return;
  if (state.visible && isStillRight(state, world, state.visible))
    refresh(step, state.visible);
  prepareNext(step);
  if (isDue(step)) advance(step);
}

/** An end or timeout while the stage is away is checked again after this time. */
const awayMs = 1_000;

function later(step: Step, afterMs = 0): void {
  step.effects.push({ kind: "check", afterMs });
}

function refresh(step: Step, current: VisibleShowing): void {
  const { state, world, effects } = step;
  const now = refreshed(current, world.lineup, world.presentationDefaults);
  state.visible = now;
  const { showing: before } = current;
  const { id, name, durationSeconds, content } = now.showing;
  const audio = audioOf(content);
  if (audio && !isSameAudio(audio, audioOf(before.content)))
    effects.push({ kind: "tune", showingId: id, audio });
  const isOtherDuration = durationSeconds !== before.durationSeconds;
  if (isOtherDuration && !state.isTimeUp) armEnd(step, now);
  if (isOtherDuration || name !== before.name)
    effects.push({ kind: "showing-changed" });
}

function armEnd(step: Step, { showing, since }: VisibleShowing): void {
  const { state, world, effects } = step;
  const { durationSeconds, id } = showing;
  if (durationSeconds === null) {
    effects.push({ kind: "stop-end" });
    return;
  }
  const leadMs = roundLeadMs(showing, state.upcoming?.showing ?? null);
  const leftMs = durationSeconds * 1000 - leadMs - (world.steady - since);
  effects.push({
    ...{ kind: "arm-end", showingId: id, afterMs: Math.max(0, leftMs) },
  });
}

function prepareNext(step: Step): void {
  const { state, world, effects } = step;
  const id = `${state.seed}-${state.made + 1}`;
  const next = nextShowing(state, world, id);
  const { upcoming } = state;
  if (!isDue(step) && isSame(next, state.visible) && canStay(next.showing)) {
    state.upcoming = null;
    return;
  }
  if (upcoming && isSame(next, upcoming)) {
    const showing = { ...next.showing, id: upcoming.showing.id };
    const { isReady, since } = upcoming;
    const { copyProblem } = upcoming;
    state.upcoming = {
      ...{ ...next, showing, isReady, since },
      ...(copyProblem !== undefined && { copyProblem }),
    };
    return;
  }
  stopWaiting(step);
  state.made += 1;
  state.upcoming = { ...next, isReady: false, since: world.steady };
  effects.push({ kind: "prepare", showing: next.showing });
}

function prepared(step: Step, showingId: string): void {
  const { state } = step;
  if (state.upcoming?.showing.id !== showingId) return;
  state.upcoming = { ...state.upcoming, isReady: true };
  state.ledger = quarantine.becameReady(state.ledger);
  state.takeoverLedger = quarantine.becameReady(state.takeoverLedger);
  if (isDue(step)) return advance(step);
  // When it is replaced depends on the transition to the next one.
  if (state.visible && loopsToFillDuration(state.visible.showing))
    armEnd(step, state.visible);
}

function advance(step: Step): void {
  const { state, world } = step;
  const { upcoming, visible } = state;
  if (state.swapping) return;
  if (!upcoming) {
    if (visible && isStillRight(state, world, visible)) stayOn(step, visible);
    return;
  }
  if (upcoming.isReady) return swap(step, upcoming);
  const isWorthIt = visible && isWorthAWait(world, upcoming, visible);
  waitFor(step, upcoming.showing.id, isWorthIt ? longTimeoutMs : timeoutMs);
}

/** Once per showing, however often it is called. */
function waitFor(step: Step, showingId: string, ms: number): void {
  const { state, world, effects } = step;
  const before = state.waited?.showingId === showingId ? state.waited : null;
  if (before?.ms === ms) return;
  const since = before?.since ?? world.steady;
  state.waited = { showingId, ms, since };
  const afterMs = Math.max(0, ms - (world.steady - since));
  effects.push({ kind: "arm-late", showingId, afterMs });
}

function stopWaiting({ state, effects }: Step): void {
  if (!state.waited) return;
  state.waited = null;
  effects.push({ kind: "stop-late" });
}

function swap(step: Step, next: PlannedShowing): void {
  const { state, effects } = step;
  stopWaiting(step);
  const { request, isTimeUp: isOver } = state;
  state.swapping = { showingId: next.showing.id, request, isOver };
  effects.push({ kind: "show", showingId: next.showing.id });
  waitFor(step, next.showing.id, maxSwapMs);
}

function shown(step: Step): void {
  const { state, world, effects } = step;
  const { swapping, upcoming: next, visible: before } = state;
  if (!swapping || !next) return;
  // A request that arrived during the swap is still pending.
  state.isTimeUp = state.request !== swapping.request;
  if (!state.isTimeUp) state.request = onward;
  state.playhead = playheadAfter(state.playhead, before, next, {
    ...{ lineup: world.lineup, isOver: swapping.isOver },
  });
  if (before) leftInOrder(step, before);
  state.visible = { ...next, since: world.steady, sinceMs: world.wall };
  state.upcoming = null;
  state.latesInARow = 0;
  armEnd(step, state.visible);
  const { asset, takeover, showing } = next;
  effects.push({
    ...{ kind: "log", level: "info", event: "showing.shown" },
    fields: { asset: asset?.id ?? null, kind: showing.content.kind },
  });
  if (next.copyProblem !== undefined)
    outOfDate(step, state.visible, next.copyProblem);
  else if (asset && (asset.problem || state.remarked.has(asset.id)))
    remark(step, asset, null);
  if (takeover) state.takeoverProblem = null;
  else if (state.takeoverTrial)
    state.takeoverTrial = { ...state.takeoverTrial, isOtherShown: true };
  effects.push({ kind: "showing-changed" });
  swapOver(step);
}

function swapFailed(step: Step, reason: string): void {
  const { upcoming } = step.state;
  if (upcoming) giveUp(step, upcoming, reason);
  swapOver(step);
}

function swapOver(step: Step): void {
  const { state } = step;
  state.swapping = null;
  stopWaiting(step);
  later(step);
  const visibleId = state.visible?.showing.id;
  const due = state.meanwhile.filter(
    ({ showingId }) => showingId === visibleId,
  );
  // Handling the first of these may start another swap.
  state.meanwhile = [];
  for (const event of due) showingEvent(step, event);
}

/** It follows itself and can stay: only its time starts again. */
function stayOn(step: Step, current: VisibleShowing): void {
  const { state, world, effects } = step;
  // Moves the playhead to it; otherwise a showing on request would follow itself forever.
  const next = nextShowing(state, world, current.showing.id);
  const isNextEntry = next.place !== null && isSame(next, current);
  if (isNextEntry)
    state.playhead = playheadAfter(state.playhead, current, next, {
      ...{ lineup: world.lineup, isOver: true },
    });
  const place = isNextEntry ? next.place : current.place;
  state.isTimeUp = false;
  state.request = onward;
  state.visible = {
    ...{ ...current, place },
    ...{ since: world.steady, sinceMs: world.wall },
  };
  armEnd(step, state.visible);
  effects.push({ kind: "showing-changed" });
  later(step);
}

function late(step: Step, showingId: string): void {
  const { state, world, effects } = step;
  if (world.isAway) {
    effects.push({ kind: "arm-late", showingId, afterMs: awayMs });
    return;
  }
  // This wait is over: the next one has a deadline of its own.
  if (state.waited?.showingId === showingId) state.waited = null;
  if (state.swapping?.showingId === showingId)
    return swapFailed(step, notShown);
  if (state.swapping || state.upcoming?.showing.id !== showingId) return;
  if (!isDue(step)) return;
  const { upcoming } = state;
  state.latesInARow += 1;
  if (upcoming.takeover) takeoverLate(step, upcoming);
  else if (isOrdered(upcoming)) dropOrdered(step, upcoming);
  else passLate(step, upcoming);
}

function takeoverLate(step: Step, upcoming: Upcoming): void {
  const { state } = step;
  const isBehind = quarantine.isBehind(
    state.ledger,
    upcoming.asset?.id ?? null,
  );
  // Only once: the next time it waits for itself alone.
  state.ledger = quarantine.becameReady(state.ledger);
  if (!isBehind) return giveUp(step, upcoming, notReady, "late");
  state.upcoming = null;
  rest(step, upcoming);
}

/** Replaces a late showing instead of waiting for it; without a replacement, the idle screen replaces what must not stay. */
function passLate(step: Step, showing: PlannedShowing): void {
  const { state, effects } = step;
  const after = afterOf(step.world.lineup, showing);
  // An empty screen, or one with outdated content, is not left standing for more than two of them.
  const isUrgent = isBare(step) && state.latesInARow > 1;
  if (after) {
    effects.push({
      ...{ kind: "log", level: "warn", event: "showing.late" },
      fields: { asset: showing.asset?.id },
    });
    state.request = onward;
    suspect(step, showing);
    return passOver(step, showing, after, isUrgent);
  }
  if (isBare(step)) showCard(step);
}

function showCard(step: Step): void {
  step.state.request = { kind: "card" };
  prepareNext(step);
  advance(step);
}

/** It had its time (V2-366): if it also comes next in the lineup, that skips it, too. */
function dropOrdered(step: Step, ordered: PlannedShowing): void {
  const { state } = step;
  state.request = onward;
  stopWaiting(step);
  suspect(step, ordered, true);
  prepareNext(step);
  const next =
    state.upcoming?.showing.id === ordered.showing.id ? state.upcoming : null;
  const after = next && afterOf(step.world.lineup, next);
  if (next && after) passOver(step, next, after, false);
  else if (next) passLate(step, next);
  else if (isDue(step)) advance(step);
}

function passOver(
  step: Step,
  showing: PlannedShowing,
  after: Place,
  isUrgent: boolean,
): void {
  const { state, world } = step;
  const { visible } = state;
  const { place, cuts } = state.playhead;
  state.playhead = {
    ...state.playhead,
    place: showing.place ?? place,
    // A showing that was cut and is late now does not come back first.
    cuts: cuts.filter((cut) => cut.playlistId !== showing.entry?.playlistId),
  };
  if (visible?.entry?.id === after.entryId && mayStay(state, world, visible)) {
    state.playhead = { ...state.playhead, place: after };
    stopWaiting(step);
    return stayOn(step, visible);
  }
  if (isUrgent) return showCard(step);
  prepareNext(step);
  if (isDue(step)) advance(step);
}

function showingEvent(step: Step, event: ShowingEvent): void {
  const { state } = step;
  const { swapping, visible } = state;
  const isOther = visible?.showing.id !== event.showingId;
  if (
    swapping &&
    (event.kind === "ended" || swapping.showingId === event.showingId)
  ) {
    const isKnown = !isOther || swapping.showingId === event.showingId;
    if (isKnown && state.meanwhile.length < maxMeanwhile)
      state.meanwhile = [...state.meanwhile, event];
    return;
  }
  if (isOther || !visible) return;
  if (event.kind === "ended") ended(step, visible);
  else broke(step, visible, event.reason);
}

/** An end and a failure for both showings, plus some reserve. */
const maxMeanwhile = 10;

function ended(step: Step, visible: VisibleShowing): void {
  const { state, world, effects } = step;
  // Nobody saw its end: it is restored with the stage, or ends when it is visible again.
  if (world.isAway) {
    const showingId = visible.showing.id;
    effects.push({ kind: "arm-end", showingId, afterMs: awayMs });
    return;
  }
  if (world.isPaused && !visible.takeover) {
    state.keptShowingId = visible.showing.id;
    return;
  }
  leftInOrder(step, visible);
  if (visible.asset) {
    state.ledger = quarantine.played(state.ledger, visible.asset.id);
  }
  // What was prepared for a coming edge may not be what comes now; after a takeover it is the next one anyway.
  if (!visible.takeover) prepareNext(step);
  state.isTimeUp = true;
  if (visible.takeover) prepareNext(step);
  advance(step);
}

function leftInOrder({ state }: Step, planned: PlannedShowing): void {
  state.ledger = quarantine.stood(state.ledger, planned.asset?.id ?? null);
}

function broke(step: Step, visible: VisibleShowing, reason: string): void {
  const { state } = step;
  state.isTimeUp = true;
  // It may have left the screen: that it was verified before no longer counts (V2-727).
  if (verdictOf(state.verdicts, visible.showing.id)?.verdict === "verified")
    state.verdicts = withoutLast(state.verdicts);
  step.effects.push({ kind: "showing-changed" });
  giveUp(step, visible, reason);
}

function pauseChanged(step: Step): void {
  const { state, world, effects } = step;
  const keptShowingId = state.keptShowingId;
  if (!world.isPaused) state.keptShowingId = null;
  effects.push({ kind: "showing-changed" });
  if (keptShowingId !== null && !world.isPaused)
    showingEvent(step, { kind: "ended", showingId: keptShowingId });
}

function order(step: Step, request: ScreenRequest): void {
  const { state } = step;
  state.request = request;
  state.isTimeUp = true;
  if (state.swapping) return;
  stopWaiting(step);
  prepareNext(step);
  advance(step);
}

function stageRestarted(step: Step): void {
  const { state, world, effects } = step;
  const { visible: before } = state;
  const { with: wasWithIt } = state.gone ?? { with: likeliest(state) };
  state.gone = null;
  const isExtra = before?.place === null;
  if (before?.entry)
    state.request = { kind: "put-back", entryId: before.entry.id, isExtra };
  state.visible = null;
  state.upcoming = null;
  state.isTimeUp = false;
  state.swapping = null;
  state.meanwhile = [];
  state.keptShowingId = null;
  state.disturbedAt = world.steady;
  state.verdicts = withoutLast(state.verdicts);
  stopWaiting(step);
  effects.push({ kind: "stop-end" });
  pardon(step);
  lostWith(step, wasWithIt);
  later(step);
}

/** What was being loaded or swapped in is the likelier cause for a loss of the stage. */
function likeliest({
  upcoming,
  swapping,
  visible,
}: Pick<
  DirectorState,
  "upcoming" | "swapping" | "visible"
>): PlannedShowing | null {
  return upcoming && (swapping || !upcoming.isReady) ? upcoming : visible;
}

function lostWith(step: Step, planned: PlannedShowing | null): void {
  const { state, world, effects } = step;
  if (!planned) return;
  const { asset, takeover } = planned;
  const subject = asset && !takeover ? subjectOf(asset) : null;
  if (takeover) takeoverLost(step, takeover);
  const outcome = quarantine.lost(state.ledger, subject, world.steady);
  state.ledger = outcome.ledger;
  if (outcome.quarantineState)
    note(step, planned, stageLost, outcome.quarantineState);
  effects.push({ kind: "waits-changed" });
}

/**
 * Takeovers are not blamed. One that may be the cause leaves the screen to the schedule for a moment; a text is too simple to be
 * the cause.
 */
function takeoverLost(step: Step, takeover: ScreenTakeover): void {
  const { state, world } = step;
  state.takeoverLosses += 1;
  if (state.takeoverLosses < 2 || needsOnlyStage(takeover)) return;
  const subject = takeoverSubject(takeover);
  const { takeoverLedger: ledger } = state;
  state.takeoverLedger = quarantine.setAside(ledger, subject, world.steady);
  later(step, quarantine.trialMs);
}

function graphicsBlamed(
  step: Step,
  {
    showingId,
    assetId,
    isProven,
  }: DirectorEvent & { readonly kind: "graphics-blamed" },
): void {
  const { state, world, effects } = step;
  const isIt = ({ showing: { id }, asset }: PlannedShowing): boolean =>
    id === showingId || (asset !== null && asset.id === assetId);
  const { upcoming, visible, swapping } = state;
  const entry = world.lineup.entries.find(({ asset }) => asset.id === assetId);
  const planned =
    [visible, upcoming].find((one) => one !== null && isIt(one)) ??
    (entry &&
      plannedEntry(
        { entry, place: startPlace, isExtra: true },
        showingId,
        world.presentationDefaults,
      ));
  if (visible && isIt(visible)) {
    state.isTimeUp = true;
    state.verdicts = withoutLast(state.verdicts);
    effects.push({ kind: "showing-changed" });
  }
  // A swap under way reports by itself that it failed.
  if (upcoming && isIt(upcoming) && !swapping) state.upcoming = null;
  later(step);
  if (!planned) return;
  const { asset, takeover } = planned;
  let quarantineState = { failures: 0, isQuarantined: false, until: 0 };
  if (takeover) {
    state.takeoverLedger = quarantine.setAside(
      state.takeoverLedger,
      takeoverSubject(takeover),
      world.steady,
      graphicsRestMs,
    );
    later(step, graphicsRestMs);
  } else if (asset && isProven) {
    const subject = subjectOf(asset);
    const outcome = quarantine.proven(state.ledger, subject, world.steady);
    state.ledger = outcome.ledger;
    quarantineState = outcome.quarantineState ?? quarantineState;
  } else if (asset)
    state.ledger = quarantine.setAside(
      state.ledger,
      subjectOf(asset),
      world.steady,
      graphicsRestMs,
    );
  effects.push({ kind: "waits-changed" });
  if (isProven) note(step, planned, graphicsLost, quarantineState);
}

function seen(step: Step, verdict: Verdict): void {
  const { state, effects } = step;
  const { visible } = state;
  if (visible?.showing.id !== verdict.showingId) return;
  // A verification from before the stage or the graphics hung proves nothing about the present.
  if (step.world.steady - (verdict.tookMs ?? 0) < state.disturbedAt) return;
  // A video that a pause keeps stands still at its end.
  if (state.keptShowingId === verdict.showingId) return;
  const before = verdictOf(state.verdicts, verdict.showingId);
  const { verdicts, problem } = withVerdict(
    state.verdicts,
    verdict,
    step.world.steady,
  );
  state.verdicts = verdicts;
  if (verdict.verdict === "verified") {
    state.ledger = quarantine.wasSeen(state.ledger);
    state.takeoverLedger = quarantine.wasSeen(state.takeoverLedger);
    state.takeoverLosses = 0;
    // Another takeover may still be on screen.
    if (visible.takeover?.id === state.takeoverTrial?.id)
      state.takeoverTrial = null;
  }
  if (problem?.isUnrecoverable && (visible.asset || visible.takeover)) {
    state.isTimeUp = true;
    giveUp(step, visible, problem.sentence, "blank");
  } else if (problem?.isEdge)
    fault(step, visible, {
      ...{ name: visible.showing.name, reason: problem.sentence },
      isCover: verdict.verdict === "wrong",
    });
  if (before?.verdict !== verdict.verdict)
    effects.push({ kind: "showing-changed" });
}

/** What is visible stays, but people should know that it is old (V2-740, V2-860). */
function freshCopy(
  step: Step,
  { showingId, problem }: DirectorEvent & { readonly kind: "refreshed" },
): void {
  const { state } = step;
  const { visible, upcoming, remarked } = state;
  if (upcoming?.showing.id === showingId) {
    const { copyProblem: _before, ...rest } = upcoming;
    state.upcoming =
      problem === null ? rest : { ...rest, copyProblem: problem };
    return;
  }
  if (visible?.showing.id !== showingId) return;
  if (problem !== null) outOfDate(step, visible, problem);
  else if (visible.asset && remarked.has(visible.asset.id))
    remark(step, visible.asset, null);
}

function outOfDate(step: Step, planned: PlannedShowing, problem: string): void {
  const { asset, showing } = planned;
  if (!asset) return;
  const isKnown = step.state.remarked.has(asset.id);
  const reason = `${problem} The last copy that loaded stays on the screen.`;
  remark(step, asset, reason);
  if (!isKnown) fault(step, planned, { name: showing.name, reason });
}

type Failing = "failed" | "blank" | "late";

/** It cannot be shown: the others continue to play. */
function giveUp(
  step: Step,
  planned: PlannedShowing,
  reason: string,
  how: Failing = "failed",
): void {
  const { state } = step;
  if (state.upcoming?.showing.id === planned.showing.id) {
    // The request it was to fulfil ends with it; a request made since remains (V2-370).
    const isItsOwn =
      !state.swapping || state.swapping.request === state.request;
    if (planned.entry && state.request.kind !== "step" && isItsOwn)
      state.request = onward;
    if (isDisturbed(step, state.upcoming)) {
      state.upcoming = null;
      return rest(step, planned);
    }
    state.upcoming = null;
  }
  // What is visible keeps reading and needs descriptors for that.
  if (areDescriptorsFew(step)) return rest(step, planned);
  hold(step, planned, reason, how);
}

/** Something else hung while it was being prepared. */
function isDisturbed(step: Step, { since }: Upcoming): boolean {
  return step.state.disturbedAt > since || areDescriptorsFew(step);
}

/** Recently enough that a failure may be due to that (V2-653). */
function areDescriptorsFew({ state, world }: Step): boolean {
  return world.steady - state.fewAt < fewMs;
}

/** Not at fault as far as is known: something else plays, then this again. */
function rest(step: Step, { asset, takeover }: PlannedShowing): void {
  const { state, world, effects } = step;
  if (asset && !takeover)
    state.ledger = quarantine.setAside(
      state.ledger,
      subjectOf(asset),
      world.steady,
    );
  effects.push({ kind: "waits-changed" });
  later(step, takeover || !asset ? cardAgainMs : 0);
}

function hold(
  step: Step,
  planned: PlannedShowing,
  reason: string,
  how: Failing,
): void {
  const { state, world, effects } = step;
  const { asset, takeover } = planned;
  if (!asset && !takeover) {
    // The idle screen needs only the stage: without that, retrying is the best option.
    effects.push({
      ...{ kind: "log", level: "error", event: "card.failed" },
      fields: { reason },
    });
    fault(step, planned, { name: planned.showing.name, reason });
    return later(step, cardAgainMs);
  }
  const judge = how === "blank" ? quarantine.blank : quarantine.failed;
  let quarantineState = takeover && takeoverFailed(step, takeover, how);
  if (asset) {
    const outcome = judge(state.ledger, subjectOf(asset), world.steady);
    state.ledger = outcome.ledger;
    quarantineState = outcome.quarantineState;
  }
  effects.push({ kind: "waits-changed" });
  if (quarantineState) note(step, planned, reason, quarantineState);
  if (!isShownAgain(state, takeover, how)) later(step);
}

/** Needs neither bytes nor a remote address: if it fails, the stage is the cause. */
function needsOnlyStage({ shown: { kind } }: ScreenTakeover): boolean {
  return kind === "text" || kind === "blank";
}

/** True for a text at its first failure, unless it timed out. */
function isShownAgain(
  { takeoverTrial }: Pick<DirectorState, "takeoverTrial">,
  takeover: ScreenTakeover | null,
  how: Failing,
): boolean {
  if (!takeover || !needsOnlyStage(takeover) || how === "late") return false;
  return takeoverTrial?.failures === 1;
}

/**
 * Judges one more failure of a takeover. Without evidence, that is before something else was shown in between, it rests for ten
 * seconds. A text never rests longer.
 */
function takeoverFailed(
  step: Step,
  takeover: ScreenTakeover,
  how: Failing,
): quarantine.QuarantineState | null {
  const { state, world } = step;
  const { id } = takeover;
  const isMessage = needsOnlyStage(takeover);
  const before = state.takeoverTrial?.id === id ? state.takeoverTrial : null;
  const failures = (before?.failures ?? 0) + 1;
  state.takeoverTrial = { id, failures, isOtherShown: false };
  const unproven = { failures, isQuarantined: false, until: world.steady };
  if (isShownAgain(state, takeover, how)) {
    later(step, cardAgainMs);
    return unproven;
  }
  const subject = takeoverSubject(takeover);
  const { takeoverLedger: ledger } = state;
  const outcome =
    !isMessage && before?.isOtherShown
      ? quarantine.failed(ledger, subject, world.steady)
      : {
          ledger: quarantine.setAside(ledger, subject, world.steady),
          quarantineState: unproven,
        };
  state.takeoverLedger = outcome.ledger;
  const again = outcome.quarantineState?.until ?? 0;
  later(step, Math.max(again - world.steady, quarantine.trialMs));
  return outcome.quarantineState;
}

/** It was late: the third time counts as a failure. If someone may be waiting for it, that is reported at once. */
function suspect(step: Step, planned: PlannedShowing, isAwaited = false): void {
  const { state, world, effects } = step;
  const { asset } = planned;
  later(step);
  if (!asset || isDisturbedNow(step, planned)) return;
  const outcome = quarantine.late(state.ledger, subjectOf(asset), world.steady);
  state.ledger = outcome.ledger;
  effects.push({ kind: "waits-changed" });
  const { quarantineState } = outcome;
  if (quarantineState && (isAwaited || quarantineState.isQuarantined))
    note(step, planned, notReady, quarantineState);
}

function isDisturbedNow(step: Step, { showing }: PlannedShowing): boolean {
  const { upcoming } = step.state;
  return upcoming?.showing.id === showing.id && isDisturbed(step, upcoming);
}

function pardon({ state, world, effects }: Step): void {
  const since = world.steady - quarantine.pardonMs;
  state.ledger = quarantine.pardoned(state.ledger, since);
  state.takeoverLedger = quarantine.pardoned(state.takeoverLedger, since);
  effects.push({ kind: "waits-changed" });
}

function note(
  step: Step,
  planned: PlannedShowing,
  reason: string,
  quarantineState: quarantine.QuarantineState,
): void {
  const { state, world, effects } = step;
  const { asset, takeover, showing } = planned;
  const text = sentence(reason, quarantineState, world);
  if (asset) {
    remark(step, asset, text);
    const { failures, isQuarantined } = quarantineState;
    effects.push({
      ...{ kind: "log", level: "warn" },
      event: isQuarantined ? "asset.quarantined" : "showing.failed",
      fields: { asset: asset.id, reason, failures },
    });
  }
  if (takeover) {
    const known = state.takeoverProblem;
    // It is retried every few seconds but reported once.
    if (known?.id === takeover.id && known.reason === text) return;
    state.takeoverProblem = { id: takeover.id, reason: text };
    effects.push({
      ...{ kind: "log", level: "warn", event: "takeover.failed" },
      fields: { takeover: takeover.id, reason },
    });
  }
  fault(step, planned, { name: showing.name, reason: text });
}

/** The reason, with the outcome for the asset. */
function sentence(
  reason: string,
  { failures, isQuarantined, until }: quarantine.QuarantineState,
  { wall, steady }: World,
): string {
  if (!isQuarantined) return reason;
  const again = Math.round((wall + until - steady) / 1000) * 1000;
  const when = new Date(again).toISOString().replace(".000Z", "Z");
  return `${reason} It has failed ${failures} times. Next try at ${when}.`;
}

function remark(
  { state, effects }: Step,
  { id }: Asset,
  problem: string | null,
): void {
  const remarked = new Set(state.remarked);
  if (problem === null) remarked.delete(id);
  else remarked.add(id);
  state.remarked = remarked;
  effects.push({ kind: "remark", assetId: id, problem });
}

function fault(
  { effects }: Step,
  planned: PlannedShowing | null,
  what: {
    readonly name: string;
    readonly reason: string;
    readonly isCover?: boolean;
  },
): void {
  effects.push({
    ...{ kind: "fault", name: what.name, reason: what.reason },
    assetId: planned?.showing.assetId ?? null,
    isCover: what.isCover ?? false,
  });
}

function subjectOf(asset: Asset): quarantine.Subject {
  return { id: asset.id, content: contentKey(asset) };
}
