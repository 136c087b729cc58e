// Operations of the interface beyond the peer's specification: now, why, takeover, info, events, metrics and tokens.

import type { HttpsState } from "../https/https-interface.ts";
import type { Access } from "../access-tokens.ts";
import type { Password } from "../access/password.ts";
import type { AssetCounts } from "../library/counts.ts";
import type { Director } from "../playback/director.ts";
import type { History } from "../logs/logs.ts";
import type { Library } from "../library/library.ts";
import { createMachine } from "../machine.ts";
import type { Pause } from "../playback/pause.ts";
import type { Playlists } from "../playlists/playlists.ts";
import type { Progress } from "../files/transfer-progress.ts";
import type { SettingsStore } from "../settings.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Rebuilt } from "../store/damaged-databases.ts";
import type { AttachedSync } from "../sync/attached-sync.ts";
import type { Takeovers } from "../playback/takeover.ts";
import { createEventStream } from "./monitoring/event-stream.ts";
import { createEvents } from "./monitoring/events.ts";
import type { Handlers } from "./request/handlers.ts";
import { pauseOperations } from "./playback/pause.ts";
import { sendInfo, sendIntegrations } from "./monitoring/info.ts";
import { createPlayerMetrics } from "./monitoring/metrics.ts";
import { nowToV2 } from "./playback/now.ts";
import { takeoverOperations } from "./playback/takeover.ts";
import { tokenOperations } from "./administration/tokens.ts";
import { createUploadGate } from "./files/concurrent-uploads.ts";
import { sendWhy } from "./playback/why.ts";

export type ExtendedOperations = ReturnType<typeof createExtendedOperations>;

export interface ExtendedOptions {
  readonly library: Library;
  readonly director: Director;
  readonly playlists: Playlists;
  readonly takeovers: Takeovers;
  readonly pause: Pause;
  readonly settings: SettingsStore;
  readonly sync: AttachedSync;
  readonly access: Access;
  readonly history: Pick<History, "note">;
  readonly password: Password;
  readonly clock: Clock;
  readonly dataDir: string;
  readonly apiHost: string;
  readonly version: string;
  readonly safeMode?: string | null | undefined;
  readonly softwareRendering?: string | null | undefined;
  readonly rebuilt: Rebuilt | null;
  /** Null without HTTPS, and until the interface listens. */
  readonly https: () => HttpsState | null;
  readonly playerName: () => string;
  readonly countAssets: () => AssetCounts;
  readonly onTokensChanged: (listener: () => void) => () => void;
  readonly onBackupsChanged: (listener: () => void) => () => void;
  /** Of resumable uploads and downloads. */
  readonly onProgress: readonly ((
    listener: (progress: Progress) => void,
  ) => () => void)[];
}

export function createExtendedOperations(options: ExtendedOptions) {
  const { library, director, settings, clock, playerName } = options;
  const machine = createMachine(options.dataDir);
  const uploads = createUploadGate(clock);
  const now = () => nowToV2({ ...options, playerName: playerName() });
  const events = createEvents({
    clock,
    now,
    onAssetsChanged: (listener) => library.onChanged(() => listener()),
    onSettingsChanged: settings.onChanged,
    onShowing: director.onShowing,
    onFault: director.onFault,
    onTakeover: options.takeovers.onChanged,
    onPlaylistsChanged: options.playlists.onChanged,
    onTokensChanged: options.onTokensChanged,
    onBackupsChanged: options.onBackupsChanged,
    onSyncConnectionsChanged: options.sync.onConnectionsChanged,
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
    /** Counts every request for the metrics; runs before everything else. */
    note: metrics.note,
    /** Runs before every route that accepts a file. */
    admitUpload: uploads.admit,
    handlers: {
      readNow: (_request, response) => {
        response.setHeader("Cache-Control", "no-store").json(now());
      },
      readWhy: sendWhy(options),
      ...takeoverOperations(options),
      ...pauseOperations(options.pause),
      readInfo: sendInfo({ ...options, machine, now: clock.now }),
      readIntegrations: sendIntegrations,
      streamEvents: stream.send,
      readMetrics: metrics.send,
      ...tokenOperations(options),
    } satisfies Partial<Handlers>,
    onPlayerEvent: events.onPlayerEvent,
    /** Ends the event streams, which would otherwise never end. */
    stop: () => {
      events.stop();
      stream.stop();
    },
  };
}
