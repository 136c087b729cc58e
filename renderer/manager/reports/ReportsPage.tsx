// The reports page: what was shown, how often and how long, by asset and day, as a chart, a table and a file.

import {
  Box,
  Button,
  Group,
  NativeSelect,
  Paper,
  SegmentedControl,
  Stack,
  TextInput,
} from "@mantine/core";
import { IconChartBar, IconDownload } from "@tabler/icons-react";
import { useMemo, useState, type ReactNode } from "react";
import { reasonOf, useScreensZone } from "../api.ts";
import { operate, useAnswer } from "../operations.ts";
import { Empty } from "../components/layout/Empty.tsx";
import { useMoment } from "../components/use-moment.ts";
import {
  notifySuccess,
  notifyFailure,
  notifyInternalError,
} from "../components/outcomes/outcome.ts";
import { PageFrame } from "../components/layout/PageFrame.tsx";
import { Total, Totals } from "../components/layout/Totals.tsx";
import { ErrorAlert } from "../components/outcomes/ErrorAlert.tsx";
import { goTo } from "../navigation.ts";
import { formats } from "../../locales/language.ts";
import { plainMessage, t } from "../../locales/messages.ts";
import {
  barsOf,
  byAsset,
  byDay,
  daysBetween,
  lastDays,
  sum,
  type Days,
  type Measure,
} from "./figures.ts";
import { lengthOf } from "../components/duration-text.ts";
import { midnightOf, PlaybacksChart } from "./PlaybacksChart.tsx";
import { AssetTable, DayTable } from "./ReportTables.tsx";
import "./reports.css";

const lengths = { week: 7, month: 31, quarter: 92 } as const;
const ranges = ["week", "month", "quarter", "custom"] as const;
type Range = (typeof ranges)[number];

/** A showing is counted when it leaves the screen. */
const refreshIntervalMs = 30_000;

export function ReportsPage(): ReactNode {
  const [range, setRange] = useState<Range>("month");
  const [custom, setCustom] = useState<Days | null>(null);
  const moment = useMoment(refreshIntervalMs);
  // The player counts by days in the screen's time zone, which may differ from that of this PC.
  const info = useAnswer("readInfo", {});
  const zone = useScreensZone();
  const { from, to } =
    range === "custom" && custom !== null
      ? custom
      : lastDays(lengths[range === "custom" ? "month" : range], moment, zone);
  const isWrong = from > to;
  const report = useAnswer(
    "reportPlaybacks",
    { parameters: { from, to } },
    { isEnabled: !isWrong && info.isFetched, intervalMs: refreshIntervalMs },
  );
  const [measure, setMeasure] = useState<Measure>("playbacks");
  const days = useMemo(() => daysBetween(from, to), [from, to]);
  const rows = report.data;
  const periodText = formats.calendarDays(midnightOf(from), midnightOf(to));

  return (
    <PageFrame
      title={t("reports.title")}
      about={t("reports.about", { days: periodText })}
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden />}
          disabled={rows === undefined || rows.length === 0}
          onClick={() => {
            save(from, to).catch(notifyInternalError);
          }}
        >
          {t("reports.export")}
        </Button>
      }
    >
      <Stack className="reports" maw={1400} mih="100%">
        <Group gap={8}>
          <NativeSelect
            aria-label={t("reports.range")}
            data={ranges.map((value) => ({
              ...{ value, label: t(`reports.ranges.${value}`) },
            }))}
            value={range}
            onChange={(event) => {
              setCustom({ from, to });
              setRange(event.currentTarget.value as Range);
            }}
          />
          {range === "custom" ? (
            <>
              <DayInput
                label={t("reports.from")}
                value={from}
                error={isWrong ? t("reports.wrongOrder") : null}
                onChange={(day) => {
                  setCustom({ from: day, to });
                }}
              />
              <DayInput
                label={t("reports.to")}
                value={to}
                error={null}
                onChange={(day) => {
                  setCustom({ from, to: day });
                }}
              />
            </>
          ) : null}
          <SegmentedControl
            ms="auto"
            aria-label={t("reports.measure")}
            data={(["playbacks", "time"] as const).map((value) => ({
              ...{ value, label: t(`reports.measures.${value}`) },
            }))}
            value={measure}
            onChange={(value) => {
              setMeasure(value);
            }}
          />
        </Group>
        {report.isError ? (
          <ErrorAlert
            sentence={t("reports.loadFailed")}
            reason={reasonOf(report.error)}
            isTrying={report.isFetching}
            onTryAgain={() => {
              report.refetch().catch(notifyInternalError);
            }}
          />
        ) : rows === undefined ? (
          <p className="quiet after-a-moment">{t("manager.loading")}</p>
        ) : rows.length === 0 ? (
          <Empty
            icon={IconChartBar}
            title={t("reports.empty.title")}
            sentence={t("reports.empty.description")}
          >
            <Button
              onClick={() => {
                goTo("library");
              }}
            >
              {t("reports.empty.addContent")}
            </Button>
          </Empty>
        ) : (
          <Figures
            rows={rows}
            days={days}
            measure={measure}
            periodText={periodText}
          />
        )}
      </Stack>
    </PageFrame>
  );
}

