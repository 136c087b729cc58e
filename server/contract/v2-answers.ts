// Every shape that version 2 takes and answers, by the name it has in the interface's description.

import * as z from "zod";
import {
  createTokenV2,
  type InfoV2,
  type IntegrationsV2,
} from "./v2-beyond.ts";
import type { NewTokenV2, TokenV2 } from "./v2-beyond.ts";
import {
  appendItemsV2,
  patchPlaylistV2,
  playlistV2,
  type PlaylistV2,
} from "./v2-playlists.ts";
import {
  activityV2,
  binEntryV2,
  binV2,
  playDayV2,
  playV2,
} from "./v2-history.ts";
import { extraFields, type ExtrasV2 } from "./v2-extras.ts";
import {
  createTakeoverV2,
  nowV2,
  pausedV2,
  pauseV2,
  takeoverV2,
  whyV2,
} from "./v2-glass.ts";
import { settingFields } from "./v2-settings.ts";
import {
  createSyncAccountV2,
  keptPlansV2,
  patchSyncAccountV2,
  syncAccountV2,
  applySyncV2,
  syncDeedV2,
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
  maybePairingV2,
  pairingV2,
  planKeysV2,
  retrySyncChangeV2,
  syncChangeV2,
  syncLinkV2,
} from "./v2-sync-upwards.ts";
import type { JsonSchema } from "./v2-values.ts";
import {
  createAssetV2,
  orderV2,
  patchAssetV2,
  replaceSourceV2,
  updateAssetV2,
  type AssetV2,
} from "./v2.ts";

const moment = z.string().meta({ format: "date-time" });
const count = z.int().nonnegative();

const extras = Object.fromEntries(
  Object.values(extraFields).map(({ wireName, answer }) => [
    wireName,
    z.unknown().meta(answer),
  ]),
) as unknown as {
  readonly [Wire in keyof ExtrasV2]: z.ZodType<ExtrasV2[Wire]>;
};

const asset: z.ZodType<AssetV2> = z.object({
  asset_id: z.string(),
  name: z.string().nullable(),
  uri: z.string().nullable(),
  start_date: moment.nullable(),
  end_date: moment.nullable(),
  duration: count.nullable(),
  mimetype: z.string().nullable(),
  is_enabled: z.boolean(),
  nocache: z.boolean(),
  play_order: z.int(),
  skip_asset_check: z.boolean(),
  is_active: z.union([z.enum(["true", "false"]), z.boolean()]),
  is_processing: z.boolean(),
  ...extras,
  metadata: z.looseObject({
    error_message: z.string().optional(),
    remark: z.string().optional(),
  }) as z.ZodType<AssetV2["metadata"]>,
});

const playlist: z.ZodType<PlaylistV2> = z.object({
  playlist_id: z.string(),
  name: z.string(),
  predicate: z.string(),
  priority: count.max(100),
  is_enabled: z.boolean(),
  groups: z.array(z.string()),
  transition: z.enum(["cut", "cross-fade"]).nullable(),
  shuffle: z.boolean().nullable(),
  items: z.array(
    z.object({
      item_id: z.string(),
      asset_id: z.string(),
      duration: count.nullable(),
    }),
  ),
  items_revision: z.string(),
  created: moment,
});

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

const backup = z.object({ name: z.string(), size: count, created: moment });

const info: z.ZodType<InfoV2> = z.object({
  viewlog: z.string(),
  loadavg: z.number(),
  free_space: z.string(),
  version: z.string(),
  device_model: z.string(),
  uptime: z.object({ days: count, hours: z.number() }),
  memory: z.object({
    total: count,
    used: count,
    free: count,
    shared: count,
    buff: count,
    available: count,
  }),
  ip_addresses: z.array(z.string()),
  mac_address: z.string(),
  up_to_date: z.boolean(),
  anthias_version: z.string(),
  player_name: z.string(),
  player_uptime_seconds: count,
  player_memory_bytes: count,
  free_space_bytes: count,
  total_space_bytes: count,
  clock: z.object({
    time: moment,
    timezone: z.string(),
    utc_offset_minutes: z.int(),
  }),
  safe_mode: z.string().nullable(),
  software_rendering: z.string().nullable(),
  store_rebuilt: z
    .object({
      time: moment,
      from: z.enum(["database", "copy", "backup", "rest", "nothing"]),
      reason: z.string(),
      aside: z.string().nullable(),
      assets: count,
      playlists: count,
    })
    .nullable(),
});

