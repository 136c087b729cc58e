// Filter bar of the library: words, kinds, order, grid or list.

import {
  ActionIcon,
  Group,
  Select,
  Tooltip,
  VisuallyHidden,
} from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconArrowsSort, IconLayoutGrid, IconList } from "@tabler/icons-react";
import { memo, type ReactNode } from "react";
import type { AssetView } from "../api/asset-view.ts";
import { KindIcon } from "../components/controls/KindIcon.tsx";
import { t } from "../../locales/messages.ts";
import type { View } from "./AssetList.tsx";
import { SearchField } from "../components/SearchField.tsx";
import { sortingsHere, type Folder, type Sorting } from "../assets/search.ts";

const kinds: readonly AssetView["kind"][] = [
  ...(["image", "video", "webpage", "audio", "pdf", "stream", "app"] as const),
];

export interface Choices {
  readonly chosen: ReadonlySet<AssetView["kind"]>;
  readonly onChosen: (kinds: ReadonlySet<AssetView["kind"]>) => void;
  readonly sorting: Sorting;
  readonly onSorting: (sorting: Sorting) => void;
  readonly view: View;
  readonly onView: (view: View) => void;
  readonly folders: readonly Folder[];
  readonly folder: string | null;
  /** Number of assets in no folder. */
  readonly inNone: number;
  readonly onFolder: (folder: string | null) => void;
  /** Number of assets of each kind; a kind without any is not offered. */
  readonly counts: ReadonlyMap<AssetView["kind"], number>;
}

interface Props {
  readonly words: string;
  readonly onWords: (words: string) => void;
  /** Incremented when the words come from elsewhere than the field. */
  readonly epoch: number;
  /** Arrow down from the field: into the list. */
  readonly onDown: () => void;
  readonly choices: Choices;
  /** Icons alone, where the details take the space. */
  readonly areKindsShort: boolean;
}

export function FilterBar(props: Props): ReactNode {
  const isNarrow = useMediaQuery("(width < 1100px)", false, {
    getInitialValueInEffect: false,
  });
  return (
    <Group
      gap={8}
      pt={4}
      pb={8}
      ps={{ base: "var(--side)", lg: 8 }}
      pe="var(--side)"
      role="search"
    >
      <SearchField
        key={props.epoch}
        className="library-search"
        flex={{ base: "1 1 170px", md: "1 1 220px" }}
        // Mounted again because of an action elsewhere, it takes the focus.
        autoFocus={props.epoch > 0}
        label={t("library.search")}
        placeholder={isNarrow ? t("library.searchShort") : t("library.search")}
        clear={t("library.clearSearch")}
        words={props.words}
        onWords={props.onWords}
        onDown={props.onDown}
      />
      <FilterChoices
        {...props.choices}
        isShort={isNarrow || props.areKindsShort}
      />
    </Group>
  );
}

/** Rerendered only when one of them changes, and not at every keystroke. */
const FilterChoices = memo(function FilterChoices(
  props: Choices & { readonly isShort: boolean },
): ReactNode {
  const { chosen, onChosen, counts, isShort } = props;
  const offered = kinds.filter((kind) => (counts.get(kind) ?? 0) > 0);
  return (
    <>
      <FolderChoice {...props} />
      {offered.length > 1 ? (
        <Group
          align="stretch"
          gap={4}
          role="group"
          aria-label={t("library.kindFilter")}
        >
          {offered.map((kind) => (
            <button
              key={kind}
              type="button"
              className="chip"
              aria-pressed={chosen.has(kind)}
              title={t("library.nameWithCount", {
                name: t(`library.kinds.${kind}`),
                count: counts.get(kind) ?? 0,
              })}
              onClick={() => {
                const next = new Set(chosen);
                if (!next.delete(kind)) next.add(kind);
                onChosen(next);
              }}
            >
              <KindIcon kind={kind} size={16} />
              {isShort ? (
                <VisuallyHidden>{t(`library.kinds.${kind}`)}</VisuallyHidden>
              ) : (
                t(`library.kinds.${kind}`)
              )}
            </button>
          ))}
        </Group>
      ) : null}
      <Select
        aria-label={t("library.sortBy")}
        w={216}
        leftSection={<IconArrowsSort size={16} aria-hidden />}
        allowDeselect={false}
        data={sortingsHere.map((value) => ({
          value,
          label: t(`library.sortOrders.${value}`),
        }))}
        value={props.sorting}
        onChange={(value) => {
          if (value !== null) props.onSorting(value);
        }}
      />
      <Tooltip
        label={
          props.view === "grid"
            ? t("library.showAsList")
            : t("library.showAsGrid")
        }
      >
        <ActionIcon
          variant="default"
          size={40}
          aria-label={
            props.view === "grid"
              ? t("library.showAsList")
              : t("library.showAsGrid")
          }
          onClick={() => {
            props.onView(props.view === "grid" ? "list" : "grid");
          }}
        >
          {props.view === "grid" ? (
            <IconList size={18} aria-hidden />
          ) : (
            <IconLayoutGrid size={18} aria-hidden />
          )}
        </ActionIcon>
      </Tooltip>
    </>
  );
});

/** Replaces the folder tree where there is no space for it. */
function FolderChoice(props: Choices): ReactNode {
  const { folders, folder, inNone, onFolder } = props;
  if (folders.length === 0) return null;
  return (
    <Select
      hiddenFrom="lg"
      aria-label={t("library.folders")}
      w={180}
      allowDeselect={false}
      data={[
        { value: "*", label: t("library.allAssets") },
        {
          value: "",
          label: t("library.nameWithCount", {
            name: t("library.noFolder"),
            count: inNone,
          }),
        },
        ...folders.map(({ path, count }) => ({
          value: path,
          label: t("library.nameWithCount", { name: path, count }),
        })),
      ]}
      value={folder ?? "*"}
      onChange={(value) => {
        onFolder(value === "*" || value === null ? null : value);
      }}
    />
  );
}
