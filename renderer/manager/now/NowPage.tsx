// The start page: what is on the screen, whether that is correct, what comes next, and the health of the player.

import { Flex, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useAssets, useNow } from "../api/api.ts";
import { AddFilesButton } from "../uploads/AddFilesButton.tsx";
import { useAnswer } from "../api/operations.ts";
import { Card } from "../components/layout/Card.tsx";
import { Empty } from "../components/layout/Empty.tsx";
import { PageFrame } from "../components/layout/PageFrame.tsx";
import { QueryError } from "../components/outcomes/QueryError.tsx";
import { t } from "../../locales/messages.ts";
import { DueList } from "./DueList.tsx";
import { PlaybackControls } from "./PlaybackControls.tsx";
import { LiveScreenshot } from "./LiveScreenshot.tsx";
import { Health } from "./Health.tsx";
import { NowWords } from "./NowPlaying.tsx";
import { PlayerIdentity } from "./PlayerIdentity.tsx";
import { IconDragDrop } from "@tabler/icons-react";
import "./now.css";

export function NowPage(): ReactNode {
  const now = useNow();
  const assets = useAssets().data;
  const name = useAnswer("readInfo", {}).data?.player_name;
  return (
    <PageFrame
      title={t("now.title")}
      actions={name === undefined ? null : <PlayerIdentity name={name} />}
    >
      <Flex
        className="now"
        direction={{ base: "column", xs: "row" }}
        align={{ base: "stretch", xs: "flex-start" }}
        gap={16}
        maw={{ base: 1800, xl: "none" }}
      >
        <Flex
          className="now-stage"
          direction="column"
          gap={12}
          component="section"
          flex={{ xs: 1 }}
          miw={0}
          aria-label={t("now.screen")}
        >
          <LiveScreenshot showingName={now.data?.showing?.name ?? null} />
          {now.data ? (
            <>
              <NowWords now={now.data} />
              <PlaybackControls now={now.data} />
            </>
          ) : now.isError ? (
            <QueryError sentence={t("manager.noResponse")} query={now} />
          ) : (
            <p className="quiet after-a-moment">{t("manager.loading")}</p>
          )}
        </Flex>
        <Stack
          className="now-side"
          flex="none"
          miw={0}
          w={{ base: "auto", xs: 280, sm: 380, xl: 460 }}
        >
          {assets?.length === 0 ? (
            <Card>
              <Empty
                {...{ mih: 0, py: 24, px: 8 }}
                icon={IconDragDrop}
                title={t("now.empty.title")}
                sentence={t("now.empty.description")}
              >
                <AddFilesButton />
              </Empty>
            </Card>
          ) : (
            <DueList showingAssetId={now.data?.showing?.asset_id ?? null} />
          )}
          <Health />
        </Stack>
      </Flex>
    </PageFrame>
  );
}
