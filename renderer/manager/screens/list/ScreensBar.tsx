// Filter bar of the screens page: words, label, order, table or tiles.

import { ActionIcon, Group, Select, Tooltip } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import {
  IconArrowsSort,
  IconLayoutGrid,
  IconList,
  IconTag,
} from "@tabler/icons-react";
import { memo, type ReactNode } from "react";
import { t } from "../../../locales/messages.ts";
import { SearchField } from "../../components/SearchField.tsx";
import {
  screenSortings,
  type ScreenSorting,
} from "../../fleet/find-screens.ts";

export type ScreensViewMode = "table" | "tiles";

interface Props {
  readonly words: string;
  readonly onWords: (words: string) => void;
  /** Arrow down from the field: into the list. */
  readonly onDown: () => void;
  readonly labels: readonly { readonly name: string; readonly count: number }[];
  readonly label: string | null;
  readonly onLabel: (label: string | null) => void;
  readonly sorting: ScreenSorting;
  readonly onSorting: (sorting: ScreenSorting) => void;
  readonly view: ScreensViewMode;
  readonly onView: (view: ScreensViewMode) => void;
}

export const ScreensBar = memo(function ScreensBar(props: Props): ReactNode {
  const { words, onWords, view, onView } = props;
  const isPhone = useMediaQuery("(width < 760px)");
  const other =
    view === "tiles" ? t("screens.showAsTable") : t("screens.showAsTiles");
  return (
    <Group className="screens-bar" gap={8} role="search">
      <SearchField
        flex="1 1 220px"
        label={t("screens.search")}
        placeholder={t(isPhone ? "library.searchShort" : "screens.search")}
        clear={t("screens.clearSearch")}
        words={words}
        onWords={onWords}
        onDown={props.onDown}
      />
      {props.labels.length === 0 ? null : (
        <Select
          aria-label={t("screens.labelFilter")}
          w={180}
          searchable={props.labels.length > 8}
          allowDeselect={false}
          leftSection={<IconTag size={16} aria-hidden />}
          data={[
            { value: "", label: t("screens.allLabels") },
            ...props.labels.map(({ name, count }) => ({
              value: `=${name}`,
              label: t("library.nameWithCount", { name, count }),
            })),
          ]}
          value={props.label === null ? "" : `=${props.label}`}
          onChange={(value) => {
            props.onLabel(value ? value.slice(1) : null);
          }}
        />
      )}
      <Select
        aria-label={t("screens.sortBy")}
        w={196}
        leftSection={<IconArrowsSort size={16} aria-hidden />}
        allowDeselect={false}
        data={screenSortings.map((value) => ({
          value,
          label: t(`screens.sortOrders.${value}`),
        }))}
        value={props.sorting}
        onChange={(value) => {
          props.onSorting(value ?? "urgency");
        }}
      />
      <Tooltip label={other}>
        <ActionIcon
          variant="default"
          size={40}
          aria-label={other}
          onClick={() => {
            onView(view === "tiles" ? "table" : "tiles");
          }}
        >
          {view === "tiles" ? (
            <IconList size={18} aria-hidden />
          ) : (
            <IconLayoutGrid size={18} aria-hidden />
          )}
        </ActionIcon>
      </Tooltip>
    </Group>
  );
});
