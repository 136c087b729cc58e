// WebSockets of paired players: pushes what is new for their screens, and knows which are connected (L-44 to L-46).

import type { Request, Response } from "express";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocketServer, type WebSocket } from "ws";
import type { LinkScreen, PushedNewsLink } from "../../contract/link/link.ts";
import { Failure } from "../../core/failure.ts";
import { takeUpgrade } from "../../platform/http/upgrade.ts";
import type { Log } from "../../platform/log.ts";
import { Refusal } from "../http/v4-errors.ts";
import type { Changes, Mark } from "./changes.ts";
import { heartbeatSeconds, type Heartbeats } from "./heartbeats.ts";
import type { News } from "./news.ts";
import type { PendingCommands } from "./screen-commands.ts";

/** How many screens one service holds; more are answered by long polls. */
export const maxSockets = 50_000;
/** Of a WebSocket that is closed because its screen was deleted, or another one took its place. */
export const closeCodes = { screenDeleted: 4001, replaced: 4002 } as const;

export interface Sockets {
  /** Turns the request into a socket, and sends what the player has to know. */
  open(
    of: {
      readonly playerId: string;
      readonly teamId: string;
      readonly screenId: string;
    },
    request: Request,
    response: Response,
  ): Promise<void>;
  count(): number;
  /** Ends all of them. */
  stop(): Promise<void>;
}

export interface SocketsOptions {
  readonly news: News;
  readonly changes: Pick<Changes, "markOf" | "wait">;
  readonly heartbeats: Pick<Heartbeats, "listen" | "endListening">;
  readonly log: Log;
  /** A socket that did not answer a ping before the next one is closed. */
  readonly pingIntervalMs: number;
  readonly random: () => number;
}

interface Held {
  readonly socket: WebSocket;
  readonly playerId: string;
  readonly screenId: string;
  readonly team: Team;
  /** What was sent last. */
  revision: string | null;
  screen: string | null;
  commandIds: readonly string[];
  isAnswering: boolean;
  /** Received since the last ping. */
  messages: number;
  readonly slot: number;
}

interface Team {
  readonly id: string;
  readonly held: Map<string, Held>;
  readonly isEmpty: AbortController;
}

/** Pings are spread over their interval: ten thousand at once would hold up everything else. */
const slots = 30;
/** Statements that name screens. */
const screensAtOnce = 500;
/** From a player between two pings. */
const maxMessages = 100;
/** A player that reads nothing is disconnected. */
const maxUnreadBytes = 1024 * 1024;
/** Reconnections after a restart are spread at this rate, which leaves capacity for other requests. */
const reconnectsPerSecond = 200;
const longestReconnectSeconds = 60;
const reportsPerSecond = 40;
const shortestReportSeconds = 5;
const retryMs = 1000;
/** The revision is read again, in case a wake-up was missed. */
const recheckMs = 60_000;

