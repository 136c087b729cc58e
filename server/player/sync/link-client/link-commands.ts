// Carries out the commands of a service (L-11, L-41, L-42): each once and in time; one that changes the screen is done once that
// was verified.

import * as z from "zod";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import {
  commandArguments,
  commandKinds,
  type CommandKind,
  type HeartbeatLink,
  type LinkCommand,
  type ShowArguments,
  type TakeoverArguments,
} from "../../../contract/link/link.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { actorScope, serviceActor } from "../../logs/actor.ts";
import type { ShowingStatus } from "../../playback/showing-status.ts";
import { RemoteError } from "../remote/remote-error.ts";
import type { LinkedPlayback } from "./linked-playback.ts";
import type { ScreenPicture } from "./live-pictures.ts";

/** Actions besides playback that commands can trigger; a missing one is not supported here. */
export interface LinkActions {
  /** A screenshot as PNG. */
  readonly screenshot?: () => Promise<Uint8Array>;
  /** A small picture of the screen, for those who look at it (L-66). */
  readonly livePicture?: () => Promise<ScreenPicture>;
  /** Logs and states without secrets, as a gzip archive (L-71). */
  readonly collectLogs?: () => Promise<Uint8Array>;
  /** Lays the name over the screen for this long; resolves once it is visible. Aborted, the name goes at once. */
  readonly identify?: (
    name: string,
    seconds: number,
    signal: AbortSignal,
  ) => Promise<void>;
  /** Restarts the app, not the machine. */
  readonly restart?: () => void;
  readonly reboot?: () => Promise<void>;
}

export type CommandResult = NonNullable<HeartbeatLink["done"]>[number];

/** Stored with the link, so that a restart repeats nothing. */
export const commandMemoryShape = {
  /** Commands that were begun. */
  done: z.array(z.string()).catch([]),
  /** The results of those that take time; what is not listed here was done. */
  results: z
    .array(
      z.object({
        id: z.string(),
        is_done: z.boolean(),
        message: z.string().optional(),
      }),
    )
    .catch([]),
};
export interface CommandMemory {
  readonly done: readonly string[];
  readonly results: readonly CommandResult[];
}

export interface LinkCommandsOptions {
  readonly connectionId: string;
  readonly playback: LinkedPlayback;
  readonly actions: LinkActions;
  readonly memory: () => CommandMemory;
  /** Throws if it cannot be saved. */
  readonly remember: (memory: CommandMemory) => void;
  /** The player's clock minus the service's, in milliseconds. */
  readonly clockSkewMs: () => number;
  readonly screenName: () => string;
  /** Of the connection, by which the activity log names the service (V2-792). */
  readonly serviceName: () => string;
  readonly requestPoll: () => void;
  readonly sendScreenshot: (take: () => Promise<Uint8Array>) => Promise<void>;
  readonly sendLogs: (
    commandId: string,
    collect: () => Promise<Uint8Array>,
  ) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
  /** There is a result to report. */
  readonly onResult: () => void;
}

export interface LinkCommands {
  /** Carries out what is new among these; what takes time only begins. Throws if that cannot be recorded. */
  accept(commands: readonly LinkCommand[]): void;
  /** Carries out what has to wait until its reception was reported. Throws a RemoteError; then it remains to be done. */
  carryOutQueued(): Promise<void>;
  isKnown(id: string): boolean;
  /** For the next heartbeat. */
  report(): CommandReport;
  acknowledge(report: CommandReport): void;
  /** There is something that a heartbeat has not reported yet. */
  isReportDue(): boolean;
  isAnyRunning(): boolean;
  /** `carryOutQueued` has something to do. */
  isAnyQueued(): boolean;
  /** The name of the screen is over it: nothing beneath is verified meanwhile. */
  isIdentifying(): boolean;
  /** The screen has changed. */
  noteScreen(): void;
  stop(): void;
}

export interface CommandReport {
  readonly done: readonly CommandResult[];
  readonly received: readonly string[];
}

const maxRemembered = 100;
const maxReported = 100;
const maxMessage = 2000;
const identifySeconds = 20;
const verifiedWithinMs = 20_000;
/** Of services that send no `expires_at`. */
const lastsMs = 600_000;

/** What a command is waiting for on the screen. */
interface Watch {
  /** Whether what is visible is what it has caused. */
  readonly isShown: (showing: ShowingStatus | null) => boolean;
  /** Why that cannot happen any more; null while it can. */
  readonly lost: () => string | null;
  /** Why it is not shown, as far as is known. */
  readonly problem: () => string | null;
}

