// A stage that only remembers what it was told, and fails what it is told to fail.

import { Failure } from "../../../server/core/failure.ts";
import type { LineupEntry } from "../../../server/core/schedule/schedule.ts";
import { withAudio, type Showing } from "../../../server/core/showing.ts";
import type {
  Disturbance,
  ScreenVerdict,
  Stage,
  StageLoss,
} from "../../../server/player/playback/stage.ts";

export interface RememberingStage extends Stage {
  /** Names of the slides that were on the glass, the newest last. */
  readonly shown: readonly string[];
  visible(): Showing | null;
  prepared(): Showing | null;
  /** Slides with these names cannot be prepared, for this reason. */
  fail(name: string, reason: string): void;
  heal(name: string): void;
  /** How often a slide with this name was to be prepared. */
  tried(name: string): number;
  /** Slides with these names are prepared, and then do not come up. */
  balk(name: string, reason: string): void;
  /** Slides with these names are on the glass, and it is not said before `arrive`. */
  linger(name: string): void;
  /** What has lingered longest is said to be shown, or to balk. */
  arrive(): void;
  /** Slides with these names never become ready. */
  stall(name: string): void;
  /** What was prepared last, and is not yet ready, now is. */
  ready(): void;
  /** The slide on the glass comes to its own end. */
  end(): void;
  failVisible(reason: string): void;
  /** A look at the glass finds this of the slide on it. */
  see(
    verdict: ScreenVerdict["verdict"],
    at?: number,
    tookMs?: number,
    isBlameless?: boolean,
  ): void;
  /** It is away, with what it held; only `restart` brings it back. */
  lose(): void;
  restart(loss?: StageLoss): void;
  /** It, or the graphics, stood still. */
  disturb(what: Disturbance): void;
  /** What it was told to keep for times without a store. */
  plan(): readonly LineupEntry[];
}

export function rememberingStage(): RememberingStage {
  const shown: string[] = [];
  const failing = new Map<string, string>();
  const tries = new Map<string, number>();
  const balking = new Map<string, string>();
  const lingering = new Set<string>();
  const stalling = new Set<string>();
  const arrivals: (() => void)[] = [];
  let ready = (): void => undefined;
  let isAway = false;
  let prepared: Showing | null = null;
  let visible: Showing | null = null;
  let ended = (_showingId: string): void => undefined;
  let failed = (_showingId: string, _reason: string): void => undefined;
  let restarted = (_loss: StageLoss): void => undefined;
  let disturbed = (_what: Disturbance): void => undefined;
  let plan: readonly LineupEntry[] = [];
  let judged = (_verdict: ScreenVerdict): void => undefined;

  return {
    shown,
    visible: () => visible,
    prepared: () => prepared,
    fail: (name, reason) => failing.set(name, reason),
    heal: (name) => failing.delete(name),
    tried: (name) => tries.get(name) ?? 0,
    balk: (name, reason) => balking.set(name, reason),
    linger: (name) => lingering.add(name),
    arrive: () => arrivals.shift()?.(),
    stall: (name) => stalling.add(name),
    ready: () => ready(),
    end: () => ended(visible?.id ?? ""),
    failVisible: (reason) => failed(visible?.id ?? "", reason),
    see: (verdict, at = 0, tookMs = 0, isBlameless = false) =>
      judged({
        ...{ showingId: visible?.id ?? "", verdict },
        ...{ at, tookMs, isBlameless },
      }),
    disturb: (what) => disturbed(what),
    onDisturbed: (listener) => {
      disturbed = listener;
    },
    plan: () => plan,
    keepPlan: (entries) => {
      plan = entries;
    },
    lose: () => {
      isAway = true;
      visible = null;
      prepared = null;
    },
    isAway: () => isAway,
    restart: (loss = "gone") => {
      isAway = false;
      visible = null;
      prepared = null;
      restarted(loss);
    },
    prepare: (showing) => {
      tries.set(showing.name, (tries.get(showing.name) ?? 0) + 1);
      const reason = failing.get(showing.name);
      if (reason !== undefined)
        return Promise.reject(new Failure("unavailable", reason));
      prepared = showing;
      return isAway || stalling.has(showing.name)
        ? new Promise<void>((resolve) => (ready = resolve))
        : Promise.resolve();
    },
    show: async (showingId) => {
      if (isAway) return new Promise(() => undefined);
      if (prepared?.id !== showingId)
        throw new Error("shown without being prepared");
      const { name } = prepared;
      const reason = balking.get(name);
      if (reason === undefined) {
        visible = prepared;
        prepared = null;
        shown.push(name);
      }
      if (lingering.has(name))
        await new Promise<void>((resolve) => arrivals.push(resolve));
      if (reason !== undefined) throw new Failure("unavailable", reason);
    },
    tune: (showingId, audio) => {
      if (visible?.id === showingId)
        visible = { ...visible, content: withAudio(visible.content, audio) };
    },
    onEnded: (listener) => {
      ended = listener;
    },
    onFailed: (listener) => {
      failed = listener;
    },
    onRestarted: (listener) => {
      restarted = listener;
    },
    onVerdict: (listener) => {
      judged = listener;
    },
  };
}
