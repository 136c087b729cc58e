// Manages all sync connections of this player: one interface for all of them, and cleanup of the files that none of them needs any
// more.

import path from "node:path";
import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import { generalSentences } from "../../../contract/sentences/general-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import { Failure } from "../../../core/failure.ts";
import type {
  AppliedPlanView,
  PlanView,
  SyncConnection,
  SyncConnectionInput,
  SyncProgress,
  SyncStatus,
} from "../../../core/sync-plan/sync-state.ts";
import type { Log } from "../../../platform/log.ts";
import { createConnection, type Connection } from "./connection.ts";
import { openConnectionStore } from "./connection-store.ts";
import {
  createConnectionTokens,
  openAppSecrets,
  createSecrets,
  type Seal,
} from "../store/secret-store.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { SyncLibrary } from "../store/library-store.ts";
import { openParts } from "../download/partial-files.ts";
import {
  createSiteSharing,
  type SiteOptions,
  type SiteSharing,
} from "../site/site-sharing.ts";

/** Sync operations of the HTTP interface and the manager; each throws a Failure that names the problem. */
export interface Sync {
  connections(): readonly SyncConnection[];
  connection(id: string): SyncConnection;
  addConnection(
    input: SyncConnectionInput,
    token: string,
  ): Promise<SyncConnection>;
  changeConnection(
    id: string,
    change: Partial<SyncConnectionInput>,
    token?: string,
  ): Promise<SyncConnection>;
  /** Deletes the content of the connection as well, unless it is to stay as local content. */
  removeConnection(id: string, keepsContent: boolean): Promise<void>;
  status(): readonly SyncStatus[];
  /** The plans that are waiting to be applied. */
  plans(): readonly PlanView[];
  /** Polls now; without an id, all connections. Does not wait for the result. `isSuggested`: the service announced changes. */
  run(connectionId?: string, isSuggested?: boolean): void;
  /** Applies the waiting plan, whatever holds it; with `planId`, only that plan. */
  apply(connectionId?: string, planId?: string): void;
  /** Postpones the waiting plan: it is no longer applied automatically. */
  hold(connectionId?: string): void;
  /** Restores the plan before the current one, in one step. */
  back(connectionId?: string): Promise<readonly AppliedPlanView[]>;
  /** Called when `status` has changed; also once a second while bytes come in. */
  onProgress(listener: (progress: SyncProgress) => void): () => void;
  /** Called when a connection was added, changed or removed. */
  onConnectionsChanged(listener: () => void): () => void;
  /** The plans of this connection were written by something else. */
  readAgain(connectionId: string): void;
  /** Protects files with these MD5 from cleanup; returns the release function. */
  holdFiles(md5s: readonly string[]): () => void;
  /** Files are shared with other players of the site; null: never. */
  readonly sharing: SiteSharing | null;
  /** Starts polling, now and at intervals. */
  start(): void;
  /** Stops what is under way; the next start resumes it. */
  stop(): Promise<void>;
}

export interface SyncOptions {
  readonly library: SyncLibrary;
  /** Data folder; tokens and partial downloads are stored below it. */
  readonly dataDir: string;
  /** Encryption of the operating system; null if it has none. */
  readonly seal: Seal | null;
  readonly clock: Clock;
  readonly zone: () => string;
  readonly log: Log;
  /** Disk space to keep free, in bytes; the default is 512 MiB. */
  readonly reserveBytes?: (() => number) | undefined;
  /** A server that sends nothing for this long counts as unavailable; the default is 10 s. */
  readonly silenceMs?: number | undefined;
  /**
   * Upper bound for each connection, whatever its own limit is: what a player can download without disturbing playback (V2-337);
   * the default is no limit.
   */
  readonly maxBytesPerSecond?: number | undefined;
  /** From 0 up to but not including 1; the default is Math.random. */
  readonly random?: (() => number) | undefined;
  /** How files are shared with other players; without it, they are not. */
  readonly site?: SiteOptions | undefined;
}

/** Disk space that downloads and imports leave free, unless another amount is given. */
export const defaultReserveBytes = 512 * 1024 * 1024;

const defaultSilenceMs = 10_000;

