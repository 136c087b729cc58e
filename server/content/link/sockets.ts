// WebSockets of paired players: pushes what is new for their screens, and knows which are connected (L-44 to L-49, L-60).

import type { Request, Response } from "express";
import { hash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocketServer, type WebSocket } from "ws";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import type {
  LinkScreen,
  LinkWatched,
  PushedNewsLink,
} from "../../contract/link/link.ts";
import { takeUpgrade } from "../../platform/http/upgrade.ts";
import type { Log } from "../../platform/log.ts";
import { Refusal } from "../http/v4-errors.ts";
import { createBatches } from "./batches.ts";
import type { Changes, Mark } from "./changes.ts";
import { heartbeatSeconds, type Heartbeats } from "./heartbeats.ts";
import type { LivePictures } from "./live-pictures.ts";
import { socketRetrySeconds, type News } from "./news.ts";
import { PlayerSocket, type SocketTeam } from "./player-socket.ts";
import { playersPerSecond, type RetryQueue } from "./retry-queue.ts";
import type { PendingCommands } from "./screen-commands.ts";

/** How many screens one service holds; more are answered by long polls. */
export const maxSockets = 50_000;
/** Of a WebSocket that is closed because its screen was deleted, or another one took its place. */
export const closeCodes = { screenDeleted: 4001, replaced: 4002 } as const;

interface ConnectedPlayer {
  readonly playerId: string;
  readonly teamId: string;
  readonly screenId: string;
}

export interface Sockets {
  /** Turns the request into a socket, and sends what the player has to know. */
  open(
    of: ConnectedPlayer,
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
  readonly heartbeats: Pick<
    Heartbeats,
    "beginListening" | "listen" | "noteInstance" | "endListening"
  >;
  readonly retryQueue: RetryQueue;
  readonly livePictures: Pick<LivePictures, "watchedOf">;
  /** How often players send a picture that has changed; 0: never. */
  readonly pictureMinutes: number;
  readonly log: Log;
  /** A socket that did not answer a ping before the next one is closed. */
  readonly pingIntervalMs: number;
  readonly random: () => number;
}

/** By screen. */
interface Pushed {
  readonly commands: ReadonlyMap<string, PendingCommands>;
  /** Null while no screen can have changed. */
  readonly screens: ReadonlyMap<string, LinkScreen> | null;
  readonly watched: ReadonlyMap<string, LinkWatched>;
}

/** Pings are spread over their interval: ten thousand at once would hold up everything else. */
const slots = 30;
/** How many of them pass between two notes that this instance runs: ten seconds. */
const slotsOfNote = 10;
/** How often all screens that are connected are stored as such: five minutes. */
const roundsOfDigest = 10;
/** Statements that name screens. */
const screensAtOnce = 500;
/** From a player between two pings. */
const maxMessages = 100;
/** A player that reads nothing is disconnected. */
const maxUnreadBytes = 1024 * 1024;
/** More that are being opened at once are told to come back. */
const maxOpening = 500;
const longestReconnectSeconds = 60;
const reportsPerSecond = 40;
const picturesPerSecond = 2;
const shortestReportSeconds = 5;
const retryMs = 1000;
/** The revision is read again, in case a wake-up was missed. */
const recheckMs = 60_000;

export function createSockets(options: SocketsOptions): Sockets {
  const { news, changes, heartbeats, livePictures, log } = options;
  const stopped = new AbortController();
  const teams = new Map<string, SocketTeam>();
  /** Screens whose sockets ended since the last ping: those that were in contact until then, and those that didn't answer. */
  const closed = new Set<string>();
  const unanswered = new Set<string>();
  /** How many sockets are being opened, by screen: the end of an earlier one must not be stored after that. */
  const arriving = new Map<string, number>();
  let storingEnds: Promise<void> = Promise.resolve();
  const underWay = new Set<Promise<void>>();
  const upgrading = new WebSocketServer({
    ...{ noServer: true, clientTracking: false, perMessageDeflate: false },
    WebSocket: PlayerSocket,
    // Players send nothing.
    maxPayload: 1024,
  });
  const arrivals = createBatches(screensAtOnce, noteArrivals);
  const greetings = createBatches(screensAtOnce, greet);
  let open = 0;
  let opening = 0;
  let slot = 0;
  let round = 0;

  function track(work: Promise<void>): void {
    underWay.add(work);
    const forget = (): boolean => underWay.delete(work);
    work.then(forget, forget);
  }

  function teamOf(id: string): SocketTeam {
    const known = teams.get(id);
    if (known) return known;
    const team: SocketTeam = {
      ...{ id, held: new Map(), isEmpty: new AbortController() },
    };
    teams.set(id, team);
    track(pushChanges(team));
    return team;
  }

  function add(of: ConnectedPlayer, socket: PlayerSocket): void {
    const { screenId } = of;
    const team = teamOf(of.teamId);
    socket.playerId = of.playerId;
    socket.screenId = screenId;
    socket.team = team;
    socket.slot = Math.floor(options.random() * slots);
    team.held.get(screenId)?.close(closeCodes.replaced, "replaced");
    team.held.set(screenId, socket);
    closed.delete(screenId);
    unanswered.delete(screenId);
    open += 1;
    socket.on("pong", noteAnswer);
    socket.on("message", countMessage);
    socket.on("error", terminate);
    socket.on("close", noteEnd);
  }

  function noteEnd(this: WebSocket): void {
    if (!(this instanceof PlayerSocket)) return;
    const { team, screenId } = this;
    open -= 1;
    if (!team || team.held.get(screenId) !== this) return;
    team.held.delete(screenId);
    (this.isAnswering ? closed : unanswered).add(screenId);
    if (team.held.size > 0) return;
    teams.delete(team.id);
    team.isEmpty.abort();
  }

  async function noteArrivals(arrivals: readonly Arrival[]): Promise<void> {
    const known = await heartbeats.beginListening(
      arrivals.map(({ screenId }) => screenId),
    );
    for (const arrival of arrivals)
      arrival.isScreenKnown = known.has(arrival.screenId);
  }

  /** What they have to know at first. */
  async function greet(sockets: readonly PlayerSocket[]): Promise<void> {
    for (const team of new Set(sockets.map((socket) => socket.team))) {
      if (!team) continue;
      const mark = await changes.markOf(team.id);
      const left = sockets.filter(
        // A change that came meanwhile was sent to the others, and is newer.
        (socket) => socket.team === team && socket.revision === null,
      );
      await push(left, mark);
    }
  }

  /** Sends what has changed for these screens since the last message to each. */
  async function push(
    held: readonly PlayerSocket[],
    mark: Mark,
  ): Promise<void> {
    const watched = await livePictures.watchedOf(mark.teamId);
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
          one.close(closeCodes.screenDeleted, "player replaced");
        else pushTo(one, mark, { commands, screens, watched });
    }
  }

