// The process with the simulated players: told by messages how many run, and asked what they have heard.

import { WebSocket } from "ws";
import { startSession } from "./session.ts";

export interface Player {
  readonly credential: string;
  readonly screenId: string;
}

export type FleetCall =
  | {
      readonly kind: "start";
      readonly baseUrl: string;
      /** To a server that knows no players: sockets only. */
      readonly isBare: boolean;
      /** One after the other, so that the start is not what is measured. */
      readonly everyMs: number;
      readonly players: readonly Player[];
    }
  | { readonly kind: "forget-news" }
  | { readonly kind: "report" };

export interface FleetReport {
  readonly open: number;
  /** Players that have heard of something new since that was forgotten, and how long ago the last of them did. */
  readonly receivedNews: number;
  readonly lastReceivedAt: number;
}

const receivedNews = new Set<string>();
let lastReceivedAt = 0;
let open = 0;

process.on("message", (call: FleetCall) => {
  switch (call.kind) {
    case "start":
      startEach(call);
      return;
    case "forget-news":
      receivedNews.clear();
      return;
    case "report": {
      const report: FleetReport = {
        open,
        receivedNews: receivedNews.size,
        lastReceivedAt,
      };
      process.send?.(report);
    }
  }
});

function startEach(call: FleetCall & { readonly kind: "start" }): void {
  const { baseUrl, players, isBare, everyMs } = call;
  for (const [at, player] of players.entries())
    setTimeout(() => {
      if (isBare) openBare(baseUrl);
      else startPlayer(baseUrl, player);
    }, at * everyMs);
}

function startPlayer(baseUrl: string, { credential, screenId }: Player): void {
  startSession({
    ...{ baseUrl, credential, screenId },
    onSocket: (isOpen) => (open += isOpen ? 1 : -1),
    onNews: () => {
      receivedNews.add(screenId);
      lastReceivedAt = Date.now();
    },
  });
}

function openBare(baseUrl: string): void {
  const socket = new WebSocket(baseUrl.replace("http", "ws"), {
    perMessageDeflate: false,
  });
  socket.on("open", () => (open += 1));
  socket.on("error", () => openBare(baseUrl));
}
