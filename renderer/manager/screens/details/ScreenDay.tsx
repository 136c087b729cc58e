// The last day of a screen: its outages as a strip of time, and what it played today.

import { Flex, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { ScreenOutageV3 } from "../../../../server/contract/v3/v3-outages.ts";
import type { PlaybackTotalV3 } from "../../../../server/contract/v3/v3-playback-report.ts";
import { t } from "../../../locales/messages.ts";
import { lengthOf } from "../../components/duration-text.ts";
import { DetailsSection } from "../../components/layout/DetailsSection.tsx";
import { useMoment } from "../../components/use-moment.ts";
import { useQuestion } from "../../api/manager-queries.ts";
import type { ScreenItem } from "../../fleet/find-screens.ts";
import { stateTones } from "../../fleet/screen-states.ts";
import { whatHappened } from "../outages/outage-text.ts";
import { timeHere } from "../screen-times.ts";
import { healthOf } from "./screen-health.ts";

const refreshMs = 30_000;
const dayMs = 86_400_000;
const minuteMs = 60_000;
/** More than anybody looks at here. */
const maxOutages = 200;
const maxAssets = 5;

export function ScreenDay({ item }: { readonly item: ScreenItem }): ReactNode {
  const { serviceId, screen } = item;
  const moment = useMoment(minuteMs);
  // By the minute, so that the same request is cached for a while.
  const until = Math.floor(moment / minuteMs) * minuteMs;
  const since = until - dayMs;
  const outages = useQuestion(
    "listScreenOutages",
    {
      ...{ serviceId, labelId: null, screenId: screen.id },
      since: new Date(Math.floor(since / dayMs) * dayMs).toISOString(),
      limit: maxOutages,
    },
    { intervalMs: refreshMs },
  );
  const day = dayIn(screen.timezone, until);
  const played = useQuestion(
    "readPlaybackReport",
    {
      ...{ serviceId, labelId: null, screenId: screen.id },
      ...{ from: day, to: day, by: ["asset"] },
    },
    { intervalMs: refreshMs },
  );
  return (
    <>
      {outages.data === undefined ? null : (
        <Health outages={outages.data} since={since} until={until} />
      )}
      {played.data === undefined ? null : <Played totals={played.data} />}
    </>
  );
}

function Health({
  outages,
  since,
  until,
}: {
  readonly outages: readonly ScreenOutageV3[];
  readonly since: number;
  readonly until: number;
}): ReactNode {
  const { parts, failedSeconds } = healthOf(outages, since, until);
  const text =
    parts.length === 0
      ? t("screens.day.healthy")
      : t("screens.day.outages", {
          count: parts.length,
          time: lengthOf(failedSeconds),
        });
  return (
    <DetailsSection title={t("screens.day.health")}>
      <div className="screen-health" aria-hidden>
        {parts.map(({ outage, start, length }) => (
          <span
            key={outage.id}
            data-tone={
              outage.state === "offline" ? "plain" : stateTones[outage.state]
            }
            title={t("screens.day.outageAt", {
              what: whatHappened(outage),
              time: timeHere(outage.started_at),
            })}
            style={{
              insetInlineStart: `${start * 100}%`,
              inlineSize: `${length * 100}%`,
            }}
          />
        ))}
      </div>
      <p className="quiet">{text}</p>
    </DetailsSection>
  );
}

function Played({
  totals,
}: {
  readonly totals: readonly PlaybackTotalV3[];
}): ReactNode {
  const sorted = [...totals].sort(
    (a, b) => b.duration_seconds - a.duration_seconds,
  );
  const count = totals.reduce((sum, { playbacks }) => sum + playbacks, 0);
  const seconds = totals.reduce((sum, one) => sum + one.duration_seconds, 0);
  return (
    <DetailsSection title={t("screens.day.played")}>
      {count === 0 ? (
        <p className="quiet">{t("screens.day.nothingPlayed")}</p>
      ) : (
        <>
          <p>
            {t("screens.day.playbacks", { count, time: lengthOf(seconds) })}
          </p>
          <ol className="screen-played">
            {sorted.slice(0, maxAssets).map((total) => (
              <Flex
                component="li"
                key={total.asset_id ?? ""}
                justify="space-between"
                gap={12}
              >
                <span className="one-line">
                  <bdi>
                    {total.asset_title ?? t("screens.day.deletedAsset")}
                  </bdi>
                </span>
                <Text component="span" flex="none" c="dimmed">
                  {t("screens.day.times", { count: total.playbacks })}
                </Text>
              </Flex>
            ))}
          </ol>
          {sorted.length > maxAssets ? (
            <p className="quiet">
              {t("screens.moreResults", { count: sorted.length - maxAssets })}
            </p>
          ) : null}
        </>
      )}
    </DetailsSection>
  );
}

/** The calendar day at the screen: by it, its playbacks are added up. */
function dayIn(zone: string, moment: number): string {
  const format = (timeZone: string): string =>
    new Intl.DateTimeFormat("en-CA", {
      ...({ timeZone, year: "numeric" } as const),
      ...({ month: "2-digit", day: "2-digit" } as const),
    }).format(moment);
  try {
    return format(zone || "UTC");
  } catch {
    // A name that this computer does not know.
    return format("UTC");
  }
}
