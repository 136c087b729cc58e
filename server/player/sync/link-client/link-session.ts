// Link session of one screen: heartbeats, long polling for news, commands, and playback reports.

import * as z from "zod";
import {
  commandKinds,
  linkPaths,
  maxScreenshotBytes,
  maxWaitSeconds,
  newsLink,
  type CommandKind,
  type HeartbeatLink,
  type LinkCommand,
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
import { sendPlaybacks } from "./playback-reports.ts";
import {
  linkedScreenFrom,
  linkedScreenShape,
  type LinkedScreen,
} from "./linked-screen.ts";
import type { LinkRows } from "./link-rows.ts";
import { reasonIn, type Send, type SentAnswer } from "../remote/send-http.ts";
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

/** Actions that commands can trigger; a missing one is not supported here. */
export interface LinkActions {
  readonly next?: () => void;
  readonly previous?: () => void;
  /** A screenshot as PNG. */
  readonly screenshot?: () => Promise<Uint8Array>;
  /** Restarts the app, not the machine. */
  readonly restart?: () => void;
  readonly reboot?: () => Promise<void>;
}

export interface LinkSessionOptions {
  readonly connection: SyncConnection;
  readonly send: Send;
  readonly rows: LinkRows;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly facts: () => LinkFacts;
  readonly status: () => SyncStatus | undefined;
  /** There are changes to poll for. */
  readonly requestPoll: () => void;
  readonly actions: LinkActions;
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
    super(
      "unauthorized",
      "The service says that it no longer knows this screen. It is asked again before that counts.",
    );
  }
}

const memoryShape = z.object({
  sent: z.int().nonnegative().catch(0),
  /** Commands that were executed, so that a restart does not repeat them. */
  done: z.array(z.string()).catch([]),
  /** The screen as the service described it last. */
  screen: linkedScreenShape,
});

const maxDone = 100;
/** Playbacks need not be reported within the minute. */
const playbacksIntervalMs = 60_000;
const firstPauseMs = 1000;
const longestPauseMs = 300_000;
/** Something that answered in the service's place by mistake is often gone by then. */
const denialPauseMs = 60_000;
/** A response faster than this was not held back by the service. */
const atOnceMs = 500;

type Done = NonNullable<HeartbeatLink["done"]>[number];
/** Sync state and item counts, as a heartbeat reports them. */
type Content = Pick<HeartbeatLink, "sync" | "item_counts">;