export function createSockets(options: SocketsOptions): Sockets {
  const { news, changes, heartbeats, log } = options;
  const stopped = new AbortController();
  const teams = new Map<string, Team>();
  const ended = new Set<string>();
  const underWay = new Set<Promise<void>>();
  const upgrading = new WebSocketServer({
    ...{ noServer: true, clientTracking: false, perMessageDeflate: false },
    // Players send nothing.
    maxPayload: 1024,
  });
  let open = 0;
  let slot = 0;

  function track(work: Promise<void>): void {
    underWay.add(work);
    const forget = (): boolean => underWay.delete(work);
    work.then(forget, forget);
  }

  function teamOf(id: string): Team {
    const known = teams.get(id);
    if (known) return known;
    const team: Team = {
      ...{ id, held: new Map(), isEmpty: new AbortController() },
    };
    teams.set(id, team);
    track(pushChanges(team));
    return team;
  }

  function add(
    of: { playerId: string; teamId: string; screenId: string },
    socket: WebSocket,
  ) {
    const team = teamOf(of.teamId);
    const held: Held = {
      ...{ socket, playerId: of.playerId, screenId: of.screenId, team },
      ...{ isAnswering: true, messages: 0 },
      ...{ revision: null, screen: null, commandIds: [] },
      slot: Math.floor(options.random() * slots),
    };
    team.held.get(of.screenId)?.socket.close(closeCodes.replaced, "replaced");
    team.held.set(of.screenId, held);
    ended.delete(of.screenId);
    open += 1;
    socket.on("pong", () => {
      held.isAnswering = true;
    });
    // Nothing is expected from a player; what a later version sends is ignored.
    socket.on("message", () => {
      held.messages += 1;
      if (held.messages > maxMessages) socket.terminate();
    });
    socket.on("error", () => socket.terminate());
    socket.once("close", () => remove(held));
    return held;
  }

  function remove(held: Held): void {
    const { team, screenId } = held;
    open -= 1;
    if (team.held.get(screenId) !== held) return;
    team.held.delete(screenId);
    ended.add(screenId);
    if (team.held.size > 0) return;
    teams.delete(team.id);
    team.isEmpty.abort();
  }

  /** Sends what has changed for these screens since the last message to each. */
  async function push(held: readonly Held[], mark: Mark): Promise<void> {
    for (let from = 0; from < held.length; from += screensAtOnce) {
      const some = held.slice(from, from + screensAtOnce);
      const isNewRevision = some.some((one) => one.revision !== mark.revision);
      const ids = some.map(({ screenId }) => screenId);
      const commands = await news.pendingOf(ids);
      const screens = isNewRevision ? await news.screens(ids) : null;
      const players = isNewRevision ? await news.playersOf(ids) : null;
      for (const one of some)
        // Another player may have taken its place (V3-121).
        if (players && !players.has(one.playerId))
          one.socket.close(closeCodes.screenDeleted, "player replaced");
        else pushTo(one, mark, commands, screens);
    }
  }

  function pushTo(
    held: Held,
    { revision }: Mark,
    commands: ReadonlyMap<string, PendingCommands>,
    screens: ReadonlyMap<string, LinkScreen> | null,
  ): void {
    const { screenId, socket } = held;
    const screen = screens?.get(screenId);
    if (screens && !screen) {
      socket.close(closeCodes.screenDeleted, "screen deleted");
      return;
    }
    const pending = commands.get(screenId)?.commands ?? [];
    const ids = pending.map(({ id }) => id);
    const isOrdered = ids.some((id) => !held.commandIds.includes(id));
    held.commandIds = ids;
    if (held.revision === revision && !isOrdered) return;
    const text = screen ? JSON.stringify(screen) : held.screen;
    const message: PushedNewsLink = {
      ...{ revision, commands: [...pending] },
      ...(screen && text !== held.screen && { screen }),
      heartbeat_in_seconds: reportSeconds(open),
      reconnect_within_seconds: reconnectSeconds(open),
    };
    held.revision = revision;
    held.screen = text;
    if (socket.bufferedAmount > maxUnreadBytes) socket.terminate();
    else socket.send(JSON.stringify(message));
  }

  /** While the team has sockets. */
  async function pushChanges(team: Team): Promise<void> {
    const signal = AbortSignal.any([team.isEmpty.signal, stopped.signal]);
    while (!signal.aborted)
      try {
        const mark = await changes.markOf(team.id);
        await push([...team.held.values()], mark);
        await changes.wait(mark, recheckMs, signal);
      } catch (error) {
        log.error("link.push-failed", { error });
        await pause(retryMs, undefined, { signal }).catch(() => undefined);
      }
  }

  /** One part of the sockets at a time. */
  async function ping(): Promise<void> {
    slot = (slot + 1) % slots;
    const connected: string[] = [];
    for (const { held } of teams.values())
      for (const one of held.values()) {
        if (one.slot !== slot) continue;
        if (!one.isAnswering) {
          one.socket.terminate();
          continue;
        }
        one.isAnswering = false;
        one.messages = 0;
        connected.push(one.screenId);
        one.socket.ping();
      }
    const gone = [...ended];
    ended.clear();
    await inParts(connected, heartbeats.listen);
    await inParts(gone, heartbeats.endListening);
  }

  let isPinging = false;
  const timer = setInterval(() => {
    if (isPinging) return;
    isPinging = true;
    const pinging = ping()
      .catch((error: unknown) => log.error("link.ping-failed", { error }))
      .finally(() => {
        isPinging = false;
      });
    track(pinging);
  }, options.pingIntervalMs / slots);

  return {
    open: async (of, request, response) => {
      if (stopped.signal.aborted || open >= maxSockets)
        throw new Failure("unavailable", "No more sockets can be opened.");
      assertWebSocket(request);
      await heartbeats.listen([of.screenId]);
      const upgraded = takeUpgrade(request, response);
      if (!upgraded) throw upgradeRequired();
      const socket = await new Promise<WebSocket | null>((resolve) => {
        upgraded.socket.once("close", () => resolve(null));
        upgrading.handleUpgrade(
          request,
          upgraded.socket,
          upgraded.head,
          resolve,
        );
      });
      if (!socket) return;
      const held = add(of, socket);
      if (stopped.signal.aborted) socket.terminate();
      // The response is over: nobody else could be told.
      else
        try {
          await push([held], await changes.markOf(of.teamId));
        } catch (error) {
          log.error("link.push-failed", { error });
          socket.terminate();
        }
    },
    count: () => open,
    stop: async () => {
      clearInterval(timer);
      stopped.abort();
      for (const { held } of [...teams.values()])
        for (const { socket } of [...held.values()]) socket.terminate();
      await Promise.all(underWay);
    },
  };
}

/** What `ws` itself would answer without a body. */
function assertWebSocket({ headers }: Request): void {
  if (headers.upgrade?.toLowerCase() !== "websocket") throw upgradeRequired();
  if (headers["sec-websocket-version"] !== "13")
    throw new Refusal(
      400,
      "PGRST102",
      "The Sec-WebSocket-Version must be 13.",
      { headers: { "Sec-WebSocket-Version": "13" } },
    );
  if (!/^[+/0-9a-z]{22}==$/i.test(headers["sec-websocket-key"] ?? ""))
    throw new Refusal(400, "PGRST102", "The Sec-WebSocket-Key is not valid.");
}

function upgradeRequired(): Refusal {
  return new Refusal(
    426,
    "PGRST102",
    "This address only accepts WebSocket connections.",
    { headers: { Upgrade: "websocket", Connection: "Upgrade" } },
  );
}

/** The fewer players, the sooner each change of what they show can be stored. */
function reportSeconds(open: number): number {
  return Math.min(
    heartbeatSeconds,
    Math.max(shortestReportSeconds, Math.ceil(open / reportsPerSecond)),
  );
}

function reconnectSeconds(open: number): number {
  return Math.min(
    longestReconnectSeconds,
    Math.ceil(open / reconnectsPerSecond),
  );
}

async function inParts(
  ids: readonly string[],
  act: (some: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < ids.length; from += screensAtOnce)
    await act(ids.slice(from, from + screensAtOnce));
}
