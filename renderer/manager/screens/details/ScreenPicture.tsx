// The latest screenshot of a screen, large; a new one is taken on request.

import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { IconCamera, IconClockPause, IconDeviceTv } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { t } from "../../../locales/messages.ts";
import { reasonOf } from "../../api.ts";
import {
  notifyFailure,
  notifyInternalError,
} from "../../components/outcomes/outcome.ts";
import { questionKey, useRefetch } from "../../manager-queries.ts";
import { requestScreenshot } from "../commands/send-command.ts";
import type { ScreenItem } from "../find-screens.ts";
import { timeHere } from "../screen-times.ts";

export function ScreenPicture({
  item,
}: {
  readonly item: ScreenItem;
}): ReactNode {
  const { serviceId, screen, isManageable } = item;
  const { screenshot } = screen;
  const picture = useQuery({
    queryKey: [
      ...questionKey("readScreenPicture"),
      ...[item.key, screenshot?.key ?? null],
    ],
    queryFn: () =>
      window.manager.readScreenPicture({ serviceId, screenId: screen.id }),
    enabled: screenshot !== null,
    placeholderData: keepPreviousData,
    // Screenshots are megabytes: neither compared nor cached.
    ...{ structuralSharing: false, gcTime: 0, retry: false },
  });
  const takenAt = screenshot?.taken_at ?? null;
  return (
    <figure className="screen-figure">
      <div className="screen-picture">
        {picture.data ? (
          <img
            src={picture.data.dataUrl}
            decoding="async"
            draggable={false}
            alt={t("screens.pictureOf", { name: screen.name })}
          />
        ) : (
          <span className="screen-no-picture">
            <IconDeviceTv size={28} stroke={1.25} aria-hidden />
            {picture.isError
              ? reasonOf(picture.error)
              : screenshot === null
                ? t("screens.noPicture")
                : t("manager.loading")}
          </span>
        )}
      </div>
      <figcaption>
        {takenAt === null ? null : (
          <span className="quiet screen-taken">
            <IconClockPause size={16} stroke={1.75} aria-hidden />
            {t("screens.pictureFrom", { time: timeHere(takenAt) })}
          </span>
        )}
        {isManageable ? <Refresh item={item} /> : null}
      </figcaption>
    </figure>
  );
}

function Refresh({ item }: { readonly item: ScreenItem }): ReactNode {
  const [isTaking, setIsTaking] = useState(false);
  const refetch = useRefetch();
  const take = async (): Promise<void> => {
    setIsTaking(true);
    try {
      await requestScreenshot(item);
      await refetch("readScreens");
    } catch (error) {
      notifyFailure(
        t("screens.screenshotFailed", { name: item.screen.name }),
        error,
      );
    } finally {
      setIsTaking(false);
    }
  };
  return (
    <Button
      size="compact-sm"
      h={36}
      variant="default"
      leftSection={<IconCamera size={16} aria-hidden />}
      loading={isTaking}
      onClick={() => {
        take().catch(notifyInternalError);
      }}
    >
      {t("screens.refreshPicture")}
    </Button>
  );
}
