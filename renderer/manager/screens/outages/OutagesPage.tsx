// Outages of the screens of a content service: totals by screen, label and month with their causes, the list, and a file.

import { Button, Group, NativeSelect, Paper, Stack } from "@mantine/core";
import { IconCircleCheck, IconDownload } from "@tabler/icons-react";
import { useMemo, useState, type ReactNode } from "react";
import type { ScreenServiceView } from "../../../../server/contract/ipc/ipc-screens.ts";
import type {
  OutageGrouping,
  OutageTotalV3,
} from "../../../../server/contract/v3/v3-outages.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { reasonOf } from "../../api/reason.ts";
import { lengthOf } from "../../components/duration-text.ts";
import { LabelFilter } from "../../components/controls/LabelFilter.tsx";
import { Empty } from "../../components/layout/Empty.tsx";
import { PageFrame } from "../../components/layout/PageFrame.tsx";
import { Total, Totals } from "../../components/layout/Totals.tsx";
import { QueryError } from "../../components/outcomes/QueryError.tsx";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";
import { useMoment } from "../../components/use-moment.ts";
import { useQuestion } from "../../api/manager-queries.ts";
import type { ScreenItem } from "../../fleet/find-screens.ts";
import { ScreensSections } from "../ScreensSections.tsx";
import { serviceName, type AllScreens } from "../../fleet/use-screens.ts";
import { exportOutages, type OutageQuery } from "./export-outages.ts";
import { OutageList } from "./OutageList.tsx";
import { causesText } from "./outage-text.ts";
import { OutageTotals } from "./OutageTotals.tsx";
import "./outages.css";

const rangeDays = { week: 7, month: 31, quarter: 92, year: 366 } as const;
const ranges = ["week", "month", "quarter", "year"] as const;
type Range = (typeof ranges)[number];

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const refreshIntervalMs = 30_000;
const rowsAtOnce = 50;

export function OutagesPage({
  screens,
}: {
  readonly screens: AllScreens;
}): ReactNode {
  const { all } = screens;
  const [chosenService, setChosenService] = useState<string | null>(null);
  const [range, setRange] = useState<Range>("month");
  const [chosenLabel, setChosenLabel] = useState<string | null>(null);
  const moment = useMoment(refreshIntervalMs);
  const services = useMemo(
    () => recordingServices(screens.services ?? [], all),
    [screens.services, all],
  );
  const service =
    services.find(({ id }) => id === chosenService) ?? services[0] ?? null;
  const serviceId = service?.id ?? "";
  const labels = useMemo(() => labelsIn(all, serviceId), [all, serviceId]);
  const label = labels.find(({ id }) => id === chosenLabel) ?? null;
  // By the hour, so that the same request is cached for a while.
  const since = Math.floor(moment / hourMs) * hourMs - rangeDays[range] * dayMs;
  const query = useMemo<OutageQuery>(
    () => ({
      ...{ serviceId, since: new Date(since).toISOString() },
      labelId: label?.id ?? null,
    }),
    [serviceId, since, label],
  );
  const byScreen = useQuestion(
    "readOutageTotals",
    { ...query, by: "screen", timezone: localZone() },
    { isEnabled: service !== null, intervalMs: refreshIntervalMs },
  );
  const isAny = (byScreen.data?.length ?? 0) > 0;
  return (
    <PageFrame
      title={t("screens.outages.title")}
      about={t("screens.outages.about", { day: formats.day(since) })}
      actions={
        <>
          <ScreensSections section="outages" />
          <Button
            variant="default"
            leftSection={<IconDownload size={18} aria-hidden />}
            disabled={!isAny}
            onClick={() => {
              exportOutages(query).catch(notifyInternalError);
            }}
          >
            {t("screens.outages.export")}
          </Button>
        </>
      }
    >
      <Stack className="outages" maw={1400} mih="100%">
        <Group gap={8} role="search">
          {services.length > 1 && service ? (
            <NativeSelect
              aria-label={t("screens.outages.service")}
              data={services.map((one) => ({
                ...{ value: one.id, label: serviceName(one) },
              }))}
              value={service.id}
              onChange={(event) => {
                setChosenService(event.currentTarget.value);
              }}
            />
          ) : null}
          <NativeSelect
            aria-label={t("screens.outages.range")}
            data={ranges.map((value) => ({
              ...{ value, label: t(`screens.outages.ranges.${value}`) },
            }))}
            value={range}
            onChange={(event) => {
              setRange(event.currentTarget.value as Range);
            }}
          />
          <LabelFilter
            labels={labels}
            labelId={label?.id ?? null}
            onLabel={setChosenLabel}
          />
        </Group>
        {service === null ? (
          screens.isLoading ? (
            <Loading />
          ) : (
            <Empty
              icon={IconCircleCheck}
              title={t("screens.outages.notRecorded.title")}
              sentence={t("screens.outages.notRecorded.description")}
            />
          )
        ) : byScreen.isError ? (
          <QueryError
            sentence={t("screens.outages.loadFailed", {
              name: serviceName(service),
            })}
            query={byScreen}
          />
        ) : byScreen.data === undefined ? (
          <Loading />
        ) : isAny ? (
          <Found
            key={serviceId}
            query={query}
            byScreen={byScreen.data}
            moment={moment}
          />
        ) : (
          <Empty
            icon={IconCircleCheck}
            title={t("screens.outages.empty.title")}
            sentence={
              label
                ? t("screens.outages.emptyLabel")
                : t("screens.outages.empty.description")
            }
          >
            {label ? (
              <Button
                variant="default"
                onClick={() => {
                  setChosenLabel(null);
                }}
              >
                {t("screens.outages.showAll")}
              </Button>
            ) : undefined}
          </Empty>
        )}
      </Stack>
    </PageFrame>
  );
}

