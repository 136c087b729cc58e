// Entry point of the player link in the content service: players register, are claimed, and stay connected (L-1 to L-72).

import { setTimeout as pause } from "node:timers/promises";
import express, {
  type Request,
  type RequestHandler,
  type Response,
} from "express";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import {
  heartbeatLink,
  linkPaths,
  maxWaitSeconds,
  playbacksLink,
  registerLink,
  type LinkScreen,
  type SiteKeysLink,
} from "../../contract/link/link.ts";
import { Failure } from "../../core/failure.ts";
import { isWebSocketRequest } from "../../platform/http/upgrade.ts";
import { createAttempts } from "../../platform/failed-sign-ins.ts";
import { jsonObjectFrom, judged } from "../http/json-body.ts";
import { inRow } from "../http/middleware-chain.ts";
import { bytesOf } from "../http/large-bodies.ts";
import { handleRoutes, sendJson, type Handler } from "../http/routes.ts";
import type { ContentTables } from "../tables.ts";
import { Refusal } from "../http/v4-errors.ts";
import { appForPlayer, type OpenSecret } from "./apps.ts";
import { createChanges, type Changes } from "./changes.ts";
import { createHeartbeats, heartbeatSeconds } from "./heartbeats.ts";
import { createLivePictures, type LivePictures } from "./live-pictures.ts";
import { createNews, newsFrom, type News } from "./news.ts";
import { addEarlierPlaybacks } from "./playbacks/playback-days.ts";
import {
  createPlaybackRetention,
  type PlaybackRetentionOptions,
} from "./playbacks/playback-retention.ts";
import { keepPlaybacks } from "./playbacks/playbacks.ts";
import {
  createPlayers,
  isPinValid,
  type Players,
  type WaitingPin,
} from "./pairing.ts";
import { forgetRemovedScreens } from "./screen-changes.ts";
import { deleteOldOutages } from "./state-changes.ts";
import { keepScreenshot, type ScreenshotOptions } from "./screenshots.ts";
import { createWaits, type Waiter } from "./long-polls.ts";
import type { RetryQueue } from "./retry-queue.ts";
import { createSockets, pictureSeconds, screenDeleted } from "./sockets.ts";
import {
  createSupportBundles,
  type SupportBundles,
} from "./support-bundles.ts";