function Figures(props: {
  readonly rows: NonNullable<
    ReturnType<typeof useAnswer<"reportPlaybacks">>["data"]
  >;
  readonly days: readonly string[];
  readonly measure: Measure;
  readonly periodText: string;
}): ReactNode {
  const { rows, days, measure, periodText } = props;
  const [view, setView] = useState<"asset" | "day">("asset");
  const assets = useMemo(() => byAsset(rows), [rows]);
  const perDay = useMemo(() => byDay(rows, days), [rows, days]);
  const bars = useMemo(
    () => barsOf(rows, days, measure),
    [rows, days, measure],
  );
  return (
    <>
      <Totals>
        <Total name={t("reports.playbacks")}>
          {formats.count(sum(assets.map(({ playbacks }) => playbacks)))}
        </Total>
        <Total name={t("reports.time")}>
          {lengthOf(sum(assets.map(({ seconds }) => seconds)))}
        </Total>
        <Total name={t("reports.assetsShown")}>
          {formats.count(assets.length)}
        </Total>
        <Total name={t("reports.mostShown")}>
          <bdi>{assets[0]?.name}</bdi>
        </Total>
      </Totals>
      <Paper withBorder radius={10} component="section" miw={0} p={16}>
        <PlaybacksChart
          bars={bars}
          measure={measure}
          label={t(`reports.charts.${measure}`, { days: periodText })}
        />
      </Paper>
      <Paper withBorder radius={10} component="section" miw={0} p={16}>
        <SegmentedControl
          mb={8}
          aria-label={t("reports.view")}
          data={[
            { value: "asset", label: t("reports.byAsset") },
            { value: "day", label: t("reports.byDay") },
          ]}
          value={view}
          onChange={(value) => {
            setView(value);
          }}
        />
        {/* A table may be wider than a small window. */}
        <Box
          style={{ overflowX: "auto" }}
          tabIndex={0}
          role="group"
          aria-label={
            view === "asset" ? t("reports.byAsset") : t("reports.byDay")
          }
        >
          {view === "asset" ? (
            <AssetTable rows={assets} />
          ) : (
            <DayTable rows={perDay} />
          )}
        </Box>
      </Paper>
    </>
  );
}

function DayInput(props: {
  readonly label: string;
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (day: string) => void;
}): ReactNode {
  return (
    <TextInput
      type="date"
      aria-label={props.label}
      value={props.value}
      error={props.error}
      errorProps={{ role: "alert" }}
      required
      onChange={(event) => {
        const { value } = event.currentTarget;
        if (value !== "") props.onChange(value);
      }}
    />
  );
}

async function save(from: string, to: string): Promise<void> {
  try {
    const answer: unknown = await operate("reportPlaybacks", {
      parameters: { from, to, format: "csv" },
    });
    const saved = await window.manager.saveText({
      suggestedName: plainMessage("reports.fileName", { from, to }),
      text: String(answer),
    });
    if (saved !== null) notifySuccess(t("reports.exported"), saved.path);
  } catch (error) {
    notifyFailure(t("reports.exportFailed"), error);
  }
}
