// Outbox: local edits to be created, changed and deleted in content services, in one queue per connection until the service has
// them.

import { randomBytes } from "node:crypto";
import { outboxSentences } from "../../../contract/sentences/outbox-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import { readChange } from "../../../contract/v2/v2-sync-outbox.ts";
import { Failure } from "../../../core/failure.ts";
import type { SyncConnection } from "../../../core/sync-plan/sync-state.ts";
import {
  readCollections,
  type ChangeChoice,
  type CloudChange,
  type ReadCollection,
} from "../../../core/sync-plan/outbox.ts";
import type { Log } from "../../../platform/log.ts";
import type { ConnectionTokens } from "../store/secret-store.ts";
import type { Sync } from "../connection/connections.ts";
import type { Clock } from "../../../platform/clock.ts";
import { RemoteError } from "../remote/remote-error.ts";
import {
  createConnectionOutbox,
  type ConnectionOutbox,
} from "./connection-outbox.ts";
import type { OutboxRows } from "./outbox-rows.ts";
import {
  RemoteRejection,
  type CloudPage,
  type CloudPageQuery,
} from "./remote-writer.ts";

export interface Outbox {
  /** In the order they are sent; finished ones stay for a while. Throws `not-found`. */
  changes(connectionId: string): readonly CloudChange[];
  /** Throws `invalid` with sentences by field. */
  add(connectionId: string, input: unknown): CloudChange;
  /** Sends a rejected change again, or one in conflict as chosen. */
  retry(
    connectionId: string,
    changeId: string,
    choice: ChangeChoice | null,
  ): CloudChange;
  drop(connectionId: string, changeId: string): void;
  /** Throws `not-found` for a collection that this version does not have. */
  read(
    connectionId: string,
    collection: string,
    query: CloudPageQuery,
  ): Promise<CloudPage>;
  start(): void;
  stop(): Promise<void>;
}

export interface OutboxOptions {
  readonly sync: Sync;
  readonly rows: OutboxRows;
  readonly tokens: Pick<ConnectionTokens, "open">;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

/** Limit of waiting changes for one connection: a day's work of a whole team. */
const maxWaiting = 10_000;

export function createOutbox(options: OutboxOptions): Outbox {
  const { sync, rows, tokens, clock, random, log } = options;
  const connections = new Map<string, { up: ConnectionOutbox; mark: string }>();
  /** When the service last answered the sync. */
  const lastContacts = new Map<string, number | null>();
  let isStarted = false;
  let ending: Promise<unknown> = Promise.resolve();

  /** Throws `not-found`. */
  function of(connectionId: string): ConnectionOutbox {
    const connection = sync.connection(connectionId);
    const known = connections.get(connectionId);
    if (known) {
      if (known.mark !== markOf(connection)) {
        connections.set(connectionId, { ...known, mark: markOf(connection) });
        known.up.changed(connection);
      }
      return known.up;
    }
    const up = createConnectionOutbox({
      ...{ connection, rows, clock, random, log },
      token: async () => {
        const owner = sync.connections().find(({ id }) => id === connectionId);
        return owner ? tokens.open(owner) : null;
      },
      onSent: () => {
        if (sync.connections().some(({ id }) => id === connectionId))
          sync.run(connectionId);
      },
    });
    connections.set(connectionId, { up, mark: markOf(connection) });
    return up;
  }

  /** Connections are also added, changed and removed elsewhere. */
  function updateOutboxes(): void {
    if (!isStarted) return;
    const known = new Set(sync.connections().map(({ id }) => id));
    for (const [id, { up }] of connections)
      if (!known.has(id)) {
        connections.delete(id);
        lastContacts.delete(id);
        const stopping = up.stop();
        ending = ending.then(() => stopping);
      }
    for (const id of rows.connectionsWithChanges())
      if (!known.has(id)) rows.forgetChanges(id);
      else if (!connections.has(id)) of(id).wake();
    for (const id of connections.keys()) of(id);
    for (const { connectionId, lastContactAt } of sync.status()) {
      const known = lastContacts.get(connectionId);
      lastContacts.set(connectionId, lastContactAt);
      if (known !== lastContactAt)
        connections.get(connectionId)?.up.noteContact();
    }
  }
  const stopListening = sync.onProgress(updateOutboxes);

  return {
    changes: (connectionId) => of(connectionId).queue.all(),
    add: (connectionId, input) => {
      const up = of(connectionId);
      assertWritable(sync.connection(connectionId));
      const { collection, action, target, fields, base } = readChange(input);
      const waiting = up.queue.all().filter(({ state }) => state !== "done");
      if (waiting.length >= maxWaiting)
        throw new Failure(
          "too-many",
          composeSentence(outboxSentences.limit, { limit: maxWaiting }),
        );
      const uri = fields["file"];
      const file = typeof uri === "string" ? rows.fileBehind(uri) : null;
      const change: CloudChange = {
        ...{ id: randomBytes(8).toString("hex"), collection, action },
        sentTo: null,
        ...{ target, fields, base, state: "waiting", tries: 0 },
        ...{ reason: null, theirs: null, clashes: [], madeId: null },
        ...{
          alikeBefore: null,
          begun: null,
          createdAt: clock.now(),
          doneAt: null,
        },
        file: file && {
          ...{ name: file.name, sizeBytes: file.sizeBytes, sentBytes: 0 },
        },
      };
      return up.add(change, file?.hash ?? null);
    },
    retry: (connectionId, changeId, choice) =>
      of(connectionId).retry(changeId, choice),
    drop: (connectionId, changeId) => of(connectionId).drop(changeId),
    read: async (connectionId, collection, query) => {
      const up = of(connectionId);
      if (!isCollection(collection))
        throw new Failure(
          "not-found",
          `collection must be one of ${readCollections.join(", ")}.`,
        );
      try {
        return await up.read(collection, query);
      } catch (error) {
        if (error instanceof RemoteRejection)
          throw new Failure("not-found", error.message);
        if (error instanceof RemoteError)
          throw new Failure("unavailable", error.message);
        throw error;
      }
    },
    start: () => {
      isStarted = true;
      updateOutboxes();
      for (const { up } of connections.values()) up.wake();
    },
    stop: async () => {
      stopListening();
      isStarted = false;
      await ending;
      await Promise.all([...connections.values()].map(({ up }) => up.stop()));
    },
  };
}

/** A screen's credential only reads, and the connection of an offline bundle has no service to send to. */
function assertWritable({ kind }: SyncConnection): void {
  if (kind !== "cloud")
    throw new Failure(
      "conflict",
      kind === "screen" ? outboxSentences.paired : outboxSentences.imported,
    );
}

function isCollection(name: string): name is ReadCollection {
  return (readCollections as readonly string[]).includes(name);
}

function markOf(connection: SyncConnection): string {
  const { baseUrl, version, isEnabled, isCertificateSkipped, proxyUrl } =
    connection;
  return JSON.stringify([
    ...[baseUrl, version, isEnabled, isCertificateSkipped, proxyUrl],
    ...[connection.tokenKept, connection.tokensGiven],
  ]);
}
