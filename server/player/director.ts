// What is on the stage now: asks for the lineup, steps the rotation, hands over the slide, keeps the time.

import type { Asset } from "../core/asset.ts";
import { Failure } from "../core/failure.ts";
import { placeOf, startPlace, step, type Place } from "../core/rotation.ts";
import {
  canStay,
  contentKey,
  houseCardSlide,
  slideOf,
  type HouseCard,
  type Slide,
} from "../core/slide.ts";
import type { Log } from "../platform/log.ts";
import { createAnnouncement } from "./announcement.ts";
import type { Library } from "./library.ts";
import { createLineupWatch } from "./lineup-watch.ts";
import {
  isSame,
  reasonFor,
  type Fault,
  type ShowingReason,
  type Staged,
} from "./staged.ts";
import type { Clock, Stage } from "./stage.ts";

/** What the glass shows and what follows. Times are wall milliseconds. */
export interface Showing {
  readonly slide: Slide;
  readonly reason: ShowingReason;
  readonly sinceMs: number;
  readonly untilMs: number | null;
}

export interface Director {
  start(): void;
  stop(): void;
  showing(): Showing | null;
  next(): Asset | null;
  /** Throws `not-found` when nothing is due. */
  step(direction: "next" | "previous"): void;
  /** Something the card tells has changed. */
  look(): void;
  /** Shows an asset once; then the lineup goes on from where it was (V2-21). Throws `not-found`. */
  show(assetId: string): void;
  onShowing(listener: () => void): () => void;
  /** Something could not be shown; the rest plays on. */
  onFault(listener: (fault: Fault) => void): () => void;
}

export interface DirectorOptions {
  readonly library: Library;
  readonly stage: Stage;
  readonly clock: Clock;
  readonly makeId: () => string;
  readonly card: () => HouseCard;
  readonly log: Log;
}

/** What comes after the current slide: so many steps on, unless somebody asked for something else. */
type Wish =
  | { readonly kind: "step"; readonly by: number }
  | { readonly kind: "show"; readonly assetId: string; readonly once: boolean }
  | { readonly kind: "card" };

const onward: Wish = { kind: "step", by: 1 };

/** A slide that is due but not ready is waited for this long; then another takes its turn. */
const patienceMs = 3000;
/** How soon the house card is tried again when even that failed. */
const cardAgainMs = 1000;

