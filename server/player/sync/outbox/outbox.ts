// What is to be made, changed and deleted in the clouds: one queue per account, kept until the cloud has it.

import { randomBytes } from "node:crypto";
import { readChange } from "../../../contract/v2/v2-sync-upwards.ts";
import { Failure } from "../../../core/failure.ts";
import type { SyncAccount } from "../../../core/sync-plan/sync-state.ts";
import {
  readCollections,
  type ChangeChoice,
  type CloudChange,
  type ReadCollection,
} from "../../../core/sync-plan/upwards.ts";
import type { Log } from "../../../platform/log.ts";
import type { AccountTokens } from "../accounts/account-tokens.ts";
import type { Sync } from "../connection/connections.ts";
import type { Clock } from "../../../platform/clock.ts";
import { RemoteError } from "../remote/remote-error.ts";
import {
  createConnectionOutbox,
  type ConnectionOutbox,
} from "./connection-outbox.ts";
import type { OutboxRows } from "./outbox-rows.ts";
import {
  Refused,
  type CloudPage,
  type CloudPageQuery,
} from "./remote-writer.ts";

export interface Outbox {
  /** In the order in which they are sent; what is done stays for a while. Throws `not-found`. */
  changes(accountId: string): readonly CloudChange[];
  /** Throws `invalid` with sentences by field. */
  add(accountId: string, input: unknown): CloudChange;
  /** Sends a refused one again, or one in conflict as it was chosen. */
  retry(
    accountId: string,
    changeId: string,
    choice: ChangeChoice | null,
  ): CloudChange;
  drop(accountId: string, changeId: string): void;
  /** Throws `not-found` for a collection that this version does not have. */
  read(
    accountId: string,
    collection: string,
    query: CloudPageQuery,
  ): Promise<CloudPage>;
  start(): void;
  stop(): Promise<void>;
}

export interface OutboxOptions {
  readonly sync: Sync;
  readonly rows: OutboxRows;
  readonly tokens: Pick<AccountTokens, "open">;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

/** What one account may have waiting: a day's work of a whole team. */
const maxWaiting = 10_000;

export function createOutbox(options: OutboxOptions): Outbox {
  const { sync, rows, tokens, clock, random, log } = options;
  const accounts = new Map<string, { up: ConnectionOutbox; mark: string }>();
  /** When the cloud answered the sync last. */
  const lastContacts = new Map<string, number | null>();
  let isStarted = false;
  let ending: Promise<unknown> = Promise.resolve();

  /** Throws `not-found`. */
  function of(accountId: string): ConnectionOutbox {
    const account = sync.account(accountId);
    const known = accounts.get(accountId);
    if (known) {
      if (known.mark !== markOf(account)) {
        accounts.set(accountId, { ...known, mark: markOf(account) });
        known.up.changed(account);
      }
      return known.up;
    }
    const up = createConnectionOutbox({
      ...{ account, rows, clock, random, log },
      token: async () => {
        const owner = sync.accounts().find(({ id }) => id === accountId);
        return owner ? tokens.open(owner) : null;
      },
      onSent: () => {
        if (sync.accounts().some(({ id }) => id === accountId))
          sync.run(accountId);
      },
    });
    accounts.set(accountId, { up, mark: markOf(account) });
    return up;
  }

  /** Accounts come, change and go by other means than these. */
  function updateOutboxes(): void {
    if (!isStarted) return;
    const known = new Set(sync.accounts().map(({ id }) => id));
    for (const [id, { up }] of accounts)
      if (!known.has(id)) {
        accounts.delete(id);
        lastContacts.delete(id);
        const stopping = up.stop();
        ending = ending.then(() => stopping);
      }
    for (const id of rows.changeAccounts())
      if (!known.has(id)) rows.forgetChanges(id);
      else if (!accounts.has(id)) of(id).wake();
    for (const id of accounts.keys()) of(id);
    for (const { accountId, lastContactAt } of sync.status()) {
      const known = lastContacts.get(accountId);
      lastContacts.set(accountId, lastContactAt);
      if (known !== lastContactAt) accounts.get(accountId)?.up.noteContact();
    }
  }
  const stopListening = sync.onProgress(updateOutboxes);

  return {
    changes: (accountId) => of(accountId).queue.all(),
    add: (accountId, input) => {
      const up = of(accountId);
      assertWritable(sync.account(accountId));
      const { collection, action, target, fields, base } = readChange(input);
      const waiting = up.queue.all().filter(({ state }) => state !== "done");
      if (waiting.length >= maxWaiting)
        throw new Failure("too-many", `${maxWaiting} changes wait already.`);
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
    retry: (accountId, changeId, choice) =>
      of(accountId).retry(changeId, choice),
    drop: (accountId, changeId) => of(accountId).drop(changeId),
    read: async (accountId, collection, query) => {
      const up = of(accountId);
      if (!isCollection(collection))
        throw new Failure(
          "not-found",
          `A cloud has ${readCollections.join(", ")}.`,
        );
      try {
        return await up.read(collection, query);
      } catch (error) {
        if (error instanceof Refused)
          throw new Failure("not-found", error.message);
        if (error instanceof RemoteError)
          throw new Failure("unavailable", error.message);
        throw error;
      }
    },
    start: () => {
      isStarted = true;
      updateOutboxes();
      for (const { up } of accounts.values()) up.wake();
    },
    stop: async () => {
      stopListening();
      isStarted = false;
      await ending;
      await Promise.all([...accounts.values()].map(({ up }) => up.stop()));
    },
  };
}

/** A screen reads, and a plan from a stick has nobody who could be told. */
function assertWritable({ kind }: SyncAccount): void {
  if (kind !== "cloud")
    throw new Failure(
      "conflict",
      kind === "screen"
        ? "This account was paired by a pin: a screen reads, it changes nothing in the cloud."
        : "This account is a plan from a stick: there is no cloud to change.",
    );
}

function isCollection(name: string): name is ReadCollection {
  return (readCollections as readonly string[]).includes(name);
}

function markOf(account: SyncAccount): string {
  const { baseUrl, version, isEnabled, isCertificateSkipped, proxyUrl } =
    account;
  return JSON.stringify([
    ...[baseUrl, version, isEnabled, isCertificateSkipped, proxyUrl],
    ...[account.tokenKept, account.tokensGiven],
  ]);
}
