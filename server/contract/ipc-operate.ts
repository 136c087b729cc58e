// Every operation of version 2 as a question of the manager's: what each takes and answers, and how a refusal crosses.

import * as z from "zod";
import type { FailureCode, FieldSentences } from "../core/failure.ts";
import type { InfoV2, NewTokenV2, TokenV2 } from "./v2-beyond.ts";
import type {
  ActivityV2,
  BinEntryV2,
  PlayDayV2,
  PlayV2,
} from "./v2-history.ts";
import type { NowV2, PauseV2, TakeoverV2, WhyV2 } from "./v2-glass.ts";
import type { PlaylistV2 } from "./v2-playlists.ts";
import type {
  KeptPlanV2,
  SyncAccountV2,
  LocalChangesV2,
  SyncOriginV2,
  SyncPlanV2,
  SyncV2,
} from "./v2-sync.ts";
import type {
  CloudPageV2,
  PairingV2,
  PlanKeysV2,
  SyncChangeV2,
  SyncLinkV2,
} from "./v2-sync-upwards.ts";
import type { AssetV2 } from "./v2.ts";

/** Fields as the interface takes them: it parses them itself and says what is wrong with each. */
export type FieldsOfBody = Readonly<Record<string, unknown>>;

/** Of a list: what is left out is not asked for. `format: "csv"` answers a text. */
type Query = Readonly<Record<string, string>>;

interface BinWishV2 {
  readonly asset_ids?: readonly string[];
  readonly playlist_ids?: readonly string[];
}

interface OneId {
  readonly id: string;
}

interface OneChange extends OneId {
  readonly change: string;
}

/** Which account is meant; all of them without one. */
interface SyncDeed {
  readonly account_id?: string;
}

/** With a plan, that one alone: the one that was seen. */
interface ApplySync extends SyncDeed {
  readonly plan_id?: string;
}

export interface BackupV2 {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly created: string;
}

/**
 * By the `id` of the operation in `operationsV2`. `parameters` are those of the path by its names, and those of the
 * query; what has neither parameters nor body takes nothing.
 */
export interface PlayerOperations {
  listAssets: { answer: readonly AssetV2[] };
  createAsset: { body: FieldsOfBody; answer: AssetV2 };
  readAsset: { parameters: OneId; answer: AssetV2 };
  changeAsset: { parameters: OneId; body: FieldsOfBody; answer: AssetV2 };
  deleteAsset: { parameters: OneId; answer: null };
  orderAssets: { body: { readonly ids: string }; answer: null };
  replaceSource: {
    parameters: OneId;
    body: { readonly uri: string };
    answer: AssetV2;
  };
  pausePlayback: { body: { readonly seconds?: number }; answer: PauseV2 };
  resumePlayback: { answer: null };
  controlPlayback: { parameters: { readonly command: string }; answer: string };

  listPlaylists: { answer: readonly PlaylistV2[] };
  createPlaylist: { body: FieldsOfBody; answer: PlaylistV2 };
  readPlaylist: { parameters: OneId; answer: PlaylistV2 };
  changePlaylist: { parameters: OneId; body: FieldsOfBody; answer: PlaylistV2 };
  deletePlaylist: { parameters: OneId; answer: null };
  appendPlaylistItems: {
    parameters: OneId;
    body: FieldsOfBody;
    answer: PlaylistV2;
  };

  readNow: { answer: NowV2 };
  readWhy: { parameters: { readonly at?: string }; answer: WhyV2 };
  readTakeover: { answer: TakeoverV2 | null };
  takeOver: { body: FieldsOfBody; answer: TakeoverV2 };
  endTakeover: { answer: null };

  readInfo: { answer: InfoV2 };
  readSettings: { answer: FieldsOfBody };
  changeSettings: { body: FieldsOfBody; answer: { readonly message: string } };
  listTokens: { answer: readonly TokenV2[] };
  createToken: { body: { readonly name: string }; answer: NewTokenV2 };
  revokeToken: { parameters: OneId; answer: null };
  readDescription: { answer: FieldsOfBody };

