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
import { useMediaQuery } from "@mantine/hooks";
import { IconChartBar, IconDownload } from "@tabler/icons-react";
import { useMemo, useState, type ReactNode } from "react";
import type { PlaybackDayV2 } from "../../../server/contract/v2/v2-logs.ts";
import { useScreensZone } from "../api/api.ts";
import { useAnswer } from "../api/operations.ts";
import { Empty } from "../components/layout/Empty.tsx";
import { useMoment } from "../components/use-moment.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";
import { LabelFilter } from "../components/controls/LabelFilter.tsx";
import { PageFrame } from "../components/layout/PageFrame.tsx";
import { Total, Totals } from "../components/layout/Totals.tsx";
import { QueryError } from "../components/outcomes/QueryError.tsx";
import { useQuestion } from "../api/manager-queries.ts";
import { can } from "../place/abilities.ts";
import { goTo } from "../place/navigation.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
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
import { ScreenFilter } from "./ScreenFilter.tsx";
import { ServiceTotals } from "./ServiceTotals.tsx";
import { AssetTable, DayTable } from "./ReportTables.tsx";
import {
  knownAssets,
  playbackDaysOf,
  serviceViews,
  sourceName,
  type ReportSource,
  type ServiceView,
} from "./service-report.ts";
import { saveReport, type ReportView } from "./save-report.ts";
import { queryOf, useReportSource } from "./use-report-source.ts";
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
  const isZoneKnown = info.isFetched || !can("player");
  const { from, to } =
    range === "custom" && custom !== null
      ? custom
      : lastDays(lengths[range === "custom" ? "month" : range], moment, zone);
  const isWrong = from > to;
  const { source, services, labels, choose, chooseLabel, chooseScreen } =
    useReportSource();
  const own = useAnswer(
    "reportPlaybacks",
    { parameters: { from, to } },
    {
      isEnabled: source === null && !isWrong && isZoneKnown,
      intervalMs: refreshIntervalMs,
    },
  );
  const ofService = useQuestion(
    "readPlaybackReport",
    { ...queryOf(source), from, to, by: ["day", "asset"] },
    {
      isEnabled: source !== null && !isWrong && isZoneKnown,
      intervalMs: refreshIntervalMs,
    },
  );
  const report = source === null ? own : ofService;
  const known = useMemo(
    () => knownAssets(can("player") ? [] : (ofService.data ?? [])),
    [ofService.data],
  );
  const [measure, setMeasure] = useState<Measure>("playbacks");
  const [chosenView, setView] = useState<ReportView>("asset");
  const view =
    source === null && isServiceView(chosenView) ? "asset" : chosenView;
  const days = useMemo(() => daysBetween(from, to), [from, to]);
  const isOwn = source === null;
  const rows = useMemo(
    () => (isOwn ? own.data : ofService.data && playbackDaysOf(ofService.data)),
    [isOwn, own.data, ofService.data],
  );
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
            saveReport(source, view, from, to).catch(notifyInternalError);
          }}
        >
          {t("reports.export")}
        </Button>
      }
    >
      <Stack className="reports" maw={1400} mih="100%">
        <Group gap={8}>
          {services.length === 0 || !can("player") ? null : (
            <NativeSelect
              aria-label={t("reports.source")}
              maw={320}
              data={[
                { value: "", label: t("reports.thisPlayer") },
                ...services.map((service) => ({
                  value: service.id,
                  label: t("reports.allScreens", {
                    name: sourceName(service),
                  }),
                })),
              ]}
              value={source?.serviceId ?? ""}
              onChange={(event) => {
                choose(event.currentTarget.value);
              }}
            />
          )}
          {source === null ? null : (
            <LabelFilter
              labels={labels}
              labelId={source.labelId}
              onLabel={chooseLabel}
            />
          )}
          {source === null || can("player") ? null : (
            <ScreenFilter
              labelId={source.labelId}
              screenId={source.screenId}
              onScreen={chooseScreen}
            />
          )}
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
          <QueryError
            sentence={
              source === null
                ? t("reports.loadFailed")
                : can("player")
                  ? t("reports.loadFailedOf", { name: source.serviceName })
                  : t("reports.service.loadFailed")
            }
            query={report}
          />
        ) : rows === undefined ? (
          <p className="quiet after-a-moment">{t("manager.loading")}</p>
        ) : rows.length === 0 ? (
          <Empty
            icon={IconChartBar}
            title={t("reports.empty.title")}
            sentence={
              source === null
                ? t("reports.empty.description")
                : can("player")
                  ? t("reports.emptyOf", { name: source.serviceName })
                  : t("reports.service.empty")
            }
          >
            {source === null ? (
              <Button
                onClick={() => {
                  goTo("library");
                }}
              >
                {t("reports.empty.addContent")}
              </Button>
            ) : undefined}
          </Empty>
        ) : (
          <Figures
            {...{ source, view, from, to, rows, days }}
            isLinked={(assetId) => source === null || known.has(assetId)}
            onView={setView}
            measure={measure}
            periodText={periodText}
          />
        )}
      </Stack>
    </PageFrame>
  );
}

function Figures(props: {
  readonly source: ReportSource | null;
  readonly view: ReportView;
  readonly onView: (view: ReportView) => void;
  readonly from: string;
  readonly to: string;
  readonly rows: readonly PlaybackDayV2[];
  readonly days: readonly string[];
  readonly measure: Measure;
  readonly periodText: string;
  readonly isLinked: (assetId: string) => boolean;
}): ReactNode {
  const { source, view, rows, days, measure, periodText } = props;
  const assets = useMemo(() => byAsset(rows), [rows]);
  const perDay = useMemo(() => byDay(rows, days), [rows, days]);
  const bars = useMemo(
    () => barsOf(rows, days, measure),
    [rows, days, measure],
  );
  const views = (source === null ? ownViews : allViews).map((value) => ({
    ...{ value, label: viewLabels[value] },
  }));
  const isNarrow = useMediaQuery("(width < 760px)", false, {
    getInitialValueInEffect: false,
  });
  // All of them next to each other are wider than a phone.
  const isSelect = isNarrow && source !== null;
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
        {isSelect ? (
          <NativeSelect
            mb={8}
            maw={320}
            aria-label={t("reports.view")}
            data={views}
            value={view}
            onChange={(event) => {
              props.onView(event.currentTarget.value as ReportView);
            }}
          />
        ) : (
          <SegmentedControl
            mb={8}
            aria-label={t("reports.view")}
            data={views}
            value={view}
            onChange={(value) => {
              props.onView(value);
            }}
          />
        )}
        {/* A table may be wider than a small window. */}
        <Box
          style={{ overflowX: "auto" }}
          tabIndex={0}
          role="group"
          aria-label={viewLabels[view]}
        >
          {view === "asset" ? (
            <AssetTable rows={assets} isLinked={props.isLinked} />
          ) : view === "day" ? (
            <DayTable rows={perDay} />
          ) : source === null ? null : (
            <ServiceTotals
              key={view}
              {...{ source, view, from: props.from, to: props.to }}
              label={viewLabels[view]}
            />
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

const ownViews = ["asset", "day"] as const;
const allViews = ["asset", ...serviceViews, "day"] as const;

const viewLabels: Readonly<Record<ReportView, string>> = {
  asset: t("reports.byAsset"),
  day: t("reports.byDay"),
  playlist: t("reports.byPlaylist"),
  screen: t("reports.byScreen"),
  group: t("reports.byGroup"),
};

function isServiceView(view: ReportView): view is ServiceView {
  return view !== "asset" && view !== "day";
}
