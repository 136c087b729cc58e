// Where assets are used, and what breaks if they are deleted.

import { Box, Flex, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { AssetView } from "../api/asset-view.ts";
import { useNow } from "../api/api.ts";
import { useAnswer } from "../api/operations.ts";
import { addressOf } from "../place/navigation.ts";
import { t } from "../../locales/messages.ts";
import { isAllThatIsDue, usesOf } from "./asset-usage.ts";

export function Uses({
  assets,
}: {
  readonly assets: readonly AssetView[];
}): ReactNode {
  const ids = new Set(assets.map(({ id }) => id));
  const playlists = useAnswer("listPlaylists", {}).data ?? [];
  const due = useAnswer("readWhy", { parameters: {} }).data?.due ?? [];
  const showingAssetId = useNow().data?.showing?.asset_id ?? null;
  const key = useAnswer("readSettings", {}).data?.["takeover_asset"];
  const uses = usesOf(ids, playlists);
  const isLocal = assets.some(({ isPlaylistOnly }) => !isPlaylistOnly);
  const breaks = [
    ...(showingAssetId !== null && ids.has(showingAssetId)
      ? [t("inspector.effects.showing")]
      : []),
    ...(isAllThatIsDue(ids, due) ? [t("inspector.effects.screen")] : []),
    ...uses
      .filter(({ isAllOfIt }) => isAllOfIt)
      .map(({ playlist }) =>
        t("inspector.effects.playlist", { name: playlist.name }),
      ),
    ...(typeof key === "string" && ids.has(key)
      ? [t("inspector.effects.takeover")]
      : []),
  ];
  return (
    <>
      <Flex direction="column" gap={4} component="ul">
        {isLocal ? <li>{t("inspector.inRotation")}</li> : null}
        {uses.map(({ playlist, times }) => (
          <li key={playlist.playlist_id}>
            <a
              className="text-link"
              href={addressOf("playlists", playlist.playlist_id)}
            >
              {t("inspector.playlistUse", {
                name: playlist.name,
                count: times,
              })}
            </a>
          </li>
        ))}
        {uses.length === 0 ? (
          <li className="quiet">{t("inspector.notInPlaylist")}</li>
        ) : null}
      </Flex>
      <Title order={4} fz={13} lh="inherit">
        {t("inspector.whenDeleted")}
      </Title>
      <Flex direction="column" gap={4} component="ul">
        {breaks.length === 0 ? (
          <li className="quiet">
            {uses.length > 0
              ? t("inspector.effects.playlists", { count: uses.length })
              : t("inspector.effects.nothing")}
          </li>
        ) : (
          breaks.map((sentence) => (
            <Box key={sentence} component="li" c="var(--waiting)">
              {sentence}
            </Box>
          ))
        )}
      </Flex>
    </>
  );
}
