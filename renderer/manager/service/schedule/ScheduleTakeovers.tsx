// Note on the schedule of a screen or a label that takeovers cover it: what is planned isn't what is shown.

import { useMemo, type ReactNode } from "react";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { useQuestion } from "../../api/manager-queries.ts";
import { formatIn } from "../../components/screen-time/screen-time-formats.ts";
import { useMoment } from "../../components/use-moment.ts";
import type { ScreenItem } from "../../fleet/find-screens.ts";
import { useMayRequest } from "../../place/permissions.ts";
import { screensOf } from "../../playlists/screens-of-playlist.ts";
import { ownServiceId } from "../../service-requests/own-service.ts";
import { TakeoverBanner } from "../../takeover/TakeoverBanner.tsx";
import type { ScheduleChoice } from "./schedule-choices.ts";
import { takeoverOf } from "./screen-takeover.ts";

interface Props {
  readonly chosen: ScheduleChoice;
  readonly all: readonly ScreenItem[];
}

const intervalMs = 15_000;
const commandsMs = 10_000;
/** More are counted only. */
const maxNamed = 3;
const noCommands: readonly never[] = [];

export function ScheduleTakeovers({ chosen, all }: Props): ReactNode {
  const { id, isScreen, groups } = chosen;
  const covered = useMemo(() => {
    const covered = all.filter(
      ({ screen }) => screen.report?.showing?.reason === "takeover",
    );
    if (isScreen) return covered.filter(({ screen }) => screen.id === id);
    const keys = new Set(screensOf(groups, covered).map((one) => one.id));
    return covered.filter(({ key }) => keys.has(key));
  }, [all, id, isScreen, groups]);
  const [first] = covered;
  if (!first) return null;
  return isScreen ? (
    <OfScreen item={first} />
  ) : (
    <TakeoverBanner>
      {t("schedule.service.takeoversOn", {
        count: covered.length,
        names: formats.list(
          covered
            .slice(0, maxNamed)
            .map(({ screen: { name } }) => t("whatIf.named", { name })),
        ),
      })}
    </TakeoverBanner>
  );
}

function OfScreen({ item }: { readonly item: ScreenItem }): ReactNode {
  const { id: screenId, report, timezone } = item.screen;
  const now = useMoment(intervalMs);
  const commands = useQuestion(
    "listScreenCommands",
    { serviceId: ownServiceId, screenId },
    {
      isEnabled: useMayRequest()("GET", "/screens/commands"),
      intervalMs: commandsMs,
    },
  );
  const takeover = takeoverOf(report, commands.data ?? noCommands, now);
  if (!takeover) return null;
  const { name, sinceMs, untilMs, by } = takeover;
  const { dayAndTime } = formatIn(timezone || "UTC");
  return (
    <TakeoverBanner>
      {[
        t("schedule.service.takeover", { name, since: dayAndTime(sinceMs) }),
        untilMs === null
          ? t("schedule.service.takeoverOpen")
          : t("schedule.service.takeoverEnds", { until: dayAndTime(untilMs) }),
        ...(by === null ? [] : [t("schedule.service.takeoverBy", { by })]),
      ].join(" ")}
    </TakeoverBanner>
  );
}
