// Asset ⇄ version 2 JSON.

import type { z } from "zod";
import type {
  AssetV2,
  createAssetV2,
  patchAssetV2,
} from "../../contract/v2.ts";
import type { Settings } from "../../contract/v2-settings.ts";
import { momentToText } from "../../contract/v2-values.ts";
import { isActiveAt, type Asset } from "../../core/asset.ts";
import type { AssetChange, AssetDraft } from "../library.ts";

export function assetToV2(
  asset: Asset,
  moment: number,
  settings: Pick<Settings, "isActiveAs">,
): AssetV2 {
  const isActive = isActiveAt(asset, moment);
  return {
    asset_id: asset.id,
    name: asset.name,
    uri: asset.uri,
    start_date: asset.startsAt === null ? null : momentToText(asset.startsAt),
    end_date: asset.endsAt === null ? null : momentToText(asset.endsAt),
    duration: asset.durationSeconds,
    mimetype: asset.mimetype,
    is_enabled: asset.isEnabled,
    nocache: asset.noCache,
    play_order: asset.playOrder,
    skip_asset_check: asset.skipAssetCheck,
    is_active: settings.isActiveAs === "string" ? String(isActive) : isActive,
    is_processing: asset.isProcessing,
    metadata: asset.problem === null ? {} : { error_message: asset.problem },
  };
}

export function draftFromV2(body: z.infer<typeof createAssetV2>): AssetDraft {
  return { ...changeFromV2(body), uri: body.uri, mimetype: body.mimetype };
}

/** What is required in the body is there in the change. */
export function changeFromV2<Body extends z.infer<typeof patchAssetV2>>(
  body: Body,
) {
  return {
    name: body.name as Body["name"],
    startsAt: body.start_date as Body["start_date"],
    endsAt: body.end_date as Body["end_date"],
    durationSeconds: body.duration as Body["duration"],
    isEnabled: body.is_enabled as Body["is_enabled"],
    noCache: body.nocache,
    skipAssetCheck: body.skip_asset_check,
    playOrder: body.play_order,
  } satisfies AssetChange;
}
