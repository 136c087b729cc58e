// The activity page: every event, filtered by subject, time and words, and exported with the same filter.

import {
  Box,
  Button,
  Chip,
  Group,
  Menu,
  NativeSelect,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import {
  IconActivity,
  IconDownload,
  IconSearch,
  IconSearchOff,
} from "@tabler/icons-react";
import { useCallback, useMemo, useState, type ReactNode } from "react";
import {
  activityActorKinds,
  activityKinds,
} from "../../../server/contract/v2/v2-logs.ts";
import { reasonOf } from "../api/reason.ts";
import { Empty } from "../components/layout/Empty.tsx";
import { useMenuFocus } from "../components/focus/menu-focus.ts";
import { PageFrame } from "../components/layout/PageFrame.tsx";
import { ErrorAlert } from "../components/outcomes/ErrorAlert.tsx";
import { t } from "../../locales/messages.ts";
import { ActivityList } from "./ActivityList.tsx";
import { exportActivity } from "./export-csv.ts";
import { useActivity, type ActivityQuery } from "./use-activity.ts";
import "./activity.css";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

const hourMs = 3_600_000;
const rangesMs = {
  always: null,
  hour: hourMs,
  day: 24 * hourMs,
  week: 7 * 24 * hourMs,
  month: 30 * 24 * hourMs,
} as const;
type Range = keyof typeof rangesMs;

/** Debounce: a word is searched for when it is complete, not letter by letter. */
const typingMs = 200;

export function ActivityPage(): ReactNode {
  const [kind, setKind] = useState("");
  const [actor, setActor] = useState("");
  const [range, setRange] = useState<Range>("always");
  const [search, setSearch] = useState("");
  const [searched] = useDebouncedValue(search.trim(), typingMs);
  const query = useMemo<ActivityQuery>(
    () => ({ kind, actor, search: searched, backMs: rangesMs[range] }),
    [kind, actor, searched, range],
  );
  const { answer, rows } = useActivity(query);
  const { fetchNextPage } = answer;
  const onMore = useCallback(() => {
    fetchNextPage().catch(notifyInternalError);
  }, [fetchNextPage]);
  const isFiltered =
    [kind, actor, searched].some((one) => one !== "") || range !== "always";
  const showAll = () => {
    setKind("");
    setActor("");
    setRange("always");
    setSearch("");
  };

  return (
    <PageFrame
      title={t("activity.title")}
      about={
        answer.data === undefined
          ? undefined
          : t("activity.listed", {
              count: rows.length,
              isAll: !answer.hasNextPage,
            })
      }
      isFilled
      actions={<ExportMenu query={query} isEmpty={rows.length === 0} />}
    >
      <Stack className="activity" gap={0} h="100%">
        <Group
          gap={8}
          pt={4}
          px="var(--side)"
          pb={12}
          style={{ borderBlockEnd: "1px solid var(--line)" }}
        >
          <TextInput
            flex="0 1 300px"
            miw={200}
            type="search"
            aria-label={t("activity.search")}
            placeholder={t("activity.search")}
            leftSection={<IconSearch size={18} aria-hidden />}
            value={search}
            onChange={(event) => {
              setSearch(event.currentTarget.value);
            }}
          />
          <NativeSelect
            flex="1 1 110px"
            maw={220}
            aria-label={t("activity.range")}
            data={(Object.keys(rangesMs) as Range[]).map((value) => ({
              ...{ value, label: t(`activity.ranges.${value}`) },
            }))}
            value={range}
            onChange={(event) => {
              setRange(event.currentTarget.value as Range);
            }}
          />
          <NativeSelect
            flex="1 1 110px"
            maw={220}
            aria-label={t("activity.who")}
            data={[
              { value: "", label: t("activity.anyone") },
              ...activityActorKinds.map((value) => ({
                ...{ value, label: t(`activity.actors.${value}`) },
              })),
            ]}
            value={actor}
            onChange={(event) => {
              setActor(event.currentTarget.value);
            }}
          />
          <Chip.Group value={kind} onChange={setKind}>
            <Group gap={6} role="radiogroup" aria-label={t("activity.filter")}>
              <Chip value="">{t("activity.all")}</Chip>
              {activityKinds.map((one) => (
                <Chip key={one} value={one}>
                  {t(`activity.kinds.${one}`)}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </Group>
        {answer.isError ? (
          <Box py={16} px="var(--side)">
            <ErrorAlert
              sentence={t("activity.loadFailed")}
              reason={reasonOf(answer.error)}
              isTrying={answer.isFetching}
              onTryAgain={() => {
                answer.refetch().catch(notifyInternalError);
              }}
            />
          </Box>
        ) : answer.data === undefined ? (
          <Text className="after-a-moment" c="dimmed" py={16} px="var(--side)">
            {t("manager.loading")}
          </Text>
        ) : rows.length > 0 ? (
          <ActivityList
            events={rows}
            isMore={answer.hasNextPage}
            isFetchingMore={answer.isFetchingNextPage}
            onMore={onMore}
          />
        ) : isFiltered ? (
          <Empty
            icon={IconSearchOff}
            title={t("activity.noMatches.title")}
            sentence={t("activity.noMatches.description")}
          >
            <Button variant="default" onClick={showAll}>
              {t("activity.noMatches.showAll")}
            </Button>
          </Empty>
        ) : (
          <Empty
            icon={IconActivity}
            title={t("activity.empty.title")}
            sentence={t("activity.empty.description")}
          />
        )}
      </Stack>
    </PageFrame>
  );
}

function ExportMenu(props: {
  readonly query: ActivityQuery;
  readonly isEmpty: boolean;
}): ReactNode {
  const [isExporting, setIsExporting] = useState(false);
  const { menu, button, dropdown } = useMenuFocus();
  const start = (format: "csv" | "json") => {
    setIsExporting(true);
    exportActivity(props.query, format)
      .finally(() => {
        setIsExporting(false);
      })
      .catch(notifyInternalError);
  };
  return (
    <Menu {...menu} position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          {...button}
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden />}
          loading={isExporting}
          disabled={props.isEmpty}
        >
          {t("activity.export")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown {...dropdown}>
        <Menu.Item
          onClick={() => {
            start("csv");
          }}
        >
          {t("activity.exportCsv")}
        </Menu.Item>
        <Menu.Item
          onClick={() => {
            start("json");
          }}
        >
          {t("activity.exportJson")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