export function createDirector(options: DirectorOptions): Director {
  const { library, stage, clock, makeId, card, log } = options;
  const watch = createLineupWatch(library, clock, look);
  const showingChanged = createAnnouncement();
  const faulted = createAnnouncement<Fault>();

  let lineup: readonly Asset[] = [];
  let place = startPlace;
  let wish = onward;
  /** The wish that the swap under way fulfils. */
  let wishInHand: Wish | null = null;
  let onGlass: (Staged & { since: number; sinceMs: number }) | null = null;
  let upcoming: (Staged & { ready: boolean }) | null = null;
  /** The current slide's time is over: swap as soon as the next one is ready. */
  let isDue = true;
  let isSwapping = false;
  let isStopped = false;
  let stopEndTimer = (): void => undefined;
  let stopPatience = (): void => undefined;
  /** Holds what is on the glass and what is prepared against the lineup of this moment. */
  function look(): void {
    lineup = watch.lineup();
    if (isSwapping) return;
    if (onGlass && !isStillRight(onGlass)) isDue = true;
    else if (onGlass?.asset) refreshDuration(onGlass);
    prepareWanted();
    if (isDue) advance();
  }

  function isStillRight(staged: Staged): boolean {
    if (!staged.asset)
      return lineup.length === 0 && isSame(staged, houseCard(staged.slide.id));
    const current = lineup.find((asset) => asset.id === staged.asset?.id);
    return (
      current !== undefined && contentKey(current) === contentKey(staged.asset)
    );
  }

  /** Name and duration may change while the slide stays where it is. */
  function refreshDuration(current: NonNullable<typeof onGlass>): void {
    const asset = lineup.find(({ id }) => id === current.asset?.id);
    if (!asset || asset === current.asset) return;
    const slide = slideOf(asset, current.slide.id);
    const isOtherDuration =
      slide.durationSeconds !== current.slide.durationSeconds;
    const isOtherName = slide.name !== current.slide.name;
    onGlass = { ...current, asset, slide };
    if (isOtherDuration && !isDue) armEnd(onGlass);
    if (isOtherDuration || isOtherName) showingChanged.tell();
  }

  function wanted(): Staged {
    const id = makeId();
    const target = wish.kind === "card" ? null : wantedPlace(wish);
    const asset = lineup.find((entry) => entry.id === target?.assetId);
    if (!asset || !target) return houseCard(id);
    const isExtra = wish.kind === "show" && wish.once;
    return {
      slide: slideOf(asset, id),
      asset,
      place: isExtra ? null : target,
    };
  }

  function houseCard(id: string): Staged {
    return { slide: houseCardSlide(card(), id), asset: null, place: null };
  }

  function wantedPlace(of: Exclude<Wish, { kind: "card" }>): Place | null {
    if (of.kind === "show")
      return placeOf(lineup, of.assetId) ?? step(lineup, place, 1);
    return step(lineup, place, of.by);
  }

  function prepareWanted(): void {
    const next = wanted();
    if (!isDue && isSame(next, onGlass) && canStay(next.slide)) {
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
    stopPatience();
    stopPatience = () => undefined;
    upcoming = { ...next, ready: false };
    const { slide } = next;
    stage.prepare(slide).then(
      () => {
        if (upcoming?.slide.id !== slide.id || isStopped) return;
        upcoming = { ...upcoming, ready: true };
        if (next.asset?.problem) library.setProblem(next.asset.id, null);
        if (isDue) advance();
      },
      (error: unknown) => {
        if (upcoming?.slide.id === slide.id && !isStopped)
          giveUp(next, reasonOf(error));
      },
    );
  }

  /** The slide cannot be shown: its reason is noted, the rest plays on. */
  function giveUp(staged: Staged, reason: string): void {
    if (upcoming?.slide.id === staged.slide.id) upcoming = null;
    const { assetId, name } = staged.slide;
    faulted.tell({ assetId, name, reason, at: clock.now() });
    if (staged.asset) {
      log.warn("slide.failed", { asset: staged.asset.id, reason });
      watch.setAside(staged.asset);
      if (wish.kind === "show") wish = onward;
      library.setProblem(staged.asset.id, reason);
      watch.planLook();
    } else {
      // The house card needs nothing but the stage: without that there is nothing better to try than again.
      log.error("card.failed", { reason });
      clock.after(cardAgainMs, watch.planLook);
    }
  }

  function advance(): void {
    if (isSwapping || isStopped) return;
    if (!upcoming) {
      if (onGlass && isStillRight(onGlass)) stayOn(onGlass);
      return;
    }
    if (upcoming.ready) {
      void swap(upcoming);
      return;
    }
    const waitedFor = upcoming.slide.id;
    stopPatience();
    stopPatience = clock.after(patienceMs, () => {
      if (upcoming?.slide.id === waitedFor && isDue) skipLate(upcoming);
    });
  }

  /** It follows itself and can stay: only its time begins anew. */
  function stayOn(current: NonNullable<typeof onGlass>): void {
    isDue = false;
    wish = onward;
    onGlass = { ...current, since: clock.monotonic(), sinceMs: clock.now() };
    armEnd(onGlass);
    showingChanged.tell();
    watch.planLook();
  }

  /** Late slides are replaced, not waited for; with nothing in their place, the card replaces what must go. */
  function skipLate(late: Staged): void {
    if (late.asset && late.place) {
      const after = step(lineup, late.place, 1);
      if (
        after &&
        after.assetId !== late.asset.id &&
        after.assetId !== onGlass?.asset?.id
      ) {
        log.warn("slide.late", { asset: late.asset.id });
        place = late.place;
        wish = onward;
        prepareWanted();
        advance();
        return;
      }
    }
    if (onGlass && !isStillRight(onGlass) && onGlass.asset) {
      wish = { kind: "card" };
      prepareWanted();
      advance();
    }
  }

  async function swap(next: Staged): Promise<void> {
    isSwapping = true;
    wishInHand = wish;
    stopPatience();
    stopEndTimer();
    try {
      await stage.show(next.slide.id);
      if (isStopped || upcoming?.slide.id !== next.slide.id) return;
      // An order that came during the swap still stands.
      isDue = wish !== wishInHand;
      if (!isDue) wish = onward;
      if (next.place) place = next.place;
      onGlass = { ...next, since: clock.monotonic(), sinceMs: clock.now() };
      upcoming = null;
      armEnd(onGlass);
      log.info("slide.shown", {
        asset: next.asset?.id ?? null,
        kind: next.slide.content.kind,
      });
      showingChanged.tell();
    } catch (error) {
      if (!isStopped && upcoming?.slide.id === next.slide.id)
        giveUp(next, reasonOf(error));
    } finally {
      isSwapping = false;
      wishInHand = null;
      watch.planLook();
    }
  }

  function armEnd(current: NonNullable<typeof onGlass>): void {
    stopEndTimer();
    const { durationSeconds, id } = current.slide;
    if (durationSeconds === null) return;
    const passed = clock.monotonic() - current.since;
    stopEndTimer = clock.after(
      Math.max(0, durationSeconds * 1000 - passed),
      () => ended(id),
    );
  }

  function ended(slideId: string): void {
    if (onGlass?.slide.id !== slideId || isSwapping) return;
    isDue = true;
    advance();
  }

  function order(next: Wish): void {
    wish = next;
    isDue = true;
    if (isSwapping) return;
    prepareWanted();
    advance();
  }

  /** Steps asked for while one is still under way add up. */
  function orderStep(by: number): void {
    const isPending = wish !== onward && wish !== wishInHand;
    const before = isPending && wish.kind === "step" ? wish.by : 0;
    order({ kind: "step", by: before + by });
  }

  stage.onEnded(ended);
  stage.onFailed((slideId, reason) => {
    if (onGlass?.slide.id !== slideId) return;
    isDue = true;
    giveUp(onGlass, reason);
  });
  stage.onRestarted(() => {
    const lost = onGlass;
    onGlass = null;
    upcoming = null;
    isDue = true;
    isSwapping = false;
    stopEndTimer();
    if (lost?.asset)
      wish = {
        kind: "show",
        assetId: lost.asset.id,
        once: lost.place === null,
      };
    watch.planLook();
  });
  return {
    start: watch.start,
    look: watch.planLook,
    stop: () => {
      isStopped = true;
      watch.stop();
      stopEndTimer();
      stopPatience();
    },
    showing: () => {
      if (!onGlass) return null;
      const { slide, sinceMs, since } = onGlass;
      const lasts = slide.durationSeconds;
      const untilMs =
        lasts === null
          ? null
          : clock.now() + lasts * 1000 - (clock.monotonic() - since);
      const reason = reasonFor(onGlass, watch.isAnythingDue());
      return { slide, reason, sinceMs, untilMs };
    },
    next: () => {
      if (upcoming) return upcoming.asset;
      const following = wantedPlace({ kind: "step", by: 1 });
      return lineup.find(({ id }) => id === following?.assetId) ?? null;
    },
    step: (direction) => {
      if (lineup.length === 0)
        throw new Failure("not-found", "Nothing is due on the screen.");
      orderStep(direction === "next" ? 1 : -1);
    },
    show: (assetId) => {
      const asset = library.asset(assetId);
      if (placeOf(lineup, assetId) === null)
        throw new Failure(
          "not-found",
          `The asset ${assetId} is not due: ${whyNot(asset, clock.now())}.`,
        );
      order({ kind: "show", assetId, once: true });
    },
    onShowing: showingChanged.on,
    onFault: faulted.on,
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function whyNot(asset: Asset, moment: number): string {
  if (!asset.isEnabled) return "it is disabled";
  if (asset.isProcessing) return "its file is not here yet";
  if (asset.startsAt !== null && moment < asset.startsAt)
    return "its start date is still to come";
  if (asset.endsAt !== null && moment >= asset.endsAt)
    return "its end date has passed";
  return asset.problem ?? "it cannot be shown at the moment";
}
