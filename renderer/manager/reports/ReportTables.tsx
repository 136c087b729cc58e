// The figures of a report as tables: by asset, sorted by any column, and by day including gaps.

import { Box, Flex, Progress, Table, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { addressOf } from "../place/navigation.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { sum, type AssetFigures, type DayFigures } from "./figures.ts";
import { lengthOf } from "../components/duration-text.ts";
import { midnightOf } from "./PlaybacksChart.tsx";

type Column = "name" | "playbacks" | "seconds" | "days";

const columns: readonly { readonly id: Column; readonly title: string }[] = [
  { id: "name", title: t("reports.asset") },
  { id: "playbacks", title: t("reports.playbacks") },
  { id: "seconds", title: t("reports.time") },
  { id: "days", title: t("reports.daysShown") },
];

const columnHead = { ta: "end", fw: 500, c: "dimmed" } as const;
const firstColumn = { ta: "start", ps: 4 } as const;
/** The export has these figures, too. */
const notOnPhones = { visibleFrom: "xs" } as const;
/** As wide as the figures leave it. */
const rowHead = {
  ...{ ...firstColumn, w: "100%", miw: { base: 96, xs: 200 }, fw: 500 },
  style: { whiteSpace: "normal", overflowWrap: "anywhere" },
} as const;

export function AssetTable({
  rows,
  isLinked,
}: {
  readonly rows: readonly AssetFigures[];
  /** Whether it is in the library of this place. */
  readonly isLinked: (assetId: string) => boolean;
}): ReactNode {
  const [by, setBy] = useState<Column>("seconds");
  const [isRising, setIsRising] = useState(false);
  const sorted = [...rows].sort(
    (a, b) => compare(a, b, by) * (isRising ? 1 : -1),
  );
  const all = sum(rows.map(({ seconds }) => seconds));
  const shareOf = (seconds: number): number => (all === 0 ? 0 : seconds / all);
  return (
    <Table
      className="report-table"
      ta="end"
      style={{ whiteSpace: "nowrap" }}
      aria-label={t("reports.byAsset")}
    >
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ id, title }) => (
            <Table.Th
              key={id}
              scope="col"
              {...columnHead}
              {...(id === "name" && firstColumn)}
              {...(id === "days" && notOnPhones)}
              aria-sort={
                id === by ? (isRising ? "ascending" : "descending") : "none"
              }
            >
              <UnstyledButton
                display="inline-flex"
                mih={32}
                fw="inherit"
                style={{ alignItems: "center", gap: 4 }}
                aria-label={t("reports.sortBy", { column: title })}
                onClick={() => {
                  setIsRising(id === by ? !isRising : id === "name");
                  setBy(id);
                }}
              >
                {title}
                {id !== by ? null : isRising ? (
                  <IconArrowUp size={14} aria-hidden />
                ) : (
                  <IconArrowDown size={14} aria-hidden />
                )}
              </UnstyledButton>
            </Table.Th>
          ))}
          <Table.Th scope="col" {...columnHead} {...notOnPhones}>
            {t("reports.share")}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sorted.map(({ assetId, name, playbacks, seconds, days }) => (
          <Table.Tr key={assetId}>
            <Table.Th scope="row" {...rowHead}>
              {isLinked(assetId) ? (
                <Box
                  component="a"
                  c="var(--text)"
                  href={addressOf("library", assetId)}
                  title={t("reports.openAsset")}
                >
                  <bdi>{name}</bdi>
                </Box>
              ) : (
                <bdi>{name}</bdi>
              )}
            </Table.Th>
            <Table.Td>{formats.count(playbacks)}</Table.Td>
            <Table.Td>{lengthOf(seconds)}</Table.Td>
            <Table.Td {...notOnPhones}>{formats.count(days)}</Table.Td>
            <Table.Td {...notOnPhones}>
              <Flex
                display="inline-flex"
                align="center"
                justify="flex-end"
                gap={8}
                component="span"
                miw={120}
              >
                <Progress
                  aria-hidden
                  flex="none"
                  w={64}
                  size={8}
                  radius={4}
                  bg="var(--hover)"
                  color="var(--series-s0)"
                  value={shareOf(seconds) * 100}
                />
                {formats.percent(shareOf(seconds))}
              </Flex>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function compare(a: AssetFigures, b: AssetFigures, by: Column): number {
  return by === "name" ? a.name.localeCompare(b.name) : a[by] - b[by];
}

export function DayTable({
  rows,
}: {
  readonly rows: readonly DayFigures[];
}): ReactNode {
  return (
    <Table
      className="report-table"
      ta="end"
      style={{ whiteSpace: "nowrap" }}
      aria-label={t("reports.byDay")}
    >
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col" {...columnHead} {...firstColumn}>
            {t("reports.day")}
          </Table.Th>
          <Table.Th scope="col" {...columnHead}>
            {t("reports.playbacks")}
          </Table.Th>
          <Table.Th scope="col" {...columnHead}>
            {t("reports.time")}
          </Table.Th>
          <Table.Th scope="col" {...columnHead} {...notOnPhones}>
            {t("reports.assetsShown")}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {[...rows].reverse().map(({ day, playbacks, seconds, assets }) => (
          <Table.Tr key={day} data-gap={playbacks === 0}>
            <Table.Th scope="row" {...rowHead}>
              {formats.calendarDay(midnightOf(day))}
            </Table.Th>
            {playbacks === 0 ? (
              <Table.Td colSpan={3} ta="start" c="dimmed">
                {t("reports.noPlaybacks")}
              </Table.Td>
            ) : (
              <>
                <Table.Td>{formats.count(playbacks)}</Table.Td>
                <Table.Td>{lengthOf(seconds)}</Table.Td>
                <Table.Td {...notOnPhones}>{formats.count(assets)}</Table.Td>
              </>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
