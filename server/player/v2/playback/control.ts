// control: next, previous and asset&{id}, passed to the director; and reboot and shutdown.

import type { RequestHandler } from "express";
import { Failure } from "../../../core/failure.ts";
import { isOrdered } from "../../../platform/http/allowed-hosts.ts";
import type { Director } from "../../playback/director.ts";
import type { Power, PowerAction } from "../../power.ts";
import { isOfManager } from "../request/session-cookie.ts";

/** A GET that changes something: it has to prove who sends it, and HEAD changes nothing (V2-450). */
export function controlPlayback(
  director: Director,
  isListed: (origin: string) => boolean,
): RequestHandler<{ command: string }> {
  return (request, response) => {
    const { origin } = request.headers;
    const isOfListed = origin !== undefined && isListed(origin);
    const { headers } = request;
    if (!isOfListed && !isOfManager(headers) && !isOrdered(headers))
      throw new Failure(
        "forbidden",
        "Browsers cannot send this command: it requires a client with its own User-Agent, or an access token as Bearer.",
      );
    if (request.method !== "HEAD") obey(director, request.params.command);
    response.json("Asset switched");
  };
}

function obey(director: Director, command: string): void {
  if (command === "next" || command === "previous") director.step(command);
  else if (command.startsWith("asset&"))
    director.show(command.slice("asset&".length));
  else
    throw new Failure(
      "not-found",
      "Unknown command; expected next, previous or asset&{asset_id}.",
    );
}

// reboot and shutdown: answered immediately, run once.

export function requestPower(
  power: Power,
  action: PowerAction,
): RequestHandler {
  return (_request, response) => {
    power.request(action);
    response.status(200).end();
  };
}
