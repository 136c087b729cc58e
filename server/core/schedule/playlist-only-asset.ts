// An asset that plays in playlists only, without dates and hours, which content services don't have: what a schedule of a service's
// content is compiled from.

import { plainPresentation, plainWebOptions, type Asset } from "../asset.ts";

export interface PlaylistOnlyAsset {
  readonly id: string;
  readonly name: string;
  /** False: it is never due. */
  readonly isEnabled: boolean;
  /** Gives way to others until it is ready. */
  readonly isProcessing: boolean;
  /** For an item without a duration of its own. */
  readonly durationSeconds: number;
}

export function playlistOnlyAsset(given: PlaylistOnlyAsset): Asset {
  return {
    ...given,
    ...{ uri: "", mimetype: "webpage", file: null, problem: null },
    ...{ startsAt: null, endsAt: null, hours: null, playOrder: 0 },
    ...{ noCache: false, skipAssetCheck: true, isPlaylistOnly: true },
    ...{ folder: "", presentation: plainPresentation, web: plainWebOptions },
    metadata: {},
  };
}
