// Link client of the player: pairing, and one link session for each connection made by pairing.

import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import {
  credentialPrefix,
  linkPaths,
  type LinkFacts,
} from "../../../contract/link/link.ts";
import {
  connectionDefaults,
  type SyncConnection,
} from "../../../core/sync-plan/sync-state.ts";
import { openWebSocket } from "../../../platform/http/web-socket.ts";
import type { Log } from "../../../platform/log.ts";
import type { ConnectionTokens, Secrets } from "../store/secret-store.ts";
import type { Sync } from "../connection/connections.ts";
import type { Clock } from "../../../platform/clock.ts";
import {
  createLinkSession,
  type LinkSession,
  type LinkView,
} from "./link-session.ts";
import type { LinkActions } from "./link-commands.ts";
import type { LinkedPlayback } from "./linked-playback.ts";
import type { ReportedDisplay } from "./screen-report.ts";
import { createPairing, type Claim, type PairingView } from "./pairing.ts";
import type { LinkRows } from "./link-rows.ts";
import type { ConnectSocket } from "./link-socket.ts";
import { createSend, type Send } from "../remote/send-http.ts";
import { toRemoteErrorOrBug, RemoteError } from "../remote/remote-error.ts";

export interface Link {
  pairing(): PairingView | null;
  /** Registers with this service as a player waiting to be claimed. Throws a Failure with the reason. */
  pair(baseUrl: string): Promise<PairingView>;
  endPairing(): Promise<void>;
  links(): readonly LinkView[];
  onPairing(listener: () => void): () => void;
  start(): void;
  stop(): Promise<void>;
}

export interface LinkOptions {
  readonly sync: Sync;
  readonly rows: LinkRows;
  readonly secrets: Secrets;
  readonly tokens: Pick<ConnectionTokens, "open">;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly facts: () => LinkFacts;
  readonly playerName: () => string;
  readonly actions: LinkActions;
  readonly playback: LinkedPlayback;
  readonly displays: () => readonly ReportedDisplay[];
}

/** The database may be unlocked again by then. */
const retryMs = 30_000;

interface Running {
  readonly link: LinkSession;
  /** A different address, screen or credential needs a new session. */
  readonly mark: string;
  readonly stopped: AbortController;
}

