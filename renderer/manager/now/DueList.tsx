// The current lineup in order; each entry can be shown at once.

import { Box, Flex, Text, UnstyledButton } from "@mantine/core";
import { Card } from "../components/layout/Card.tsx";
import { IconPlayerPlayFilled } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { AssetView } from "../api/asset-view.ts";
import type { WhyV2 } from "../../../server/contract/v2/v2-screen.ts";
import { useAssets } from "../api/api.ts";
import { AssetThumbnail } from "../assets/AssetThumbnail.tsx";
import { isOpenEnded } from "../components/no-end-date.ts";
import { useAnswer } from "../api/operations.ts";
import { QueryError } from "../components/outcomes/QueryError.tsx";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { usePlaybackActions } from "../playback/use-playback-actions.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

/** More than anybody scrolls through here; the library lists them all. */
const mostEntries = 50;

export function DueList({
  showingAssetId,
}: {
  readonly showingAssetId: string | null;
}): ReactNode {
  const why = useAnswer("readWhy", { parameters: {} });
  const assets = useAssets().data;
  const playbackActions = usePlaybackActions();
  const due = why.data?.due ?? [];
  const byId = new Map(assets?.map((asset) => [asset.id, asset]));
  return (
    <Card
      title={t("now.due.title")}
      about={
        why.data === undefined || due.length === 0
          ? null
          : why.data.takeover
            ? t("now.due.afterTakeover")
            : endOf(why.data)
      }
    >
      {why.isError ? (
        <QueryError sentence={t("manager.noResponse")} query={why} />
      ) : why.data === undefined ? (
        <p className="quiet after-a-moment">{t("manager.loading")}</p>
      ) : due.length === 0 ? (
        <p className="quiet">{t("now.due.empty")}</p>
      ) : (
        <Box
          component="ol"
          className="scrolls"
          mx={-8}
          pe={4}
          mah={{ sm: "max(240px, calc(100vh - 520px))" }}
        >
          {due.slice(0, mostEntries).map((entry) => {
            const asset = byId.get(entry.asset_id);
            return (
              <li key={entry.entry_id}>
                <UnstyledButton
                  variant="row"
                  w="100%"
                  py={6}
                  px={8}
                  title={t("now.due.show")}
                  aria-current={entry.asset_id === showingAssetId}
                  onClick={() => {
                    playbackActions
                      .show({
                        id: entry.asset_id,
                        name: entry.name,
                      })
                      .catch(notifyInternalError);
                  }}
                >
                  <Box flex="none" w={64}>
                    <AssetThumbnail
                      asset={asset ?? { kind: "image", fileUrl: null }}
                    />
                  </Box>
                  <Flex
                    component="span"
                    direction="column"
                    flex={1}
                    miw={0}
                    lh="18px"
                  >
                    <Text component="span" truncate>
                      <bdi>{entry.name}</bdi>
                    </Text>
                    <Text component="span" truncate c="dimmed" fz={13}>
                      {lengthText(entry.duration, asset)}
                      {entry.playlist === null ? null : (
                        <>
                          {" · "}
                          <bdi>{entry.playlist.name}</bdi>
                        </>
                      )}
                    </Text>
                  </Flex>
                  {entry.asset_id === showingAssetId ? (
                    <IconPlayerPlayFilled
                      size={16}
                      color="var(--playing)"
                      aria-hidden
                    />
                  ) : null}
                </UnstyledButton>
              </li>
            );
          })}
        </Box>
      )}
      {due.length > mostEntries ? (
        <p className="quiet">
          {t("now.due.more", { count: due.length - mostEntries })}
        </p>
      ) : null}
    </Card>
  );
}

function endOf({ time, until }: WhyV2): string {
  return until === null || isOpenEnded(Date.parse(until), Date.parse(time))
    ? t("now.due.always")
    : t("now.due.until", { time: formats.near(Date.parse(until)) });
}

/** An asset without a duration of its own plays for its full length. */
function lengthText(seconds: number, asset: AssetView | undefined): string {
  const fullSeconds = asset?.lengthSeconds ?? null;
  if (seconds > 0) return formats.length(seconds);
  return fullSeconds === null
    ? t("library.fullLength")
    : formats.length(fullSeconds);
}
