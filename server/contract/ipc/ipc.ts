// The two windows' questions, answers and events: one map per window, from which both sides derive.

import * as z from "zod";
import type { FailureCode } from "../../core/failure.ts";
import type { AssetKind, PlayHours } from "../../core/asset.ts";
import type { Showing, AudioSettings } from "../../core/showing.ts";
import type { HostingView } from "../content-host.ts";
import { pcQuestions, type PcAnswers } from "./ipc-pc.ts";
import { machineQuestions, type MachineAnswers } from "./ipc-machine.ts";
import { operateInput, type OperateOutcome } from "./ipc-operate.ts";
import type { PlayerEventV2 } from "../v2/v2-beyond.ts";

// What the coat needs of core crosses here: its own imports end at the contract and the doors.
export { Failure } from "../../core/failure.ts";
export type { MachineView, MachineRole } from "./ipc-machine.ts";
export { crossFadeMs, selfEndLeadMs } from "../../core/showing.ts";
export type {
  IdleScreen,
  Showing,
  ShowingContent,
  AudioSettings,
} from "../../core/showing.ts";

/** Degrees, clockwise. */
export type Orientation = 0 | 90 | 180 | 270;

// ── what the manager sees ────────────────────────────────────────────────

/** An asset as the manager shows it. Times are milliseconds since 1970, UTC. */
export interface AssetView {
  readonly id: string;
  readonly name: string;
  readonly uri: string;
  readonly kind: AssetKind;
  readonly mimetype: string;
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  readonly durationSeconds: number;
  /** A video's or sound's own length; null where there is none, or it is unknown. */
  readonly lengthSeconds: number | null;
  readonly sizeBytes: number | null;
  readonly isEnabled: boolean;
  readonly isActive: boolean;
  readonly isProcessing: boolean;
  readonly playOrder: number;
  /** `asset:` address of the stored bytes, for a thumbnail; null for what stays remote. */
  readonly fileUrl: string | null;
  /** Names with slashes between them; empty at the top. */
  readonly folder: string;
  readonly isPlaylistOnly: boolean;
  /** Null: on every day, all day. */
  readonly hours: PlayHours | null;
  /** Why it cannot be shown; null while nothing is known against it. */
  readonly problem: string | null;
}

const assetId = z.string().min(1).max(200);
const path = z.string().min(1).max(32_768);

/** The manager's questions: input schema here, answer type in `ManagerAnswers`. */
export const managerQuestions = {
  listAssets: z.object({}),
  addFile: z.object({
    path,
    /** The page's own name for this, under which `adding` tells how far it is. */
    job: z.string().min(1).max(100),
    folder: z.string().max(1000),
  }),
  /** Another file in the place of the one an asset has; everything else of it stays. */
  replaceFile: z.object({ assetId, path, job: z.string().min(1).max(100) }),
  addPage: z.object({
    address: z.string().min(1).max(8192),
    /** Sent whenever the page is asked for. */
    headers: z.record(z.string(), z.string()).optional(),
    /** Takes the address without trying it. */
    skipCheck: z.boolean().optional(),
  }),
  takeScreenshot: z.object({}),
  /** Any operation of version 2; see `OperationInput` and `OperationAnswer`. */
  operate: operateInput,
  ...pcQuestions,
  ...machineQuestions,
} as const;

export interface ManagerAnswers extends PcAnswers, MachineAnswers {
  /** In play order. */
  listAssets: readonly AssetView[];
  addFile: AssetView;
  replaceFile: AssetView;
  addPage: AssetView;
  /** What a person sees on the glass now, as a PNG data address. */
  takeScreenshot: { readonly dataUrl: string; readonly takenAtMs: number };
  operate: OperateOutcome;
}

export type ManagerQuestion = keyof typeof managerQuestions;
export type ManagerInput<Q extends ManagerQuestion> = z.infer<
  (typeof managerQuestions)[Q]
>;

/** What the manager is told without asking. */
export interface ManagerEvents {
  /** How much of a file on its way in has been read. */
  adding: {
    readonly job: string;
    readonly receivedBytes: number;
    readonly totalBytes: number;
  };
  /** The content service on this PC is other than it was. */
  hosting: HostingView;
  /** What `GET /api/v2/events` tells, as it happens. */
  playerEvent: PlayerEventV2;
}

/** `window.manager`: every question as a function, events by name. */
export type ManagerBridge = {
  readonly [Q in ManagerQuestion]: (
    input: ManagerInput<Q>,
  ) => Promise<ManagerAnswers[Q]>;
} & {
  readonly on: <E extends keyof ManagerEvents>(
    event: E,
    listener: (value: ManagerEvents[E]) => void,
  ) => () => void;
  /** The path behind a file dropped into the page; a page cannot read it by itself. */
  readonly pathOf: (file: unknown) => string;
};

// ── what the stage is told, and what it reports ──────────────────────────

/** Four events in. */
export interface StageOrders {
  /** How the display hangs: the whole stage is turned clockwise by so much. */
  setOrientation: { readonly orientation: Orientation };
  /** Load this slide out of sight and report `ready` or `failed`. It takes the place of one prepared but not shown. */
  prepare: Showing;
  /**
   * Swap the prepared slide in. A slide not prepared here is a page whose view now covers the stage: rest beneath it.
   * `isBeneath`: a page's view still covers the stage, so that the slide starts only with `start`.
   */
  show: { readonly showingId: string; readonly isBeneath?: boolean };
  /** The end of this slide, a clip, is to be reported so long before it: what follows fades in meanwhile. 0: at its end. */
  lead: {
    readonly showingId: string;
    readonly leadMs: number;
    /** What follows fades in; where less motion is asked for, it does not. */
    readonly isFade: boolean;
  };
  /** The slide swapped in beneath a page's view is visible from now on. */
  start: { readonly showingId: string };
  /** What is on the glass is heard like this from now on. */
  tune: { readonly showingId: string; readonly audio: AudioSettings };
}

/** Two events out: how a slide fares, and that the stage is up. */
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

// ── how an answer crosses ────────────────────────────────────────────────

/** Exceptions do not survive the crossing, so every answer is a value or a failure. */
export type Crossing<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly code: FailureCode | "bug";
      readonly message: string;
    };
