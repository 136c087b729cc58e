// Which slide the glass wants next, and whether the one on it may stay: lineup, takeover and edge taken together.

import type { Asset } from "../core/asset.ts";
import type { Rotation } from "../core/rotation.ts";
import { canStay, contentKey } from "../core/slide.ts";
import type { HouseCard } from "../core/slide.ts";
import type { Faults } from "./director-faults.ts";
import { stagedCard, stagedTakeover, stagedTurn } from "./director-slides.ts";
import {
  isDueIn,
  isOrdered,
  onward,
  targetOf,
  type Situation,
  type Standing,
  type Wish,
} from "./director-wish.ts";
import type { Library } from "./library.ts";
import { leadMs, type LineupWatch, type Programme } from "./lineup-watch.ts";
import { isSame, type OnGlass, type Staged } from "./staged.ts";
import type { Clock } from "./stage.ts";
import type { Takeover, Takeovers } from "./takeover.ts";

export interface Wanted {
  /** Under an id of its own each time. */
  next(state: GlassState): Staged;
  isStillRight(staged: Staged): boolean;
  /** Even the card is better than this. */
  mustGo(staged: Staged): boolean;
  /** Whether it may, and can, stay for its time once more. */
  mayStay(staged: Staged): boolean;
  /** Whether what is late is a takeover or an order, and what is on the glass may stay: the programme's slide, or that takeover itself. */
  isWorthAWait(late: Staged, onGlass: Staged): boolean;
  /** What the rotation would come to without anybody's doing. */
  following(state: GlassState): Asset | null;
}

export interface GlassState {
  readonly standing: Standing;
  readonly wish: Wish;
  readonly onGlass: OnGlass | null;
  /** Its time is over, or somebody ordered something else. */
  readonly isTimeUp: boolean;
}

export interface WantedOptions {
  readonly watch: Pick<LineupWatch, "rotation" | "ahead">;
  readonly takeovers: Takeovers;
  readonly faults: Pick<Faults, "isAside">;
  readonly library: Library;
  readonly programme: Programme;
  readonly clock: Clock;
  readonly makeId: () => string;
  readonly card: () => HouseCard;
}

export function createWanted(options: WantedOptions): Wanted {
  const { watch, takeovers, faults, library, programme, clock } = options;
  const { makeId } = options;

  /** The takeover of this moment, unless it cannot be shown. */
  function activeTakeover(): Takeover | null {
    const takeover = takeovers.current();
    return takeover && !faults.isAside(takeover) ? takeover : null;
  }

  function assetOf(takeover: Takeover | null): Asset | null {
    if (takeover?.shown.kind !== "asset") return null;
    const { assetId } = takeover.shown;
    return library.assets().find(({ id }) => id === assetId) ?? null;
  }

  function isStillRight(staged: Staged): boolean {
    const takeover = activeTakeover();
    if (staged.takeover?.id !== takeover?.id) return false;
    if (!takeover) return isRightIn(watch.rotation(), staged);
    const asset = assetOf(takeover);
    return (
      asset === null ||
      staged.asset === null ||
      contentKey(asset) === contentKey(staged.asset)
    );
  }

  function isRightIn(rotation: Rotation, staged: Staged): boolean {
    if (staged.takeover) return true;
    if (staged.turn) return isDueIn(rotation, staged.turn);
    return rotation.entries.length === 0 && isSame(staged, card());
  }

  function card(): Staged {
    return stagedCard(options.card(), makeId());
  }

  function situationOf({ standing, wish, onGlass }: GlassState): Situation {
    return { rotation: watch.rotation(), standing, wish, onGlass };
  }

  /** As it will be when the glass next changes: where an edge comes first, what is due from then on. */
  function coming(state: GlassState): Situation {
    const { wish, onGlass, isTimeUp } = state;
    const situation = situationOf(state);
    const isQuiet =
      onGlass && wish === onward && !isTimeUp && isStillRight(onGlass);
    const edge = isQuiet ? watch.ahead() : null;
    if (!edge || !onGlass) return situation;
    const staysMs = endOf(onGlass) - edge.atMs;
    const isCut = !isRightIn(edge.rotation, onGlass);
    const isOverThen = staysMs >= 0 && (isCut || staysMs <= leadMs);
    return isOverThen ? { ...situation, rotation: edge.rotation } : situation;
  }

  /** When its time will be over, as wall milliseconds. */
  function endOf({ takeover, asset, slide, since }: OnGlass): number {
    if (takeover) return takeover.until ?? Infinity;
    const seconds = slide.durationSeconds ?? asset?.file?.lengthSeconds;
    if (seconds == null) return Infinity;
    return clock.now() + seconds * 1000 - (clock.monotonic() - since);
  }

  return {
    isStillRight,
    mustGo: (staged) =>
      staged.slide.content.kind !== "card" && !isStillRight(staged),
    mayStay: (staged) => isStillRight(staged) && canStay(staged.slide),
    isWorthAWait: (late, onGlass) => {
      if (!late.takeover && !isOrdered(late)) return false;
      if (onGlass.takeover) return onGlass.takeover.id === late.takeover?.id;
      return isRightIn(watch.rotation(), onGlass);
    },
    next: (state) => {
      const { onGlass, isTimeUp } = state;
      const manner = programme.manner();
      const takeover = activeTakeover();
      const isUp = onGlass?.takeover && !isTimeUp && isStillRight(onGlass);
      if (takeover && !isUp)
        return stagedTakeover(takeover, assetOf(takeover), makeId(), manner);
      const target = targetOf(coming(state));
      return target ? stagedTurn(target, makeId(), manner) : card();
    },
    following: (state) => {
      const situation = { ...situationOf(state), wish: onward };
      return targetOf(situation)?.turn.asset ?? null;
    },
  };
}
