// How the library is looked at: words, kinds, order, grid or list.

import { ActionIcon, Select, TextInput, Tooltip } from "@mantine/core";
import {
  IconLayoutGrid,
  IconList,
  IconSearch,
  IconX,
} from "@tabler/icons-react";
import type { ReactNode, Ref } from "react";
import type { AssetView } from "../../../server/contract/ipc.ts";
import { KindIcon } from "../parts/KindIcon.tsx";
import { formats, texts } from "../texts/texts.ts";
import type { View } from "./AssetList.tsx";
import { sortings, type Folder, type Sorting } from "./found.ts";

const kinds: readonly AssetView["kind"][] = [
  ...(["image", "video", "webpage", "audio", "pdf", "stream", "app"] as const),
];

interface Props {
  readonly words: string;
  readonly onWords: (words: string) => void;
  readonly chosen: ReadonlySet<AssetView["kind"]>;
  readonly onChosen: (kinds: ReadonlySet<AssetView["kind"]>) => void;
  readonly sorting: Sorting;
  readonly onSorting: (sorting: Sorting) => void;
  readonly view: View;
  readonly onView: (view: View) => void;
  readonly folders: readonly Folder[];
  readonly folder: string | null;
  readonly onFolder: (folder: string | null) => void;
  /** How many of each kind there are; a kind without any is not offered. */
  readonly counts: ReadonlyMap<AssetView["kind"], number>;
  readonly searchField: Ref<HTMLInputElement>;
  /** Down from the field: into the list. */
  readonly onDown: () => void;
}

export function FilterBar(props: Props): ReactNode {
  const { words, onWords, chosen, onChosen, counts } = props;
  const offered = kinds.filter((kind) => (counts.get(kind) ?? 0) > 0);
  return (
    <div className="library-bar" role="search">
      <TextInput
        ref={props.searchField}
        className="library-search"
        type="search"
        aria-label={texts.library.search}
        placeholder={texts.library.search}
        leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
        rightSection={
          words === "" ? null : (
            <ActionIcon
              size={36}
              aria-label={texts.library.clearSearch}
              onClick={() => {
                onWords("");
              }}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          )
        }
        value={words}
        onChange={(event) => {
          onWords(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown" || event.key === "Enter") {
            event.preventDefault();
            props.onDown();
          }
          if (event.key === "Escape") onWords("");
        }}
      />
      <FolderChoice {...props} />
      {offered.length > 1 ? (
        <div
          className="kind-chips"
          role="group"
          aria-label={texts.library.byKind}
        >
          {offered.map((kind) => (
            <button
              key={kind}
              type="button"
              className="kind-chip"
              aria-pressed={chosen.has(kind)}
              title={texts.library.kindCounted(
                texts.library.kinds[kind],
                counts.get(kind) ?? 0,
              )}
              onClick={() => {
                const next = new Set(chosen);
                if (!next.delete(kind)) next.add(kind);
                onChosen(next);
              }}
            >
              <KindIcon kind={kind} size={16} />
              <span>{texts.library.kinds[kind]}</span>
            </button>
          ))}
        </div>
      ) : null}
      <Select
        aria-label={texts.library.sorting}
        w={150}
        allowDeselect={false}
        data={sortings.map((value) => ({
          value,
          label: texts.library.sortings[value],
        }))}
        value={props.sorting}
        onChange={(value) => {
          props.onSorting((value ?? "order") as Sorting);
        }}
      />
      <Tooltip
        label={
          props.view === "grid" ? texts.library.asList : texts.library.asGrid
        }
      >
        <ActionIcon
          variant="default"
          size={36}
          aria-label={
            props.view === "grid" ? texts.library.asList : texts.library.asGrid
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
    </div>
  );
}

/** Stands for the tree of folders where there is no room for it. */
function FolderChoice({ folders, folder, onFolder }: Props): ReactNode {
  if (folders.length === 0) return null;
  return (
    <Select
      className="folder-choice"
      aria-label={texts.library.folders}
      w={180}
      allowDeselect={false}
      data={[
        { value: "*", label: texts.library.everything },
        { value: "", label: texts.library.noFolder },
        ...folders.map(({ path, count }) => ({
          value: path,
          label: `${path} (${formats.count(count)})`,
        })),
      ]}
      value={folder ?? "*"}
      onChange={(value) => {
        onFolder(value === "*" || value === null ? null : value);
      }}
    />
  );
}
