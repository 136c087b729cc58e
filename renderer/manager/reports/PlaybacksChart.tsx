// Plays or hours a day as bars, divided by asset; what it shows stands in the table too.

import { BarChart } from "@mantine/charts";
import type { ReactNode } from "react";
import { direction, formats, language, texts } from "../texts/texts.ts";
import type { Bars, Measure } from "./figures.ts";
import { lengthOf } from "./length.ts";
import "@mantine/charts/styles.layer.css";

const words = texts.reports;

interface Props {
  readonly bars: Bars;
  readonly measure: Measure;
  readonly label: string;
}

export function PlaybacksChart({ bars, measure, label }: Props): ReactNode {
  return (
    <figure className="plays-chart" aria-label={`${label}. ${words.chartHint}`}>
      <figcaption aria-hidden>{label}</figcaption>
      {/* Letters of a chart are placed by hand: the axis is turned round, not the drawing. */}
      <BarChart
        dir="ltr"
        h={280}
        data={bars.data as Record<string, string | number>[]}
        dataKey="day"
        type="stacked"
        series={bars.series.map(({ key, name }) => ({
          name: key,
          label: name ?? words.others,
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
          // Always so many days apart, the first one named.
          interval: "equidistantPreserveStart",
          minTickGap: 24,
        }}
        yAxisProps={{
          width: "auto",
          tickMargin: direction === "rtl" ? 20 : 8,
          // Nothing was shown half a time.
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

/** Its midnight in UTC, as a day of the calendar is formatted. */
export function midnightOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

const short = new Intl.DateTimeFormat(language, {
  ...({ day: "numeric", month: "short", timeZone: "UTC" } as const),
});

function shortDay(day: string): string {
  return isDay(day) ? short.format(midnightOf(day)) : "";
}

/** Before anything is pointed at, the chart asks for a label of nothing. */
function longDay(day: unknown): string {
  return isDay(day) ? formats.calendarDay(midnightOf(day)) : "";
}

function isDay(text: unknown): text is string {
  return typeof text === "string" && /^\d{4}-\d{2}-\d{2}$/.test(text);
}
