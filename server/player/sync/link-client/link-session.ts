// Link session of one screen: heartbeats, long polling for news, commands, and playback reports.

import * as z from "zod";
import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import { generalSentences } from "../../../contract/sentences/general-sentences.ts";
import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import {
  linkPaths,
  maxScreenshotBytes,
  maxSupportBundleBytes,
  maxWaitSeconds,
  newsLink,
  type HeartbeatLink,
  type LinkFacts,
  type NewsLink,
} from "../../../contract/link/link.ts";
import type {
  SyncConnection,
  SyncStatus,
} from "../../../core/sync-plan/sync-state.ts";
import type { Log } from "../../../platform/log.ts";
import type { Clock } from "../../../platform/clock.ts";
import { pause } from "../../../platform/clock.ts";
import {
  commandMemoryShape,
  createLinkCommands,
  type LinkActions,
} from "./link-commands.ts";
import type { LinkedPlayback } from "./linked-playback.ts";
import { createLivePictures } from "./live-pictures.ts";
import { sendPlaybacks } from "./playback-reports.ts";
import { createReportWatch } from "./report-watch.ts";
import type { ReportedDisplay } from "./screen-report.ts";
import { keepSiteKeys, type SiteKeysUser } from "./site-keys.ts";
import { createServiceClock } from "./service-clock.ts";
import { linkedScreenFrom, linkedScreenShape } from "./linked-screen.ts";
import type { LinkRows } from "./link-rows.ts";
import {
  createLinkSocket,
  rangeFrom,
  type ConnectSocket,
} from "./link-socket.ts";
import type { Send, SentAnswer } from "../remote/send-http.ts";
import { reasonIn } from "../../../contract/screens-client/response-reason.ts";
import { toRemoteErrorOrBug, RemoteError } from "../remote/remote-error.ts";

/** Link status of a connection that was made by pairing. */
export interface LinkView {
  readonly connectionId: string;
  readonly screenId: string;
  readonly screenName: string | null;
  readonly isConnected: boolean;
  readonly lastContactAt: number | null;
  /** Playbacks not yet reported to the service. */
  readonly playbacksWaiting: number;
  readonly problem: string | null;
}

export interface LinkSessionOptions {
  readonly connection: SyncConnection;
  /** As the connection is called now. */
  readonly serviceName: () => string;
  readonly send: Send;
  readonly connect: ConnectSocket;
  readonly rows: LinkRows;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly facts: () => LinkFacts;
  readonly playerName: () => string;
  readonly playback: LinkedPlayback;
  readonly displays: () => readonly ReportedDisplay[];
  readonly status: () => SyncStatus | undefined;
  /** There are changes to poll for. */
  readonly requestPoll: () => void;
  readonly actions: LinkActions;
  /** Null: no files are shared with other players. */
  readonly sharing: SiteKeysUser | null;
  /** The service no longer knows this screen (L-16). */
  readonly onEnded: () => void;
}

export interface LinkSession {
  view(): LinkView;
  /** The sync status has changed. */
  noteStatus(): void;
  stop(): Promise<void>;
}

/** The service no longer knows the credential or the screen: it answered so twice, a while apart. */
class Ended extends Error {}

/** It answered so for the first time. */
class Denied extends RemoteError {
  constructor() {
    super("unauthorized", connectionSentences["screen-checked"]);
  }
}

const memoryShape = z.object({
  sent: z.int().nonnegative().catch(0),
  ...commandMemoryShape,
  /** The screen as the service described it last. */
  screen: linkedScreenShape,
});

/** Playbacks need not be reported within the minute. */
const playbacksIntervalMs = 60_000;
const firstPauseMs = 1000;
const longestPauseMs = 300_000;
const longestBusyPauseMs = 60_000;
/** A pause lasts from this part of what is asked for to half as much again. */
const earliestRest = 0.75;
/** Something that answered in the service's place by mistake is often gone by then. */
const denialPauseMs = 60_000;
/** With a command under way, its service answers at once: until the result is there, this is how often it is asked for others. */
const commandIntervalMs = 2000;
/** With a socket, a heartbeat is sent at least this often (L-45). */
const digestMs = 300_000;
/** A response faster than this was not held back by the service. */
const atOnceMs = 500;
/** Sync state and item counts, as a heartbeat reports them. */
type Content = Pick<HeartbeatLink, "sync" | "item_counts">;

