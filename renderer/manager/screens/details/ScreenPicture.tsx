// What a screen shows, large: live while its player sends pictures, otherwise its latest screenshot; a new one is taken on request.

import { Flex } from "@mantine/core";
import {
  keepPreviousData,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import {
  IconAccessPoint,
  IconCamera,
  IconClockPause,
  IconDeviceTv,
} from "@tabler/icons-react";
import { type ReactNode } from "react";
import { t } from "../../../locales/messages.ts";
import { reasonOf } from "../../api/reason.ts";
import { questionKey, useRefetch } from "../../api/manager-queries.ts";
import type { ScreenLiveV3 } from "../../../../server/contract/v3/v3-screens.ts";
import { requestScreenshot } from "../commands/send-command.ts";
import type { ScreenItem } from "../../fleet/find-screens.ts";
import { timeHere } from "../screen-times.ts";
import { useMayRequest } from "../../place/permissions.ts";
import { AttemptButton } from "../../components/controls/AttemptButton.tsx";
import { bridge } from "../../transport/bridge.ts";

export function ScreenPicture({
  item,
}: {
  readonly item: ScreenItem;
}): ReactNode {
  const { serviceId, screen, isManageable } = item;
  const { screenshot } = screen;
  const mayRequest = useMayRequest();
  const picture = useQuery({
    queryKey: [
      ...questionKey("readScreenPicture"),
      ...[item.key, screenshot?.key ?? null],
    ],
    queryFn: () =>
      bridge().readScreenPicture({ serviceId, screenId: screen.id }),
    enabled: screenshot !== null,
    placeholderData: keepPreviousData,
    // Screenshots are megabytes: neither compared nor cached.
    ...{ structuralSharing: false, gcTime: 0, retry: false },
  });
  const live = useLivePicture(item);
  const shown = live?.picture ?? picture.data?.dataUrl ?? null;
  const takenAt = screenshot?.taken_at ?? null;
  return (
    <Flex
      component="figure"
      className="screen-figure"
      direction="column"
      gap={8}
    >
      <div className="picture">
        {shown !== null ? (
          <img
            src={shown}
            // One live picture replaces the next without a blank.
            decoding={live ? "sync" : "async"}
            draggable={false}
            alt={t("screens.pictureOf", { name: screen.name })}
          />
        ) : (
          <Flex
            component="span"
            direction="column"
            align="center"
            gap={8}
            p={16}
            ta="center"
          >
            <IconDeviceTv size={28} stroke={1.25} aria-hidden />
            {picture.isError
              ? reasonOf(picture.error)
              : screenshot === null
                ? t("screens.noPicture")
                : t("manager.loading")}
          </Flex>
        )}
      </div>
      <Flex component="figcaption" wrap="wrap" align="center" gap={8}>
        {live ? (
          <span className="icon-line screen-taken" data-live data-tone="good">
            <IconAccessPoint size={16} stroke={1.75} aria-hidden />
            {t("screens.live")}
          </span>
        ) : takenAt === null ? null : (
          <span className="icon-line quiet screen-taken">
            <IconClockPause size={16} stroke={1.75} aria-hidden />
            {t("screens.pictureFrom", { time: timeHere(takenAt) })}
          </span>
        )}
        {isManageable && mayRequest("POST", "/screens/commands", [screen]) ? (
          <Refresh item={item} />
        ) : null}
      </Flex>
    </Flex>
  );
}

const liveMs = 1_000;
/** A service that is full, or was restarted, may answer again soon. */
const retryMs = 5_000;

/** Each request keeps the player sending for a few seconds: with the page closed, none follows. Null while nothing live arrives. */
function useLivePicture({
  key,
  serviceId,
  screen,
  isManageable,
}: ScreenItem): { readonly picture: string } | null {
  const client = useQueryClient();
  const queryKey = [...questionKey("watchScreen"), key];
  const isWatchable =
    isManageable && screen.state !== "offline" && screen.state !== "never-seen";
  const live = useQuery({
    queryKey,
    queryFn: async (): Promise<ScreenLiveV3 | null> => {
      const before = client.getQueryData<ScreenLiveV3 | null>(queryKey);
      const next = await bridge().watchScreen({
        ...{ serviceId, screenId: screen.id, hash: before?.hash ?? null },
      });
      // Sent once: the page keeps it.
      const picture =
        next?.picture ?? (next?.hash === before?.hash ? before?.picture : null);
      return next && { ...next, picture: picture ?? null };
    },
    enabled: isWatchable,
    // Null: this service will not have any.
    refetchInterval: ({ state }) =>
      state.data === null ? false : state.error ? retryMs : liveMs,
    ...{ refetchIntervalInBackground: false, staleTime: 0 },
    ...{ structuralSharing: false, gcTime: 0, retry: false },
  });
  if (!isWatchable || live.isError || !live.data?.is_live) return null;
  const { picture } = live.data;
  return picture === null ? null : { picture };
}

function Refresh({ item }: { readonly item: ScreenItem }): ReactNode {
  const refetch = useRefetch();
  return (
    <AttemptButton
      size="compact-sm"
      h={36}
      flex="none"
      ms="auto"
      leftSection={<IconCamera size={16} aria-hidden />}
      failedText={t("screens.screenshotFailed", { name: item.screen.name })}
      onAttempt={async () => {
        await requestScreenshot(item);
        await refetch("readScreens");
      }}
    >
      {t("screens.refreshPicture")}
    </AttemptButton>
  );
}
