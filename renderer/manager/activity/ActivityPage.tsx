// The activity page: every event, filtered by subject, time and words, and exported with the same filter.

import {
  Button,
  Chip,
  Group,
  Menu,
  NativeSelect,
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
import { activityKinds } from "../../../server/contract/v2/v2-logs.ts";
import { reasonOf } from "../api.ts";
import { Empty } from "../parts/layout/Empty.tsx";
import { useMenuFocus } from "../parts/focus/menu-focus.ts";
import { PageFrame } from "../parts/layout/PageFrame.tsx";
import { ErrorAlert } from "../parts/outcomes/ErrorAlert.tsx";
import { texts } from "../texts/texts.ts";
import { ActivityList } from "./ActivityList.tsx";
import { exportActivity } from "./export.ts";
import { useActivity, type ActivityQuery } from "./use-activity.ts";
import "./activity.css";

const words = texts.activity;

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
  const [range, setRange] = useState<Range>("always");
  const [search, setSearch] = useState("");
  const [searched] = useDebouncedValue(search.trim(), typingMs);
  const query = useMemo<ActivityQuery>(
    () => ({ kind, search: searched, backMs: rangesMs[range] }),
    [kind, searched, range],
  );
  const { answer, rows } = useActivity(query);
  const { fetchNextPage } = answer;
  const onMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const isFiltered = kind !== "" || searched !== "" || range !== "always";
  const showAll = () => {
    setKind("");
    setRange("always");
    setSearch("");
  };

  return (
    <PageFrame
      title={words.title}
      about={
        answer.data === undefined
          ? undefined
          : words.listed(rows.length, !answer.hasNextPage)
      }
      isFilled
      actions={<ExportMenu query={query} isEmpty={rows.length === 0} />}
    >
      <div className="activity">
        <div className="activity-filters">
          <TextInput
            className="activity-search"
            type="search"
            aria-label={words.search}
            placeholder={words.search}
            leftSection={<IconSearch size={18} aria-hidden />}
            value={search}
            onChange={(event) => {
              setSearch(event.currentTarget.value);
            }}
          />
          <NativeSelect
            aria-label={words.when}
            data={(Object.keys(rangesMs) as Range[]).map((value) => ({
              ...{ value, label: words.ranges[value] },
            }))}
            value={range}
            onChange={(event) => {
              setRange(event.currentTarget.value as Range);
            }}
          />
          <Chip.Group value={kind} onChange={setKind}>
            <Group gap={6} role="radiogroup" aria-label={words.kind}>
              <Chip value="">{words.all}</Chip>
              {activityKinds.map((one) => (
                <Chip key={one} value={one}>
                  {words.kinds[one] ?? one}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </div>
        {answer.isError ? (
          <div className="activity-note">
            <ErrorAlert
              sentence={`${words.failed} ${words.failedCalm}`}
              reason={reasonOf(answer.error)}
              isTrying={answer.isFetching}
              onTryAgain={() => void answer.refetch()}
            />
          </div>
        ) : answer.data === undefined ? (
          <p className="activity-note quiet after-a-moment">
            {texts.manager.loading}
          </p>
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
            title={words.noneFound}
            sentence={words.noneFoundSentence}
          >
            <Button variant="default" onClick={showAll}>
              {words.showAll}
            </Button>
          </Empty>
        ) : (
          <Empty
            icon={IconActivity}
            title={words.empty}
            sentence={words.emptySentence}
          />
        )}
      </div>
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
    void exportActivity(props.query, format).finally(() => {
      setIsExporting(false);
    });
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
          {words.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown {...dropdown}>
        <Menu.Item
          onClick={() => {
            start("csv");
          }}
        >
          {words.exportCsv}
        </Menu.Item>
        <Menu.Item
          onClick={() => {
            start("json");
          }}
        >
          {words.exportJson}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
