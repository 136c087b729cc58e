// View of an asset for the manager.

import type { AssetView } from "../../contract/ipc/ipc.ts";
import { isActiveAt, kindOf, type Asset } from "../../core/asset.ts";
import { fileAddress } from "../../core/showing.ts";

export function assetViewAt(
  asset: Asset,
  moment: number,
  zone: string,
): AssetView {
  return {
    id: asset.id,
    name: asset.name,
    uri: asset.uri,
    kind: kindOf(asset),
    mimetype: asset.mimetype,
    startsAt: asset.startsAt,
    endsAt: asset.endsAt,
    durationSeconds: asset.durationSeconds,
    lengthSeconds: asset.file?.lengthSeconds ?? null,
    sizeBytes: asset.file?.sizeBytes ?? null,
    isEnabled: asset.isEnabled,
    isActive: isActiveAt(asset, moment, zone),
    isProcessing: asset.isProcessing,
    playOrder: asset.playOrder,
    fileUrl: asset.file ? fileAddress(asset.file.hash) : null,
    folder: asset.folder,
    isPlaylistOnly: asset.isPlaylistOnly,
    hours: asset.hours,
    problem: asset.problem,
  };
}
