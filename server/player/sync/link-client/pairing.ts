// Pairing: registers the player with a service and shows a PIN for a person to enter until the screen is claimed.

import * as z from "zod";
import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import { generalSentences } from "../../../contract/sentences/general-sentences.ts";
import {
  credentialPrefix,
  linkPaths,
  newPinLink,
  playerLink,
  registeredLink,
  type LinkFacts,
  type LinkScreen,
} from "../../../contract/link/link.ts";
import { Failure } from "../../../core/failure.ts";
import type { Log } from "../../../platform/log.ts";
import type { Clock } from "../../../platform/clock.ts";
import { pause } from "../../../platform/clock.ts";
import type { LinkRows } from "./link-rows.ts";
import type { Secrets } from "../store/secret-store.ts";
import { createSend, type Send } from "../remote/send-http.ts";
import { reasonIn } from "../../../contract/screens-client/response-reason.ts";
import { toRemoteErrorOrBug, RemoteError } from "../remote/remote-error.ts";

/** A player that is waiting to be claimed, or has been claimed. */
export interface PairingView {
  readonly baseUrl: string;
  readonly state: "waiting" | "claimed" | "ended";
  /** A person enters it at the service; null unless the player is waiting. */
  readonly pin: string | null;
  readonly pinEndsAt: number | null;
  /** The connection of the claimed screen; before that, the connection whose screen was deleted. */
  readonly accountId: string | null;
  /** Why pairing makes no progress, in a sentence. */
  readonly problem: string | null;
}

export interface PairingOptions {
  readonly rows: LinkRows;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly facts: () => LinkFacts;
  /** Creates the connection for this screen, or gives an existing one its new screen; returns its identifier. */
  readonly onClaimed: (claim: Claim) => Promise<string>;
  readonly onChanged: () => void;
}

export interface Claim {
  readonly baseUrl: string;
  readonly screen: LinkScreen;
  readonly credential: string;
  /** The connection whose screen was deleted. */
  readonly accountId: string | null;
}

