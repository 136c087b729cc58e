// Simulation of the director's state machine: assets that misbehave, a stage that is lost, time as a queue.

import { waiting } from "../../../server/core/director/quarantine.ts";
import {
  directorAtStart,
  reduce,
  type DirectorEffect,
  type DirectorEvent,
  type DirectorState,
} from "../../../server/core/director/director.ts";
import type { ScreenTakeover } from "../../../server/core/director/planned-showing.ts";
import type { World } from "../../../server/core/director/next-showing.ts";
import {
  contentKey,
  initialPresentationDefaults,
  type Showing,
} from "../../../server/core/showing.ts";
import {
  orderLineup,
  type OrderedLineup,
} from "../../../server/core/schedule/ordered-lineup.ts";
import type { Asset } from "../../../server/core/asset.ts";
import { noon, scheduleOf, someAsset } from "./schedules.ts";

/** The outcome of an asset, whenever it is tried. */
export type Behaviour =
  | "good"
  | "fails"
  | "hangs"
  | "balks"
  | "breaks"
  | "blank"
  | "crashes-loading"
  | "crashes-shown";

export const behaviours: readonly Behaviour[] = [
  ...(["good", "fails", "hangs", "balks", "breaks"] as const),
  ...(["blank", "crashes-loading", "crashes-shown"] as const),
];

/** What happened to the stage, for a naive model of the evidence. */
export type Note =
  | { readonly kind: "lost"; readonly with: string | null }
  | { readonly kind: "left"; readonly what: string | null };

export interface SimulatedScreen {
  readonly behaviour: ReadonlyMap<string, Behaviour>;
  readonly notes: readonly Note[];
  readonly effects: readonly DirectorEffect[];
  now(): number;
  state(): DirectorState;
  /** What a person sees; null is black. */
  onScreen(): Showing | null;
  isAway(): boolean;
  /** Nothing becomes ready, and that has not been detected yet. */
  isSilent(): boolean;
  takeover(): ScreenTakeover | null;
  /** Texts cannot be prepared. */
  isTextFailing(): boolean;
  enabled(): ReadonlySet<string>;
  /** Showings that were verified while they were visible. */
  verified(): ReadonlySet<string>;
  setTakeover(takeover: ScreenTakeover | null): void;
  failTexts(isFailing: boolean): void;
  toggle(assetId: string): void;
  pause(isPaused: boolean): void;
  jump(ms: number): void;
  send(event: DirectorEvent): void;
  /** The stage is lost, with what is on it, and recovers after a while. */
  lose(awayMs: number): void;
  /** Nothing becomes ready for this long; then that is detected. */
  silence(forMs: number): void;
  /** Runs what is due until then; `each` after every event. */
  run(untilMs: number, each: () => void): void;
}

const idleScreen = {
  ...{ playerName: "card", apiAddress: "", isAddressShown: false },
  ...{ codeAddress: null, isForPhones: false, fingerprint: null },
  ...{ dateFormat: "", is24Hour: true, zone: "UTC" },
};

