// Outbox of one connection: sends its changes in order, retries when the service is unavailable, and reads the service's rows for
// the manager.

import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import { generalSentences } from "../../../contract/sentences/general-sentences.ts";
import { outboxSentences } from "../../../contract/sentences/outbox-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import {
  basedOn,
  foldInto,
  nextChange,
  isNeeding,
  resolved,
  strandedIn,
  type ChangeChoice,
  type CloudChange,
  type ReadCollection,
} from "../../../core/sync-plan/outbox.ts";
import { Failure } from "../../../core/failure.ts";
import type { SyncConnection } from "../../../core/sync-plan/sync-state.ts";
import type { Log } from "../../../platform/log.ts";
import type { Clock } from "../../../platform/clock.ts";
import { createCloudHttp } from "../remote/remote-http.ts";
import { createSend } from "../remote/send-http.ts";
import { toRemoteErrorOrBug, RemoteError } from "../remote/remote-error.ts";
import { createPauses } from "./outbox-backoff.ts";
import { openQueue, type Queue } from "./outbox-queue.ts";
import type { OutboxRows } from "./outbox-rows.ts";
import { begunAt, Clash, readyFor, sendChange } from "./send-change.ts";
import { createWriterV3 } from "./writer-v3.ts";
import { createWriterV4 } from "./writer-v4.ts";
import {
  RemoteRejection,
  type CloudFile,
  type CloudPage,
  type CloudPageQuery,
  type CloudWriter,
} from "./remote-writer.ts";
import { findVersion } from "../remote/find-version.ts";

export interface ConnectionOutboxOptions {
  readonly connection: SyncConnection;
  readonly rows: OutboxRows;
  readonly token: () => Promise<string | null>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** The service has received changes of ours. */
  readonly onSent: () => void;
}

export interface ConnectionOutbox {
  readonly queue: Queue;
  add(change: CloudChange, fileHash: string | null): CloudChange;
  retry(id: string, choice: ChangeChoice | null): CloudChange;
  drop(id: string): void;
  /** Throws RemoteRejection or a RemoteError. */
  read(collection: ReadCollection, query: CloudPageQuery): Promise<CloudPage>;
  changed(connection: SyncConnection): void;
  wake(): void;
  /** The service answered the sync of this connection. */
  noteContact(): void;
  stop(): Promise<void>;
}

