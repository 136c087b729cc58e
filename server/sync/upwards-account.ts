// One account's way up: its queue sent in order, tried again when the cloud is away, and its cloud read for the desk.

import {
  basedOn,
  foldInto,
  nextChange,
  isNeeding,
  resolved,
  strandedIn,
  type ChangeChoice,
  type CloudChange,
} from "../core/upwards.ts";
import { Failure } from "../core/failure.ts";
import type { SyncAccount } from "../core/sync-state.ts";
import type { Log } from "../platform/log.ts";
import type { SyncClock } from "./clock.ts";
import { createCloudHttp } from "./cloud-http.ts";
import { createSend } from "./send-http.ts";
import { CloudTrouble } from "./trouble.ts";
import { openQueue, type Queue } from "./upwards-queue.ts";
import type { UpwardsRows } from "./upwards-rows.ts";
import { Clash, sendChange } from "./upwards-send.ts";
import { createWriterV3 } from "./upwards-v3.ts";
import { createWriterV4 } from "./upwards-v4.ts";
import { Refused, type CloudFile, type CloudWriter } from "./upwards-writer.ts";
import { findVersion } from "./version.ts";

export interface AccountUpwardsOptions {
  readonly account: SyncAccount;
  readonly rows: UpwardsRows;
  readonly token: () => Promise<string | null>;
  readonly clock: SyncClock;
  readonly chance: () => number;
  readonly log: Log;
  /** The cloud has something new of ours. */
  readonly onSent: () => void;
}

export interface AccountUpwards {
  readonly queue: Queue;
  add(change: CloudChange, fileHash: string | null): CloudChange;
  retry(id: string, choice: ChangeChoice | null): CloudChange;
  drop(id: string): void;
  /** Throws a CloudTrouble. */
  writer(): Promise<CloudWriter>;
  changed(account: SyncAccount): void;
  wake(): void;
  stop(): Promise<void>;
}

const firstPauseMs = 2000;
const longestPauseMs = 300_000;