export function simulatedScreen(
  assets: Readonly<Record<string, Behaviour>>,
  random: () => number,
): SimulatedScreen {
  const behaviour = new Map(Object.entries(assets));
  const library: readonly Asset[] = [...behaviour.keys()].map((id, index) =>
    someAsset(id, {
      ...{ durationSeconds: 5 + Math.floor(random() * 20), playOrder: index },
      uri: `https://example.org/${id}`,
    }),
  );
  const enabled = new Set(behaviour.keys());
  const verified = new Set<string>();
  const notes: Note[] = [];
  const effects: DirectorEffect[] = [];
  let queue: { at: number; act: () => void; isOff: boolean }[] = [];
  let steady = 0;
  let wallOffset = noon;
  let state = directorAtStart("s");
  let takeover: ScreenTakeover | null = null;
  let isPaused = false;
  let isTextFailing = false;
  let isAway = false;
  /** Numbers the stages: pending results of an earlier one never arrive. */
  let stage = 0;
  let silentUntil = -Infinity;
  let screen: Showing | null = null;
  let prepared: Showing | null = null;
  let endTimer = { isOff: true };
  let lateTimer = { isOff: true };
  let edgeTimer = { isOff: true };
  let isCheckPlanned = false;
  /** Its time ended while it was being replaced. */
  let endedMeanwhile = "";

  function after(ms: number, act: () => void): { isOff: boolean } {
    const entry = { at: steady + Math.max(0, ms), act, isOff: false };
    queue.push(entry);
    return entry;
  }

  const known = new Map<
    string,
    { lineup: OrderedLineup; changesAt: number | null }
  >();

  function lineupFrom(moment: number, left: ReadonlyMap<string, number>) {
    // The assets have no dates of their own, so the lineup depends on these alone.
    const waits = [...left].filter(([, until]) => until > moment);
    const key = `${[...enabled].join()} ${waits.join()}`;
    const found = known.get(key);
    if (found) return found;
    const schedule = scheduleOf({
      assets: library.map((asset) => ({
        ...asset,
        isEnabled: enabled.has(asset.id),
      })),
      quarantine: new Map(waits),
    });
    const { entries, changesAt } = schedule.lineupAt(moment);
    const shuffling = { isShuffled: () => false, seed: 1 };
    const created = { lineup: orderLineup(entries, shuffling), changesAt };
    known.set(key, created);
    return created;
  }

  function world(): World {
    const wall = steady + wallOffset;
    const waits = waiting(
      state.ledger,
      (id) => {
        const asset = library.find((one) => one.id === id);
        return asset ? { id, content: contentKey(asset) } : null;
      },
      steady,
    );
    const left = new Map(
      [...waits].map(([id, until]) => [id, Math.ceil(until + wallOffset)]),
    );
    const now = lineupFrom(wall, left);
    const { changesAt } = now;
    const isNear = changesAt !== null && changesAt - 4000 <= wall;
    edgeTimer.isOff = true;
    if (changesAt !== null)
      edgeTimer = after(changesAt - wall, () => send({ kind: "due-changed" }));
    return {
      ...{ wall, steady, takeover, isPaused, isAway, idleScreen },
      lineup: now.lineup,
      ahead: isNear
        ? { atMs: changesAt, lineup: lineupFrom(changesAt, left).lineup }
        : null,
      takeoverAsset:
        takeover?.shown.kind === "asset"
          ? (library.find(({ id }) => {
              const shown = takeover?.shown;
              return shown?.kind === "asset" && shown.assetId === id;
            }) ?? null)
          : null,
      presentationDefaults: initialPresentationDefaults,
    };
  }

  function send(event: DirectorEvent): void {
    const reduced = reduce(state, event, world());
    state = reduced.state;
    for (const effect of reduced.effects) {
      effects.push(effect);
      carryOut(effect);
    }
  }

  function carryOut(effect: DirectorEffect): void {
    switch (effect.kind) {
      case "prepare":
        return prepare(effect.showing);
      case "show":
        return show(effect.showingId);
      case "arm-end": {
        endTimer.isOff = true;
        const { showingId } = effect;
        endTimer = after(effect.afterMs, () => end(showingId));
        return;
      }
      case "arm-late": {
        lateTimer.isOff = true;
        const { showingId } = effect;
        lateTimer = after(effect.afterMs, () =>
          send({ kind: "late", showingId }),
        );
        return;
      }
      case "stop-end":
        endTimer.isOff = true;
        return;
      case "stop-late":
        lateTimer.isOff = true;
        return;
      case "check":
        if (effect.afterMs > 0)
          return void after(effect.afterMs, () =>
            send({ kind: "due-changed" }),
          );
        if (isCheckPlanned) return;
        isCheckPlanned = true;
        after(0, () => {
          isCheckPlanned = false;
          send({ kind: "due-changed" });
        });
        return;
      default:
      // The simulation ignores it.
    }
  }

  function end(showingId: string): void {
    const isKnown = state.visible?.showing.id === showingId;
    if (isKnown && state.swapping) endedMeanwhile = showingId;
    else if (isKnown && !isPaused) noteLeft();
    send({ kind: "ended", showingId });
  }

  function noteLeft(): void {
    if (screen) notes.push({ kind: "left", what: screen.assetId });
  }

  function behaviourOf(showing: Showing): Behaviour {
    if (showing.content.kind === "text" && isTextFailing) return "fails";
    return behaviour.get(showing.assetId ?? "") ?? "good";
  }

  /** Only as long as the stage is the same. */
  function soon(ms: number, act: () => void): void {
    const own = stage;
    after(ms, () => {
      if (own === stage && !isAway) act();
    });
  }

  function prepare(showing: Showing): void {
    prepared = showing;
    const how = behaviourOf(showing);
    const ms = Math.max(0, silentUntil - steady) + random() * 800;
    const act = (): void => {
      if (prepared !== showing) return;
      const { id: showingId } = showing;
      if (how === "crashes-loading") return lose(500);
      if (how === "hangs") return;
      if (how === "fails")
        return send({ kind: "not-prepared", showingId, reason: "broken" });
      send({ kind: "prepared", showingId });
    };
    if (!isAway) soon(ms, act);
  }

  function show(showingId: string): void {
    const showing = prepared;
    soon(random() * 300, () => {
      if (!showing || showing.id !== showingId) return;
      const how = behaviourOf(showing);
      if (how === "balks") {
        if (endedMeanwhile === screen?.id && !isPaused) noteLeft();
        return send({ kind: "not-shown", showingId, reason: "balked" });
      }
      noteLeft();
      screen = showing;
      send({ kind: "shown", showingId });
      happensTo(showing, how);
    });
  }

  function happensTo(showing: Showing, how: Behaviour): void {
    const isUp = (): boolean => screen?.id === showing.id;
    const reportVerdict = (): void => {
      if (!isUp()) return;
      const verdict = how === "blank" ? "blank" : "verified";
      if (verdict === "verified") verified.add(showing.id);
      send({
        kind: "seen",
        verdict: { showingId: showing.id, verdict, at: steady + wallOffset },
      });
      soon(1000, reportVerdict);
    };
    soon(1200, reportVerdict);
    soon(random() * 4000, () => {
      if (!isUp()) return;
      if (how === "breaks")
        send({ kind: "failed", showingId: showing.id, reason: "broke" });
      if (how === "crashes-shown") lose(500);
    });
  }

  function lose(awayMs: number): void {
    if (isAway) return;
    isAway = true;
    stage += 1;
    const { upcoming, swapping, visible } = state;
    const suspect =
      upcoming && (swapping || !upcoming.isReady) ? upcoming : visible;
    const isEntry = suspect?.entry != null;
    notes.push({
      kind: "lost",
      with: isEntry ? (suspect.asset?.id ?? null) : null,
    });
    screen = null;
    prepared = null;
    after(awayMs, () => {
      isAway = false;
      prepared = null;
      send({ kind: "stage-lost" });
    });
  }

  return {
    ...{ behaviour, notes, effects, send, lose },
    now: () => steady,
    state: () => state,
    onScreen: () => screen,
    isAway: () => isAway,
    isSilent: () => steady <= silentUntil,
    takeover: () => takeover,
    isTextFailing: () => isTextFailing,
    enabled: () => enabled,
    verified: () => verified,
    setTakeover: (next) => {
      takeover = next;
      send({ kind: "due-changed" });
    },
    failTexts: (next) => {
      isTextFailing = next;
    },
    toggle: (id) => {
      if (!enabled.delete(id)) enabled.add(id);
      send({ kind: "due-changed" });
    },
    pause: (next) => {
      isPaused = next;
      send({ kind: "pause-changed" });
    },
    jump: (ms) => {
      wallOffset += ms;
      send({ kind: "due-changed" });
    },
    silence: (forMs) => {
      silentUntil = steady + forMs;
      after(forMs, () => send({ kind: "stage-silent" }));
    },
    run: (untilMs, each) => {
      for (;;) {
        queue = queue.filter(({ isOff }) => !isOff);
        const next = queue.reduce<(typeof queue)[number] | null>(
          (least, one) => (!least || one.at < least.at ? one : least),
          null,
        );
        if (!next || next.at > untilMs) break;
        queue = queue.filter((one) => one !== next);
        steady = Math.max(steady, next.at);
        next.act();
        each();
      }
      steady = untilMs;
      each();
    },
  };
}
