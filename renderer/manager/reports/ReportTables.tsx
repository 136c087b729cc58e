// The figures of a report as tables: by asset, sorted by any column, and by day including gaps.

import { UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { addressOf } from "../navigation.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { sum, type AssetFigures, type DayFigures } from "./figures.ts";
import { lengthOf } from "./duration-text.ts";
import { midnightOf } from "./PlaybacksChart.tsx";

type Column = "name" | "playbacks" | "seconds" | "days";

const columns: readonly { readonly id: Column; readonly title: string }[] = [
  { id: "name", title: t("reports.asset") },
  { id: "playbacks", title: t("reports.playbacks") },
  { id: "seconds", title: t("reports.time") },
  { id: "days", title: t("reports.daysShown") },
];

export function AssetTable({
  rows,
}: {
  readonly rows: readonly AssetFigures[];
}): ReactNode {
  const [by, setBy] = useState<Column>("seconds");
  const [isRising, setIsRising] = useState(false);
  const sorted = [...rows].sort(
    (a, b) => compare(a, b, by) * (isRising ? 1 : -1),
  );
  const all = sum(rows.map(({ seconds }) => seconds));
  const shareOf = (seconds: number): number => (all === 0 ? 0 : seconds / all);
  return (
    <table className="report-table" aria-label={t("reports.byAsset")}>
      <thead>
        <tr>
          {columns.map(({ id, title }) => (
            <th
              key={id}
              scope="col"
              aria-sort={
                id === by ? (isRising ? "ascending" : "descending") : "none"
              }
            >
              <UnstyledButton
                className="report-sort"
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
            </th>
          ))}
          <th scope="col">{t("reports.share")}</th>
        </tr>
      </thead>
      <tbody>
        {sorted.map(({ assetId, name, playbacks, seconds, days }) => (
          <tr key={assetId}>
            <th scope="row">
              <a
                href={addressOf("library", assetId)}
                title={t("reports.openAsset")}
              >
                <bdi>{name}</bdi>
              </a>
            </th>
            <td>{formats.count(playbacks)}</td>
            <td>{lengthOf(seconds)}</td>
            <td>{formats.count(days)}</td>
            <td>
              <span className="report-share">
                <span aria-hidden className="report-track">
                  <span
                    className="report-bar"
                    style={{ inlineSize: `${shareOf(seconds) * 100}%` }}
                  />
                </span>
                {formats.percent(shareOf(seconds))}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
    <table className="report-table" aria-label={t("reports.byDay")}>
      <thead>
        <tr>
          <th scope="col">{t("reports.day")}</th>
          <th scope="col">{t("reports.playbacks")}</th>
          <th scope="col">{t("reports.time")}</th>
          <th scope="col">{t("reports.assetsShown")}</th>
        </tr>
      </thead>
      <tbody>
        {[...rows].reverse().map(({ day, playbacks, seconds, assets }) => (
          <tr key={day} data-gap={playbacks === 0}>
            <th scope="row">{formats.calendarDay(midnightOf(day))}</th>
            {playbacks === 0 ? (
              <td colSpan={3} className="quiet report-gap">
                {t("reports.noPlaybacks")}
              </td>
            ) : (
              <>
                <td>{formats.count(playbacks)}</td>
                <td>{lengthOf(seconds)}</td>
                <td>{formats.count(assets)}</td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
