// Playlist items of uploaded assets: the same identifiers each time, so that appending them again changes nothing (V2-811).

export interface UploadedItem {
  readonly item_id: string;
  readonly asset_id: string;
  readonly duration: null;
}

export function uploadedItems(
  assetIds: readonly string[],
): readonly UploadedItem[] {
  return assetIds.map((id) => ({ item_id: id, asset_id: id, duration: null }));
}
