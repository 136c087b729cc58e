// The player's end of the link: pairing, and one link for every account that was made by a pin.

import {
  credentialPrefix,
  linkPaths,
  type LinkFacts,
} from "../../../contract/link/link.ts";
import {
  plainAccount,
  type SyncAccount,
} from "../../../core/sync-plan/sync-state.ts";
import type { Log } from "../../../platform/log.ts";
import type { AccountTokens } from "../accounts/account-tokens.ts";
import type { Sync } from "../connection/connections.ts";
import type { Clock } from "../../../platform/clock.ts";
import {
  createAccountLink,
  type AccountLink,
  type LinkActions,
  type LinkView,
} from "./link-session.ts";
import { createPairing, type Claim, type PairingView } from "./pairing.ts";
import type { LinkRows } from "./link-rows.ts";
import type { Secrets } from "../accounts/secrets.ts";
import { createSend, type Send } from "../remote/send-http.ts";
import { toRemoteErrorOrBug, RemoteError } from "../remote/remote-error.ts";

export interface Link {
  pairing(): PairingView | null;
  /** Registers at this service as a player that waits. Throws a Failure that says why not. */
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
  readonly tokens: Pick<AccountTokens, "open">;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly facts: () => LinkFacts;
  readonly actions: LinkActions;
}

/** The database may be free again by then. */
const retryMs = 30_000;

interface Running {
  readonly link: AccountLink;
  /** Another address, another screen or another credential is another link. */
  readonly mark: string;
  readonly stopped: AbortController;
}

export function createLink(options: LinkOptions): Link {
  const { sync, rows, secrets, tokens, clock, random, log } = options;
  const links = new Map<string, Running>();
  /** Of whom the service said that it knows them no longer, as they were then. */
  const ended = new Map<string, string>();
  const listeners = new Set<() => void>();
  /** Links that could not be opened, as they are told. */
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

  /** Once, also when it is told twice: what was written before a power cut is found again. */
  async function claim({
    baseUrl,
    screen,
    credential,
    accountId,
  }: Claim): Promise<string> {
    const all = sync.accounts();
    const known =
      all.find(
        (one) => one.baseUrl === baseUrl && one.screenId === screen.id,
      ) ?? all.find(({ id }) => id === accountId);
    const { id } = known
      ? await sync.changeAccount(known.id, { screenId: screen.id }, credential)
      : await sync.addAccount(
          {
            ...plainAccount,
            ...{ baseUrl, name: new URL(baseUrl).host, screenId: screen.id },
          },
          credential,
        );
    ended.delete(id);
    updateLinksSoon();
    return id;
  }

  /** Accounts come, change and go by other means than these. */
  function updateLinksSoon(): void {
    lastTask = lastTask.then(updateLinks).catch((error: unknown) => {
      log.error("link.bug-met", { error });
    });
  }

  /** One that cannot be opened is seen as such, holds up no other, and is tried again (V2-551). */
  async function openOrNote(account: SyncAccount): Promise<void> {
    try {
      await open(account);
      unopened.delete(account.id);
    } catch (error) {
      const { id, screenId } = account;
      const failure = toRemoteErrorOrBug(error, "The player's store", (bug) =>
        log.error("link.bug-met", { account: id, error: bug }),
      );
      unopened.set(id, {
        ...{ accountId: id, screenId: screenId ?? "", screenName: null },
        ...{ isConnected: false, lastContactAt: null, playbacksWaiting: 0 },
        problem: failure.message,
      });
      stopRetry();
      stopRetry = clock.after(retryMs, updateLinksSoon);
    }
  }

  async function updateLinks(): Promise<void> {
    const accounts = new Map(sync.accounts().map((one) => [one.id, one]));
    for (const [id, running] of links) {
      const account = accounts.get(id);
      if (account && markOf(account) === running.mark) continue;
      links.delete(id);
      running.stopped.abort();
      await running.link.stop();
    }
    for (const id of unopened.keys())
      if (!accounts.get(id)?.isEnabled) unopened.delete(id);
    if (!isStarted) return;
    for (const account of accounts.values())
      if (!links.has(account.id) && ended.get(account.id) !== markOf(account))
        await openOrNote(account);
    for (const id of rows.accounts()) if (!accounts.has(id)) rows.forget(id);
  }

  async function open(account: SyncAccount): Promise<void> {
    if (!account.isEnabled || account.screenId === null) return;
    const credential = await tokens.open(account);
    if (!credential?.startsWith(credentialPrefix)) return;
    const stopped = new AbortController();
    const { id, baseUrl } = account;
    const link = createAccountLink({
      ...{ account, rows, clock, random, log },
      ...{ facts: options.facts, actions: options.actions },
      send: sendOf(account, credential, stopped.signal),
      status: () => sync.status().find(({ accountId }) => accountId === id),
      requestPoll: () => {
        if (sync.accounts().some((one) => one.id === id)) sync.run(id, true);
      },
      onEnded: () => {
        ended.set(id, markOf(account));
        pairing.pairAgain(baseUrl, id);
      },
    });
    links.set(id, { link, stopped, mark: markOf(account) });
  }

  function sendOf(
    { baseUrl, isCertificateSkipped, proxyUrl }: SyncAccount,
    credential: string,
    stopped: AbortSignal,
  ): Send {
    const send = createSend(
      {
        ...{ baseUrl, isCertificateSkipped, proxyUrl },
        authorization: `Bearer ${credential}`,
      },
      clock.now,
      stopped,
    );
    let prefix: string | null = null;
    /** Services answer with `/api` in front or without it. */
    return async (method, path, sent) => {
      prefix ??= await findPrefix(send);
      return send(method, prefix + path, sent);
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

/** Throws a CloudTrouble where neither path is there: it is looked for again. */
async function findPrefix(send: Send): Promise<string> {
  for (const prefix of ["", "/api"]) {
    const path = prefix + linkPaths.player;
    const { status } = await send("GET", path, { isSearch: true });
    if (status !== 404) return prefix;
  }
  throw new RemoteError("refused", "There is no link at this address.");
}

function markOf(account: SyncAccount): string {
  const { baseUrl, screenId, isEnabled, isCertificateSkipped, proxyUrl } =
    account;
  return JSON.stringify([
    ...[baseUrl, screenId, isEnabled, isCertificateSkipped, proxyUrl],
    ...[account.tokenKept, account.tokensGiven],
  ]);
}
