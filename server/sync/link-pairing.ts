// Becoming a screen: registered at a service, with a pin for a person to type, until it is claimed.

import * as z from "zod";
import {
  credentialPrefix,
  linkPaths,
  newPinLink,
  playerLink,
  registeredLink,
  type LinkFacts,
  type LinkScreen,
} from "../contract/link.ts";
import { Failure } from "../core/failure.ts";
import type { PairingView } from "../core/upwards-desk.ts";
import type { Log } from "../platform/log.ts";
import { pause, type SyncClock } from "./clock.ts";
import type { LinkRows } from "./link-rows.ts";
import type { Secrets } from "./secrets.ts";
import { createSend, reasonIn, type Send } from "./send-http.ts";
import { CloudTrouble } from "./trouble.ts";

export interface PairingOptions {
  readonly rows: LinkRows;
  readonly secrets: Secrets;
  readonly clock: SyncClock;
  readonly chance: () => number;
  readonly log: Log;
  readonly facts: () => LinkFacts;
  /** Makes the account that this screen is, or gives an old one its new screen; answers its identifier. */
  readonly onClaimed: (claim: Claim) => Promise<string>;
  readonly onChanged: () => void;
}

export interface Claim {
  readonly baseUrl: string;
  readonly screen: LinkScreen;
  readonly credential: string;
  /** The account whose screen was deleted. */
  readonly accountId: string | null;
}

