// What a content service has while nothing of it comes here, in words, and what helps (V2-745).

import type {
  SyncAccountV2,
  SyncStatusV2,
} from "../../../../server/contract/v2/v2-sync.ts";
import { t } from "../../../locales/messages.ts";

type Unused = NonNullable<SyncStatusV2["unused_content"]>;
type UnusedStatus = Pick<SyncStatusV2, "unused_content" | "assets" | "problem">;
export type Remedy = "playlist" | "labels" | "all";

/** Null while something is here: a plan may be waiting for review, or be applied a moment later. */
export function unusedIn(
  connection: Pick<SyncAccountV2, "is_enabled">,
  { unused_content, assets, problem }: UnusedStatus,
): Unused | null {
  const isEmpty = assets === 0 && problem === null;
  return connection.is_enabled && isEmpty ? unused_content : null;
}

export function sentenceOf(unused: Unused): string {
  const { reason, assets, processing, playlists } = unused;
  // A service that does not count its rows.
  if (assets === null || processing === null || playlists === null)
    return t("connections.nothingForScreen");
  return t(`connections.unused.reasons.${reason}`, {
    assets,
    processing,
    playlists,
  });
}

const withPlaylist: readonly Unused["reason"][] = [
  ...(["no-playlists", "other-labels", "empty-playlists"] as const),
];

/** In the order in which they are offered. */
export function remediesOf(
  connection: Pick<SyncAccountV2, "kind" | "asset_groups" | "all_assets">,
  { reason, labels }: Unused,
): readonly Remedy[] {
  const hasWhole =
    withPlaylist.includes(reason) && connection.asset_groups.length === 0;
  const remedies: readonly (readonly [Remedy, boolean])[] = [
    // The credential of a screen reads only (V2-385).
    ["playlist", hasWhole && connection.kind === "cloud"],
    ["labels", reason === "other-labels" && labels.length > 0],
    ["all", hasWhole && connection.all_assets === "off"],
  ];
  return remedies.filter(([, helps]) => helps).map(([remedy]) => remedy);
}