function Loading(): ReactNode {
  return <p className="quiet after-a-moment">{t("manager.loading")}</p>;
}

function Found({
  query,
  byScreen,
  moment,
}: {
  readonly query: OutageQuery;
  readonly byScreen: readonly OutageTotalV3[];
  readonly moment: number;
}): ReactNode {
  const [by, setBy] = useState<OutageGrouping>("screen");
  const [limit, setLimit] = useState(rowsAtOnce);
  const grouped = useQuestion(
    "readOutageTotals",
    { ...query, by, timezone: localZone() },
    { isEnabled: by !== "screen", intervalMs: refreshIntervalMs },
  );
  const listed = useQuestion(
    "listScreenOutages",
    // One more than is shown tells whether there are others.
    { ...query, limit: limit + 1 },
    { intervalMs: refreshIntervalMs },
  );
  // What is listed stays until more is.
  const [last, setLast] = useState(listed.data);
  if (listed.data !== undefined && listed.data !== last) setLast(listed.data);
  const outages = listed.data ?? last;
  return (
    <>
      <Summary totals={byScreen} />
      <Paper withBorder radius={10} component="section" miw={0} p={16}>
        <OutageTotals
          by={by}
          onBy={setBy}
          totals={by === "screen" ? byScreen : grouped.data}
        />
      </Paper>
      <Paper withBorder radius={10} component="section" miw={0} p={16}>
        {outages !== undefined ? (
          <OutageList
            serviceId={query.serviceId}
            outages={outages.slice(0, limit)}
            moment={moment}
            isLoadingMore={listed.data === undefined}
            onMore={
              outages.length > limit || listed.data === undefined
                ? () => {
                    setLimit(limit + rowsAtOnce);
                  }
                : null
            }
          />
        ) : listed.isError ? (
          <p className="quiet">{reasonOf(listed.error)}</p>
        ) : (
          <Loading />
        )}
      </Paper>
    </>
  );
}

function Summary({
  totals,
}: {
  readonly totals: readonly OutageTotalV3[];
}): ReactNode {
  const causes: Record<
    string,
    { readonly outages: number; readonly duration_seconds: number }
  > = {};
  let count = 0;
  let seconds = 0;
  for (const total of totals) {
    count += total.outages;
    seconds += total.duration_seconds;
    for (const [cause, figures] of Object.entries(total.causes)) {
      const before = causes[cause];
      causes[cause] = {
        outages: (before?.outages ?? 0) + figures.outages,
        duration_seconds:
          (before?.duration_seconds ?? 0) + figures.duration_seconds,
      };
    }
  }
  const [main] = causesText({ causes });
  return (
    <Totals>
      <Total name={t("screens.outages.count")}>{formats.count(count)}</Total>
      <Total name={t("screens.outages.time")}>{lengthOf(seconds)}</Total>
      <Total name={t("screens.outages.screens")}>
        {formats.count(totals.length)}
      </Total>
      <Total name={t("screens.outages.mainCause")}>
        {main ? t(`screens.outages.causes.${main.cause}`) : ""}
      </Total>
    </Totals>
  );
}

/** Those with more than the lists of version 3. */
function recordingServices(
  services: readonly ScreenServiceView[],
  all: readonly ScreenItem[],
): readonly ScreenServiceView[] {
  const ids = new Set<string>();
  for (const { serviceId, isManageable } of all)
    if (isManageable) ids.add(serviceId);
  return services.filter(({ id }) => ids.has(id));
}

function labelsIn(
  all: readonly ScreenItem[],
  service: string,
): readonly { readonly id: string; readonly name: string }[] {
  const labels = new Map<string, string>();
  for (const { serviceId, screen } of all)
    if (serviceId === service)
      for (const { id, name } of screen.groups) labels.set(id, name);
  return [...labels]
    .map(([id, name]) => ({ id, name }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** Months begin where the operator is, as all times of this page. */
function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
