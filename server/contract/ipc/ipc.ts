// IPC between the main process and its two windows: requests, answers and events, one map per window from which both
// sides derive.

import * as z from "zod";
import type { FailureCode } from "../../core/failure.ts";
import type { Showing, AudioSettings } from "../../core/showing.ts";
import type { HostingView } from "../content-host.ts";
import { pcQuestions, type PcAnswers } from "./ipc-pc.ts";
import { machineQuestions, type MachineAnswers } from "./ipc-machine.ts";
import { nearbyQuestions, type NearbyAnswers } from "./ipc-nearby.ts";
import type { OperateOutcome } from "../v2/operations/operation-client.ts";
import { operateInput } from "./ipc-operate.ts";
import { alertsQuestions, type AlertsAnswers } from "./ipc-alerts.ts";
import { whatIfQuestions, type WhatIfAnswers } from "./ipc-what-if.ts";
import { screensQuestions, type ScreensAnswers } from "./ipc-screens.ts";
import type { PlayerEventV2 } from "../v2/v2-monitoring.ts";

// Re-exports what the main process needs of core: it may import only the contract and the entry files.
export { Failure } from "../../core/failure.ts";
export type { MachineView, MachineRole } from "./ipc-machine.ts";
export { audioOf, crossFadeMs, selfEndLeadMs } from "../../core/showing.ts";
export type {
  IdleScreen,
  Showing,
  ShowingContent,
  AudioSettings,
} from "../../core/showing.ts";

/** Degrees, clockwise. */
export type Orientation = 0 | 90 | 180 | 270;

// ── manager: requests ────────────────────────────────────────────────────

const path = z.string().min(1).max(32_768);

/**
 * Requests of the manager: input schema here, answer type in `ManagerAnswers`. The first three carry the data of the player, the same
 * for every transport of the manager; the others are what only a window on this PC can do.
 */
export const managerQuestions = {
  /** Any operation of version 2 with an answer in JSON; see `OperationInput` and `OperationAnswer`. */
  operate: operateInput,
  /** The operation `uploadFile`, from a path. */
  uploadFile: z.object({
    path,
    /** Chosen by the page to identify this upload in the `uploading` events. */
    job: z.string().min(1).max(100),
  }),
  /** The operation `readScreenshot`. */
  takeScreenshot: z.object({}),
  ...pcQuestions,
  ...machineQuestions,
  ...screensQuestions,
  ...alertsQuestions,
  ...nearbyQuestions,
  ...whatIfQuestions,
} as const;

export interface ManagerAnswers
  extends
    PcAnswers,
    MachineAnswers,
    ScreensAnswers,
    AlertsAnswers,
    NearbyAnswers,
    WhatIfAnswers {
  operate: OperateOutcome;
  uploadFile: SentFile;
  /** What is visible on the screen now, as a PNG data URL. */
  takeScreenshot: { readonly dataUrl: string; readonly takenAtMs: number };
}

/** An upload that waits to be claimed by an asset. */
export interface SentFile {
  readonly uri: string;
  /** Of the file, without its extension. */
  readonly name: string;
}

export type ManagerQuestion = keyof typeof managerQuestions;
export type ManagerInput<Q extends ManagerQuestion> = z.infer<
  (typeof managerQuestions)[Q]
>;

/** Events sent to the manager. */
export interface ManagerEvents {
  /** Progress of `uploadFile`. */
  uploading: {
    readonly job: string;
    readonly receivedBytes: number;
    readonly totalBytes: number;
  };
  /** The content service on this PC has changed. */
  hosting: HostingView;
  /** The events of `GET /api/v2/events`, as they happen. */
  playerEvent: PlayerEventV2;
}

/** `window.manager`: every request as a function, events by name. */
export type ManagerBridge = {
  readonly [Q in ManagerQuestion]: (
    input: ManagerInput<Q>,
  ) => Promise<ManagerAnswers[Q]>;
} & {
  readonly on: <E extends keyof ManagerEvents>(
    event: E,
    listener: (value: ManagerEvents[E]) => void,
  ) => () => void;
  /** The path of a file dropped onto the page, which a page cannot read itself. */
  readonly pathOf: (file: unknown) => string;
};

// ── stage: orders and reports ────────────────────────────────────────────

/** Events sent to the stage. */
export interface StageOrders {
  /** Orientation of the display: the whole stage is rotated clockwise by this angle. */
  setOrientation: { readonly orientation: Orientation };
  /** Loads this showing out of sight, then reports `ready` or `failed`. Replaces one that is prepared but not shown. */
  prepare: Showing;
  /**
   * Swaps in the prepared showing. One not prepared here is a page whose view now covers the stage, which stays idle.
   * `isBeneath`: a page's view still covers the stage, so that the showing starts only with `start`.
   */
  show: { readonly showingId: string; readonly isBeneath?: boolean };
  /** How long before its end this showing, a clip, reports it, so that the next one can fade in meanwhile. 0: at its end. */
  lead: {
    readonly showingId: string;
    readonly leadMs: number;
    /** Whether the next one fades in; it does not where reduced motion is requested. */
    readonly isFade: boolean;
  };
  /** The showing swapped in beneath a page's view is now visible. */
  start: { readonly showingId: string };
  /** Audio settings of the visible showing from now on. */
  tune: { readonly showingId: string; readonly audio: AudioSettings };
}

/** Reports of the stage: the outcome of a showing, and that the stage has started. */
export const stageReports = {
  started: z.object({}),
  showing: z.discriminatedUnion("outcome", [
    z.object({ outcome: z.literal("ready"), showingId: z.string().max(100) }),
    z.object({ outcome: z.literal("shown"), showingId: z.string().max(100) }),
    z.object({ outcome: z.literal("ended"), showingId: z.string().max(100) }),
    z.object({
      outcome: z.literal("failed"),
      showingId: z.string().max(100),
      reason: z.string().max(500),
    }),
  ]),
} as const;

export type StageReport = keyof typeof stageReports;
export type StageReportValue<R extends StageReport> = z.infer<
  (typeof stageReports)[R]
>;
export type ShowingReport = StageReportValue<"showing">;

/** `window.playback`. */
export interface PlaybackBridge {
  readonly on: <O extends keyof StageOrders>(
    order: O,
    listener: (value: StageOrders[O]) => void,
  ) => () => void;
  readonly report: <R extends StageReport>(
    report: R,
    value: StageReportValue<R>,
  ) => void;
}

// ── transport of answers ─────────────────────────────────────────────────

/** Exceptions do not survive IPC, so every answer is a value or a failure. */
export type Crossing<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly code: FailureCode | "bug";
      readonly message: string;
    };
