// The stage's three layers: one is visible, one is prepared out of sight, one is on its way out. Beneath a page's view the prepared
// layer comes to the front immediately, at rest: the change then consists of removing the view.

import type { Showing, ShowingReport } from "../../server/contract/ipc/ipc.ts";
import type { Transition } from "../../server/core/playlist.ts";
import {
  audioLeadMs,
  audioStartMs,
  type AudioSettings,
} from "../../server/core/showing.ts";
import { canFade, fadeIn } from "./cross-fade.ts";
import { frameBegun, framePainted } from "./paint.ts";
import { createLayer, type Layer } from "./layer.ts";

export interface Stage {
  /** Loads a showing out of sight; replaces one that was prepared but not shown. */
  prepare(showing: Showing): void;
  /**
   * Swaps in the prepared showing and starts it. For any other id the showing is a page whose view covers the stage: the stage
   * rests beneath it. `isBeneath`: such a view still covers the stage; the showing starts with `start`.
   */
  show(showingId: string, isBeneath?: boolean): void;
  /** The showing swapped in beneath a page's view is visible now. */
  start(showingId: string): void;
  /**
   * The end of the clip on the screen is reported `leadMs` early, at most half its length. `isFade`: for a fade that ends with the
   * clip.
   */
  lead(showingId: string, leadMs: number, isFade: boolean): void;
  /** Changes the audio settings of the showing on the screen; any other showing is no longer on it. */
  tune(showingId: string, audio: AudioSettings): void;
}

interface Change {
  readonly over: Promise<void>;
  hurry(): void;
}

/** A video at the back is repainted this long before the one on the screen ends: enough time on a slow machine. */
const aheadMs = 1000;
/** From a swap until it is drawn, at sixty frames a second. */
const drawMs = 25;
/** How soon a clip that has not begun to play is checked again. */
const notBegunMs = 1000;
/** Timers are limited to 24 days. */
const maxWaitMs = 60_000;
/** States of a layer at the back: being painted, painted except for one pixel, painted and not drawn. */
const unseen = ["faint", "peeping", "away"] as const;

