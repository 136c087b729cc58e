// A fake stage that only records what it is given, and fails on request.

import { Failure } from "../../../server/core/failure.ts";
import type { LineupEntry } from "../../../server/core/schedule/schedule.ts";
import { withAudio, type Showing } from "../../../server/core/showing.ts";
import type {
  Disturbance,
  ScreenVerdict,
  Stage,
  GraphicsBlamed,
  StageLoss,
} from "../../../server/player/playback/stage.ts";

export interface RememberingStage extends Stage {
  /** Names of the showings that were on the screen, the newest last. */
  readonly shown: readonly string[];
  visible(): Showing | null;
  prepared(): Showing | null;
  /** Showings with these names cannot be prepared, for this reason. */
  fail(name: string, reason: string): void;
  heal(name: string): void;
  /** How often preparing a showing with this name was requested. */
  tried(name: string): number;
  /** Showings with these names are prepared, and then fail to be shown. */
  balk(name: string, reason: string): void;
  /** Showings with these names are on the screen, but that is not reported before `arrive`. */
  linger(name: string): void;
  /** The oldest lingering request is reported as shown, or as failed. */
  arrive(): void;
  /** Showings with these names never become ready. */
  stall(name: string): void;
  /** The pending preparation becomes ready. */
  ready(): void;
  /** The showing on the screen comes to its own end. */
  end(): void;
  failVisible(reason: string): void;
  /** A fresh copy of what is visible could not be loaded for this reason, or, with null, has been. */
  refresh(problem: string | null): void;
  /** From its next preparation on, what has this name is an older copy than it should be, for this reason. */
  age(name: string, problem: string | null): void;
  /** Screen verification returns this verdict for the showing on the screen. */
  see(
    verdict: ScreenVerdict["verdict"],
    at?: number,
    tookMs?: number,
    isBlameless?: boolean,
  ): void;
  /** It is lost, with what it held; only `restart` recovers it. */
  lose(): void;
  restart(loss?: StageLoss): void;
  /** It, or the GPU process, hung. */
  disturb(what: Disturbance): void;
  /** What is on the screen, or what is prepared, may have hung the graphics process, or is proven to have. */
  blameGraphics(which: "visible" | "prepared", isProven: boolean): void;
  /** The emergency playlist it was given. */
  plan(): readonly LineupEntry[];
}

export function rememberingStage(): RememberingStage {
  const shown: string[] = [];
  const failing = new Map<string, string>();
  const tries = new Map<string, number>();
  const balking = new Map<string, string>();
  const aged = new Map<string, string | null>();
  const lingering = new Set<string>();
  const stalling = new Set<string>();
  const arrivals: (() => void)[] = [];
  let ready = (): void => undefined;
  let isAway = false;
  let prepared: Showing | null = null;
  let visible: Showing | null = null;
  let ended = (_showingId: string): void => undefined;
  let failed = (_showingId: string, _reason: string): void => undefined;
  let refreshed = (_showingId: string, _problem: string | null): void =>
    undefined;
  let restarted = (_loss: StageLoss): void => undefined;
  let disturbed = (_what: Disturbance): void => undefined;
  let graphicsBlamed = (_blame: GraphicsBlamed): void => undefined;
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
    refresh: (problem) => refreshed(visible?.id ?? "", problem),
    age: (name, problem) => aged.set(name, problem),
    onRefreshed: (listener) => {
      refreshed = listener;
    },
    see: (verdict, at = 0, tookMs = 0, isBlameless = false) =>
      judged({
        ...{ showingId: visible?.id ?? "", verdict },
        ...{ at, tookMs, isBlameless },
      }),
    disturb: (what) => disturbed(what),
    blameGraphics: (which, isProven) => {
      const showing = which === "visible" ? visible : prepared;
      if (!showing) throw new Error(`Nothing is ${which}.`);
      const { id: showingId, assetId } = showing;
      graphicsBlamed({ showingId, assetId, isProven });
    },
    onGraphicsBlamed: (listener) => {
      graphicsBlamed = listener;
    },
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
      if (aged.has(showing.name))
        refreshed(showing.id, aged.get(showing.name) ?? null);
      return isAway || stalling.has(showing.name)
        ? new Promise<void>((resolve) => (ready = resolve))
        : Promise.resolve();
    },
    show: async (showingId) => {
      if (isAway) return new Promise(() => undefined);
      if (prepared?.id !== showingId)
        throw new Error("shown before it was prepared");
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