export function createConnectionOutbox(
  options: ConnectionOutboxOptions,
): ConnectionOutbox {
  const { rows, clock, random } = options;
  let { connection } = options;
  const log = options.log.with({ connection: connection.id });
  const queue = openQueue(connection.id, rows);
  const stopped = new AbortController();
  let cloud: CloudWriter | null = null;
  let working: Promise<void> | null = null;
  const pauses = createPauses({ clock, random, onOver: () => wake() });
  /** The service has answered since `onSent` was last called. */
  let isAnyAnswered = false;
  /**
   * A change may depend on something that will never be created: sending does not cause that, but the caller of `wake` may have.
   */
  let isAnyStranded = true;
  /** Number of changes to the connection: work begun before the last one uses outdated settings. */
  let changes = 0;

  async function writer(): Promise<CloudWriter> {
    if (cloud) return cloud;
    const begun = changes;
    const { baseUrl, isCertificateSkipped, proxyUrl } = connection;
    const token = await options.token();
    // The settings have changed since the token was requested.
    if (begun !== changes) return writer();
    if (token === null)
      throw new RemoteError("no-token", connectionSentences["no-token"]);
    const address = { baseUrl, isCertificateSkipped, proxyUrl };
    const { version, prefix } = await findVersion(
      createCloudHttp({ ...address, token }, clock.now, () => stopped.signal),
      connection.version,
    );
    if (begun !== changes) return writer();
    const authorization = `Token ${token}`;
    const send = createSend(
      { ...address, authorization },
      clock.now,
      stopped.signal,
    );
    cloud =
      version === "v3"
        ? createWriterV3(send, prefix)
        : createWriterV4(send, prefix, version);
    return cloud;
  }

  function wake(): void {
    if (!pauses.isPauseRequested()) pauses.endAll();
    isAnyStranded = true;
    if (stopped.signal.aborted || !connection.isEnabled) return;
    working ??= work()
      .catch((error: unknown) => {
        if (!stopped.signal.aborted) noteBug(error);
      })
      .finally(() => {
        working = null;
      });
  }

  function noteBug(error: unknown): void {
    log.error("outbox.internal-error", { error });
  }

  async function work(): Promise<void> {
    for (;;) {
      let next: CloudChange | undefined;
      try {
        if (isAnyStranded) refuseStranded();
        isAnyStranded = false;
        next = nextToSend();
        if (!next || stopped.signal.aborted || !connection.isEnabled) break;
        // A requested pause holds new changes, too.
        if (pauses.isPauseRequested()) break;
        if (!(await sendOne(next))) break;
      } catch (error) {
        // A failed write to the local disk is retried: it may work then.
        const failure = toRemoteErrorOrBug(
          error,
          connectionSentences["the-service"],
          noteBug,
        );
        if (!putOff(next, failure, true)) break;
      }
    }
    if (isAnyAnswered) options.onSent();
    isAnyAnswered = false;
  }

  function refuseStranded(): void {
    for (const stranded of strandedIn(queue.all()))
      queue.put({
        ...{ ...stranded, state: "refused" },
        reason: outboxSentences["depends-on-none"],
      });
  }

  /** In order; but right after a failure, changes that never failed go first. */
  function nextToSend(): CloudChange | undefined {
    const all = queue.all();
    const fresh = pauses.isBackingOff()
      ? nextChange(all, ({ id }) => pauses.hasFailed(id))
      : undefined;
    return fresh ?? nextChange(all, ({ id }) => pauses.isPaused(id));
  }

  /** False: nothing more to send for now. */
  async function sendOne(change: CloudChange): Promise<boolean> {
    const { id } = change;
    const note = (step: Partial<CloudChange>): CloudChange => {
      const existing = queue.get(id);
      const now = { ...(existing ?? change), ...step };
      // A change that was discarded in the meantime stays discarded. Responses are kept in memory even if the disk cannot write
      // them.
      queue.noteHere(id, step);
      if (existing) queue.put(now);
      return now;
    };
    let isReached = false;
    try {
      const to = await writer();
      isReached = true;
      if (!queue.get(id)) return true;
      const now = note({
        ...{ state: "sending", tries: change.tries + 1, reason: null },
        ...begunAt(connection.baseUrl, change),
      });
      const file = fileOf(now);
      const ready = await readyFor(to, resolved(queue.all(), now));
      const madeId = await sendChange(to, ready, file, note);
      markSent(ready, madeId);
      noteAnswered(id);
      return true;
    } catch (error) {
      if (stopped.signal.aborted) return false;
      return judge(change, error, note, isReached);
    }
  }

  function judge(
    change: CloudChange,
    error: unknown,
    note: (step: Partial<CloudChange>) => void,
    isReached: boolean,
  ): boolean {
    const { id, action } = change;
    if (error instanceof Clash) {
      const { theirs, clashes, message: reason } = error;
      note({ state: "conflict", theirs, clashes, reason });
      log.warn("outbox.conflict", { change: id, action, clashes });
    } else if (error instanceof RemoteRejection) {
      note({ state: "refused", reason: error.message });
      log.warn("outbox.rejected", { change: id, action, why: error.message });
    } else
      return putOff(
        change,
        toRemoteErrorOrBug(error, connectionSentences["the-service"], noteBug),
        isReached,
      );
    noteAnswered(id);
    return true;
  }

  /** True: the failure may concern this change alone, so others are tried. */
  function putOff(
    change: CloudChange | undefined,
    failure: RemoteError,
    isReached: boolean,
  ): boolean {
    if (change) keepWaiting(change.id, failure);
    // The service may come back with another version or path; the next request also shows whether it is reachable at all.
    cloud = null;
    const why = failure.message;
    const isOfAll = failure.waitMs !== null || failure.code === "no-space";
    if (isReached && change) {
      const isSecond = pauses.pauseOne(change.id, failure);
      if (!isSecond && !isOfAll) {
        log.info("outbox.change-skipped", { change: change.id, why });
        return true;
      }
    }
    // The service is unreachable: that explains the previous failures, too.
    if (!isReached) pauses.forgetChanges();
    const ms = pauses.pauseAll(failure, !isReached);
    log.info("outbox.postponed", { change: change?.id, why, ms });
    return false;
  }

  function keepWaiting(id: string, { message: reason }: RemoteError): void {
    queue.noteHere(id, { state: "waiting", reason });
    const waiting = queue.get(id);
    try {
      if (waiting) queue.put(waiting);
    } catch {
      // The disk is full: the state is correct in memory, and after a restart the change waits anyway.
    }
  }

  function noteAnswered(id: string): void {
    isAnyAnswered = true;
    pauses.noteAnswered(id);
  }

  function markSent(sent: CloudChange, madeId: string | null): void {
    const now = queue.get(sent.id);
    if (!now) return;
    const done: CloudChange = {
      ...{ ...now, state: "done", reason: null, theirs: null, clashes: [] },
      ...{ madeId: madeId ?? now.madeId, doneAt: clock.now() },
    };
    const sentAs = { ...done, fields: sent.fields };
    // Before it is marked as done: what is not saved in between is made up for when it is sent again.
    for (const later of queue.all()) {
      if (later.state === "done" || later.id === done.id) continue;
      const based = basedOn(later, sentAs);
      if (based !== later) queue.put(based);
    }
    queue.put(done, { fileHash: null });
    const { id, action, collection } = done;
    log.info("outbox.sent", { change: id, action, collection });
  }

  function fileOf(change: CloudChange): CloudFile | null {
    const hash = queue.fileOf(change.id);
    if (!change.file) return null;
    const path = hash === null ? null : rows.pathOfFile(hash);
    if (path === null && change.madeId === null)
      throw new RemoteRejection(outboxSentences["file-missing"]);
    return {
      ...{ path: path ?? "", sizeBytes: change.file.sizeBytes },
      onSent: (sentBytes) => {
        const file = queue.get(change.id)?.file;
        if (file) queue.noteHere(change.id, { file: { ...file, sentBytes } });
      },
    };
  }

  function requireChange(id: string): CloudChange {
    const change = queue.get(id);
    if (!change)
      throw new Failure(
        "not-found",
        composeSentence(generalSentences["id-unknown"], { kind: "change", id }),
      );
    return change;
  }

  function chosen(change: CloudChange, choice: ChangeChoice): CloudChange {
    const { theirs, action } = change;
    if (choice === "theirs")
      return {
        ...{ ...change, state: "done", theirs: null, clashes: [] },
        ...{
          reason: outboxSentences["theirs-kept"],
          doneAt: clock.now(),
        },
      };
    if (action === "create")
      // Whatever looks like it belongs to someone else: it is created now.
      return { ...again(change), alikeBefore: null };
    if (theirs === null)
      throw new Failure("conflict", outboxSentences["theirs-deleted"]);
    // From now on the service's version counts as what was read.
    const names = Object.keys({ ...change.base, ...change.fields });
    const read = names
      .filter((name) => name in theirs)
      .map((name) => [name, theirs[name]] as const);
    const base = Object.fromEntries<unknown>(read);
    return { ...again(change), base, begun: null };
  }

  function again(change: CloudChange): CloudChange {
    return {
      ...{ ...change, state: "waiting", reason: null, theirs: null },
      clashes: [],
    };
  }

  return {
    queue,
    add: (change, fileHash) => {
      const { put, drop } = foldInto(queue.all(), change);
      if (!put) {
        queue.drop(drop);
        wake();
        const reason = outboxSentences["never-sent"];
        return { ...change, state: "done", doneAt: clock.now(), reason };
      }
      queue.put(put, { drop, ...(fileHash !== null && { fileHash }) });
      wake();
      return put;
    },
    retry: (id, choice) => {
      const change = requireChange(id);
      const { state } = change;
      if (state === "done" || state === "sending")
        throw new Failure("conflict", outboxSentences[`is-${state}`]);
      if (state === "conflict" && choice === null)
        throw new Failure("conflict", outboxSentences.choose);
      if (state !== "conflict" && choice !== null)
        throw new Failure("conflict", outboxSentences["no-conflict"]);
      const now = choice === null ? again(change) : chosen(change, choice);
      queue.put(now, now.state === "done" ? { fileHash: null } : {});
      pauses.forget(id);
      pauses.endAll();
      wake();
      return now;
    },
    drop: (id) => {
      const change = requireChange(id);
      if (change.state === "sending" && working !== null)
        throw new Failure("conflict", outboxSentences["being-sent"]);
      const needing = queue
        .all()
        .find((one) => one.state !== "done" && isNeeding(one, id));
      if (needing)
        throw new Failure(
          "conflict",
          composeSentence(outboxSentences.needed, { id: needing.id }),
        );
      queue.drop([id]);
      pauses.forget(id);
      wake();
    },
    read: async (collection, query) => {
      const from = await writer();
      try {
        return await from.read(collection, query);
      } catch (error) {
        if (error instanceof RemoteError && cloud === from) cloud = null;
        throw error;
      }
    },
    changed: (now) => {
      connection = now;
      changes += 1;
      cloud = null;
      pauses.forgetChanges();
      pauses.endAll();
      wake();
    },
    wake,
    noteContact: pauses.noteContact,
    stop: async () => {
      stopped.abort();
      pauses.stop();
      await working;
    },
  };
}
