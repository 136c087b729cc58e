// What the interface tells beyond the specification: now, why, takeover, info, events, metrics and tokens.

import type { RequestHandler } from "express";
import type { Access } from "../access.ts";
import type { AssetCounts } from "../counts.ts";
import type { Director } from "../director.ts";
import type { Library } from "../library.ts";
import { createMachine } from "../machine.ts";
import type { Pause } from "../pause.ts";
import type { Playlists } from "../playlists.ts";
import type { Progress } from "../progress.ts";
import type { SettingsStore } from "../settings.ts";
import type { Clock } from "../stage.ts";
import type { Rebuilt } from "../store/damaged.ts";
import type { AttachedSync } from "../sync/attached-sync.ts";
import type { Takeovers } from "../takeover.ts";
import { createEventStream } from "./event-stream.ts";
import { createEvents, type Events } from "./events.ts";
import { pauseOperations, type PauseOperations } from "./pause.ts";
import { sendInfo } from "./info.ts";
import { createPlayerMetrics } from "./metrics.ts";
import { nowToV2 } from "./now.ts";
import { takeoverOperations, type TakeoverOperations } from "./takeover.ts";
import { tokenOperations, type TokenOperations } from "./tokens.ts";
import { createUploadGate } from "./upload-gate.ts";
import { sendWhy } from "./why.ts";

export interface Beyond {
  /** Notes every request for the metrics; stands before everything else. */
  readonly note: RequestHandler;
  /** Stands before every route that takes a file. */
  readonly admitUpload: RequestHandler<never>;
  readonly now: RequestHandler;
  readonly why: RequestHandler;
  readonly takeover: TakeoverOperations;
  readonly pause: PauseOperations;
  readonly info: RequestHandler;
  readonly events: RequestHandler;
  readonly metrics: RequestHandler;
  readonly tokens: TokenOperations;
  readonly onHappening: Events["onHappening"];
  /** Ends the streams, which would else never end. */
  stop(): void;
}

export interface BeyondOptions {
  readonly library: Library;
  readonly director: Director;
  readonly playlists: Playlists;
  readonly takeovers: Takeovers;
  readonly pause: Pause;
  readonly settings: SettingsStore;
  readonly sync: AttachedSync;
  readonly access: Access;
  readonly clock: Clock;
  readonly dataDir: string;
  readonly apiHost: string;
  readonly version: string;
  readonly safeMode?: string | null | undefined;
  readonly softwareRendering?: string | null | undefined;
  readonly rebuilt: Rebuilt | null;
  readonly playerName: () => string;
  readonly countAssets: () => AssetCounts;
  readonly onTokensChanged: (listener: () => void) => () => void;
  readonly onBackupsChanged: (listener: () => void) => () => void;
  /** Of uploads in pieces and of fetches. */
  readonly onProgress: readonly ((
    listener: (progress: Progress) => void,
  ) => () => void)[];
}

export function createBeyond(options: BeyondOptions): Beyond {
  const { library, director, settings, clock, playerName } = options;
  const machine = createMachine(options.dataDir);
  const uploads = createUploadGate(clock);
  const now = () => nowToV2({ ...options, playerName: playerName() });
  const events = createEvents({
    clock,
    now,
    onAssetsChanged: (heard) => library.onChanged(() => heard()),
    onSettingsChanged: settings.onChanged,
    onShowing: director.onShowing,
    onFault: director.onFault,
    onTakeover: options.takeovers.onChanged,
    onPlaylistsChanged: options.playlists.onChanged,
    onTokensChanged: options.onTokensChanged,
    onBackupsChanged: options.onBackupsChanged,
    onSyncAccountsChanged: options.sync.onAccountsChanged,
    onProgress: [uploads.onProgress, ...options.onProgress],
    onSync: options.sync.onProgress,
  });
  const stream = createEventStream(events, clock);
  const metrics = createPlayerMetrics({
    ...options,
    machine,
    eventClients: stream.clients,
    uploadsUnderWay: uploads.underWay,
  });
  return {
    note: metrics.note,
    admitUpload: uploads.admit,
    now: (_request, response) => {
      response.setHeader("Cache-Control", "no-store").json(now());
    },
    why: sendWhy(options),
    takeover: takeoverOperations(options),
    pause: pauseOperations(options.pause),
    info: sendInfo({ ...options, machine, now: clock.now }),
    events: stream.send,
    onHappening: events.onHappening,
    metrics: metrics.send,
    tokens: tokenOperations(options.access, options.apiHost),
    stop: () => {
      events.stop();
      stream.stop();
    },
  };
}