export function createLink(options: LinkOptions): Link {
  const { sync, rows, secrets, tokens, clock, random, log } = options;
  const links = new Map<string, Running>();
  /** Connections that the service no longer knows, with the mark they had then. */
  const ended = new Map<string, string>();
  const listeners = new Set<() => void>();
  /** Links that could not be opened, as they are reported. */
  const unopened = new Map<string, LinkView>();
  let stopRetry = (): void => undefined;
  let isStarted = false;
  let lastTask: Promise<void> = Promise.resolve();

  const pairing = createPairing({
    ...{ rows, secrets, clock, random, log, facts: options.facts },
    onClaimed: claim,
    onChanged: () => {
      for (const listener of listeners) listener();
    },
  });

  /** Takes effect once, even if called twice: what was written before a power cut is found again. */
  async function claim({
    baseUrl,
    screen,
    credential,
    accountId: connectionId,
  }: Claim): Promise<string> {
    const all = sync.connections();
    const known =
      all.find(
        (one) => one.baseUrl === baseUrl && one.screenId === screen.id,
      ) ?? all.find(({ id }) => id === connectionId);
    const { id } = known
      ? await sync.changeConnection(
          known.id,
          { screenId: screen.id },
          credential,
        )
      : await sync.addConnection(
          {
            ...connectionDefaults,
            ...{ baseUrl, name: new URL(baseUrl).host, screenId: screen.id },
          },
          credential,
        );
    ended.delete(id);
    updateLinksSoon();
    return id;
  }

  /** Connections are also added, changed and removed elsewhere. */
  function updateLinksSoon(): void {
    lastTask = lastTask.then(updateLinks).catch((error: unknown) => {
      log.error("link.internal-error", { error });
    });
  }

  /** A link that cannot be opened is reported as such, does not hold up others, and is retried (V2-551). */
  async function openOrNote(connection: SyncConnection): Promise<void> {
    try {
      await open(connection);
      unopened.delete(connection.id);
    } catch (error) {
      const { id, screenId } = connection;
      const failure = toRemoteErrorOrBug(
        error,
        connectionSentences["the-store"],
        (bug) =>
          log.error("link.internal-error", { connection: id, error: bug }),
      );
      unopened.set(id, {
        ...{ connectionId: id, screenId: screenId ?? "", screenName: null },
        ...{ isConnected: false, lastContactAt: null, playbacksWaiting: 0 },
        problem: failure.message,
      });
      stopRetry();
      stopRetry = clock.after(retryMs, updateLinksSoon);
    }
  }

  async function updateLinks(): Promise<void> {
    const connections = new Map(sync.connections().map((one) => [one.id, one]));
    for (const [id, running] of links) {
      const connection = connections.get(id);
      if (connection && markOf(connection) === running.mark) continue;
      links.delete(id);
      running.stopped.abort();
      await running.link.stop();
    }
    for (const id of unopened.keys())
      if (!connections.get(id)?.isEnabled) unopened.delete(id);
    if (!isStarted) return;
    for (const connection of connections.values())
      if (
        !links.has(connection.id) &&
        ended.get(connection.id) !== markOf(connection)
      )
        await openOrNote(connection);
    for (const id of rows.connections())
      if (!connections.has(id)) rows.forget(id);
  }

  async function open(connection: SyncConnection): Promise<void> {
    if (!connection.isEnabled || connection.screenId === null) return;
    const credential = await tokens.open(connection);
    if (!credential?.startsWith(credentialPrefix)) return;
    const stopped = new AbortController();
    const { id, baseUrl } = connection;
    const current = () =>
      sync.connections().find((one) => one.id === id) ?? connection;
    const link = createLinkSession({
      serviceName: () => current().name,
      ...{ connection, rows, clock, random, log },
      ...{ facts: options.facts, actions: options.actions },
      ...{ playback: options.playback, displays: options.displays },
      playerName: options.playerName,
      sharing: sync.sharing && {
        ...sync.sharing,
        setKeys: (keys) => {
          // A request may end after the link, whose successor may be of another team.
          if (!stopped.signal.aborted) sync.sharing?.setKeys(id, keys);
        },
      },
      ...requestsOf(connection, credential, stopped.signal),
      status: () =>
        sync.status().find(({ connectionId }) => connectionId === id),
      requestPoll: () => {
        if (sync.connections().some((one) => one.id === id)) sync.run(id, true);
      },
      onEnded: () => {
        ended.set(id, markOf(connection));
        sync.sharing?.setKeys(id, []);
        pairing.pairAgain(baseUrl, id);
      },
    });
    links.set(id, { link, stopped, mark: markOf(connection) });
  }

  function requestsOf(
    { baseUrl, isCertificateSkipped, proxyUrl }: SyncConnection,
    credential: string,
    stopped: AbortSignal,
  ): { readonly send: Send; readonly connect: ConnectSocket } {
    const authorization = `Bearer ${credential}`;
    const send = createSend(
      { baseUrl, isCertificateSkipped, proxyUrl, authorization },
      clock.now,
      stopped,
    );
    /** Services respond with or without the `/api` prefix. */
    let prefix: string | null = null;
    return {
      send: async (method, path, sent) => {
        prefix ??= await findPrefix(send);
        return send(method, prefix + path, sent);
      },
      connect: async (path, socket) => {
        prefix ??= await findPrefix(send);
        return openWebSocket(new URL(baseUrl + prefix + path), {
          ...{ ...socket, headers: { Authorization: authorization } },
          ...{ verifyTls: !isCertificateSkipped, proxy: proxyUrl },
        });
      },
    };
  }

  const stopListening = sync.onProgress(() => {
    for (const { link } of links.values()) link.noteStatus();
    updateLinksSoon();
  });

  return {
    pairing: pairing.view,
    pair: pairing.pair,
    endPairing: pairing.end,
    links: () => [
      ...[...links.values()].map(({ link }) => link.view()),
      ...unopened.values(),
    ],
    onPairing: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start: () => {
      isStarted = true;
      pairing.start();
      updateLinksSoon();
    },
    stop: async () => {
      stopListening();
      stopRetry();
      isStarted = false;
      await pairing.stop();
      await lastTask;
      for (const { link, stopped } of links.values()) {
        stopped.abort();
        await link.stop();
      }
    },
  };
}

/** Throws a RemoteError if neither path exists; the next request searches again. */
async function findPrefix(send: Send): Promise<string> {
  for (const prefix of ["", "/api"]) {
    const path = prefix + linkPaths.player;
    const { status } = await send("GET", path, { isSearch: true });
    if (status !== 404) return prefix;
  }
  throw new RemoteError("refused", connectionSentences["no-link"]);
}

function markOf(connection: SyncConnection): string {
  const { baseUrl, screenId, isEnabled, isCertificateSkipped, proxyUrl } =
    connection;
  return JSON.stringify([
    ...[baseUrl, screenId, isEnabled, isCertificateSkipped, proxyUrl],
    ...[connection.tokenKept, connection.tokensGiven],
  ]);
}
