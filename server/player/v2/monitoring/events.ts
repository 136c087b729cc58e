// Player events in order: sent to listeners, and kept for a while for clients that reconnect (V2-75 to V2-78).

import type {
  EventsV2,
  PlayerEventV2,
} from "../../../contract/v2/v2-monitoring.ts";
import { momentToText } from "../../../contract/v2/v2-values.ts";
import type { Fault } from "../../../core/director/planned-showing.ts";
import { createAnnouncement } from "../../event-emitter.ts";
import type { SyncProgress } from "../../../core/sync-plan/sync-state.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Progress } from "../../files/transfer-progress.ts";
import { syncProgressToV2 } from "../sync/sync-json.ts";

/** One event in the stream's format: its lines, ready to be written. */
export interface EventLines {
  /** Number among the kept events of this start; null for an event that is not kept. */
  readonly number: number | null;
  readonly text: string;
}

export interface Events {
  /** The same as `onEvent`, before it is formatted as text. */
  onPlayerEvent(listener: (playerEvent: PlayerEventV2) => void): () => void;
  onEvent(listener: (lines: EventLines) => void): () => void;
  /** The events after this id; null when the id is no longer kept, or never existed. */
  after(id: string): readonly EventLines[] | null;
  /** The current state as an event, under the newest id. */
  showingNow(): EventLines;
  changedNow(): EventLines;
  stop(): void;
}

type Listen<T> = (listener: (value: T) => void) => () => void;

export interface EventsOptions {
  readonly clock: Clock;
  readonly now: () => EventsV2["showing"];
  readonly onAssetsChanged: Listen<void>;
  readonly onSettingsChanged: Listen<unknown>;
  readonly onShowing: Listen<void>;
  readonly onPlaylistsChanged: Listen<void>;
  readonly onTakeover: Listen<void>;
  readonly onTokensChanged: Listen<void>;
  readonly onBackupsChanged: Listen<void>;
  readonly onSyncConnectionsChanged: Listen<void>;
  /** Requests, resumable uploads and downloads, each from its source. */
  readonly onProgress: readonly Listen<Progress>[];
  readonly onFault: Listen<Fault>;
  readonly onSync: Listen<SyncProgress>;
}

/** With one showing every ten seconds this covers more than half an hour. */
const maxKept = 256;
/** A thousand creations in a row cause one event, not a thousand. */
const changedIntervalMs = 100;

export function createEvents(options: EventsOptions): Events {
  const { clock, now } = options;
  const emitted = createAnnouncement<EventLines>();
  const happened = createAnnouncement<PlayerEventV2>();
  // Each start numbers from the beginning: ids of another start must not be mistaken for its own.
  const start = Math.floor(clock.now()).toString(36);
  const recent: EventLines[] = [];
  let newest = 0;

  function lines<Name extends keyof EventsV2>(
    name: Name,
    value: EventsV2[Name],
    number: number | null,
  ): EventLines {
    const id = number === null ? "" : `id: ${start}-${number}\n`;
    return {
      number,
      text: `event: ${name}\n${id}data: ${JSON.stringify(value)}\n\n`,
    };
  }

  function keep<Name extends keyof EventsV2>(
    name: Name,
    value: EventsV2[Name],
  ): void {
    newest += 1;
    happened.emit({ name, value } as PlayerEventV2);
    const event = lines(name, value, newest);
    recent.push(event);
    if (recent.length > maxKept) recent.shift();
    emitted.emit(event);
  }

  const assetsChanged = createSeldom(clock, changedIntervalMs, () =>
    keep("changed", { resource: "assets" }),
  );
  const playlistsChanged = createSeldom(clock, changedIntervalMs, () =>
    keep("changed", { resource: "playlists" }),
  );
  const endings = [
    options.onPlaylistsChanged(playlistsChanged.request),
    options.onAssetsChanged(assetsChanged.request),
    options.onSettingsChanged(() => keep("changed", { resource: "settings" })),
    options.onTakeover(() => keep("changed", { resource: "takeover" })),
    options.onTokensChanged(() => keep("changed", { resource: "tokens" })),
    options.onBackupsChanged(() => keep("changed", { resource: "backups" })),
    options.onSyncConnectionsChanged(() =>
      keep("changed", { resource: "sync_accounts" }),
    ),
    options.onShowing(() => keep("showing", now())),
    options.onFault((fault) =>
      keep("fault", {
        asset_id: fault.assetId,
        name: fault.name,
        reason: fault.reason,
        time: momentToText(fault.at),
      }),
    ),
    ...options.onProgress.map((on) =>
      on((progress) => {
        const value = progressToV2(progress);
        happened.emit({ name: "progress", value });
        emitted.emit(lines("progress", value, null));
      }),
    ),
    options.onSync((progress) =>
      emitted.emit(lines("sync", syncProgressToV2(progress), null)),
    ),
    assetsChanged.stop,
    playlistsChanged.stop,
  ];

  return {
    onPlayerEvent: happened.on,
    onEvent: emitted.on,
    after: (id) => {
      const [run, digits] = id.split("-");
      const number = Number(digits);
      const oldest = recent[0]?.number ?? newest + 1;
      const isKnown =
        run === start &&
        /^\d+$/.test(digits ?? "") &&
        number >= oldest - 1 &&
        number <= newest;
      if (!isKnown) return null;
      return recent.filter((event) => (event.number ?? 0) > number);
    },
    showingNow: () => lines("showing", now(), newest),
    changedNow: () => lines("changed", { resource: "assets" }, newest),
    stop: () => {
      for (const end of endings) end();
    },
  };
}

function progressToV2(progress: Progress): EventsV2["progress"] {
  return {
    upload: progress.upload,
    upload_id: progress.uploadId,
    asset_id: progress.assetId,
    received_bytes: progress.receivedBytes,
    total_bytes: progress.totalBytes,
    is_done: progress.isDone,
  };
}

/** Throttle: runs immediately, then at most once per interval; calls in between are merged into one at its end. */
function createSeldom(clock: Clock, intervalMs: number, act: () => void) {
  let isWaiting = false;
  let isRequested = false;
  let stop = (): void => undefined;
  const wait = (): void => {
    isWaiting = true;
    stop = clock.after(intervalMs, () => {
      isWaiting = false;
      if (!isRequested) return;
      isRequested = false;
      act();
      wait();
    });
  };
  return {
    request: () => {
      if (isWaiting) {
        isRequested = true;
        return;
      }
      act();
      wait();
    },
    stop: () => stop(),
  };
}
