// Selects the next showing and decides whether the current one may stay, from lineup, takeover and the next edge.

import type { Asset } from "../asset.ts";
import type { OrderedLineup } from "../schedule/ordered-lineup.ts";
import { canStay, contentKey } from "../showing.ts";
import type { IdleScreen, PresentationDefaults } from "../showing.ts";
import { isWaiting, type Ledger, type Subject } from "./quarantine.ts";
import {
  isDueIn,
  isOrdered,
  onward,
  targetOf,
  type Playhead,
  type ScreenRequest,
  type Situation,
} from "./playhead.ts";
import {
  plannedIdleScreen,
  plannedTakeover,
  plannedEntry,
} from "./plan-showing.ts";
import {
  isSame,
  type VisibleShowing,
  type ScreenTakeover,
  type PlannedShowing,
} from "./planned-showing.ts";

/** Everything known outside the director at the moment of an event. */
export interface World {
  /** Wall and steady milliseconds. */
  readonly wall: number;
  readonly steady: number;
  /** What is due now, without assets that wait for their next try. */
  readonly lineup: OrderedLineup;
  /** What is due from the next edge on; null if that is far away or none is planned. */
  readonly ahead: {
    readonly atMs: number;
    readonly lineup: OrderedLineup;
  } | null;
  readonly takeover: ScreenTakeover | null;
  /** The asset that it shows; null if it shows none. */
  readonly takeoverAsset: Asset | null;
  readonly presentationDefaults: PresentationDefaults;
  readonly idleScreen: IdleScreen;
  readonly isPaused: boolean;
  /** The stage was lost and has not restarted yet (V2-353). */
  readonly isAway: boolean;
}

export interface ScreenState {
  readonly playhead: Playhead;
  readonly request: ScreenRequest;
  readonly visible: VisibleShowing | null;
  /** It has reached its end, or something else was requested. */
  readonly isTimeUp: boolean;
  /** Failures of takeovers. */
  readonly takeoverLedger: Ledger;
}

/** How long before an edge the showing for it is prepared: most pages have loaded by then. */
export const leadMs = 4000;

export function takeoverSubject({ id }: ScreenTakeover): Subject {
  return { id, content: "" };
}

/** The current takeover, unless it cannot be shown. */
export function activeTakeover(
  { takeoverLedger }: Pick<ScreenState, "takeoverLedger">,
  { takeover, steady }: Pick<World, "takeover" | "steady">,
): ScreenTakeover | null {
  if (!takeover) return null;
  const isAside = isWaiting(takeoverLedger, takeoverSubject(takeover), steady);
  return isAside ? null : takeover;
}

export function isStillRight(
  state: Pick<ScreenState, "takeoverLedger">,
  world: World,
  planned: PlannedShowing,
): boolean {
  const takeover = activeTakeover(state, world);
  if (planned.takeover?.id !== takeover?.id) return false;
  if (!takeover) return isRightIn(world.lineup, world, planned);
  const asset = world.takeoverAsset;
  return (
    asset === null ||
    planned.asset === null ||
    contentKey(asset) === contentKey(planned.asset)
  );
}

/** Even the idle screen is better than this. */
export function mustGo(
  state: Pick<ScreenState, "takeoverLedger">,
  world: World,
  planned: PlannedShowing,
): boolean {
  return (
    planned.showing.content.kind !== "card" &&
    !isStillRight(state, world, planned)
  );
}

/** Whether it may, and can, stay for its duration once more. */
export function mayStay(
  state: Pick<ScreenState, "takeoverLedger">,
  world: World,
  planned: PlannedShowing,
): boolean {
  return isStillRight(state, world, planned) && canStay(planned.showing);
}

/**
 * Whether what is late is a takeover or a request, and what is visible may stay: the scheduled showing, or that takeover itself.
 */
export function isWorthAWait(
  world: World,
  late: PlannedShowing,
  visible: PlannedShowing,
): boolean {
  if (!late.takeover && !isOrdered(late)) return false;
  if (visible.takeover) return visible.takeover.id === late.takeover?.id;
  return isRightIn(world.lineup, world, visible);
}

/** With this id. */
export function nextShowing(
  state: ScreenState,
  world: World,
  id: string,
): PlannedShowing {
  const { visible, isTimeUp } = state;
  const takeover = activeTakeover(state, world);
  const isUp =
    visible?.takeover && !isTimeUp && isStillRight(state, world, visible);
  if (takeover && !isUp)
    return plannedTakeover(
      takeover,
      world.takeoverAsset,
      id,
      world.presentationDefaults,
    );
  const target = targetOf(coming(state, world));
  return target
    ? plannedEntry(target, id, world.presentationDefaults)
    : plannedIdleScreen(world.idleScreen, id);
}

/** What the playhead leads to without a request. */
export function following(state: ScreenState, world: World): Asset | null {
  const situation = { ...situationOf(state, world), request: onward };
  return targetOf(situation)?.entry.asset ?? null;
}

function isRightIn(
  lineup: OrderedLineup,
  world: Pick<World, "idleScreen">,
  planned: PlannedShowing,
): boolean {
  if (planned.takeover) return true;
  if (planned.entry) return isDueIn(lineup, planned.entry);
  return (
    lineup.entries.length === 0 &&
    isSame(planned, plannedIdleScreen(world.idleScreen, ""))
  );
}

function situationOf(
  { playhead, request, visible }: ScreenState,
  { lineup }: World,
): Situation {
  return { lineup, playhead, request, visible };
}

/** The situation at the next change of the screen: if an edge comes first, what is due from then on. */
function coming(state: ScreenState, world: World): Situation {
  const { request, visible, isTimeUp } = state;
  const situation = situationOf(state, world);
  const isQuiet =
    visible &&
    request === onward &&
    !isTimeUp &&
    isStillRight(state, world, visible);
  const edge = isQuiet ? world.ahead : null;
  if (!edge || !visible) return situation;
  const staysMs = endOf(visible, world) - edge.atMs;
  const isCut = !isRightIn(edge.lineup, world, visible);
  const isOverThen = staysMs >= 0 && (isCut || staysMs <= leadMs);
  return isOverThen ? { ...situation, lineup: edge.lineup } : situation;
}

/** When it will end, in wall milliseconds. */
function endOf(
  { takeover, asset, showing, since }: VisibleShowing,
  { wall, steady, takeover: current }: World,
): number {
  if (takeover) return current?.until ?? Infinity;
  const seconds = showing.durationSeconds ?? asset?.file?.lengthSeconds;
  if (seconds == null) return Infinity;
  return wall + seconds * 1000 - (steady - since);
}
