// What a screen shows and what its player reports about itself, as far as it does.

import { Box, Flex, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { ScreenView } from "../../../../server/contract/ipc/ipc-screens.ts";
import { displaySize } from "../../../locales/formats.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { DetailsSection } from "../../components/layout/DetailsSection.tsx";
import { useMoment } from "../../components/use-moment.ts";
import { useQuestion } from "../../api/manager-queries.ts";
import { useMayRequest } from "../../place/permissions.ts";
import type { ScreenItem } from "../../fleet/find-screens.ts";
import { reasonOfShowing, showingText } from "../screen-reason.ts";
import { timeAtScreen, timeHere } from "../screen-times.ts";

export function Showing({
  screen,
}: {
  readonly screen: ScreenView;
}): ReactNode {
  const { report } = screen;
  if (report === null) return null;
  const { showing, next, paused_until: paused } = report;
  if (showing === null && next === null) return null;
  return (
    <FactList>
      {showing === null ? null : (
        <>
          <Fact name={t("screens.facts.now")}>
            <bdi>{showingText(screen)}</bdi>
            <Text c="dimmed">
              {showing.until === null
                ? t("screens.since", { time: timeHere(showing.since) })
                : t("screens.sinceUntil", {
                    since: timeHere(showing.since),
                    until: timeHere(showing.until),
                  })}
            </Text>
          </Fact>
          <Fact name={t("screens.facts.why")}>
            <span dir="auto">{reasonOfShowing(showing)}</span>
          </Fact>
        </>
      )}
      {next === null ? null : (
        <Fact name={t("screens.facts.next")}>
          <bdi>{next}</bdi>
        </Fact>
      )}
      {paused === null ? null : (
        <Fact name={t("screens.facts.paused")}>
          {t("screens.pausedUntil", { time: timeHere(paused) })}
        </Fact>
      )}
    </FactList>
  );
}

/** A clock that is off by less shows nothing at a wrong time that anybody would notice. */
const maxSkewMs = 30_000;

export function ScreenFacts({
  item,
}: {
  readonly item: ScreenItem;
}): ReactNode {
  const { screen, serviceName } = item;
  const { report, item_counts: counts } = screen;
  const mayRequest = useMayRequest();
  const moment = useMoment(20_000);
  const localTime = timeAtScreen(moment, screen.timezone);
  const skewMs = report?.clock_skew_ms ?? null;
  return (
    <DetailsSection title={t("screens.about")}>
      <FactList>
        {skewMs !== null && Math.abs(skewMs) > maxSkewMs ? (
          <Fact name={t("screens.facts.clock")}>
            <span data-tone="fault">
              {skewMs > 0
                ? t("screens.clockAhead", { time: lengthOf(skewMs) })
                : t("screens.clockBehind", { time: lengthOf(-skewMs) })}
            </span>
          </Fact>
        ) : null}
        {counts === null ? null : (
          <Fact name={t("screens.facts.items")}>
            {t("screens.itemCounts", {
              here: counts.here,
              wanted: counts.wanted,
            })}
          </Fact>
        )}
        {screen.groups.length === 0 ||
        mayRequest("PATCH", "/screens/:id", [screen]) ? null : (
          <Fact name={t("screens.settings.labels")}>
            {formats.list(screen.groups.map(({ name }) => name))}
          </Fact>
        )}
        {screen.last_ping === null ? null : (
          <Fact name={t("screens.facts.lastSeen")}>
            {timeHere(screen.last_ping)}
          </Fact>
        )}
        {localTime === null ? null : (
          <Fact name={t("screens.facts.localTime")}>
            {t("screens.localTime", { time: localTime, zone: screen.timezone })}
          </Fact>
        )}
        {screen.location === "" ? null : (
          <Fact name={t("screens.facts.place")}>
            <bdi>{screen.location}</bdi>
          </Fact>
        )}
        {report?.displays.map((display, index) => (
          <Fact key={index} name={t("screens.facts.display")}>
            {display.is_playback
              ? t("screens.displayPlayback", { size: sizeOf(display) })
              : sizeOf(display)}
          </Fact>
        ))}
        {report?.storage == null ? null : (
          <Fact name={t("screens.facts.storage")}>
            {t("screens.storage", {
              free: formats.size(report.storage.free_bytes),
              total: formats.size(report.storage.total_bytes),
            })}
          </Fact>
        )}
        {screen.software_version === null ||
        screen.software_version === "" ||
        screen.adopted !== undefined ? null : (
          <Fact name={t("screens.facts.version")}>
            {screen.software_version}
          </Fact>
        )}
        {item.isManageable ? <Address item={item} /> : null}
        <Fact name={t("screens.facts.service")}>
          <bdi>{serviceName}</bdi>
        </Fact>
      </FactList>
    </DetailsSection>
  );
}

function Address({ item }: { readonly item: ScreenItem }): ReactNode {
  const { serviceId, screen } = item;
  const network = useQuestion("readScreenNetwork", {
    ...{ serviceId, screenId: screen.id },
  }).data;
  const parts = [network?.hostname ?? "", network?.address ?? ""];
  const text = parts.filter((part) => part !== "").join(" · ");
  return text === "" ? null : (
    <Fact name={t("screens.facts.address")}>
      <bdi>{text}</bdi>
    </Fact>
  );
}

type Display = NonNullable<ScreenView["report"]>["displays"][number];

function sizeOf({ width, height, rotation }: Display): string {
  const size = displaySize(width, height);
  return rotation === 0
    ? size
    : t("screens.displayRotated", { size, degrees: rotation });
}

function lengthOf(ms: number): string {
  return formats.length(ms / 1000);
}

export function FactList(props: { readonly children: ReactNode }): ReactNode {
  return (
    <Flex component="dl" direction="column" gap={4}>
      {props.children}
    </Flex>
  );
}

export function Fact(props: {
  readonly name: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Flex gap={12}>
      <Text component="dt" flex="none" w={110} c="dimmed">
        {props.name}
      </Text>
      <Box component="dd" flex={1} miw={0}>
        {props.children}
      </Box>
    </Flex>
  );
}
