// Compares the password that a browser signs in with: one at a time, since each takes 32 MiB, and none from an address that is
// locked out (V2-780).

import type { Request, Response } from "express";
import { generalSentences } from "../../../contract/sentences/general-sentences.ts";
import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import { Failure } from "../../../core/failure.ts";
import {
  addressOf,
  invalidToken,
  type RequireAccessOptions,
} from "./authentication.ts";

/** Returns the id of the password. Throws `unauthorized`, `too-many`, or `unavailable` while too many others are waiting. */
export type CheckPassword = (
  request: Request,
  response: Response,
  password: string,
) => Promise<string>;

/** A few seconds of waiting. */
const maxWaiting = 10;

export function createPasswordCheck({
  password,
  invalidTokens,
}: Pick<RequireAccessOptions, "password" | "invalidTokens">): CheckPassword {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  // Counted before the next one begins: many that are sent at once have no more attempts than one after the other.
  async function check(
    request: Request,
    response: Response,
    given: string,
  ): Promise<string> {
    const id = invalidTokens.isReached(addressOf(request))
      ? null
      : await password.check(given);
    if (id !== null) return id;
    // The same whether one is set or not.
    const message = playerSentences["not-a-secret"];
    throw invalidToken(request, response, invalidTokens, message);
  }

  return async (request, response, given) => {
    if (waiting >= maxWaiting)
      throw new Failure("unavailable", generalSentences["passwords-at-once"]);
    waiting += 1;
    const mine = last.then(() => check(request, response, given));
    last = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      waiting -= 1;
    }
  };
}
