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
      readonly players: readonly Player[];
    }
  | { readonly kind: "forget-news" }
  | { readonly kind: "report" };

export interface FleetReport {
  readonly open: number;
  /** Players that have heard of something new since that was forgotten, and how long ago the last of them did. */
  readonly heard: number;
  readonly lastHeardAt: number;
}

const heard = new Set<string>();
let lastHeardAt = 0;
let open = 0;

process.on("message", (call: FleetCall) => {
  switch (call.kind) {
    case "start":
      if (call.isBare) {
        for (const _ of call.players) openBare(call.baseUrl);
        return;
      }
      for (const { credential, screenId } of call.players)
        startSession({
          ...{ baseUrl: call.baseUrl, credential, screenId },
          onSocket: (isOpen) => (open += isOpen ? 1 : -1),
          onNews: () => {
            heard.add(screenId);
            lastHeardAt = Date.now();
          },
        });
      return;
    case "forget-news":
      heard.clear();
      return;
    case "report": {
      const report: FleetReport = { open, heard: heard.size, lastHeardAt };
      process.send?.(report);
    }
  }
});

function openBare(baseUrl: string): void {
  const socket = new WebSocket(baseUrl.replace("http", "ws"), {
    perMessageDeflate: false,
  });
  socket.on("open", () => (open += 1));
  socket.on("error", () => openBare(baseUrl));
}
