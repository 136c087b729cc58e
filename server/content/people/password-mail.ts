// Sends a link for a new password to a person who requests one, after the request was answered: neither the answer nor its time
// depends on whether the address has an account (V3-204).

import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { hash } from "node:crypto";
import { Failure } from "../../core/failure.ts";
import { createAttempts } from "../../platform/failed-sign-ins.ts";
import type { Log } from "../../platform/log.ts";
import type { Mailer } from "../alerts/mailer.ts";
import { DeliveryError } from "../alerts/delivery-error.ts";
import { tooManyAttempts } from "../http/too-many-attempts.ts";
import { linkMail } from "./link-mail.ts";
import { passwordLink, type PasswordLinks } from "./password-links.ts";
import { emailFrom, type People } from "./people.ts";

export interface PasswordMail {
  /** `base` begins the link. Throws `too-many` and `unavailable`, whether the account exists or not. */
  request(address: string, email: string, base: string): void;
  stop(): Promise<void>;
}

export interface PasswordMailOptions {
  readonly people: Pick<People, "findByEmail">;
  readonly links: Pick<PasswordLinks, "create">;
  readonly mailer: Mailer;
  readonly makeId: () => string;
  readonly monotonic: () => number;
  readonly log: Log;
}

const maxOfAddress = 20;
/** Enough for an email that got lost; nobody can fill a mailbox, nor replace every link before it is used. */
const maxOfAccount = 3;
const maxWaiting = 100;

export function createPasswordMail(options: PasswordMailOptions): PasswordMail {
  const { people, links, mailer, makeId, monotonic, log } = options;
  const ofAddresses = createAttempts(monotonic);
  const ofAccounts = createAttempts(monotonic);
  const stopping = new AbortController();
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;

  async function send(email: string, base: string): Promise<void> {
    const { signal } = stopping;
    if (signal.aborted) return;
    const person = await people.findByEmail(email);
    if (!person || person.is_disabled) return;
    const secret = await links.create(person.id);
    const mail = linkMail(
      { id: makeId() },
      passwordLink(base, secret),
      "forgotten",
      mailer.language,
    );
    await mailer.send(person.email, mail, signal);
    log.info("access.password-link-sent", { person: person.id });
  }

  return {
    request: (address, email, base) => {
      const { count, secondsLeft } = ofAddresses.note(address);
      if (count > maxOfAddress)
        throw tooManyAttempts("password-links-limit", secondsLeft);
      if (waiting >= maxWaiting)
        throw new Failure(
          "unavailable",
          serviceSentences["password-links-busy"],
        );
      const account = hash("sha256", emailFrom(email), "hex");
      // Those before are in the mailbox: refusing this one would only tell an attacker how to get in the way.
      if (ofAccounts.note(account).count > maxOfAccount) return;
      waiting += 1;
      last = last
        .then(() => send(email, base))
        .catch((error: unknown) =>
          log.warn("access.password-link-not-sent", {
            reason: error instanceof DeliveryError ? error.message : error,
          }),
        )
        .finally(() => {
          waiting -= 1;
        });
    },
    stop: async () => {
      stopping.abort();
      await last;
    },
  };
}