export async function createSync(options: SyncOptions): Promise<Sync> {
  const { library, dataDir, clock, zone, log } = options;
  const secrets = createSecrets(
    path.join(dataDir, "sync", "tokens"),
    options.seal,
  );
  const tokens = createConnectionTokens(secrets);
  const connections = await openConnectionStore(library, tokens);
  const parts = await openParts(path.join(dataDir, "sync", "parts"));
  const appSecrets = openAppSecrets(dataDir, options.seal);
  const syncs = new Map<string, Connection>();
  const listeners = new Set<(progress: SyncProgress) => void>();
  /** MD5 lists of imports under way. */
  const held = new Set<readonly string[]>();
  let isStarted = false;
  let isStopped = false;
  /** Files that were here at the start and that no plan names: a service that has not answered yet may need them (V2-345). */
  let unclaimed: ReadonlySet<string> = new Set();

  const sharing = options.site
    ? createSiteSharing({
        ...{ ...options.site, clock, log },
        hasConnection: (connectionId) => syncs.has(connectionId),
        here: (connectionId, md5) =>
          syncs.get(connectionId)?.isNeeded(md5)
            ? library.storedFile(md5)
            : null,
      })
    : null;

  const connectionListeners = new Set<() => void>();
  function connectionsChanged(): void {
    for (const listener of connectionListeners) listener();
  }

  function emit(progress: SyncProgress): void {
    for (const listener of listeners) listener(progress);
  }

  function open(connection: SyncConnection): Connection {
    const { id } = connection;
    const sync = createConnection({
      ...{ connection, tokens, library, parts, appSecrets, clock, zone },
      memory: connections.memoryOf(id),
      random: options.random ?? Math.random,
      reserveBytes: options.reserveBytes ?? (() => defaultReserveBytes),
      silenceMs: options.silenceMs ?? defaultSilenceMs,
      maxBytesPerSecond: options.maxBytesPerSecond ?? Infinity,
      sharing,
      log: log.with({ connection: id }),
      onProgress: emit,
      onReleased: sweep,
      onContact: sweepUnclaimed,
    });
    syncs.set(id, sync);
    if (isStarted) sync.start();
    return sync;
  }

  /** Reopens a connection that could not be removed (V2-363). */
  function openAgain(id: string): void {
    const connection = connections.all().find((one) => one.id === id);
    if (connection && !syncs.has(id) && !isStopped) open(connection);
  }

  const isAnyAwaited = (): boolean =>
    [...syncs.values()].some((sync) => sync.isAwaited());

  const claimed = (): readonly string[] => [
    ...[...syncs.values()].flatMap((sync) => [...sync.needed()]),
    ...[...held].flat(),
  ];
  const needed = (): ReadonlySet<string> =>
    new Set([...claimed(), ...(isAnyAwaited() ? unclaimed : [])]);

  /** `begun`: files with a partial download from before the first poll. */
  function noteUnclaimed(begun: readonly string[]): void {
    const named = new Set(claimed());
    const referenced = [...library.files(), ...begun];
    unclaimed = new Set(referenced.filter((md5) => !named.has(md5)));
  }

  async function sweepUnclaimed(): Promise<void> {
    if (unclaimed.size === 0 || isAnyAwaited()) return;
    unclaimed = new Set();
    await sweep();
  }

  /** Where no connection is enabled, no service will answer (V2-834). */
  function sweepIfNoneAnswers(): void {
    if (connections.all().every(({ isEnabled }) => !isEnabled))
      void sweepUnclaimed().catch(noteBug);
  }

  function noteBug(error: unknown): void {
    log.error("sync.internal-error", { error });
  }

  /** A file that one connection does not need may be needed by another. */
  async function sweep(): Promise<void> {
    await library.sweep(needed());
    await parts.sweep(needed());
    // Connections that were polled in the meantime may need more.
    await appSecrets.sweep((md5) => needed().has(md5));
  }

  function chosen(connectionId: string | undefined): readonly Connection[] {
    if (connectionId === undefined) return [...syncs.values()];
    const sync = syncs.get(connectionId);
    if (!sync)
      throw new Failure(
        "not-found",
        composeSentence(generalSentences["id-unknown"], {
          kind: "connection",
          id: connectionId,
        }),
      );
    return [sync];
  }

  /** Without an id: every connection that has something to do; with an id: that connection in any case. */
  function each(
    connectionId: string | undefined,
    act: (sync: Connection) => void,
  ): void {
    const all = chosen(connectionId);
    const refusals: Failure[] = [];
    for (const sync of all)
      try {
        act(sync);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        refusals.push(error);
      }
    const [first] = refusals;
    if (first && refusals.length === all.length) throw first;
    if (all.length === 0)
      throw new Failure("conflict", connectionSentences.none);
  }

  for (const connection of connections.all()) open(connection);
  const stopListeningToEdits = library.onEdited((connectionId) =>
    syncs.get(connectionId)?.editedHere(),
  );
  const stopListeningToLost = library.onLost((md5) => {
    for (const sync of syncs.values()) sync.fetchAgain(md5);
  });
  const stopListening = library.onReplaced(() => {
    void (async () => {
      const begun = await parts.begun();
      await connections.readAgain();
      for (const [id, sync] of syncs)
        if (connections.all().every((connection) => connection.id !== id)) {
          syncs.delete(id);
          await sync.stop();
        }
      for (const connection of connections.all()) {
        const sync = syncs.get(connection.id);
        if (sync) {
          sync.readAgain(connection, connections.memoryOf(connection.id));
        } else open(connection);
      }
      noteUnclaimed(begun);
      sweepIfNoneAnswers();
    })().catch(noteBug);
  });

  return {
    connections: connections.all,
    connection: connections.get,
    addConnection: async (input, token) => {
      const connection = await connections.add(input, token);
      const sync = open(connection);
      // An enabled connection reports its progress itself.
      if (!connection.isEnabled) emit(sync.status().progress);
      connectionsChanged();
      return connection;
    },
    changeConnection: async (id, change, token) => {
      const connection = await connections.change(id, change, token);
      syncs.get(id)?.changed(connection);
      connectionsChanged();
      sweepIfNoneAnswers();
      return connection;
    },
    removeConnection: async (id, keepsContent) => {
      connections.get(id);
      const sync = syncs.get(id);
      syncs.delete(id);
      await sync?.stop();
      try {
        await connections.remove(id, keepsContent);
      } catch (error) {
        openAgain(id);
        throw error;
      }
      sharing?.forget(id);
      if (sync) emit({ ...sync.status().progress, phase: "off" });
      connectionsChanged();
      await sweep();
    },
    status: () => [...syncs.values()].map((sync) => sync.status()),
    plans: () =>
      [...syncs.values()]
        .map((sync) => sync.plan())
        .filter((plan) => plan !== null),
    run: (connectionId, isSuggested = false) => {
      for (const sync of chosen(connectionId)) sync.run(isSuggested);
    },
    apply: (connectionId, planId) =>
      each(connectionId, (sync) => sync.apply(planId)),
    hold: (connectionId) => each(connectionId, (sync) => sync.hold()),
    back: async (connectionId) => {
      const [sync, ...others] = chosen(connectionId);
      if (!sync) throw new Failure("conflict", connectionSentences.none);
      if (others.length > 0)
        throw new Failure("conflict", connectionSentences.several);
      return sync.back();
    },
    onProgress: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onConnectionsChanged: (listener) => {
      connectionListeners.add(listener);
      return () => connectionListeners.delete(listener);
    },
    readAgain: (id) => {
      syncs.get(id)?.readAgain(connections.get(id), connections.memoryOf(id));
    },
    holdFiles: (md5s) => {
      held.add(md5s);
      return () => held.delete(md5s);
    },
    sharing,
    start: () => {
      sharing?.start();
      library
        .whenFilesKnown()
        .then(async () => {
          const begun = await parts.begun();
          isStarted = !isStopped;
          if (!isStarted) return;
          for (const sync of syncs.values()) sync.start();
          noteUnclaimed(begun);
          sweepIfNoneAnswers();
        })
        .catch(noteBug);
    },
    stop: async () => {
      isStopped = true;
      stopListening();
      stopListeningToLost();
      stopListeningToEdits();
      await Promise.all([...syncs.values()].map((sync) => sync.stop()));
      await sharing?.stop();
    },
  };
}