interface Running {
  readonly command: LinkCommand;
  readonly watch: Watch;
  readonly stopDeadline: () => void;
}

export function createLinkCommands(options: LinkCommandsOptions): LinkCommands {
  const { connectionId, playback, actions, memory, clock, log } = options;
  let results: readonly CommandResult[] = [];
  let running: readonly Running[] = [];
  /** Screenshots still to be taken, and logs to be collected. */
  let queued: readonly LinkCommand[] = [];
  /** What the app or the system is doing. */
  let acting: readonly string[] = [];
  let reported: readonly string[] = [];
  let afterwards: (() => void) | null = null;
  let nameOver = new AbortController();
  let nameUntil = -Infinity;
  let isStopped = false;

  const localIdOf = (assetId: string): string => `${connectionId}-${assetId}`;

  function begun(id: string, result: CommandResult | null): void {
    const { done, results: stored } = memory();
    options.remember({
      done: [...done.filter((one) => one !== id), id].slice(-maxRemembered),
      results: [
        ...stored.filter((one) => one.id !== id),
        ...(result ? [result] : []),
      ].slice(-maxRemembered),
    });
  }

  function finish(id: string, failure: string | null): void {
    const result: CommandResult =
      failure === null
        ? { id, is_done: true }
        : { id, is_done: false, message: failure.slice(0, maxMessage) };
    results = [...results, result];
    if (memory().done.includes(id))
      try {
        begun(id, failure === null ? null : result);
      } catch (error) {
        // The result is reported all the same; only after a restart it would be another one.
        log.warn("link.result-not-stored", { connection: connectionId, error });
      }
    log.info("link.command-finished", {
      ...{ connection: connectionId, command: id, why: failure },
    });
  }

  function isExpired({ created_at, expires_at }: LinkCommand): boolean {
    const endsAt =
      expires_at === undefined
        ? Date.parse(created_at) + lastsMs
        : Date.parse(expires_at);
    return clock.now() - options.clockSkewMs() >= endsAt;
  }

  function accept(commands: readonly LinkCommand[]): void {
    for (const command of commands) {
      const { id } = command;
      if (isUnderWay(id)) continue;
      if (memory().done.includes(id))
        results = [
          ...results,
          memory().results.find((one) => one.id === id) ?? {
            id,
            is_done: true,
          },
        ];
      else take(command);
    }
  }

  function isUnderWay(id: string): boolean {
    return results.some((one) => one.id === id) || receivedIds().includes(id);
  }

  function receivedIds(): readonly string[] {
    return [
      ...running.map(({ command }) => command.id),
      ...queued.map(({ id }) => id),
      ...acting,
    ];
  }

  function take(command: LinkCommand): void {
    const { id, kind } = command;
    log.info("link.command-received", {
      ...{ connection: connectionId, command: id, kind },
    });
    try {
      if (isExpired(command)) throw new Error(serviceSentences["command-late"]);
      begin(command);
    } catch (error) {
      if (error instanceof NotRecorded) throw error.cause;
      finish(id, messageOf(error));
    }
  }

  /** Recorded before it is carried out: a restart must not meet the same command again. */
  function record(id: string, result: CommandResult | null = null): void {
    try {
      begun(id, result);
    } catch (error) {
      throw new NotRecorded(error);
    }
  }

  function begin(command: LinkCommand): void {
    const { id, kind } = command;
    if (!isKind(kind)) throw new Error(serviceSentences["command-unknown"]);
    switch (kind) {
      case "look":
        options.requestPoll();
        // It may be carried out twice: recorded afterwards.
        record(id);
        return finish(id, null);
      case "screenshot":
        if (!actions.screenshot) throw unsupported();
        queued = [...queued, command];
        return;
      case "collect-logs":
        if (!actions.collectLogs) throw unsupported();
        queued = [...queued, command];
        return;
      case "identify":
        return identify(id);
      case "restart": {
        const { restart } = actions;
        if (!restart) throw unsupported();
        record(id);
        // Once the service has the result: this run cannot report it afterwards.
        afterwards = restart;
        return finish(id, null);
      }
      case "reboot":
        return reboot(id);
      default:
        return changeScreen(command, kind);
    }
  }

  function identify(id: string): void {
    if (!actions.identify) throw unsupported();
    record(id, interrupted(id));
    nameOver.abort();
    nameOver = new AbortController();
    nameUntil = clock.monotonic() + identifySeconds * 1000;
    const name = options.screenName();
    track(id, actions.identify(name, identifySeconds, nameOver.signal));
  }

  function reboot(id: string): void {
    if (!actions.reboot) throw unsupported();
    record(id);
    track(id, actions.reboot());
  }

  /** Reports the result once it is there. */
  function track(id: string, ending: Promise<void>): void {
    acting = [...acting, id];
    ending
      .then(
        () => null,
        (error: unknown) => messageOf(error),
      )
      .then((failure) => {
        acting = acting.filter((one) => one !== id);
        if (isStopped) return;
        finish(id, failure);
        options.onResult();
      })
      .catch((error: unknown) =>
        log.error("link.internal-error", { connection: connectionId, error }),
      );
  }

  function changeScreen(command: LinkCommand, kind: ScreenKind): void {
    const { id } = command;
    record(id, interrupted(id));
    const watch = actorScope.runNow(serviceActor(options.serviceName()), () =>
      order(kind, command),
    );
    if (!watch) return finish(id, null);
    // Nothing beneath the name would be verified.
    nameOver.abort();
    nameUntil = -Infinity;
    for (const other of running) end(other, replaced);
    const stopDeadline = clock.after(verifiedWithinMs, () => {
      const one = running.find((other) => other.command.id === id);
      if (!one || isStopped) return;
      end(one, tooLate(watch));
      options.onResult();
    });
    running = [...running, { command, watch, stopDeadline }];
    check();
  }

  /** Null: there is nothing to wait for. */
  function order(kind: ScreenKind, command: LinkCommand): Watch | null {
    const before = playback.now().showing?.showing.id ?? null;
    const isNew = (showing: ShowingStatus | null): boolean =>
      showing !== null && showing.showing.id !== before;
    const never = (): null => null;
    switch (kind) {
      case "next":
      case "previous":
        playback.step(kind);
        return { isShown: isNew, lost: never, problem: never };
      case "show": {
        const { asset_id }: ShowArguments = parsed(
          commandArguments.show,
          command,
        );
        const assetId = presentAsset(asset_id);
        showAsset(assetId);
        return {
          isShown: (showing) =>
            isNew(showing) && showing?.showing.assetId === assetId,
          ...{ lost: never, problem: never },
        };
      }
      case "takeover":
        return takeOver(parsed(commandArguments.takeover, command));
      case "end-takeover": {
        // Also one that was begun at the player: the operator sees a takeover and wants the schedule back.
        if (!playback.endTakeover()) return null;
        return {
          isShown: (showing) => showing !== null && showing.takeoverId === null,
          ...{ lost: never, problem: never },
        };
      }
    }
  }

  function takeOver(body: TakeoverArguments): Watch {
    const { asset_id, text, url, until, reason } = body;
    const takeoverId = playback.takeOver({
      shown:
        asset_id !== undefined
          ? { kind: "asset", assetId: presentAsset(asset_id) }
          : url !== undefined
            ? { kind: "page", url }
            : { kind: "text", text: text ?? "" },
      reason: reason ?? null,
      // By the service's clock.
      until:
        until === undefined ? null : Date.parse(until) + options.clockSkewMs(),
    });
    return {
      isShown: (showing) => showing?.takeoverId === takeoverId,
      lost: () =>
        playback.takeoverId() === takeoverId
          ? null
          : serviceSentences["takeover-ended"],
      problem: playback.takeoverProblem,
    };
  }

  function presentAsset(remoteId: string): string {
    const assetId = localIdOf(remoteId);
    if (playback.hasAsset(assetId)) return assetId;
    throw new Error(serviceSentences["not-here-yet"]);
  }

  /** With its name in place of the player's own identifier, which nobody at the service knows. */
  function showAsset(assetId: string): void {
    try {
      playback.show(assetId);
    } catch (error) {
      const name = `“${playback.assetName(assetId)}”`;
      throw new Error(messageOf(error).replace(`Asset ${assetId}`, name), {
        cause: error,
      });
    }
  }

  /** Of everything that is waited for, as the screen is now. */
  function check(): void {
    if (running.length === 0) return;
    const { showing } = playback.now();
    const before = results.length;
    for (const one of running) {
      const { isShown, lost } = one.watch;
      const reason = lost();
      if (reason !== null) end(one, reason);
      else if (isShown(showing) && isVerified(showing)) end(one, null);
    }
    if (results.length > before) options.onResult();
  }

  function isVerified(showing: ShowingStatus | null): boolean {
    return (
      !playback.hasVerification || showing?.verdict?.verdict === "verified"
    );
  }

  function end(one: Running, failure: string | null): void {
    one.stopDeadline();
    running = running.filter((other) => other !== one);
    finish(one.command.id, failure);
  }

  function tooLate({ isShown, problem }: Watch): string {
    const { showing } = playback.now();
    const reason = problem();
    const seconds = verifiedWithinMs / 1000;
    if (!isShown(showing))
      return reason === null
        ? composeSentence(serviceSentences["not-shown"], { seconds })
        : composeSentence(serviceSentences["not-shown-because"], {
            seconds,
            reason,
          });
    const verdict = showing?.verdict?.verdict;
    return verdict === undefined || verdict === "verified"
      ? composeSentence(serviceSentences["shown-unverified"], { seconds })
      : verdictTexts[verdict];
  }

  async function carryOutQueued(): Promise<void> {
    for (const command of queued) {
      const { id } = command;
      let failure: string | null = null;
      try {
        await sendQueued(command);
      } catch (error) {
        if (error instanceof RemoteError) throw error;
        failure = messageOf(error);
      }
      // It may be carried out twice: recorded afterwards.
      begun(id, null);
      queued = queued.filter((one) => one !== command);
      finish(id, failure);
    }
  }

  async function sendQueued(command: LinkCommand): Promise<void> {
    const { screenshot, collectLogs } = actions;
    const isLogs = command.kind === "collect-logs";
    if (isExpired(command))
      throw new Error(
        isLogs
          ? serviceSentences["logs-late"]
          : serviceSentences["screenshot-late"],
      );
    if (isLogs && collectLogs) await options.sendLogs(command.id, collectLogs);
    else if (!isLogs && screenshot) await options.sendScreenshot(screenshot);
  }

  return {
    accept,
    carryOutQueued,
    isKnown: (id) => isUnderWay(id) || memory().done.includes(id),
    report: () => ({
      done: results.slice(0, maxReported),
      received: receivedIds().slice(0, maxReported),
    }),
    acknowledge: ({ done, received }) => {
      results = results.filter((one) => !done.includes(one));
      reported = received;
      const act = afterwards;
      if (act === null || results.length > 0) return;
      afterwards = null;
      act();
    },
    isReportDue: () =>
      results.length > 0 || receivedIds().some((id) => !reported.includes(id)),
    isAnyRunning: () => receivedIds().length > 0,
    isAnyQueued: () => queued.length > 0,
    isIdentifying: () => clock.monotonic() < nameUntil,
    noteScreen: check,
    stop: () => {
      isStopped = true;
      nameOver.abort();
      for (const { stopDeadline } of running) stopDeadline();
      running = [];
    },
  };
}