export function createStage(
  root: HTMLElement,
  report: (value: ShowingReport) => void,
): Stage {
  let front = createLayer();
  let back = createLayer();
  let idle = createLayer();
  root.append(idle.element, back.element, front.element);
  front.element.classList.add("front");

  /** Counts prepare and show orders: results of an earlier generation are dropped. */
  let generation = 0;
  let prepared: Showing | null = null;
  let visibleId: string | null = null;
  /** The latest change: when it is finished, and how to finish it immediately. */
  let change: Change = { over: Promise.resolve(), hurry: () => undefined };
  /** The layer at the back may still be leaving because of an earlier change. */
  let isBackFree = Promise.resolve();
  let isCovered = false;
  /** Starts the showing at the front, which is not visible yet. */
  let waiting: (() => void) | null = null;
  /** Runs until a video at the back is repainted. */
  let approach: ReturnType<typeof setTimeout> | undefined;
  /** Resolves once that is painted. */
  let painting = Promise.resolve();
  /** How long before its end the clip at the front is replaced, and the timer for it. */
  let leadMs = 0;
  let giveWay: ReturnType<typeof setTimeout> | undefined;
  /** Reported once: a clip that was replaced early also reaches its end. */
  let endedShowingId: string | null = null;

  async function prepare(showing: Showing): Promise<void> {
    const mine = ++generation;
    clearTimeout(approach);
    prepared = null;
    const layer = back;
    await isBackFree;
    if (mine !== generation) return;
    try {
      layer.element.classList.remove(...unseen);
      await layer.load(showing.content);
      if (mine !== generation) return;
      if (isCovered) {
        await swapIn("cut");
        await framePainted();
        // Before the first showing there is nothing on the screen to protect.
      } else if (!front.isEmpty()) await paintUnseen(layer);
      if (mine !== generation) return;
      if (showing.content.kind === "video") putAway(layer);
      prepared = showing;
      report({ outcome: "ready", showingId: showing.id });
    } catch (error) {
      if (mine !== generation) return;
      layer.release();
      report({
        outcome: "failed",
        showingId: showing.id,
        reason: sentenceOf(error),
      });
    }
  }

  /** Hides the layer until shortly before the video on the screen ends; any other change brings it back by itself. */
  function putAway(layer: Layer): void {
    layer.element.classList.replace("peeping", "away");
    schedulePaint(layer);
  }

  function schedulePaint(layer: Layer): void {
    clearTimeout(approach);
    if (!layer.element.classList.contains("away")) return;
    const wait = (): void => {
      const leftMs = front.leftMs(leadMs + aheadMs);
      if (leftMs <= 0) painting = paintUnseen(layer);
      else if (leftMs < Infinity)
        // A video that stalls for a while ends later.
        approach = setTimeout(wait, Math.min(leftMs, maxWaitMs));
    };
    wait();
  }

  function lead(showingId: string, newLeadMs: number, isFade: boolean): void {
    clearTimeout(giveWay);
    if (showingId !== visibleId || isCovered) return;
    leadMs = isFade && !canFade() ? 0 : newLeadMs;
    schedulePaint(back);
    if (leadMs === 0) return;
    const clip = front;
    const wait = (): void => {
      if (clip !== front || showingId !== visibleId) return;
      const leftMs = clip.leftMs(leadMs);
      // A video without sound has no gap to avoid before the next one: it plays to its last frame.
      if (leftMs <= 0 && !isFade && clip.untilAudibleMs() === null) return;
      if (leftMs <= 0) ended(showingId);
      // A clip that has not begun, or stalls for a while, ends later.
      else giveWay = setTimeout(wait, Math.min(leftMs, notBegunMs));
    };
    wait();
  }

  function ended(showingId: string): void {
    if (showingId === endedShowingId) return;
    endedShowingId = showingId;
    report({ outcome: "ended", showingId });
  }

  /** Without a report the player would wait for this showing until its deadline. */
  const orFailed =
    (showingId: string) =>
    (error: unknown): void =>
      report({ outcome: "failed", showingId, reason: sentenceOf(error) });

  async function show(showingId: string, isBeneath: boolean): Promise<void> {
    const mine = ++generation;
    clearTimeout(approach);
    const showing = prepared;
    prepared = null;
    waiting = null;
    if (showing?.id !== showingId) {
      // Its last frame stays as a still: if the page is lost, the screen does not go black.
      front.rest();
      isCovered = true;
      await isBackFree;
      if (mine !== generation) return;
      back.element.classList.remove(...unseen);
      back.release();
      return;
    }
    visibleId = showingId;
    leadMs = 0;
    clearTimeout(giveWay);
    // Prepared beneath a page's view, the layer is at the front already.
    const isSwapped = isCovered;
    isCovered = false;
    const started = isSwapped ? front : back;
    waiting = () =>
      started.start({
        onEnded: () => ended(showingId),
        onFailed: (reason) => report({ outcome: "failed", showingId, reason }),
      });
    const isStill = (): boolean => !isCovered && showingId === visibleId;
    if (showing.transition === "cut" && !isSwapped)
      await startAtEnd(front, started, () => isStill() && start(showingId));
    if (!isSwapped && isStill()) await swapIn(showing.transition);
    // Another showing has replaced it while an earlier change was finishing.
    if (!isStill()) return;
    const painted = framePainted();
    if (!isBeneath) {
      // A video that starts before its layer is drawn is never seen from its first frame.
      if (showing.content.kind !== "audio" && !isSwapped) await frameBegun();
      start(showingId);
    }
    if (!isSwapped) await painted;
    // Painted does not mean drawn yet, and what is below a page is drawn late.
    if (!isSwapped && isBeneath) await framePainted();
    report({ outcome: "shown", showingId });
  }

  function start(showingId: string): void {
    if (showingId !== visibleId) return;
    const begin = waiting;
    waiting = null;
    begin?.();
  }

  /** Gapless audio: the next one starts before the end of the current one, by the latency until it is audible. */
  async function startAtEnd(
    going: Layer,
    coming: Layer,
    act: () => void,
  ): Promise<void> {
    const leftMs = Math.max(
      0,
      going.leftMs(0) - (going.isAudio() ? 0 : drawMs),
    );
    // In all other cases, an order does not wait.
    if (leftMs > audioLeadMs || going.untilAudibleMs() === null) return;
    const audibleAfterMs = coming.untilAudibleMs();
    if (audibleAfterMs === null) return pause(leftMs);
    const startMs = audioStartMs(leftMs, audibleAfterMs);
    await pause(startMs);
    act();
    await pause(leftMs - startMs);
  }

  /** Brings the prepared layer to the front. */
  async function swapIn(transition: Transition): Promise<void> {
    const before = change;
    const [coming, going] = [back, front];
    [front, back, idle] = [coming, idle, going];
    isBackFree = before.over;
    before.hurry();
    await before.over;
    await painting;
    if (coming.element.classList.contains("away")) await paintUnseen(coming);
    const fades =
      transition === "cross-fade" &&
      !going.isEmpty() &&
      !isCovered &&
      canFade();
    coming.element.classList.remove(...unseen);
    coming.element.classList.add("coming");
    const fade = fades ? fadeIn(coming.element) : null;
    if (fade) going.fadeOut(fade.lastsMs);
    change = {
      over: finishTransition(coming, going, fade?.done),
      hurry: () => fade?.hurry(),
    };
  }

  async function finishTransition(
    coming: Layer,
    going: Layer,
    faded: Promise<void> | undefined,
  ): Promise<void> {
    await faded;
    going.rest();
    coming.element.classList.replace("coming", "front");
    going.element.classList.remove("front");
    // The compositor still holds the old image for a frame: removing it now would be visible.
    await framePainted();
    going.release();
  }

  function tune(showingId: string, audio: AudioSettings): void {
    if (showingId === visibleId && !isCovered) front.tune(audio);
  }

  return {
    prepare: (showing) => {
      prepare(showing).catch(orFailed(showing.id));
    },
    show: (showingId, isBeneath = false) => {
      show(showingId, isBeneath).catch(orFailed(showingId));
    },
    ...{ start, lead, tune },
  };
}

/**
 * Paints the layer once above the others, too faint to see, then keeps it there except for one pixel. Showing it is then a mere
 * swap: a covered layer need not be painted at all, and a covered video delivers no frames and would come in black.
 */
async function paintUnseen(layer: Layer): Promise<void> {
  const { classList } = layer.element;
  classList.remove("away");
  classList.add("faint");
  await framePainted();
  await framePainted();
  classList.replace("faint", "peeping");
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