export function createLinkSession(options: LinkSessionOptions): LinkSession {
  const { connection, rows, clock, random, log, playback } = options;
  const { id } = connection;
  const stopped = new AbortController();
  let memory = memoryShape.parse(rows.memory(id) ?? {});
  let listening = new AbortController();
  let lastReported = contentOf(options.status());
  const serviceClock = createServiceClock();
  const report = createReportWatch({
    ...{ connectionId: id, playback, clock, displays: options.displays },
    status: options.status,
    isSyncing: () => stateOf(options.status()) === "syncing",
    isIdentifying: () => commands.isIdentifying(),
    clockSkewMs: serviceClock.skewMs,
    onNews: () => listening.abort(),
  });
  let revision: string | null = null;
  let screenName: string | null = null;
  let lastContactAt: number | null = null;
  let problem: string | null = null;
  const commands = createLinkCommands({
    ...{ connectionId: id, playback, actions: options.actions, clock, log },
    memory: () => memory,
    remember: ({ done, results }) =>
      remember({ done: [...done], results: [...results] }),
    clockSkewMs: serviceClock.correctionMs,
    screenName: () => screenName ?? options.playerName(),
    serviceName: options.serviceName,
    ...{ requestPoll: options.requestPoll, sendScreenshot, sendLogs },
    onResult: () => listening.abort(),
  });

  const socket = createLinkSocket({
    ...{ connectionId: id, connect: options.connect, log },
    ...{ monotonic: clock.monotonic, now: clock.now, random },
    onContact: () => {
      lastContactAt = clock.now();
    },
  });

  const pictures = createLivePictures({
    ...{ connectionId: id, take: options.actions.livePicture, clock, random },
    ...{ log, isSocketOpen: () => socket.isOpen() },
    send: (method, path, sent) => send(method, path, sent),
  });

  function remember(change: Partial<typeof memory>): void {
    const now = { ...memory, ...change };
    // Saved first: what cannot be saved counts as not done and comes again.
    rows.saveMemory(id, now);
    memory = now;
  }

  /** A full disk does not end the link: it is saved with the next response of the service. */
  function noteScreen(described: NewsLink["screen"]): void {
    screenName = described.name;
    const screen = linkedScreenFrom(described);
    if (JSON.stringify(screen) === JSON.stringify(memory.screen)) return;
    try {
      remember({ screen });
    } catch (error) {
      log.warn("link.screen-not-stored", { connection: id, error });
    }
  }

  function noteBug(error: unknown): void {
    log.error("link.internal-error", { connection: id, error });
  }

  function refuse(answer: Pick<SentAnswer, "status">): void {
    if (answer.status === 401 || answer.status === 410) throw new Denied();
    if (answer.status === 403)
      throw new RemoteError("refused", connectionSentences["screen-missing"]);
  }

  function newsFrom(answer: SentAnswer): NewsLink {
    refuse(answer);
    if (answer.status !== 200)
      throw new RemoteError("refused", reasonIn(answer));
    const reading = newsLink.safeParse(answer.json);
    if (!reading.success)
      throw new RemoteError("malformed", "The service's events are not valid.");
    lastContactAt = clock.now();
    noteScreen(reading.data.screen);
    const { socket_retry_seconds: range } = reading.data;
    if (range) socket.noteRange(rangeFrom(range));
    pictures.note(reading.data);
    if (problem !== null) {
      log.info("link.reconnected", { connection: id });
      socket.allowAgain();
    }
    problem = null;
    return reading.data;
  }

  const send: Send = async (method, path, sent) => {
    const sentAt = clock.now();
    const answer = await options.send(method, path, sent);
    // A request that was held back proves little about the moment of its response.
    if (sent?.waitSeconds === undefined)
      serviceClock.note(answer.headers, sentAt, clock.now());
    return answer;
  };

  async function beat(): Promise<NewsLink> {
    const content = contentOf(options.status());
    const { done, received } = commands.report();
    const reported = await report.next();
    const json: HeartbeatLink = {
      ...{ facts: options.facts(), ...content, done: [...done] },
      ...(received.length > 0 && { received: [...received] }),
    };
    let answer = await send("POST", linkPaths.heartbeat, {
      json: { ...json, ...(reported && { report: reported }) },
    });
    if (reported && answer.status === 400 && isAboutReport(answer.json)) {
      // Never worth the link: the service does without this one.
      log.warn("link.report-rejected", {
        ...{ connection: id, why: reasonIn(answer) },
      });
      answer = await send("POST", linkPaths.heartbeat, { json });
    }
    const news = newsFrom(answer);
    lastReported = content;
    if (reported) report.acknowledge(reported);
    commands.acknowledge({ done, received });
    return news;
  }

  /** Long poll: the service holds the request until there is news. */
  async function listen(seconds: number): Promise<NewsLink | null> {
    listening = new AbortController();
    if (isNews(contentOf(options.status()), lastReported)) return null;
    report.note();
    if (listening.signal.aborted) return null;
    const watchedId = pictures.watchedId();
    const query = new URLSearchParams({
      ...{ revision: revision ?? "", wait: String(seconds) },
      ...(watchedId !== null && { watched: watchedId }),
    }).toString();
    try {
      return newsFrom(
        await send("GET", `${linkPaths.news}?${query}`, {
          ...{ waitSeconds: seconds, signal: listening.signal },
        }),
      );
    } catch (error) {
      if (listening.signal.aborted) return null;
      throw error;
    }
  }

  /**
   * A service that asks to come back later is not polled meanwhile: with thousands of players, that would be what keeps it busy. Ends
   * early when there is something to report.
   */
  async function openSocket(): Promise<void> {
    await socket.ensure();
    while (socket.isServiceBusy()) {
      await restUntilNews(socket.retryInMs());
      if (socket.isServiceBusy()) return;
      await socket.ensure();
    }
  }

  /** Whole seconds; not long after, the socket is tried again. */
  function secondsUntilRetry(): number {
    return Math.max(1, Math.ceil(socket.retryInMs() / 1000));
  }

  /**
   * Takes what the service pushes until a heartbeat is due (L-45); also when the socket was lost: then after a part of the time
   * within which the service wants its players back.
   */
  async function receive(): Promise<void> {
    listening = new AbortController();
    const { signal } = listening;
    if (commands.isReportDue()) return;
    if (isNews(contentOf(options.status()), lastReported)) return;
    report.note();
    waitUntilDue(AbortSignal.any([stopped.signal, signal]))
      .then(() => listening.abort())
      .catch(() => undefined);
    for (;;) {
      const news = await socket.next(signal);
      if (news === null) break;
      noteScreen(news.screen);
      pictures.note(news);
      take(news);
      if (commands.isReportDue() || commands.isAnyQueued()) break;
    }
    listening.abort();
    if (!socket.isOpen())
      await pause(clock, random() * socket.reconnectMs(), stopped.signal);
  }

  /** A change from one item to the next is worth a heartbeat after a while; without one, few are enough. */
  async function waitUntilDue(signal: AbortSignal): Promise<void> {
    const until = clock.monotonic() + digestMs;
    // Whatever the service asks for, the digest is sent.
    const ms = Math.min(socket.heartbeatMs(), digestMs);
    do await pause(clock, ms * (0.75 + random() / 2), signal);
    while (clock.monotonic() < until && !report.isChanged());
  }

  function take(news: NewsLink): void {
    if (news.revision !== revision) options.requestPoll();
    revision = news.revision;
    commands.accept(news.commands);
  }

  async function sendScreenshot(
    take: () => Promise<Uint8Array>,
  ): Promise<void> {
    const content = await take();
    if (content.length > maxScreenshotBytes)
      throw new Error(serviceSentences["screenshot-large"]);
    const answer = await send("PUT", linkPaths.screenshot, {
      body: { type: "image/png", sizeBytes: content.length, content },
    });
    refuse(answer);
    if (answer.status >= 300) throw new Error(reasonIn(answer));
  }

  async function sendLogs(
    commandId: string,
    collect: () => Promise<Uint8Array>,
  ): Promise<void> {
    const content = await collect();
    if (content.length > maxSupportBundleBytes)
      throw new Error(serviceSentences["logs-large"]);
    const place = encodeURIComponent(commandId);
    const answer = await send("PUT", `${linkPaths.supportBundles}/${place}`, {
      body: { type: "application/gzip", sizeBytes: content.length, content },
    });
    if (answer.status === 401 || answer.status === 410) refuse(answer);
    if (answer.status >= 300) throw new Error(reasonIn(answer));
  }

  async function talk(): Promise<void> {
    let failures = 0;
    let isDenied = false;
    while (!stopped.signal.aborted)
      try {
        const heartbeat = await beat();
        isDenied = false;
        take(heartbeat);
        if (commands.isReportDue()) continue;
        await commands.carryOutQueued();
        failures = 0;
        if (commands.isReportDue()) continue;
        if (commands.isAnyRunning() && !socket.isOpen()) {
          await restUntilNews(commandIntervalMs);
          continue;
        }
        await openSocket();
        if (commands.isReportDue()) continue;
        if (socket.isOpen()) {
          await receive();
          continue;
        }
        const listenedAt = clock.monotonic();
        const watchedId = pictures.watchedId();
        const news = await listen(
          Math.min(
            heartbeat.heartbeat_in_seconds,
            maxWaitSeconds,
            secondsUntilRetry(),
          ),
        );
        if (news === null) continue;
        const isNew =
          news.revision !== revision ||
          pictures.watchedId() !== watchedId ||
          news.commands.some((command) => !commands.isKnown(command.id));
        take(news);
        // With too many requests waiting, the service responds at once (L-9).
        if (!isNew && clock.monotonic() - listenedAt < atOnceMs)
          await rest(
            Math.min(news.heartbeat_in_seconds, secondsUntilRetry()) * 1000,
          );
      } catch (error) {
        if (stopped.signal.aborted) return;
        if (error instanceof Denied) {
          if (isDenied) throw new Ended();
          isDenied = true;
        }
        await restAfter(error, failures++);
      }
  }

  async function sendPlaybackReports(): Promise<void> {
    let failures = 0;
    while (!stopped.signal.aborted)
      try {
        await sendPlaybacks({
          ...{ connectionId: id, rows, send, now: clock.now, log, refuse },
          sent: () => memory.sent,
          noteSent: (sent) => remember({ sent }),
        });
        failures = 0;
        await rest(playbacksIntervalMs);
      } catch (error) {
        if (stopped.signal.aborted) return;
        await restAfter(error, failures++);
      }
  }

  async function renewSiteKeys(): Promise<void> {
    const user = options.sharing;
    if (user === null) return;
    await keepSiteKeys({
      ...{ user, send, clock, random, stopped: stopped.signal },
      onFailed: (error) => {
        toRemoteErrorOrBug(error, "The service", noteBug);
      },
    });
  }

  function rest(ms: number): Promise<void> {
    return pause(clock, ms * (earliestRest + random() / 2), stopped.signal);
  }

  async function restUntilNews(ms: number): Promise<void> {
    listening = new AbortController();
    if (commands.isReportDue()) return;
    const signal = AbortSignal.any([stopped.signal, listening.signal]);
    await pause(clock, ms, signal).catch(() => undefined);
  }

  async function restAfter(error: unknown, failures: number): Promise<void> {
    const failure = toRemoteErrorOrBug(error, "The service", noteBug);
    if (problem !== failure.message)
      log.warn("link.disconnected", { connection: id, why: failure.message });
    problem = failure.message;
    const { waitMs } = failure;
    // A busy service names each player its own moment: growing pauses would only make the last ones late.
    const longestMs = waitMs === null ? longestPauseMs : longestBusyPauseMs;
    const grown = Math.min(longestMs, firstPauseMs * 2 ** failures);
    const minMs = failure instanceof Denied ? denialPauseMs : 0;
    await rest(Math.max((waitMs ?? 0) / earliestRest, grown, minMs)).catch(
      () => undefined,
    );
  }

  const stopListening = playback.onChanged(() => {
    commands.noteScreen();
    report.note();
  });
  const running = Promise.all([talk(), sendPlaybackReports(), renewSiteKeys()])
    .then(() => undefined)
    .catch((error: unknown) => {
      if (stopped.signal.aborted) return;
      stopped.abort();
      if (error instanceof Ended) {
        problem = connectionSentences["screen-removed"];
        log.warn("link.ended", { connection: id });
        options.onEnded();
      } else {
        problem = generalSentences.unforeseen;
        noteBug(error);
      }
    });

  return {
    view: () => ({
      ...{ connectionId: id, screenId: connection.screenId ?? "", screenName },
      ...{
        isConnected: problem === null && lastContactAt !== null,
        lastContactAt,
      },
      ...{ playbacksWaiting: rows.playbacksAfter(id, memory.sent), problem },
    }),
    noteStatus: () => {
      if (isNews(contentOf(options.status()), lastReported)) listening.abort();
      report.note();
    },
    stop: async () => {
      stopped.abort();
      stopListening();
      socket.stop();
      report.stop();
      commands.stop();
      listening.abort();
      await pictures.stop();
      await running;
    },
  };
}

