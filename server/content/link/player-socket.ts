// WebSocket of one player, with what the service keeps of it: there are ten thousands, so it is little, and no function is its own.

import { WebSocket } from "ws";

/** Sockets of one team, woken together when something changes. */
export interface SocketTeam {
  readonly id: string;
  readonly held: Map<string, PlayerSocket>;
  readonly isEmpty: AbortController;
}

export class PlayerSocket extends WebSocket {
  playerId = "";
  screenId = "";
  team: SocketTeam | null = null;
  /** What was sent last; of the screen only a hash. */
  revision: string | null = null;
  screenHash: string | null = null;
  commandIds: readonly string[] = none;
  watchedId: string | null = null;
  isAnswering = true;
  /** Received since the last ping. */
  messages = 0;
  /** Which part of the pings it belongs to. */
  slot = 0;
}

/** One for all. */
const none: readonly string[] = [];
