// Live screenshot: what a person in front of the screen sees, and how recent it is.

import { Box, Flex } from "@mantine/core";
import {
  IconAlertTriangle,
  IconClockPause,
  IconDeviceTv,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useScreenshot } from "../api/api.ts";
import { reasonOf } from "../api/reason.ts";
import { useMoment } from "../components/use-moment.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";

/** Three missed screenshots: from here on the old one is marked as old. */
const freshMs = 6_000;

interface Props {
  readonly showingName: string | null;
}

export function LiveScreenshot({ showingName }: Props): ReactNode {
  const screenshot = useScreenshot();
  const moment = useMoment(1_000);
  const taken = screenshot.data;
  const isLive = taken !== undefined && moment - taken.takenAtMs < freshMs;

  return (
    <Box component="figure" pos="relative">
      <Box
        className="picture live-screenshot-frame"
        w="100%"
        mah="max(220px, calc(100vh - 380px))"
        bdrs={12}
      >
        {taken ? (
          <img
            className="live-screenshot-image"
            src={taken.dataUrl}
            // Decoded before it is painted, so that one screenshot replaces the next without a blank.
            decoding="sync"
            draggable={false}
            alt={
              showingName === null
                ? t("now.screenshot.ofScreen")
                : t("now.screenshot.ofAsset", { name: showingName })
            }
          />
        ) : (
          <Flex
            className="live-screenshot-empty quiet after-a-moment"
            align="center"
            gap={8}
            component="p"
            p={16}
            ta="center"
          >
            {screenshot.isError ? (
              <>
                <IconAlertTriangle size={20} aria-hidden />
                <span title={reasonOf(screenshot.error)}>
                  {t("now.screenshot.failed")}
                </span>
              </>
            ) : (
              t("now.screenshot.loading")
            )}
          </Flex>
        )}
      </Box>
      {taken ? (
        <figcaption
          className="icon-line live-screenshot-age"
          data-tone={isLive ? "good" : "waiting"}
        >
          {isLive ? (
            <>
              <IconDeviceTv size={16} aria-hidden /> {t("now.screenshot.live")}
            </>
          ) : (
            <>
              <IconClockPause size={16} aria-hidden />{" "}
              {t("now.screenshot.takenAt", {
                time: formats.time(taken.takenAtMs),
              })}
            </>
          )}
        </figcaption>
      ) : null}
    </Box>
  );
}