export interface Pairing {
  view(): PairingView | null;
  pair(baseUrl: string): Promise<PairingView>;
  /** The screen of this connection was deleted: it waits to be claimed again. */
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
/** A pairing that nobody completes is given up after this time. */
const maxWaitingMs = 24 * 3_600_000;
const waitSeconds = 25;
const firstPauseMs = 1000;
const longestPauseMs = 60_000;
/** Something that answered in the service's place by mistake is often gone by then. */
const denialPauseMs = 60_000;
/** A PIN that expires sooner is not worth entering. */
const pinExpiryMarginMs = 5_000;

export function createPairing(options: PairingOptions): Pairing {
  const { rows, secrets, clock, random, log } = options;
  const reading = storedShape.safeParse(rows.pairing());
  let stored: Stored | null = reading.success ? reading.data : null;
  let isUnsaved = false;
  /** The service answered that it does not know this player: a second answer is needed before that counts (V2-530). */
  let isDenied = false;
  let problem: string | null = null;
  let stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  /** Takes effect at once: the previous PIN may have expired. If the disk cannot write, saving is retried. */
  function save(value: Stored): void {
    stored = value;
    isUnsaved = true;
    try {
      write();
    } catch {
      // `wait` keeps retrying and reports why it fails.
    }
    options.onChanged();
  }

  function write(): void {
    rows.savePairing(stored);
    isUnsaved = false;
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

  /** Throws a RemoteError. Bytes before rows: the credential is stored before anything depends on it. */
  async function register(baseUrl: string): Promise<Stored> {
    const send = senderOf(baseUrl, null);
    for (const prefix of ["", "/api"] as const) {
      const answer = await send("POST", prefix + linkPaths.players, {
        ...{ json: { facts: options.facts() }, isSearch: true },
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
        throw new RemoteError("refused", reasonIn(answer));
    }
    throw new RemoteError("refused", connectionSentences["no-pairing"]);
  }

  function isUnfinished(): boolean {
    return stored?.state === "waiting" || isUnsaved;
  }

  async function wait(): Promise<void> {
    let failures = 0;
    while (isUnfinished() && !stopping.signal.aborted)
      try {
        if (stored?.state === "waiting") await waitOnce(stored);
        if (isUnsaved) write();
        const wasStuck = problem !== null;
        problem = null;
        if (wasStuck) options.onChanged();
        failures = 0;
      } catch (error) {
        if (stopping.signal.aborted) return;
        const failure =
          error instanceof Failure
            ? new RemoteError("refused", error.message)
            : toRemoteErrorOrBug(error, "The service", (bug) =>
                log.error("link.internal-error", { error: bug }),
              );
        if (problem !== failure.message)
          log.warn("link.pairing-pending", { why: failure.message });
        problem = failure.message;
        options.onChanged();
        const grown = Math.min(longestPauseMs, firstPauseMs * 2 ** failures++);
        const ms = Math.max(failure.waitMs ?? 0, grown * (0.5 + random()));
        await pause(clock, ms, stopping.signal).catch(() => undefined);
      }
    // Only now: until the claim is stored, it may be claimed once more.
    if (stored?.state === "claimed" && !isUnsaved)
      await secrets.forget(secretName).catch(() => undefined);
  }

  async function waitOnce(now: Stored): Promise<void> {
    const credential = await secrets.open(secretName);
    if (credential === null) {
      if (await secrets.isLocked(secretName)) {
        if (isOver(now)) return;
        throw new RemoteError(
          "no-token",
          connectionSentences["pairing-encrypted"],
        );
      }
      // The credential belongs to another machine or was never written: there is nothing to wait with.
      await registerAgain(now);
      return;
    }
    const send = senderOf(now.baseUrl, credential);
    const path = now.prefix + linkPaths.player;
    const answer = await send("GET", `${path}?wait=${waitSeconds}`, {
      waitSeconds,
    });
    if (answer.status === 401 || answer.status === 410) {
      if (!isDenied) {
        isDenied = true;
        throw new RemoteError("unauthorized", reasonIn(answer), denialPauseMs);
      }
      await registerAgain(now);
      isDenied = false;
      return;
    }
    isDenied = false;
    const state = playerLink.safeParse(answer.json);
    if (answer.status !== 200 || !state.success)
      throw new RemoteError("refused", reasonIn(answer));
    if (state.data.status === "claimed") await claimed(now, state.data.screen);
    else if (
      state.data.status === "expired" ||
      (now.pinEndsAt ?? 0) - clock.now() < pinExpiryMarginMs
    )
      await renew(now, send);
  }

  async function registerAgain(now: Stored): Promise<void> {
    if (isOver(now)) return;
    const fresh = await register(now.baseUrl);
    const { startedAt, accountId } = now;
    save({ ...fresh, startedAt, accountId });
  }

  function isOver(now: Stored): boolean {
    const isTooLong = clock.now() - now.startedAt > maxWaitingMs;
    if (isTooLong) save({ ...now, state: "ended", pin: null, pinEndsAt: null });
    return isTooLong;
  }

  async function renew(now: Stored, send: Send): Promise<void> {
    if (isOver(now)) return;
    const answer = await send("POST", now.prefix + linkPaths.pin);
    // Claimed at this very moment: the next request shows it.
    if (answer.status === 409) return;
    const fresh = newPinLink.safeParse(answer.json);
    if (answer.status !== 201 || !fresh.success)
      throw new RemoteError("refused", reasonIn(answer));
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
    log.info("link.claimed", { connection: accountId, screen: screen.id });
  }

  function begin(): void {
    running = running.then(wait).catch((error: unknown) => {
      if (stopping.signal.aborted) return;
      problem = generalSentences.unforeseen;
      log.error("link.internal-error", { error });
      options.onChanged();
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
        if (error instanceof RemoteError)
          throw new Failure("unavailable", error.message);
        throw error;
      }
      begin();
      return view() as PairingView;
    },
    pairAgain: (baseUrl, accountId) => {
      // A new pairing may have started in the meantime.
      if (stored?.state === "waiting") return;
      const startedAt = clock.now();
      // A credential that cannot be deleted is one that the service does not know.
      const forgetting = secrets.forget(secretName).catch(() => undefined);
      forgetting
        .then(() => {
          save({
            ...{ baseUrl, prefix: "", state: "waiting", pin: null },
            ...{ pinEndsAt: null, startedAt, accountId },
          });
          begin();
        })
        .catch((error: unknown) => log.error("link.internal-error", { error }));
    },
    end: async () => {
      await halt();
      try {
        rows.savePairing(null);
      } catch (error) {
        begin();
        throw error;
      }
      [stored, isUnsaved, problem] = [null, false, null];
      isDenied = false;
      options.onChanged();
      await secrets.forget(secretName);
    },
    start: begin,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