  function pushTo(
    socket: PlayerSocket,
    { revision }: Mark,
    { commands, screens, watched }: Pushed,
  ): void {
    const { screenId } = socket;
    const screen = screens?.get(screenId);
    if (screens && !screen) {
      socket.close(closeCodes.screenDeleted, "screen deleted");
      return;
    }
    const pending = commands.get(screenId)?.commands ?? [];
    const ids = pending.map(({ id }) => id);
    const isOrdered = ids.some((id) => !socket.commandIds.includes(id));
    if (ids.length > 0 || socket.commandIds.length > 0) socket.commandIds = ids;
    const live = watched.get(screenId);
    const isBeginRequested = live !== undefined && live.id !== socket.watchedId;
    if (socket.revision === revision && !isOrdered && !isBeginRequested) return;
    const seconds = pictureSeconds(options.pictureMinutes, open);
    const screenHash = screen
      ? hash("sha1", JSON.stringify(screen), "base64url")
      : socket.screenHash;
    const message: PushedNewsLink = {
      ...{ revision, commands: [...pending] },
      ...(screen && screenHash !== socket.screenHash && { screen }),
      heartbeat_in_seconds: reportSeconds(open),
      reconnect_within_seconds: reconnectSeconds(open),
      socket_retry_seconds: socketRetrySeconds,
      ...(live && { watched: live }),
      ...(seconds !== null && { picture_in_seconds: seconds }),
    };
    socket.watchedId = live?.id ?? null;
    socket.revision = revision;
    socket.screenHash = screenHash;
    if (socket.bufferedAmount > maxUnreadBytes) socket.terminate();
    else socket.send(JSON.stringify(message));
  }

  /** Of all sockets of a team, only those that are watched, or have commands or had some at the last message (L-49, L-66). */
  async function pushToConcerned(team: SocketTeam, mark: Mark): Promise<void> {
    const ordered = await news.screensWithCommands(team.id);
    const watched = await livePictures.watchedOf(team.id);
    const concerned: PlayerSocket[] = [];
    for (const socket of team.held.values()) {
      const { screenId, commandIds } = socket;
      if (
        commandIds.length > 0 ||
        ordered.has(screenId) ||
        watched.has(screenId)
      )
        concerned.push(socket);
    }
    await push(concerned, mark);
  }

  /** While the team has sockets. */
  async function pushChanges(team: SocketTeam): Promise<void> {
    const signal = AbortSignal.any([team.isEmpty.signal, stopped.signal]);
    let pushed: string | null = null;
    while (!signal.aborted)
      try {
        const mark = await changes.markOf(team.id);
        if (mark.revision === pushed) await pushToConcerned(team, mark);
        else await push([...team.held.values()], mark);
        pushed = mark.revision;
        await changes.wait(mark, recheckMs, signal);
      } catch (error) {
        log.error("link.push-failed", { error });
        await pause(retryMs, undefined, { signal }).catch(() => undefined);
      }
  }