export interface Pairing {
  view(): PairingView | null;
  pair(baseUrl: string): Promise<PairingView>;
  /** The screen of this account was deleted: it waits to be claimed anew. */
  pairAgain(baseUrl: string, accountId: string): void;
  end(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

const storedShape = z.object({
  baseUrl: z.string().regex(/^https?:\/\/[^\s?#@]+$/i),
  prefix: z.enum(["", "/api"]).catch(""),
  state: z.enum(["waiting", "claimed", "ended"]),
  pin: z.string().max(20).nullable(),
  pinEndsAt: z.number().nullable(),
  startedAt: z.number(),
  accountId: z.string().nullable(),
});
type Stored = z.infer<typeof storedShape>;

const secretName = "pairing";
/** As long as a service keeps a player that nobody claims (L-1). */
const mostWaitingMs = 24 * 3_600_000;
const waitSeconds = 25;
const firstPauseMs = 1000;
const longestPauseMs = 60_000;
/** A pin that ends this soon is not worth typing. */
const pinSpareMs = 5_000;

export function createPairing(options: PairingOptions): Pairing {
  const { rows, secrets, clock, chance, log } = options;
  const reading = storedShape.safeParse(rows.pairing());
  let stored: Stored | null = reading.success ? reading.data : null;
  let problem: string | null = null;
  let stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  function save(value: Stored | null): void {
    stored = value;
    rows.savePairing(value);
    options.onChanged();
  }

  function senderOf(baseUrl: string, credential: string | null): Send {
    return createSend(
      {
        ...{ baseUrl, isCertificateSkipped: false, proxyUrl: null },
        authorization: credential === null ? null : `Bearer ${credential}`,
      },
      clock.now,
      stopping.signal,
    );
  }

  /** Throws a CloudTrouble. Bytes before rows: the credential lies safe before anybody counts on it. */
  async function register(baseUrl: string): Promise<Stored> {
    const send = senderOf(baseUrl, null);
    for (const prefix of ["", "/api"] as const) {
      const answer = await send("POST", prefix + linkPaths.players, {
        json: { facts: options.facts() },
      });
      const registered = registeredLink.safeParse(answer.json);
      if (answer.status === 201 && registered.success) {
        const { credential, pin, expires_in_seconds: left } = registered.data;
        await secrets.keep(secretName, credential);
        const now = clock.now();
        return {
          ...{ baseUrl, prefix, pin, state: "waiting", accountId: null },
          ...{ pinEndsAt: now + left * 1000, startedAt: now },
        };
      }
      if (answer.status !== 404)
        throw new CloudTrouble("refused", reasonIn(answer));
    }
    throw new CloudTrouble(
      "refused",
      "There is no service at this address that screens can be paired with.",
    );
  }

  async function wait(): Promise<void> {
    let failures = 0;
    while (stored?.state === "waiting" && !stopping.signal.aborted)
      try {
        await waitOnce(stored);
        if (problem !== null) options.onChanged();
        problem = null;
        failures = 0;
      } catch (error) {
        if (stopping.signal.aborted) return;
        if (!(error instanceof CloudTrouble)) throw error;
        if (problem !== error.message)
          log.warn("link.pairing-waits", { why: error.message });
        problem = error.message;
        options.onChanged();
        const grown = Math.min(longestPauseMs, firstPauseMs * 2 ** failures++);
        const ms = Math.max(error.waitMs ?? 0, grown * (0.5 + chance()));
        await pause(clock, ms, stopping.signal).catch(() => undefined);
      }
  }

  async function waitOnce(now: Stored): Promise<void> {
    const credential = await secrets.open(secretName);
    if (credential === null) {
      // Of another machine, or never written: there is nothing to wait with.
      await anew(now);
      return;
    }
    const send = senderOf(now.baseUrl, credential);
    const path = now.prefix + linkPaths.player;
    const answer = await send("GET", `${path}?wait=${waitSeconds}`, {
      waitSeconds,
    });
    if (answer.status === 401 || answer.status === 410) {
      await anew(now);
      return;
    }
    const state = playerLink.safeParse(answer.json);
    if (answer.status !== 200 || !state.success)
      throw new CloudTrouble("refused", reasonIn(answer));
    if (state.data.status === "claimed") await claimed(now, state.data.screen);
    else if (
      state.data.status === "expired" ||
      (now.pinEndsAt ?? 0) - clock.now() < pinSpareMs
    )
      await renew(now, send);
  }

  async function anew(now: Stored): Promise<void> {
    if (isOver(now)) return;
    const fresh = await register(now.baseUrl);
    const { startedAt, accountId } = now;
    save({ ...fresh, startedAt, accountId });
  }

  function isOver(now: Stored): boolean {
    const isTooLong = clock.now() - now.startedAt > mostWaitingMs;
    if (isTooLong) save({ ...now, state: "ended", pin: null, pinEndsAt: null });
    return isTooLong;
  }

  async function renew(now: Stored, send: Send): Promise<void> {
    if (isOver(now)) return;
    const answer = await send("POST", now.prefix + linkPaths.pin);
    // Claimed in this very moment: the next question says so.
    if (answer.status === 409) return;
    const fresh = newPinLink.safeParse(answer.json);
    if (answer.status !== 201 || !fresh.success)
      throw new CloudTrouble("refused", reasonIn(answer));
    const { pin, expires_in_seconds: left } = fresh.data;
    save({ ...now, pin, pinEndsAt: clock.now() + left * 1000 });
  }

  async function claimed(now: Stored, screen: LinkScreen): Promise<void> {
    const credential = await secrets.open(secretName);
    if (!credential?.startsWith(credentialPrefix)) return;
    const { baseUrl } = now;
    const accountId = await options.onClaimed({
      ...{ baseUrl, screen, credential, accountId: now.accountId },
    });
    save({ ...now, state: "claimed", pin: null, pinEndsAt: null, accountId });
    await secrets.forget(secretName);
    log.info("link.claimed", { account: accountId, screen: screen.id });
  }

  function begin(): void {
    running = running.then(wait).catch((error: unknown) => {
      if (!stopping.signal.aborted) log.error("link.bug-met", { error });
    });
  }

  async function halt(): Promise<void> {
    stopping.abort();
    await running;
    stopping = new AbortController();
  }

  function view(): PairingView | null {
    if (!stored) return null;
    const { baseUrl, state, pin, pinEndsAt, accountId } = stored;
    return { baseUrl, state, pin, pinEndsAt, accountId, problem };
  }

  return {
    view,
    pair: async (baseUrl) => {
      await halt();
      problem = null;
      try {
        save(await register(baseUrl));
      } catch (error) {
        begin();
        if (error instanceof CloudTrouble)
          throw new Failure("unavailable", error.message);
        throw error;
      }
      begin();
      return view() as PairingView;
    },
    pairAgain: (baseUrl, accountId) => {
      // Somebody may be waiting for another one at this moment.
      if (stored?.state === "waiting") return;
      const startedAt = clock.now();
      void secrets.forget(secretName).then(() => {
        save({
          ...{ baseUrl, prefix: "", state: "waiting", pin: null },
          ...{ pinEndsAt: null, startedAt, accountId },
        });
        begin();
      });
    },
    end: async () => {
      await halt();
      await secrets.forget(secretName);
      problem = null;
      save(null);
    },
    start: begin,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
