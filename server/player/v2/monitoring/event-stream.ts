// events: the event stream, with a limited number of clients; a client that cannot keep up is disconnected (V2-75 to V2-78).

import type { Request, RequestHandler, Response } from "express";
import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import { Failure } from "../../../core/failure.ts";
import type { Clock } from "../../../platform/clock.ts";
import { mayStay } from "../request/authentication.ts";
import type { Events } from "./events.ts";

export interface EventStream {
  readonly send: RequestHandler;
  clients(): number;
  stop(): void;
}

/** Managers, scripts and dashboards of one site; each keeps a connection open permanently. */
const maxClients = 64;
/** A thousand unread events, which is more than all that are kept: the client is asleep or gone. */
const maxBacklogBytes = 1024 * 1024;
/** Keeps proxies and browsers from treating a quiet player as dead. */
const heartbeatIntervalMs = 15_000;
const againAfterSeconds = 5;

export function createEventStream(events: Events, clock: Clock): EventStream {
  const clients = new Set<Response>();
  let stopBeating = (): void => undefined;

  function write(client: Response, text: string): void {
    if (client.writableLength <= maxBacklogBytes) client.write(text);
    else letGo(client);
  }

  function letGo(client: Response): void {
    clients.delete(client);
    client.destroy();
  }

  const stopListening = events.onEvent(({ text }) => {
    for (const client of clients) write(client, text);
  });

  function beat(): void {
    stopBeating = clock.after(heartbeatIntervalMs, () => {
      for (const client of clients)
        if (mayStay(client)) write(client, ": still here\n\n");
        else client.end();
      beat();
    });
  }
  beat();

  function open(request: Request, response: Response): void {
    response.writeHead(200, {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-store",
      "X-Accel-Buffering": "no",
    });
    if (request.method === "HEAD") {
      response.end();
      return;
    }
    const seen = request.get("Last-Event-ID");
    const missedEvents = seen === undefined ? null : events.after(seen);
    const isGap = seen !== undefined && missedEvents === null;
    // No event can get lost in between: a client that receives the missed events also receives every event after them.
    const first = missedEvents ?? [
      ...(isGap ? [events.changedNow()] : []),
      events.showingNow(),
    ];
    const texts = first.map(({ text }) => text);
    response.write(["retry: 3000\n\n", ...texts].join(""));
    clients.add(response);
    // A connection that breaks during a write is not an error of the player.
    response.on("error", () => letGo(response));
    response.once("close", () => clients.delete(response));
  }

  return {
    send: (request, response) => {
      if (clients.size >= maxClients) {
        response.setHeader("Retry-After", againAfterSeconds);
        throw new Failure(
          "unavailable",
          composeSentence(playerSentences["streams-limit"], {
            limit: maxClients,
          }),
        );
      }
      open(request, response);
    },
    clients: () => clients.size,
    stop: () => {
      stopListening();
      stopBeating();
      for (const client of clients) client.end();
    },
  };
}