  /** One part of the sockets at a time. */
  async function ping(): Promise<void> {
    slot = (slot + 1) % slots;
    if (slot === 0) round = (round + 1) % roundsOfDigest;
    const connected: string[] = [];
    for (const { held } of teams.values())
      for (const one of held.values()) {
        if (one.slot !== slot) continue;
        if (!one.isAnswering) {
          one.terminate();
          continue;
        }
        one.isAnswering = false;
        one.messages = 0;
        if (round === 0) connected.push(one.screenId);
        one.ping();
      }
    if (slot % slotsOfNote === 0 && open > 0) await heartbeats.noteInstance();
    storingEnds = storeEnds();
    await storingEnds;
    await inParts(connected, heartbeats.listen);
  }

  /** Until they are stored, these screens would count as connected for as long as this instance runs. */
  async function storeEnds(): Promise<void> {
    for (const [some, silentMs] of [
      [closed, 0],
      // The ping before the last one was answered.
      [unanswered, options.pingIntervalMs],
    ] as const)
      await inParts(
        [...some].filter((id) => !arriving.has(id)),
        async (ids) => {
          for (const id of ids) some.delete(id);
          try {
            await heartbeats.endListening(ids, silentMs);
          } catch (error) {
            for (const id of ids) some.add(id);
            throw error;
          }
        },
      );
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

  async function openOne(
    of: ConnectedPlayer,
    request: Request,
    response: Response,
  ): Promise<void> {
    const { screenId } = of;
    arriving.set(screenId, (arriving.get(screenId) ?? 0) + 1);
    try {
      await storingEnds.catch(() => undefined);
      await upgrade(of, request, response);
    } finally {
      const others = (arriving.get(screenId) ?? 1) - 1;
      if (others > 0) arriving.set(screenId, others);
      else arriving.delete(screenId);
      if (!teams.get(of.teamId)?.held.has(screenId)) closed.add(screenId);
    }
  }

  async function upgrade(
    of: ConnectedPlayer,
    request: Request,
    response: Response,
  ): Promise<void> {
    const arrival: Arrival = { screenId: of.screenId, isScreenKnown: false };
    await arrivals.add(arrival);
    if (!arrival.isScreenKnown) throw screenDeleted();
    const upgraded = takeUpgrade(request, response);
    if (!upgraded) throw upgradeRequired();
    let socket: PlayerSocket | null = null as PlayerSocket | null;
    // Calls back before it returns, or has closed the connection.
    upgrading.handleUpgrade(
      request,
      upgraded.socket,
      upgraded.head,
      (opened) => (socket = opened),
    );
    if (!socket) return;
    add(of, socket);
    if (stopped.signal.aborted) socket.terminate();
    else track(greetOrEnd(socket));
  }

  /** The response is over: nobody else could be told of an error. */
  async function greetOrEnd(socket: PlayerSocket): Promise<void> {
    try {
      await greetings.add(socket);
    } catch (error) {
      log.error("link.push-failed", { error });
      socket.terminate();
    }
  }

  return {
    open: async (of, request, response) => {
      if (stopped.signal.aborted || open >= maxSockets || opening >= maxOpening)
        throw tooManySockets(options.retryQueue.nextSeconds());
      assertWebSocket(request);
      opening += 1;
      try {
        await openOne(of, request, response);
      } finally {
        opening -= 1;
      }
    },
    count: () => open,
    stop: async () => {
      clearInterval(timer);
      stopped.abort();
      for (const { held } of [...teams.values()])
        for (const socket of [...held.values()]) socket.terminate();
      await Promise.all(underWay);
    },
  };
}

interface Arrival {
  readonly screenId: string;
  isScreenKnown: boolean;
}

function noteAnswer(this: WebSocket): void {
  if (this instanceof PlayerSocket) this.isAnswering = true;
}

/** Nothing is expected from a player; what a later version sends is ignored. */
function countMessage(this: WebSocket): void {
  if (!(this instanceof PlayerSocket)) return;
  this.messages += 1;
  if (this.messages > maxMessages) this.terminate();
}

function terminate(this: WebSocket): void {
  this.terminate();
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

export function screenDeleted(): Refusal {
  return new Refusal(410, "PGRST125", serviceSentences["screen-deleted"]);
}

function tooManySockets(seconds: number): Refusal {
  return new Refusal(
    503,
    "53400",
    composeSentence(serviceSentences["sockets-limit"], { seconds }),
    { headers: { "Retry-After": String(seconds) } },
  );
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

/** The more players, the rarer, so that receiving pictures never becomes the main work (L-69). Null: never. */
export function pictureSeconds(minutes: number, open: number): number | null {
  if (minutes === 0) return null;
  return Math.max(minutes * 60, Math.ceil(open / picturesPerSecond));
}

function reconnectSeconds(open: number): number {
  return Math.min(longestReconnectSeconds, Math.ceil(open / playersPerSecond));
}

async function inParts(
  ids: readonly string[],
  act: (some: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < ids.length; from += screensAtOnce)
    await act(ids.slice(from, from + screensAtOnce));
}
