// The playback side of a link: what is on the screen, for reports to the service, and the playback commands of the service.

import { createMachine, type DiskSpace } from "../../machine.ts";
import type { Director } from "../../playback/director.ts";
import type { Pause } from "../../playback/pause.ts";
import { becauseOf } from "../../playback/reasons.ts";
import type { ShowingStatus } from "../../playback/showing-status.ts";
import type { Takeovers, TakeoverInput } from "../../playback/takeover.ts";
import type { Library } from "../../library/library.ts";
import type { Playlists } from "../../playlists/playlists.ts";
import type { Clock } from "../../../platform/clock.ts";

/** What is on the screen. Identifiers are the player's own, times are wall-clock milliseconds. */
export interface ScreenNow {
  /** Null until the first showing of this run is visible. */
  readonly showing: ShowingStatus | null;
  /** Null for the local assets, and for a playlist that was deleted. */
  readonly playlistName: string | null;
  readonly nextName: string | null;
  /** While nothing that is due can be shown: assets that failed to play, the first few. */
  readonly unplayable: readonly Unplayable[];
  readonly pausedUntilMs: number | null;
  /** A takeover that blanks the screen is up. */
  readonly isDark: boolean;
}

export interface Unplayable {
  readonly name: string;
  readonly reason: string;
}

const maxUnplayable = 3;

export interface LinkedPlayback {
  /** Cheap enough for each change; `explanation` is not. */
  now(): ScreenNow;
  /** Why the screen shows what it shows, in a sentence; empty until something is visible. */
  explanation(): string;
  /** The showing, its verdict, the takeover or the pause has changed. */
  onChanged(listener: () => void): () => void;
  /** The screen is verified periodically. */
  readonly hasVerification: boolean;
  /** The disk with the store; null while it is not known. */
  storage(): Promise<DiskSpace | null>;
  hasAsset(assetId: string): boolean;
  assetName(assetId: string): string;
  step(direction: "next" | "previous"): void;
  /** As the director's `show`. */
  show(assetId: string): void;
  /** As `begin` of takeovers; returns the takeover's identifier. */
  takeOver(input: TakeoverInput): string;
  /** Returns whether there was one. */
  endTakeover(): boolean;
  /** The identifier of the current one, visible or not. */
  takeoverId(): string | null;
  takeoverProblem(): string | null;
}

export interface LinkedPlaybackOptions {
  readonly dataDir: string;
  readonly director: Director;
  readonly takeovers: Takeovers;
  readonly pause: Pause;
  readonly library: Library;
  readonly playlists: Playlists;
  readonly clock: Clock;
  readonly hasVerification: boolean;
}

export function createLinkedPlayback(
  options: LinkedPlaybackOptions,
): LinkedPlayback {
  const { dataDir, director, takeovers, pause, library, playlists } = options;
  let machine: ReturnType<typeof createMachine> | null = null;

  function unplayable(): readonly Unplayable[] {
    const found: Unplayable[] = [];
    for (const { name, isEnabled, problem } of library.assets()) {
      if (found.length === maxUnplayable) break;
      if (isEnabled && problem !== null) found.push({ name, reason: problem });
    }
    return found;
  }

  function now(): ScreenNow {
    const showing = director.status();
    const playlistId = showing?.playlistId ?? null;
    const playlist =
      playlistId === null
        ? undefined
        : playlists.all().find(({ id }) => id === playlistId);
    const takeover = takeovers.current();
    return {
      showing,
      playlistName: playlist?.name ?? null,
      nextName: director.next()?.name ?? null,
      unplayable: showing?.reason === "not-ready" ? unplayable() : [],
      pausedUntilMs: pause.until(),
      isDark:
        takeover?.shown.kind === "blank" && showing?.takeoverId === takeover.id,
    };
  }

  return {
    now,
    explanation: () => {
      const status = director.status();
      return status ? becauseOf(status, options) : "";
    },
    onChanged: (listener) => {
      const endings = [
        director.onShowing(listener),
        takeovers.onChanged(listener),
        pause.onChanged(listener),
      ];
      return () => {
        for (const end of endings) end();
      };
    },
    hasVerification: options.hasVerification,
    storage: async () => {
      // Not at the start: the first showing needs none of it.
      machine ??= createMachine(dataDir);
      const disk = await machine.disk();
      return disk.totalBytes > 0 ? disk : null;
    },
    hasAsset: (assetId) => library.assets().some(({ id }) => id === assetId),
    assetName: (assetId) => library.asset(assetId).name,
    step: (direction) => director.step(direction),
    show: (assetId) => director.show(assetId),
    takeOver: (input) => takeovers.begin(input).id,
    endTakeover: takeovers.clear,
    takeoverId: () => takeovers.current()?.id ?? null,
    takeoverProblem: () => director.takeoverProblem(),
  };
}
