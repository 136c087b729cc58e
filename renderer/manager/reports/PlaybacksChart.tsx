// Bar chart of plays or hours a day, stacked by asset; the table shows the same data.

import { Text } from "@mantine/core";
import { BarChart } from "@mantine/charts";
import type { ReactNode } from "react";
import { direction, formats, language } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import type { Bars, Measure } from "./figures.ts";
import { lengthOf } from "../components/duration-text.ts";
import "@mantine/charts/styles.layer.css";

interface Props {
  readonly bars: Bars;
  readonly measure: Measure;
  readonly label: string;
}

export function PlaybacksChart({ bars, measure, label }: Props): ReactNode {
  return (
    <figure
      className="plays-chart"
      aria-label={`${label}. ${t("reports.chartHint")}`}
    >
      <Text component="figcaption" mb={8} fw={600} aria-hidden>
        {label}
      </Text>
      {/* Text in a chart is positioned by hand: the axis is reversed, not the drawing. */}
      <BarChart
        dir="ltr"
        h={280}
        data={bars.data as Record<string, string | number>[]}
        dataKey="day"
        type="stacked"
        series={bars.series.map(({ key, name }) => ({
          name: key,
          label: name ?? t("reports.others"),
          color: `var(--series-${key})`,
        }))}
        barChartProps={{ margin: { top: 12, right: 8, bottom: 0, left: 8 } }}
        withLegend
        legendProps={{ verticalAlign: "bottom" }}
        tickLine="none"
        gridAxis="x"
        maxBarWidth={40}
        valueFormatter={(value) => formatValue(value, measure)}
        xAxisProps={{
          tickFormatter: shortDay,
          reversed: direction === "rtl",
          // Labels at equal distances, starting with the first day.
          interval: "equidistantPreserveStart",
          minTickGap: 24,
        }}
        yAxisProps={{
          width: "auto",
          tickMargin: direction === "rtl" ? 20 : 8,
          // Plays are whole numbers.
          allowDecimals: measure !== "playbacks",
          orientation: direction === "rtl" ? "right" : "left",
          tickFormatter: (value: number) => axisLabel(value, measure),
        }}
        tooltipAnimationDuration={0}
        tooltipProps={{
          labelFormatter: longDay,
        }}
        barProps={{ isAnimationActive: false }}
      />
    </figure>
  );
}

function formatValue(value: number, measure: Measure): string {
  return measure === "playbacks"
    ? formats.count(Math.round(value))
    : lengthOf(value * 3600);
}

function axisLabel(value: number, measure: Measure): string {
  return measure === "playbacks"
    ? formats.count(value)
    : `${formats.count(value)} h`;
}

/** Its midnight in UTC, which is how a calendar day is formatted. */
export function midnightOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

const short = new Intl.DateTimeFormat(language, {
  ...({ day: "numeric", month: "short", timeZone: "UTC" } as const),
});

function shortDay(day: string): string {
  return isDay(day) ? short.format(midnightOf(day)) : "";
}

/** Before anything is hovered, the chart requests a label without a value. */
function longDay(day: unknown): string {
  return isDay(day) ? formats.calendarDay(midnightOf(day)) : "";
}

function isDay(text: unknown): text is string {
  return typeof text === "string" && /^\d{4}-\d{2}-\d{2}$/.test(text);
}