/** It could not be recorded, and so was not carried out: it comes again. */
class NotRecorded extends Error {
  constructor(cause: unknown) {
    super(serviceSentences["command-unrecorded"], { cause });
  }
}

type ScreenKind = Exclude<
  CommandKind,
  "look" | "screenshot" | "collect-logs" | "identify" | "restart" | "reboot"
>;

const replaced = serviceSentences["command-followed"];

const verdictTexts = {
  blank: serviceSentences["shown-blank"],
  frozen: serviceSentences["shown-frozen"],
  wrong: serviceSentences["shown-other"],
} as const;

/** The result of a command whose run ended before there was one. */
function interrupted(id: string): CommandResult {
  return {
    ...{ id, is_done: false },
    message: serviceSentences["command-restarted"],
  };
}

function unsupported(): Error {
  return new Error(serviceSentences["command-unsupported"]);
}

function isKind(kind: string): kind is CommandKind {
  return (commandKinds as readonly string[]).includes(kind);
}

function parsed<Shape extends z.ZodType>(
  shape: Shape,
  command: LinkCommand,
): z.infer<Shape> {
  const reading = shape.safeParse(command.arguments ?? {});
  if (reading.success) return reading.data;
  const [issue] = reading.error.issues;
  throw new Error(
    composeSentence(serviceSentences["command-arguments"], {
      what: issue?.message ?? "",
    }),
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error
    ? error.message
    : serviceSentences["command-failed"];
}