export function createAccountUpwards(
  options: AccountUpwardsOptions,
): AccountUpwards {
  const { rows, clock, chance } = options;
  let { account } = options;
  const log = options.log.with({ account: account.id });
  const queue = openQueue(account.id, rows);
  const stopped = new AbortController();
  let cloud: CloudWriter | null = null;
  let working: Promise<void> | null = null;
  let cancelWait: (() => void) | null = null;
  let failures = 0;
  /** How often the account was said to be another: what was begun before leads to one that is no more. */
  let changes = 0;

  async function writer(): Promise<CloudWriter> {
    if (cloud) return cloud;
    const begun = changes;
    const { baseUrl, isCertificateSkipped, proxyUrl } = account;
    const token = await options.token();
    // Where it belongs now is not where it was asked for.
    if (begun !== changes) return writer();
    if (token === null)
      throw new CloudTrouble("no-token", "This account has no token.");
    const address = { baseUrl, isCertificateSkipped, proxyUrl };
    const { version, prefix } = await findVersion(
      createCloudHttp({ ...address, token }, clock.now, () => stopped.signal),
      account.version,
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
    cancelWait?.();
    cancelWait = null;
    if (stopped.signal.aborted || !account.isEnabled) return;
    working ??= work()
      .catch((error: unknown) => {
        if (!stopped.signal.aborted) log.error("upwards.bug-met", { error });
      })
      .finally(() => {
        working = null;
      });
  }

  async function work(): Promise<void> {
    let isAnySent = false;
    for (;;) {
      for (const stranded of strandedIn(queue.all()))
        queue.put({
          ...{ ...stranded, state: "refused" },
          reason: "What it needs was never made.",
        });
      const next = nextChange(queue.all());
      if (!next || stopped.signal.aborted || !account.isEnabled) break;
      if (!(await sendOne(next))) break;
      isAnySent = true;
      failures = 0;
    }
    if (isAnySent) options.onSent();
  }

  /** False: not now. */
  async function sendOne(change: CloudChange): Promise<boolean> {
    const { id } = change;
    const note = (step: Partial<CloudChange>): CloudChange => {
      const known = queue.get(id);
      const now = { ...(known ?? change), ...step };
      // Taken out meanwhile, it stays out.
      if (known) queue.put(now);
      return now;
    };
    try {
      const to = await writer();
      if (!queue.get(id)) return true;
      const now = note({
        ...{ state: "sending", tries: change.tries + 1, reason: null },
      });
      const file = fileOf(now);
      const ready = resolved(queue.all(), now);
      const madeId = await sendChange(to, ready, file, note);
      settle(ready, madeId);
      return true;
    } catch (error) {
      if (stopped.signal.aborted) return false;
      return judge(change, error, note);
    }
  }

  function judge(
    change: CloudChange,
    error: unknown,
    note: (step: Partial<CloudChange>) => void,
  ): boolean {
    const { id, action } = change;
    if (error instanceof Clash) {
      const { theirs, clashes, message: reason } = error;
      note({ state: "conflict", theirs, clashes, reason });
      log.warn("upwards.clashed", { change: id, action, clashes });
      return true;
    }
    if (error instanceof Refused) {
      note({ state: "refused", reason: error.message });
      log.warn("upwards.refused", { change: id, action, why: error.message });
      return true;
    }
    if (!(error instanceof CloudTrouble)) {
      note({ state: "refused", reason: "Something unforeseen went wrong." });
      throw error;
    }
    note({ reason: error.message });
    // Another version or path may be there when it is back.
    cloud = null;
    const grown = Math.min(longestPauseMs, firstPauseMs * 2 ** failures++);
    const ms = Math.max(error.waitMs ?? 0, grown * (0.5 + chance()));
    log.info("upwards.put-off", { change: id, why: error.message, ms });
    cancelWait = clock.after(ms, () => {
      cancelWait = null;
      wake();
    });
    return false;
  }

  function settle(sent: CloudChange, madeId: string | null): void {
    const now = queue.get(sent.id);
    if (!now) return;
    const done: CloudChange = {
      ...{ ...now, state: "done", reason: null, theirs: null, clashes: [] },
      ...{ madeId: madeId ?? now.madeId, doneAt: clock.now() },
    };
    queue.put(done, { fileHash: null });
    const sentAs = { ...done, fields: sent.fields };
    for (const later of queue.all()) {
      if (later.state === "done") continue;
      const based = basedOn(later, sentAs);
      if (based !== later) queue.put(based);
    }
    const { id, action, collection } = done;
    log.info("upwards.sent", { change: id, action, collection });
  }

  function fileOf(change: CloudChange): CloudFile | null {
    const hash = queue.fileOf(change.id);
    if (!change.file) return null;
    const path = hash === null ? null : rows.pathOfFile(hash);
    if (path === null && change.madeId === null)
      throw new Refused("The file that was to be sent is gone.");
    return {
      ...{ path: path ?? "", sizeBytes: change.file.sizeBytes },
      onSent: (sentBytes) => queue.noteSent(change.id, sentBytes),
    };
  }

  function known(id: string): CloudChange {
    const change = queue.get(id);
    if (!change) throw new Failure("not-found", `There is no change ${id}.`);
    return change;
  }

  function chosen(change: CloudChange, choice: ChangeChoice): CloudChange {
    const { theirs, action } = change;
    if (choice === "theirs")
      return {
        ...{ ...change, state: "done", theirs: null, clashes: [] },
        ...{ reason: "The cloud's version was chosen.", doneAt: clock.now() },
      };
    if (action === "create")
      // Whatever looks like it is somebody else's: it is made now.
      return { ...again(change), alikeBefore: null };
    if (theirs === null)
      throw new Failure(
        "conflict",
        "It is gone in the cloud: choose theirs, or make it anew.",
      );
    // From now on this is what was read.
    const names = Object.keys({ ...change.base, ...change.fields });
    const read = names
      .filter((name) => name in theirs)
      .map((name) => [name, theirs[name]] as const);
    return { ...again(change), base: Object.fromEntries<unknown>(read) };
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
        const reason = "Nothing of it was ever sent, and nothing needs to be.";
        return { ...change, state: "done", doneAt: clock.now(), reason };
      }
      queue.put(put, { drop, ...(fileHash !== null && { fileHash }) });
      wake();
      return put;
    },
    retry: (id, choice) => {
      const change = known(id);
      const { state } = change;
      if (state === "done" || state === "sending")
        throw new Failure("conflict", `This change is ${state}.`);
      if (state === "conflict" && choice === null)
        throw new Failure("conflict", "Choose mine or theirs.");
      if (state !== "conflict" && choice !== null)
        throw new Failure("conflict", "There is nothing to choose.");
      const now = choice === null ? again(change) : chosen(change, choice);
      queue.put(now, now.state === "done" ? { fileHash: null } : {});
      failures = 0;
      wake();
      return now;
    },
    drop: (id) => {
      const change = known(id);
      if (change.state === "sending" && working !== null)
        throw new Failure("conflict", "This change is being sent.");
      const needing = queue
        .all()
        .find((one) => one.state !== "done" && isNeeding(one, id));
      if (change.state !== "done" && needing)
        throw new Failure(
          "conflict",
          `Another change needs what this one makes: ${needing.id}.`,
        );
      queue.drop([id]);
      wake();
    },
    writer,
    changed: (now) => {
      account = now;
      changes += 1;
      cloud = null;
      failures = 0;
      wake();
    },
    wake,
    stop: async () => {
      stopped.abort();
      cancelWait?.();
      await working;
    },
  };
}