/** There is nothing to count before the first response of the service (L-35). */
function contentOf(status: SyncStatus | undefined): Content {
  const sync = stateOf(status);
  return !status || status.isInSync === null
    ? { sync }
    : { sync, item_counts: status.items };
}

/** Single files are not worth a heartbeat of their own: the next one reports them (L-35). */
function isNews(now: Content, lastReported: Content): boolean {
  if (now.sync !== lastReported.sync) return true;
  return now.sync !== "syncing" && !isEqualCount(now, lastReported);
}

function isEqualCount(
  { item_counts: now }: Content,
  { item_counts: lastReported }: Content,
): boolean {
  return (
    now?.wanted === lastReported?.wanted &&
    now?.here === lastReported?.here &&
    now?.failed === lastReported?.failed
  );
}

/** Only the service itself answers like this: `{"report.next": ["sentence"]}`. */
function isAboutReport(json: unknown): boolean {
  return (
    typeof json === "object" &&
    json !== null &&
    Object.keys(json).some((name) => /^report(\.|$)/.test(name))
  );
}

/** Polling alone does not affect what is on screen. */
function stateOf(status: SyncStatus | undefined): HeartbeatLink["sync"] {
  if (!status) return "out-of-sync";
  if (status.phase === "downloading" || status.phase === "applying")
    return "syncing";
  return status.isInSync === true && status.problem === null
    ? "in-sync"
    : "out-of-sync";
}
