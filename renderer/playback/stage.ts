// The stage's three layers: one is visible, one is prepared out of sight, one gives way. Beneath a page's view the prepared one comes
// to the front at once, at rest: taking the view away is the whole change then.

import type { Showing, ShowingReport } from "../../server/contract/ipc/ipc.ts";
import type { Transition } from "../../server/core/playlist.ts";
import {
  audioLeadMs,
  audioStartMs,
  type AudioSettings,
} from "../../server/core/showing.ts";
import { canFade, fadeIn } from "./fade.ts";
import { frameBegun, framePainted } from "./frame.ts";
import { createLayer, type Layer } from "./layer.ts";

export interface Stage {
  /** Loads a slide out of sight; it takes the place of one prepared but not shown. */
  prepare(showing: Showing): Promise<void>;
  /**
   * Swaps the prepared slide in and starts it. Any other slide is a page whose view covers the stage: rest beneath it.
   * `isBeneath`: such a view still covers the stage; the slide starts with `start`.
   */
  show(showingId: string, isBeneath?: boolean): Promise<void>;
  /** The slide swapped in beneath a page's view is visible now. */
  start(showingId: string): void;
  /** The end of the clip on the screen is reported so long before it, at most half its length. `isFade`: for a fade that ends with it. */
  lead(showingId: string, leadMs: number, isFade: boolean): void;
  /** What is on the glass is heard otherwise; any other slide is on it no more. */
  tune(showingId: string, audio: AudioSettings): void;
}

interface Change {
  readonly over: Promise<void>;
  hurry(): void;
}

/** A film at the back is painted again so long before the one on the glass ends: time enough on a slow machine. */
const aheadMs = 1000;
/** From a swap until it is drawn, at sixty pictures a second. */
const drawMs = 25;
/** How soon a clip that has not begun to play is looked at again. */
const notBegunMs = 1000;
/** Timers hold no more than 24 days. */
const maxWaitMs = 60_000;
/** How a layer at the back stands: being painted, painted but for one dot, painted and not drawn. */
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

  /** Counts prepare and show orders: what finishes under an earlier count came too late. */
  let generation = 0;
  let prepared: Showing | null = null;
  let visibleId: string | null = null;
  /** The last change: when it is over, and how to have it over at once. */
  let change: Change = { over: Promise.resolve(), hurry: () => undefined };
  /** The layer at the back may still be giving way to an earlier one. */
  let isBackFree = Promise.resolve();
  let isCovered = false;
  /** Starts the slide at the front, which is not visible yet. */
  let waiting: (() => void) | null = null;
  /** Until a film at the back is painted again. */
  let approach: ReturnType<typeof setTimeout> | undefined;
  /** Done once that is painted. */
  let painting = Promise.resolve();
  /** How long before its end the clip at the front gives way, and until then. */
  let leadMs = 0;
  let giveWay: ReturnType<typeof setTimeout> | undefined;
  /** Told of once: a clip that gave way early comes to its end as well. */
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
        // Before the first slide nothing is spared by it.
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

  /** Until shortly before the film on the glass ends; any other change brings it back by itself. */
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
        // A film that stands still for a while ends later.
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
      // A film without sound has nothing to be followed up without a gap: it plays to its last frame.
      if (leftMs <= 0 && !isFade && clip.untilAudibleMs() === null) return;
      if (leftMs <= 0) ended(showingId);
      // One that has not begun, or stands still for a while, ends later.
      else giveWay = setTimeout(wait, Math.min(leftMs, notBegunMs));
    };
    wait();
  }

  function ended(showingId: string): void {
    if (showingId === endedShowingId) return;
    endedShowingId = showingId;
    report({ outcome: "ended", showingId });
  }

  async function show(showingId: string, isBeneath = false): Promise<void> {
    const mine = ++generation;
    clearTimeout(approach);
    const showing = prepared;
    prepared = null;
    waiting = null;
    if (showing?.id !== showingId) {
      // What it holds stays as a still: should the page be lost, the screen is not black.
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
    // Prepared beneath a page's view, it is at the front already.
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
    // Another has taken its place while an earlier change came to its end.
    if (!isStill()) return;
    const painted = framePainted();
    if (!isBeneath) {
      // A film that starts before its layer is drawn is never seen from its first frame on.
      if (showing.content.kind !== "audio" && !isSwapped) await frameBegun();
      start(showingId);
    }
    if (!isSwapped) await painted;
    // Painted is not drawn yet, and what lies beneath a page is drawn late.
    if (!isSwapped && isBeneath) await framePainted();
    report({ outcome: "shown", showingId });
  }

  function start(showingId: string): void {
    if (showingId !== visibleId) return;
    const begin = waiting;
    waiting = null;
    begin?.();
  }

  /** What is heard and about to end is followed without a gap: started before the end by what it takes to be heard. */
  async function startAtEnd(
    going: Layer,
    coming: Layer,
    act: () => void,
  ): Promise<void> {
    const leftMs = Math.max(
      0,
      going.leftMs(0) - (going.isAudio() ? 0 : drawMs),
    );
    // Whatever else it is, an order does not wait.
    if (leftMs > audioLeadMs || going.untilAudibleMs() === null) return;
    const audibleAfterMs = coming.untilAudibleMs();
    if (audibleAfterMs === null) return pause(leftMs);
    const startMs = audioStartMs(leftMs, audibleAfterMs);
    await pause(startMs);
    act();
    await pause(leftMs - startMs);
  }

  /** The prepared layer comes to the front. */
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
    // The compositor still holds the old picture for a frame: taking it away now would show.
    await framePainted();
    going.release();
  }

  function tune(showingId: string, audio: AudioSettings): void {
    if (showingId === visibleId && !isCovered) front.tune(audio);
  }

  return { prepare, show, start, lead, tune };
}

/**
 * Painted above the others once, too faint to see; then kept there but for one dot. So showing it is a mere swap:
 * what is covered need not be painted at all, and a covered video hands no frame on and would come in black.
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
