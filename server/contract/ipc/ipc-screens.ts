// Requests of the manager about the screens of content services: their states, screenshots, commands and settings. The main
// process sends them, with the key of the service; the page never reaches a foreign address.

import * as z from "zod";
import { commandKinds } from "../link/link.ts";
import type {
  ScreenCommandStateV3,
  ScreenCommandTotalsV3,
  ScreenLiveV3,
  ScreenStateV3,
} from "../v3/v3-screens.ts";
import {
  screenHistoryQuestions,
  type ScreenHistoryAnswers,
} from "./ipc-screen-history.ts";

const serviceId = z.string().min(1).max(100);
const id = z.string().min(1).max(200);
/** Longer than any name in an interface. */
const name = z.string().trim().min(1).max(200);

/** Instead of the identifier of a connection: the content service that this PC hosts. */
export const hostedServiceId = "hosted";

const playerAddress = z.string().trim().min(1).max(300);
const playerLogin = {
  username: z.string().max(200),
  password: z.string().max(1000),
} as const;

/** Labels and playlists of many screens, by identifiers (V3-124). */
export const screenAssignment = {
  screenIds: z.array(id).min(1).max(10_000),
  addLabels: z.array(id).max(20).default([]),
  removeLabels: z.array(id).max(20).default([]),
  addPlaylists: z.array(id).max(20).default([]),
  removePlaylists: z.array(id).max(20).default([]),
};

export const screensQuestions = {
  ...screenHistoryQuestions,
  /** The content services that can be asked about their screens: the hosted one, and each connection with an API key. */
  listScreenServices: z.object({}),
  /** Those that changed since this revision; null returns all. */
  readScreens: z.object({
    serviceId,
    revision: z.string().max(100).nullable(),
  }),
  /** The latest screenshot that the service has. */
  readScreenPicture: z.object({ serviceId, screenId: id }),
  /** While somebody looks at it, asked again and again: its player sends pictures for a few seconds after each time (V3-130). */
  watchScreen: z.object({
    serviceId,
    screenId: id,
    /** Of the picture that the page has. */
    hash: z.string().max(100).nullable(),
  }),
  /** The support bundle that a command `collect-logs` has brought (V3-132); the operator chooses the place. */
  saveScreenLogs: z.object({
    serviceId,
    commandId: id,
    suggestedName: z.string().min(1).max(200),
  }),
  /** One command to screens of one service (V3-82). */
  sendScreenCommand: z.object({
    serviceId,
    screenIds: z.array(id).min(1).max(10_000),
    kind: z.enum(commandKinds),
    arguments: z.record(z.string(), z.json()).optional(),
    /** Not carried out later than this. */
    expiresInSeconds: z.int().min(10).max(600).optional(),
  }),
  /** Of the last seven days, newest first: of one screen, or of one action (V3-83). */
  listScreenCommands: z.object({
    serviceId,
    screenId: id.optional(),
    actionId: id.optional(),
  }),
  /** What became of one action so far, however many screens it concerns (V3-122). */
  readActionResults: z.object({ serviceId, actionId: id }),
  /** The waiting player that shows this PIN takes the place of the screen's own (V3-121). */
  replaceScreenPlayer: z.object({
    ...{ serviceId, screenId: id, pin: name, isOnlineAccepted: z.boolean() },
  }),
  /** Omitted fields stay unchanged; `labels` are identifiers. */
  changeScreen: z.object({
    serviceId,
    screenId: id,
    change: z
      .object({ name, isEnabled: z.boolean(), labels: z.array(id).max(1000) })
      .partial(),
    /** Although it breaks assertions of the service (V3-108). */
    isAppliedAnyway: z.boolean().optional(),
  }),
  removeScreen: z.object({ serviceId, screenId: id }),
  assignToScreens: z.object({
    ...{ serviceId, ...screenAssignment },
    /** Although it breaks assertions of the service (V3-108). */
    isAppliedAnyway: z.boolean().optional(),
  }),
  listServicePlaylists: z.object({ serviceId }),
  /** The PIN is the one shown on the waiting screen. */
  claimScreen: z.object({ serviceId, pin: name, name }),
  /** An Anthias player as a screen (V3-110); an empty user name stands for no login. */
  adoptPlayer: z.object({
    serviceId,
    ...{ address: playerAddress, name: name.optional(), ...playerLogin },
  }),
  /** Without a password, it stays (V3-111). */
  changeAdoptedPlayer: z.object({
    ...{ serviceId, screenId: id, address: playerAddress, ...playerLogin },
    password: playerLogin.password.optional(),
  }),
  readScreenNetwork: z.object({ serviceId, screenId: id }),
  listScreenLabels: z.object({ serviceId }),
  makeScreenLabel: z.object({ serviceId, name }),
  /** What a takeover can show. */
  listServiceAssets: z.object({ serviceId }),
} as const;

export interface ScreenServiceView {
  /** Of its connection, or `hostedServiceId`. */
  readonly id: string;
  /** Null for the hosted service: the manager names it. */
  readonly name: string | null;
  readonly address: string;
}

/** A screen as its service reports it. */
export interface ScreenView extends Omit<ScreenStateV3, "screenshot"> {
  /** Null while the service has none. The key changes with each screenshot. */
  readonly screenshot: {
    readonly key: string;
    /** Null where the service does not tell. */
    readonly taken_at: string | null;
  } | null;
}

export interface ScreensView {
  readonly revision: string;
  /** All screens that are known; otherwise those that changed since the revision that was sent. */
  readonly isWhole: boolean;
  /** Otherwise the service has more that can be read at once. */
  readonly isComplete: boolean;
  readonly screens: readonly ScreenView[];
  /** Identifiers of screens that are no longer there. */
  readonly removed: readonly string[];
  /** False for a service that has only the lists of version 3: no commands, no changes. */
  readonly isManageable: boolean;
}

export interface ActionResultsView {
  readonly totals: ScreenCommandTotalsV3;
  /** Of a long action, those that did not succeed first, and not all of them. */
  readonly commands: readonly ScreenCommandStateV3[];
}

export interface ScreenLabelView {
  readonly id: string;
  readonly name: string;
}

export interface ServiceAssetView {
  readonly id: string;
  readonly title: string;
}

export interface ScreensAnswers extends ScreenHistoryAnswers {
  listScreenServices: readonly ScreenServiceView[];
  readScreens: ScreensView;
  /** Null if there is none. */
  readScreenPicture: { readonly dataUrl: string } | null;
  /** Null for a service that has no live pictures. */
  watchScreen: ScreenLiveV3 | null;
  /** Null where the operator chose no place. */
  saveScreenLogs: { readonly path: string } | null;
  sendScreenCommand: {
    readonly id: string;
    readonly commands: readonly ScreenCommandStateV3[];
  };
  listScreenCommands: readonly ScreenCommandStateV3[];
  readActionResults: ActionResultsView;
  /** False: the player that the screen has is online, and nothing changed. */
  replaceScreenPlayer: { readonly isReplaced: boolean };
  changeScreen: null;
  removeScreen: null;
  assignToScreens: null;
  listServicePlaylists: readonly ServiceAssetView[];
  /** The screen's identifier and name. */
  claimScreen: { readonly id: string; readonly name: string };
  adoptPlayer: { readonly id: string; readonly name: string };
  changeAdoptedPlayer: null;
  /** Empty where the service does not know. */
  readScreenNetwork: { readonly hostname: string; readonly address: string };
  listScreenLabels: readonly ScreenLabelView[];
  makeScreenLabel: ScreenLabelView;
  listServiceAssets: readonly ServiceAssetView[];
}