/** Of a fleet that the peer can belong to; this player belongs to none (V2-582). */
const integrations: z.ZodType<IntegrationsV2> = z.object({
  is_balena: z.boolean(),
});

const tokenFields = {
  id: z.string(),
  name: z.string(),
  created: moment,
  last_used: moment.nullable(),
};
const token: z.ZodType<TokenV2> = z.object(tokenFields);
const newToken: z.ZodType<NewTokenV2> = z.object({
  ...tokenFields,
  token: z.string(),
});

/** Said in one voice by every operation: one sentence, or sentences by field (V2-3). */
const refusal = z.union([
  z.object({ detail: z.string() }),
  z.record(z.string(), z.array(z.string())),
]);

const shapes = {
  Asset: asset,
  CreateAsset: createAssetV2,
  PatchAsset: patchAssetV2,
  UpdateAsset: updateAssetV2,
  ReplaceSource: replaceSourceV2,
  Order: orderV2,
  Playlist: playlist,
  WholePlaylist: playlistV2,
  PatchPlaylist: patchPlaylistV2,
  AppendItems: appendItemsV2,
  AssetContent: content,
  Upload: upload,
  UploadPiece: piece,
  Backup: backup,
  Message: z.object({ message: z.string() }),
  Now: nowV2,
  Why: whyV2,
  Takeover: takeoverV2,
  CreateTakeover: createTakeoverV2,
  Info: info,
  Integrations: integrations,
  Token: token,
  CreateToken: createTokenV2,
  NewToken: newToken,
  Sync: syncV2,
  SyncPlan: syncPlanV2,
  KeptPlans: keptPlansV2,
  SyncDeed: syncDeedV2,
  ApplySync: applySyncV2,
  SyncAccount: syncAccountV2,
  CreateSyncAccount: createSyncAccountV2,
  PatchSyncAccount: patchSyncAccountV2,
  Pairing: pairingV2,
  MaybePairing: maybePairingV2,
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
  Play: playV2,
  PlayDay: playDayV2,
  BinEntry: binEntryV2,
  BinWish: binV2,
  Refusal: refusal,
} as const satisfies Record<string, z.ZodType>;

export type ShapeName = keyof typeof shapes | "Settings" | "ChangeSettings";

export function refTo(name: ShapeName): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** All of them as JSON Schema, as they come in and go out. */
export function schemasV2(): Readonly<Record<ShapeName, JsonSchema>> {
  const schemas = Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => [name, schemaOf(shape)]),
  );
  return {
    ...(schemas as Record<keyof typeof shapes, JsonSchema>),
    ...settingSchemas(),
  };
}

function schemaOf(shape: z.ZodType): JsonSchema {
  // "input" says of no object that it has no further fields: clients live on when an answer gains one.
  const schema = z.toJSONSchema(shape, {
    ...{ io: "input", unrepresentable: "any" },
    override: ({ jsonSchema }) => {
      // That a number is one JSON can carry goes without saying.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER)
        delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER)
        delete jsonSchema.maximum;
      // Of several possible kinds each is a kind like any other.
      const kinds = jsonSchema.anyOf?.map(({ type }) => type);
      if (kinds?.length === 2 && kinds[1] === "null") {
        const [first] = jsonSchema.anyOf ?? [];
        delete jsonSchema.anyOf;
        Object.assign(jsonSchema, first, { type: [kinds[0], "null"] });
        if (first?.enum) jsonSchema.enum = [...first.enum, null];
      }
    },
  });
  return Object.fromEntries(
    Object.entries(schema).filter(
      ([key]) => key !== "$schema" && !key.startsWith("~"),
    ),
  );
}

function settingSchemas(): Record<"Settings" | "ChangeSettings", JsonSchema> {
  const fields = Object.values(settingFields);
  const properties = Object.fromEntries(
    fields.map(({ wireName, read, byDefault }) => [
      wireName,
      { ...read.schema, default: byDefault },
    ]),
  );
  const answered = {
    ...properties,
    auth_backend: { type: "string", enum: ["", "auth_basic"] },
  };
  return {
    Settings: {
      ...{ type: "object", properties: answered },
      required: Object.keys(answered),
    },
    ChangeSettings: { type: "object", properties },
  };
}