export interface Link {
  /** Mounted before API key authentication: players have no key. */
  readonly router: RequestHandler;
  readonly players: Players;
  readonly news: News;
  readonly changes: Changes;
  readonly livePictures: LivePictures;
  readonly supportBundles: SupportBundles;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface LinkOptions
  extends ScreenshotOptions, Omit<PlaybackRetentionOptions, "log"> {
  readonly makeId: () => string;
  readonly log: Parameters<typeof createChanges>[0]["log"];
  readonly monotonic: () => number;
  readonly offlineAfterMs: number;
  readonly retryQueue: RetryQueue;
  /** The token with which an installation requests tokens. */
  readonly appToken: (installationId: string) => string;
  readonly openSecret: OpenSecret;
  /** With which the players of a team recognize each other (L-53). */
  readonly siteKeys: (teamId: string) => SiteKeysLink;
  /** How often players send a picture that has changed; 0: never (L-69). */
  readonly pictureMinutes: number;
}

type PlayerRow = ContentTables["players"];
interface Paired {
  readonly playerId: string;
  readonly teamId: string;
  readonly screenId: string;
}

/** A wall of screens behind one address is switched on at the same time. */
const maxRegistrations = 60;
const maxWrong = 50;
const claimPollIntervalMs = 500;
const maxBodyBytes = 1024 * 1024;
/** Their handlers read the body themselves, each with its own limit. */
const streamed = /\/link\/v1\/(screenshot|live-picture|support-bundles)\b/;
/** Of 500 playbacks each. */
const earlierPartsAtOnce = 100;

export function createLink(options: LinkOptions): Link {
  const { database, log, now, makeId } = options;
  const players = createPlayers(options);
  const news = createNews(options);
  const changes = createChanges({ database, log });
  const heartbeats = createHeartbeats(options);
  const retention = createPlaybackRetention(options);
  const registrations = createAttempts(options.monotonic);
  const wrongOnes = createAttempts(options.monotonic);
  const waits = createWaits();
  const livePictures = createLivePictures(options);
  const supportBundles = createSupportBundles(options);
  const sockets = createSockets({
    ...{ news, changes, heartbeats, log, random: Math.random },
    retryQueue: options.retryQueue,
    ...{ livePictures, pictureMinutes: options.pictureMinutes },
    pingIntervalMs: Math.min(
      heartbeatSeconds * 1000,
      options.offlineAfterMs / 4,
    ),
  });
  let isStopped = false;

  /**
   * Waits as long as requested, unless too many wait or the same player waits again; `until` is in monotonic
   * milliseconds.
   */
  async function waiting(
    request: Request,
    response: Response,
    who: Omit<Waiter, "address">,
    act: (until: number, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const ms = waitMs(request);
    const wait =
      ms > 0 ? waits.begin({ ...who, address: request.ip ?? "" }) : null;
    const gone = goneSignal(response);
    const signal = wait ? AbortSignal.any([gone, wait.replaced]) : gone;
    try {
      await act(options.monotonic() + (wait ? ms : 0), signal);
    } finally {
      wait?.end();
    }
  }

  async function playerOf(request: Request): Promise<PlayerRow> {
    const [, credential = ""] =
      /^bearer +(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
    const player = credential === "" ? null : await players.find(credential);
    if (player) return player;
    const attempts = wrongOnes.note(request.ip ?? "");
    throw attempts.count > maxWrong
      ? tooMany(maxWrong, "wrong credentials", attempts.secondsLeft)
      : new Refusal(
          401,
          "PGRST301",
          "This credential does not belong to a player.",
          {
            headers: { "WWW-Authenticate": 'Bearer realm="Vitrine"' },
          },
        );
  }

  async function paired(request: Request): Promise<Paired> {
    const { id, team_id, screen_id } = await playerOf(request);
    if (team_id === null || screen_id === null)
      throw new Failure("forbidden", serviceSentences.unpaired);
    return { playerId: id, teamId: team_id, screenId: screen_id };
  }

  async function screenOf(screenId: string): Promise<LinkScreen> {
    const screen = await news.screen(screenId);
    if (screen) return screen;
    throw screenDeleted();
  }

  const register: Handler = async (request, response) => {
    const { count, secondsLeft } = registrations.note(request.ip ?? "");
    if (count > maxRegistrations)
      throw tooMany(maxRegistrations, "players", secondsLeft);
    const { facts = {} } = bodyOf(registerLink, request);
    const { id, credential, ...pin } = await players.register(facts);
    log.info("link.player-registered", { player: id });
    const answered = { player_id: id, credential, ...shownPin(pin) };
    sendJson(response, 201, answered);
  };

  const renewPin: Handler = async (request, response) => {
    const { id } = await playerOf(request);
    sendJson(response, 201, shownPin(await players.renewPin(id)));
  };

  const shownPin = ({ pin, endsAt }: WaitingPin) => ({
    pin,
    expires_at: new Date(endsAt).toISOString(),
    expires_in_seconds: Math.max(0, Math.floor((endsAt - now()) / 1000)),
  });

  const respondState: Handler = async (request, response) => {
    const { id, screen_id } = await playerOf(request);
    const who = { playerId: id, isClaimed: screen_id !== null };
    await waiting(request, response, who, (until, signal) =>
      sendState(request, response, until, signal),
    );
  };

  async function sendState(
    request: Request,
    response: Response,
    until: number,
    signal: AbortSignal,
  ): Promise<void> {
    for (;;) {
      const { screen_id, pin, pin_ends_at: endsAt } = await playerOf(request);
      if (screen_id !== null) {
        const screen = await screenOf(screen_id);
        sendJson(response, 200, { status: "claimed", screen });
        return;
      }
      const left = until - options.monotonic();
      if (left <= 0 || signal.aborted || isStopped) {
        const isWaiting = pin !== null && isPinValid(endsAt, now());
        sendJson(
          response,
          200,
          isWaiting
            ? { status: "waiting", ...shownPin({ pin, endsAt }) }
            : { status: "expired" },
        );
        return;
      }
      await pause(Math.min(left, claimPollIntervalMs), undefined, {
        signal,
      }).catch(() => undefined);
    }
  }

  async function sendNews(response: Response, of: Paired): Promise<void> {
    const mark = await changes.markOf(of.teamId);
    const screen = await screenOf(of.screenId);
    const { commands } = await news.pending(of.screenId);
    const watched = (await livePictures.watchedOf(of.teamId)).get(of.screenId);
    const seconds = pictureSeconds(options.pictureMinutes, sockets.count());
    sendJson(response, 200, {
      ...newsFrom(screen, mark, commands),
      ...(watched && { watched }),
      ...(seconds !== null && { picture_in_seconds: seconds }),
    });
  }

  const respondNews: Handler = async (request, response) => {
    const of = await paired(request);
    const { revision, watched } = request.query as Record<string, unknown>;
    /** Only a player that names the last request to begin can be asked. */
    const isBeginRequested = async (): Promise<boolean> => {
      if (typeof watched !== "string") return false;
      const all = await livePictures.watchedOf(of.teamId);
      return (all.get(of.screenId)?.id ?? watched) !== watched;
    };
    const who = { playerId: of.playerId, isClaimed: true };
    await waiting(request, response, who, async (until, signal) => {
      if (until > options.monotonic())
        await heartbeats.listenWithoutSocket(of.screenId);
      for (;;) {
        const mark = await changes.markOf(of.teamId);
        const { isAnyWaiting } = await news.pending(of.screenId);
        const left = until - options.monotonic();
        const isNew =
          mark.revision !== revision ||
          isAnyWaiting ||
          (await isBeginRequested());
        if (isNew || left <= 0 || signal.aborted || isStopped) break;
        await changes.wait(mark, left, signal);
      }
    });
    // Another player may have taken its place meanwhile (V3-121).
    await sendNews(response, await paired(request));
  };

  const openSocket: Handler = async (request, response) => {
    const of = await paired(request);
    // Otherwise, it is looked up together with others that arrive.
    if (!isWebSocketRequest(request)) await screenOf(of.screenId);
    await sockets.open(of, request, response);
    options.retryQueue.noteAnswer();
  };

  const heartbeat: Handler = async (request, response) => {
    const of = await paired(request);
    const body = bodyOf(heartbeatLink, request);
    await heartbeats.note(of.screenId, request.ip ?? "", body);
    options.retryQueue.noteAnswer();
    for (const { id, is_done, message } of body.done ?? [])
      log.info("link.command-answered", { command: id, is_done, message });
    await sendNews(response, of);
  };

  const playbacks: Handler = async (request, response) => {
    const of = await paired(request);
    await screenOf(of.screenId);
    const body = bodyOf(playbacksLink, request);
    const stored = await keepPlaybacks(
      database,
      of,
      body.playbacks,
      makeId,
      retention.keptSince(),
    );
    sendJson(response, 200, { stored });
  };

  const screenshot: Handler = async (request, response) => {
    const { screenId: id, teamId } = await paired(request);
    await screenOf(id);
    await keepScreenshot(options, { id, teamId }, request);
    response.status(204).end();
  };

  const livePicture: Handler = async (request, response) => {
    const { screenId } = await paired(request);
    const seconds = await livePictures.receive(screenId, request);
    sendJson(response, 200, { watched_seconds: seconds });
  };

  const supportBundle: Handler = async (request, response) => {
    const { screenId: id, teamId } = await paired(request);
    await screenOf(id);
    const commandId = request.params["id"] ?? "";
    await supportBundles.keep({ id, teamId }, commandId, request);
    response.status(204).end();
  };

  const app: Handler = async (request, response) => {
    const of = await paired(request);
    await screenOf(of.screenId);
    const id = request.params["id"] ?? "";
    const app = await appForPlayer(database, of.teamId, id, options.openSecret);
    if (!app)
      throw new Failure(
        "not-found",
        "There is no installation with this identifier.",
      );
    const app_auth_token = options.appToken(id);
    sendJson(response, 200, { ...app, app_auth_token });
  };

  const siteKeys: Handler = async (request, response) => {
    const of = await paired(request);
    await screenOf(of.screenId);
    sendJson(response, 200, options.siteKeys(of.teamId));
  };

  // One batch of playbacks is the largest body there is.
  const readBytes = express.raw({ type: () => true, limit: maxBodyBytes });
  const answer = inRow(
    (request, response, next) => {
      response.setHeader("Cache-Control", "no-store");
      if (streamed.test(request.path)) next();
      else void readBytes(request, response, next);
    },
    handleRoutes("", {
      [linkPaths.players]: { POST: register },
      [linkPaths.pin]: { POST: renewPin },
      [linkPaths.player]: { GET: respondState },
      [linkPaths.news]: { GET: respondNews },
      [linkPaths.socket]: { GET: openSocket },
      [linkPaths.heartbeat]: { POST: heartbeat },
      [linkPaths.playbacks]: { POST: playbacks },
      [linkPaths.screenshot]: { PUT: screenshot },
      [linkPaths.livePicture]: { PUT: livePicture },
      [`${linkPaths.supportBundles}/:id`]: { PUT: supportBundle },
      [`${linkPaths.apps}/:id`]: { GET: app },
      [linkPaths.siteKeys]: { GET: siteKeys },
    }),
  );
  const router: RequestHandler = (request, response, next) => {
    if (/^(\/api)?\/link\//.test(request.path))
      void answer(request, response, next);
    else next();
  };

  let earlier: Promise<void> | null = null;
  /** A part each time, so that other work of the database is not held up. */
  async function addEarlier(): Promise<void> {
    for (let part = 0; part < earlierPartsAtOnce && !isStopped; part += 1)
      if (!(await addEarlierPlaybacks(database))) return;
  }

  const intervalMs = Math.min(15_000, Math.max(50, options.offlineAfterMs / 4));
  let timer: NodeJS.Timeout | undefined;
  let pendingCheck: Promise<unknown> = Promise.resolve();
  const check = (): void => {
    pendingCheck = Promise.all([
      heartbeats.noteSilence(),
      players.forgetUnclaimed(),
      news.deleteOldCommands(),
      livePictures.forget(),
      supportBundles.deleteOld(),
      deleteOldOutages(database.kysely, now()),
      forgetRemovedScreens(database.kysely, now()),
      (earlier ??= addEarlier().finally(() => (earlier = null))),
    ]).catch((error: unknown) => log.error("link.check-failed", { error }));
  };
  return {
    ...{ router, players, news, changes, livePictures, supportBundles },
    start: async () => {
      await changes.start();
      check();
      timer = setInterval(check, intervalMs);
      retention.start();
    },
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await Promise.all([retention.stop(), sockets.stop()]);
      await pendingCheck;
      // One that began with an earlier check has logged its error there.
      await earlier?.catch(() => undefined);
      await changes.stop();
    },
  };
}

function bodyOf<T>(
  schema: Parameters<typeof judged<T>>[0],
  request: Request,
): T {
  const bytes = bytesOf(request);
  return judged(schema, bytes.length === 0 ? {} : jsonObjectFrom(bytes));
}

function waitMs(request: Request): number {
  const { wait } = request.query as { wait?: unknown };
  const seconds = typeof wait === "string" ? Number(wait) : 0;
  if (!(seconds > 0)) return 0;
  return Math.min(seconds, maxWaitSeconds) * 1000;
}

function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  return gone.signal;
}

function tooMany(most: number, what: string, seconds: number): Refusal {
  return new Refusal(
    429,
    "53400",
    composeSentence(serviceSentences["address-limit"], {
      limit: most,
      what,
      seconds,
    }),
    { headers: { "Retry-After": String(seconds) } },
  );
}