export function createLinkSession(options: LinkSessionOptions): LinkSession {
  const { connection, rows, clock, random, log, send } = options;
  const { id } = connection;
  const stopped = new AbortController();
  let memory = memoryShape.parse(rows.memory(id) ?? {});
  let listening = new AbortController();
  let lastReported = contentOf(options.status());
  let revision: string | null = null;
  let screenName: string | null = null;
  let lastContactAt: number | null = null;
  let problem: string | null = null;
  /** Results of commands that the service does not have yet. */
  let answers: Done[] = [];
  /** Runs once the service has the result of the command. */
  let afterwards: (() => void) | null = null;

  function remember(change: Partial<typeof memory>): void {
    const now = { ...memory, ...change };
    // Saved first: what cannot be saved counts as not done and comes again.
    rows.saveMemory(id, now);
    memory = now;
  }

  /** A full disk does not end the link: it is saved with the next response of the service. */
  function noteScreen(screen: LinkedScreen): void {
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
      throw new RemoteError("refused", "The service has no screen for this.");
  }

  function newsFrom(answer: SentAnswer): NewsLink {
    refuse(answer);
    if (answer.status !== 200)
      throw new RemoteError("refused", reasonIn(answer));
    const reading = newsLink.safeParse(answer.json);
    if (!reading.success)
      throw new RemoteError("malformed", "The service's news make no sense.");
    lastContactAt = clock.now();
    screenName = reading.data.screen.name;
    noteScreen(linkedScreenFrom(reading.data.screen));
    if (problem !== null) log.info("link.reconnected", { connection: id });
    problem = null;
    return reading.data;
  }

  async function beat(): Promise<NewsLink> {
    const content = contentOf(options.status());
    const done = answers.slice(0, maxDone);
    const news = newsFrom(
      await send("POST", linkPaths.heartbeat, {
        json: { facts: options.facts(), ...content, done },
      }),
    );
    lastReported = content;
    answers = answers.filter((one) => !done.includes(one));
    const act = afterwards;
    afterwards = null;
    act?.();
    return news;
  }

  /** Long poll: the service holds the request until there is news. */
  async function listen(seconds: number): Promise<NewsLink | null> {
    listening = new AbortController();
    if (isNews(contentOf(options.status()), lastReported)) return null;
    const query = `revision=${encodeURIComponent(revision ?? "")}&wait=${seconds}`;
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

  async function take(news: NewsLink): Promise<void> {
    if (news.revision !== revision) options.requestPoll();
    revision = news.revision;
    for (const command of news.commands)
      if (answers.every((answer) => answer.id !== command.id))
        answers.push(
          memory.done.includes(command.id)
            ? { id: command.id, is_done: true }
            : await carryOut(command),
        );
  }

  async function carryOut({ id: commandId, kind }: LinkCommand): Promise<Done> {
    const note = (): void =>
      remember({ done: [...memory.done, commandId].slice(-maxDone) });
    // Recorded before it runs: a restart must not meet the same command again. A command that may run twice is recorded afterwards.
    const isHarmless = kind === "look" || kind === "screenshot";
    if (!isHarmless) note();
    log.info("link.command-received", {
      connection: id,
      command: commandId,
      kind,
    });
    try {
      await obey(kind);
    } catch (error) {
      if (error instanceof RemoteError) throw error;
      const message = error instanceof Error ? error.message : "It failed.";
      return {
        ...{ id: commandId, is_done: false },
        message: message.slice(0, 2000),
      };
    }
    if (isHarmless) note();
    return { id: commandId, is_done: true };
  }

  async function obey(kind: string): Promise<void> {
    const { actions } = options;
    if (!isKnown(kind)) throw new Error("This player knows no such order.");
    if (kind === "look") {
      options.requestPoll();
      return;
    }
    if (kind === "screenshot" && actions.screenshot) {
      await sendScreenshot(actions.screenshot);
      return;
    }
    const action = actions[kind];
    if (!action) throw new Error("This player cannot do that.");
    const act = async (): Promise<unknown> => action();
    if (kind === "restart")
      afterwards = () => {
        act().catch(noteBug);
      };
    else await act();
  }

  async function sendScreenshot(
    take: () => Promise<Uint8Array>,
  ): Promise<void> {
    const content = await take();
    if (content.length > maxScreenshotBytes)
      throw new Error("The screenshot is larger than the service takes.");
    const answer = await send("PUT", linkPaths.screenshot, {
      body: { type: "image/png", sizeBytes: content.length, content },
    });
    refuse(answer);
    if (answer.status >= 300) throw new Error(reasonIn(answer));
  }

  async function talk(): Promise<void> {
    let failures = 0;
    let isDenied = false;
    while (!stopped.signal.aborted)
      try {
        const heartbeat = await beat();
        isDenied = false;
        await take(heartbeat);
        failures = 0;
        if (answers.length > 0) continue;
        const listenedAt = clock.monotonic();
        const news = await listen(
          Math.min(heartbeat.heartbeat_in_seconds, maxWaitSeconds),
        );
        if (news === null) continue;
        const isNew =
          news.revision !== revision ||
          news.commands.some(({ id: one }) => !memory.done.includes(one));
        await take(news);
        // With too many requests waiting, the service responds at once (L-9).
        if (!isNew && clock.monotonic() - listenedAt < atOnceMs)
          await rest(news.heartbeat_in_seconds * 1000);
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

  function rest(ms: number): Promise<void> {
    return pause(clock, ms * (0.75 + random() / 2), stopped.signal);
  }

  async function restAfter(error: unknown, failures: number): Promise<void> {
    const failure = toRemoteErrorOrBug(error, "The service", noteBug);
    if (problem !== failure.message)
      log.warn("link.disconnected", { connection: id, why: failure.message });
    problem = failure.message;
    const grown = Math.min(longestPauseMs, firstPauseMs * 2 ** failures);
    const minMs = failure instanceof Denied ? denialPauseMs : 0;
    await rest(Math.max(failure.waitMs ?? 0, grown, minMs)).catch(
      () => undefined,
    );
  }

  const running = Promise.all([talk(), sendPlaybackReports()])
    .then(() => undefined)
    .catch((error: unknown) => {
      if (stopped.signal.aborted) return;
      stopped.abort();
      if (error instanceof Ended) {
        problem = "The service no longer knows this screen.";
        log.warn("link.ended", { connection: id });
        options.onEnded();
      } else {
        problem = "Something unforeseen went wrong; the log has the details.";
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
    },
    stop: async () => {
      stopped.abort();
      listening.abort();
      await running;
    },
  };
}

function isKnown(kind: string): kind is CommandKind {
  return (commandKinds as readonly string[]).includes(kind);
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

/** Polling alone does not affect what is on screen. */
function stateOf(status: SyncStatus | undefined): HeartbeatLink["sync"] {
  if (!status) return "out-of-sync";
  if (status.phase === "downloading" || status.phase === "applying")
    return "syncing";
  return status.isInSync === true && status.problem === null
    ? "in-sync"
    : "out-of-sync";
}
