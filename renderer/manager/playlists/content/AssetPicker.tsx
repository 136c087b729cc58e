// Asset picker next to a playlist: searched while typing; adds by click, Enter or drag.

import { useDraggable } from "@dnd-kit/core";
import {
  ActionIcon,
  Anchor,
  Box,
  Button,
  Flex,
  Group,
  Text,
  TextInput,
  VisuallyHidden,
} from "@mantine/core";
import { IconPlus, IconSearch } from "@tabler/icons-react";
import { useVirtualizer } from "@tanstack/react-virtual";
import {
  useDeferredValue,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import type { AssetView } from "../../api/asset-view.ts";
import { addressOf } from "../../place/navigation.ts";
import { t } from "../../../locales/messages.ts";
import { Thumbnail } from "../../assets/Thumbnail.tsx";
import { isNarrow } from "../../place/narrow-window.ts";
import { AddFilesButton } from "../../uploads/AddFilesButton.tsx";
import { dragId } from "./use-dragging.ts";

interface Props {
  readonly views: readonly AssetView[];
  /** How often each asset is in the playlist. */
  readonly counts: ReadonlyMap<string, number>;
  readonly onAdd: (assetId: string) => void;
  readonly onDone: () => void;
}

const rowPx = 56;

export function AssetPicker(props: Props): ReactNode {
  const { views, counts, onAdd, onDone } = props;
  const [written, setWritten] = useState("");
  const searchText = useDeferredValue(written);
  const matches = useMemo(
    () => foundBy(searchText, views),
    [views, searchText],
  );
  const [announcement, setAnnouncement] = useState("");
  const add = (view: AssetView) => {
    onAdd(view.id);
    setAnnouncement(t("playlists.picker.added", { name: view.name }));
  };
  return (
    <Flex
      component="section"
      className="picker details-aside"
      direction="column"
      flex="none"
      w={{ base: "auto", xs: 320 }}
      mih={0}
      bg="var(--panel)"
      aria-label={t("playlists.picker.title")}
    >
      <Group wrap="nowrap" align="stretch" gap={8} p={8}>
        <TextInput
          type="search"
          flex={1}
          miw={0}
          aria-label={t("playlists.picker.search")}
          placeholder={t("playlists.picker.search")}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={written}
          onChange={(event) => {
            setWritten(event.currentTarget.value);
          }}
          onKeyDown={(event) => {
            // The results may be a few keystrokes behind the text.
            const { value } = event.currentTarget;
            const [first] = foundBy(value, views);
            if (event.key === "Enter" && value.trim() !== "" && first)
              add(first);
          }}
        />
        <Button variant="default" onClick={onDone}>
          {t("playlists.picker.hide")}
        </Button>
      </Group>
      <Box px={8} pb={8}>
        <AddFilesButton isQuiet />
      </Box>
      {matches.length === 0 ? (
        <Text c="dimmed" p={16}>
          {views.length === 0
            ? t("playlists.picker.empty")
            : t("playlists.picker.notFound")}{" "}
          <Anchor href={addressOf("library")}>
            {t("playlists.picker.toLibrary")}
          </Anchor>
        </Text>
      ) : (
        <Found found={matches} counts={counts} onAdd={add} />
      )}
      <VisuallyHidden aria-live="polite">{announcement}</VisuallyHidden>
    </Flex>
  );
}

function foundBy(
  words: string,
  views: readonly AssetView[],
): readonly AssetView[] {
  const searchText = words.trim().toLocaleLowerCase();
  if (searchText === "") return views;
  return views.filter(({ name, uri }) =>
    `${name}\n${uri}`.toLocaleLowerCase().includes(searchText),
  );
}

interface FoundProps {
  readonly found: readonly AssetView[];
  readonly counts: ReadonlyMap<string, number>;
  readonly onAdd: (view: AssetView) => void;
}

function Found({ found, counts, onAdd }: FoundProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: found.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => found[index]?.id ?? index,
    overscan: 6,
  });
  const walk = (event: KeyboardEvent<HTMLElement>) => {
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    const row = (event.target as HTMLElement).closest<HTMLElement>("li");
    if (by === 0 || !row) return;
    event.preventDefault();
    const next = by < 0 ? row.previousElementSibling : row.nextElementSibling;
    next?.querySelector<HTMLElement>("button")?.focus();
  };
  return (
    <div className="picker-scroll scrolls" ref={scroller}>
      <ul
        role="list"
        style={{ blockSize: rows.getTotalSize() }}
        onKeyDown={walk}
      >
        {rows.getVirtualItems().map(({ index, start, key }) => {
          const view = found[index];
          return view ? (
            <PickerRow
              key={key}
              view={view}
              startPx={start}
              count={counts.get(view.id) ?? 0}
              onAdd={onAdd}
            />
          ) : null;
        })}
      </ul>
    </div>
  );
}

interface RowProps {
  readonly view: AssetView;
  readonly startPx: number;
  readonly count: number;
  readonly onAdd: (view: AssetView) => void;
}

function PickerRow({ view, startPx, count, onAdd }: RowProps): ReactNode {
  const { setNodeRef, listeners, isDragging } = useDraggable({
    id: dragId("library", view.id),
    // There the list is covered: a finger scrolls, and the button adds.
    disabled: isNarrow(),
  });
  // By keyboard the button adds; dragging is for the pointer.
  const onPointerDown = listeners?.["onPointerDown"] as
    | React.PointerEventHandler
    | undefined;
  return (
    <li
      ref={setNodeRef}
      className="picker-row"
      data-dragging={isDragging}
      style={{ insetBlockStart: startPx }}
      onPointerDown={onPointerDown}
    >
      <Thumbnail view={view} />
      <span className="lines">
        <span className="one-line item-name" dir="auto" title={view.name}>
          {view.name}
        </span>
        {count > 0 ? (
          <span className="quiet one-line item-state">
            {t("playlists.picker.uses", { count })}
          </span>
        ) : null}
      </span>
      <ActionIcon
        aria-label={t("playlists.picker.add", { name: view.name })}
        onClick={() => {
          onAdd(view);
        }}
      >
        <IconPlus size={18} aria-hidden />
      </ActionIcon>
    </li>
  );
}
