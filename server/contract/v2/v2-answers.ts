// All request and response shapes of version 2, by their names in the OpenAPI description.

import * as z from "zod";
import {
  backupContentsV2,
  backupV2,
  createTokenV2,
  newTokenV2,
  passwordV2,
  restoredBackupV2,
  sessionV2,
  setPasswordV2,
  signInV2,
  tokenV2,
} from "./v2-administration.ts";
import { infoV2, integrationsV2 } from "./v2-monitoring.ts";
import {
  answeredPlaylistV2,
  appendItemsV2,
  patchPlaylistV2,
  playlistV2,
} from "./v2-playlists.ts";
import {
  activityV2,
  trashEntryV2,
  trashSelectionV2,
  playbackDayV2,
  playbackV2,
} from "./v2-logs.ts";
import {
  createTakeoverV2,
  nowV2,
  pausedV2,
  pauseV2,
  takeoverV2,
  whyV2,
} from "./v2-screen.ts";
import { changeSettingsV2, settingsV2 } from "./v2-settings.ts";
import {
  createSyncAccountV2,
  appliedPlansV2,
  patchSyncAccountV2,
  syncAccountV2,
  applySyncV2,
  syncTargetV2,
  localChangesV2,
  syncOriginV2,
  syncPlanV2,
  syncV2,
} from "./v2-sync.ts";
import {
  beginPairingV2,
  cloudPageV2,
  createSyncChangeV2,
  importedPlanV2,
  pairingOrNullV2,
  pairingV2,
  planKeysV2,
  retrySyncChangeV2,
  syncChangeV2,
  syncLinkV2,
} from "./v2-sync-outbox.ts";
import { readInteger } from "./v2-values.ts";
import { schemaOf } from "../json-schema.ts";
import type { JsonSchema } from "../reader.ts";
import {
  addAssetV2,
  assetV2,
  count,
  createAssetV2,
  orderV2,
  patchAssetV2,
  replaceSourceV2,
  required,
  updateAssetV2,
} from "./v2.ts";

const content = z.union([
  z.object({
    type: z.literal("file"),
    filename: z.string(),
    mimetype: z.string(),
    content: z.string().meta({ contentEncoding: "base64" }),
  }),
  z.object({ type: z.literal("url"), url: z.string() }),
]);

const upload = z.object({
  uri: z.string().meta({ pattern: "^upload:[0-9a-f]{32}$" }),
  ext: z.string(),
});

const piece = upload.partial().extend({
  upload_id: z.string().meta({ pattern: "^[0-9a-f]{32}$" }),
  received: count,
});

const uploadState = z.object({
  upload_id: z.string().meta({ pattern: "^[0-9a-f]{32}$" }),
  total: count,
  received: count,
  missing: z.array(z.object({ from: count, to: count })),
  uri: z.string().nullable(),
  ext: z.string().nullable(),
});

export type UploadPieceV2 = z.infer<typeof piece>;
export type UploadStateV2 = z.infer<typeof uploadState>;

const maxTotalBytes = 999_999_999_999_999;

/** Its `total` fits a Content-Range. */
export const beginUploadV2 = z.object({
  total: required(readInteger(1, maxTotalBytes)),
});

/** The same for every operation: one sentence, or sentences by field (V2-3). */
const refusal = z.union([
  z.object({ detail: z.string() }),
  z.record(z.string(), z.array(z.string())),
]);

/** By their names in the description; operations refer to request and response shapes by these. */
export const shapesV2 = {
  Asset: assetV2,
  CreateAsset: createAssetV2,
  AddAsset: addAssetV2,
  PatchAsset: patchAssetV2,
  UpdateAsset: updateAssetV2,
  ReplaceSource: replaceSourceV2,
  Order: orderV2,
  Playlist: answeredPlaylistV2,
  WholePlaylist: playlistV2,
  PatchPlaylist: patchPlaylistV2,
  AppendItems: appendItemsV2,
  AssetContent: content,
  Upload: upload,
  UploadPiece: piece,
  UploadState: uploadState,
  BeginUpload: beginUploadV2,
  Backup: backupV2,
  BackupContents: backupContentsV2,
  RestoredBackup: restoredBackupV2,
  Message: z.object({ message: z.string() }),
  Now: nowV2,
  Why: whyV2,
  Takeover: takeoverV2,
  CreateTakeover: createTakeoverV2,
  Info: infoV2,
  Integrations: integrationsV2,
  Token: tokenV2,
  CreateToken: createTokenV2,
  NewToken: newTokenV2,
  Password: passwordV2,
  SetPassword: setPasswordV2,
  Session: sessionV2,
  SignIn: signInV2,
  Sync: syncV2,
  SyncPlan: syncPlanV2,
  AppliedPlans: appliedPlansV2,
  SyncTarget: syncTargetV2,
  ApplySync: applySyncV2,
  SyncAccount: syncAccountV2,
  CreateSyncAccount: createSyncAccountV2,
  PatchSyncAccount: patchSyncAccountV2,
  Pairing: pairingV2,
  PairingOrNull: pairingOrNullV2,
  BeginPairing: beginPairingV2,
  SyncLink: syncLinkV2,
  SyncOrigin: syncOriginV2,
  LocalChanges: localChangesV2,
  SyncChange: syncChangeV2,
  CreateSyncChange: createSyncChangeV2,
  RetrySyncChange: retrySyncChangeV2,
  CloudPage: cloudPageV2,
  PlanKeys: planKeysV2,
  ImportedPlan: importedPlanV2,
  Pause: pausedV2,
  BeginPause: pauseV2,
  Activity: activityV2,
  Playback: playbackV2,
  PlaybackDay: playbackDayV2,
  TrashEntry: trashEntryV2,
  TrashSelection: trashSelectionV2,
  Refusal: refusal,
  Settings: settingsV2,
  ChangeSettings: changeSettingsV2,
} as const satisfies Record<string, z.ZodType>;

export type ShapeName = keyof typeof shapesV2;

export function refTo(name: ShapeName): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** All of them as JSON Schema, for input and output. */
export function schemasV2(): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    Object.entries(shapesV2).map(([name, shape]) => [name, schemaOf(shape)]),
  );
}
