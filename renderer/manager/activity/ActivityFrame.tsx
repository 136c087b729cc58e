// The frame of an activity page: its filters, the list or what stands in its place, and the export with the same filter.

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
  type NativeSelectProps,
} from "@mantine/core";
import {
  IconActivity,
  IconDownload,
  IconSearch,
  IconSearchOff,
  IconX,
} from "@tabler/icons-react";
import { useMediaQuery } from "@mantine/hooks";
import { useState, type ReactNode } from "react";
import { t } from "../../locales/messages.ts";
import { useMenuFocus } from "../components/focus/menu-focus.ts";
import { Empty } from "../components/layout/Empty.tsx";
import { PageFrame } from "../components/layout/PageFrame.tsx";
import { QueryError } from "../components/outcomes/QueryError.tsx";
import { notifyInternalError } from "../components/outcomes/outcome.ts";
import {
  ranges,
  type ActivityFilter,
  type Range,
} from "./use-activity-filter.ts";
import type { usePagedActivity } from "./use-paged-activity.ts";
import "./activity.css";

type ExportFormat = "csv" | "json";

interface Props {
  readonly filter: ActivityFilter;
  readonly activity: ReturnType<typeof usePagedActivity>;
  readonly kinds: readonly { readonly value: string; readonly label: string }[];
  readonly authors: NonNullable<NativeSelectProps["data"]>;
  readonly failed: string;
  readonly empty: string;
  /** Set while only what happened to one thing is listed. */
  readonly one?: { readonly text: string; readonly onAll: () => void } | null;
  readonly onExport: (format: ExportFormat) => Promise<void>;
  /** The list. */
  readonly children: ReactNode;
}

/** More of them would be several lines. */
const maxChips = 10;

export function ActivityFrame(props: Props): ReactNode {
  const { filter, activity, one = null, children } = props;
  const { answer, rows, isSearching } = activity;
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
      actions={
        <ExportMenu onExport={props.onExport} isEmpty={rows.length === 0} />
      }
    >
      <Stack className="activity" gap={0} h="100%">
        <Filters {...props} />
        {answer.isError ? (
          <Box py={16} px="var(--side)">
            <QueryError sentence={props.failed} query={answer} />
          </Box>
        ) : answer.data === undefined || isSearching ? (
          <Text className="after-a-moment" c="dimmed" py={16} px="var(--side)">
            {t("manager.loading")}
          </Text>
        ) : rows.length > 0 ? (
          children
        ) : filter.isFiltered || one ? (
          <Empty
            icon={IconSearchOff}
            title={t("activity.noMatches.title")}
            sentence={t("activity.noMatches.description")}
          >
            <Button
              variant="default"
              onClick={() => {
                filter.clear();
                one?.onAll();
              }}
            >
              {t("activity.noMatches.showAll")}
            </Button>
          </Empty>
        ) : (
          <Empty
            icon={IconActivity}
            title={t("activity.empty.title")}
            sentence={props.empty}
          />
        )}
      </Stack>
    </PageFrame>
  );
}

function Filters({ filter, kinds, authors, one }: Props): ReactNode {
  const { query, setKind, setActor } = filter;
  const isPhone = useMediaQuery("(width < 760px)");
  return (
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
        placeholder={t(isPhone ? "library.searchShort" : "activity.search")}
        leftSection={<IconSearch size={18} aria-hidden />}
        value={filter.typed}
        onChange={(event) => {
          filter.setTyped(event.currentTarget.value);
        }}
      />
      <NativeSelect
        flex="1 1 110px"
        maw={220}
        aria-label={t("activity.range")}
        data={ranges.map((value) => ({
          ...{ value, label: t(`activity.ranges.${value}`) },
        }))}
        value={filter.range}
        onChange={(event) => {
          filter.setRange(event.currentTarget.value as Range);
        }}
      />
      <NativeSelect
        flex="1 1 110px"
        maw={220}
        aria-label={t("activity.who")}
        data={authors}
        value={query.actor}
        onChange={(event) => {
          setActor(event.currentTarget.value);
        }}
      />
      {kinds.length > maxChips ? (
        <NativeSelect
          flex="1 1 110px"
          maw={220}
          aria-label={t("activity.filter")}
          data={[{ value: "", label: t("activity.allTypes") }, ...kinds]}
          value={query.kind}
          onChange={(event) => {
            setKind(event.currentTarget.value);
          }}
        />
      ) : (
        <Chip.Group value={query.kind} onChange={setKind}>
          <Group gap={6} role="radiogroup" aria-label={t("activity.filter")}>
            <Chip value="">{t("activity.all")}</Chip>
            {kinds.map(({ value, label }) => (
              <Chip key={value} value={value}>
                {label}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      )}
      {one ? (
        <Button
          variant="default"
          maw="100%"
          rightSection={<IconX size={16} aria-hidden />}
          aria-description={t("activity.noMatches.showAll")}
          onClick={one.onAll}
        >
          {one.text}
        </Button>
      ) : null}
    </Group>
  );
}

function ExportMenu(props: {
  readonly onExport: Props["onExport"];
  readonly isEmpty: boolean;
}): ReactNode {
  const [isExporting, setIsExporting] = useState(false);
  const { menu, button, dropdown } = useMenuFocus();
  const start = (format: ExportFormat) => {
    setIsExporting(true);
    props
      .onExport(format)
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