  listActivity: { parameters: Query; answer: readonly ActivityV2[] };
  listPlays: { parameters: Query; answer: readonly PlayV2[] };
  reportPlays: { parameters: Query; answer: readonly PlayDayV2[] };
  listBin: { answer: readonly BinEntryV2[] };
  putInBin: { body: BinWishV2; answer: readonly BinEntryV2[] };
  restoreFromBin: { body: BinWishV2; answer: readonly BinEntryV2[] };
  dropFromBin: { parameters: OneId; answer: null };
  emptyBin: { answer: null };

  readSync: { answer: SyncV2 };
  runSync: { body: SyncDeed; answer: SyncV2 };
  readSyncPlan: { answer: readonly SyncPlanV2[] };
  applySync: { body: ApplySync; answer: SyncV2 };
  holdSync: { body: SyncDeed; answer: SyncV2 };
  goBackInSync: { body: SyncDeed; answer: readonly KeptPlanV2[] };
  listSyncAccounts: { answer: readonly SyncAccountV2[] };
  createSyncAccount: { body: FieldsOfBody; answer: SyncAccountV2 };
  changeSyncAccount: {
    parameters: OneId;
    body: FieldsOfBody;
    answer: SyncAccountV2;
  };
  deleteSyncAccount: {
    parameters: OneId & { readonly keep?: string };
    answer: null;
  };

  readPairing: { answer: PairingV2 | null };
  beginPairing: { body: { readonly base_url: string }; answer: PairingV2 };
  endPairing: { answer: null };
  listSyncOrigins: { answer: readonly SyncOriginV2[] };
  listLocalChanges: { answer: readonly LocalChangesV2[] };
  giveUpAllLocalChanges: {
    parameters: { readonly account_id: string };
    answer: null;
  };
  giveUpLocalChanges: {
    parameters: OneId & { readonly fields?: string };
    answer: null;
  };
  listSyncLinks: { answer: readonly SyncLinkV2[] };
  listSyncChanges: { parameters: OneId; answer: readonly SyncChangeV2[] };
  createSyncChange: {
    parameters: OneId;
    body: FieldsOfBody;
    answer: SyncChangeV2;
  };
  dropSyncChange: { parameters: OneChange; answer: null };
  retrySyncChange: {
    parameters: OneChange;
    body: { readonly choose?: "mine" | "theirs" };
    answer: SyncChangeV2;
  };
  listCloud: {
    parameters: OneId & {
      readonly collection: string;
      readonly after?: string;
      readonly limit?: string;
    };
    answer: CloudPageV2;
  };
  listPlanKeys: { answer: PlanKeysV2 };
  distrustPlanKey: {
    parameters: { readonly fingerprint: string };
    answer: null;
  };

  makeBackup: { answer: string };
  listBackups: { answer: readonly BackupV2[] };
  deleteBackup: { parameters: { readonly name: string }; answer: null };
  reboot: { answer: null };
  shutdown: { answer: null };
}

export type OperationName = keyof PlayerOperations;
export type OperationAnswer<Name extends OperationName> =
  PlayerOperations[Name]["answer"];

/** What has to be given beside the name: nothing, parameters, a body, or both. */
export type OperationInput<Name extends OperationName> = Omit<
  PlayerOperations[Name],
  "answer"
>;

export const operateInput = z.object({
  operation: z.string().max(100),
  parameters: z.record(z.string(), z.string().max(8192)).optional(),
  body: z.unknown().optional(),
});

/** A refusal is an answer too: an error would lose its fields on the way between the worlds of a page. */
export type OperateOutcome =
  | { readonly isDone: true; readonly answer: unknown }
  | {
      readonly isDone: false;
      readonly code: FailureCode;
      readonly message: string;
      /** Sentences per field, as the interface gave them. */
      readonly fields: FieldSentences | null;
    };
