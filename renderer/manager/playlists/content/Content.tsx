// Content of a playlist: the film strip, the items in order, and the asset picker next to them.

import { Button, Flex, Stack } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { DndContext, DragOverlay } from "@dnd-kit/core";
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from "react";
import { flushSync } from "react-dom";
import type { PlaylistV2 } from "../../../../server/contract/v2/v2-playlists.ts";
import { AddFilesButton } from "../../uploads/AddFilesButton.tsx";
import { uploadedItems } from "../../uploads/uploaded-items.ts";
import { setUploadPlaylist } from "../../uploads/uploads.ts";
import { focusInstead } from "../../components/focus/focus.ts";
import { t } from "../../../locales/messages.ts";
import type { Library } from "../../lineup/schedule-inputs.ts";
import {
  inserted,
  makeItemId,
  moved,
  timed,
  withoutItems,
  type Items,
} from "../../playlist-actions/item-order.ts";
import { Thumbnail } from "../../assets/Thumbnail.tsx";
import { useMayChange } from "../../playlist-actions/PlaylistPermission.tsx";
import { usePlaylistActions } from "../../playlist-actions/use-playlists.ts";
import { AssetPicker } from "./AssetPicker.tsx";
import { entryOf, type Entry, type ItemActions } from "./playlist-item.ts";
import { FilmStrip } from "./FilmStrip.tsx";
import { ItemList } from "./ItemList.tsx";
import "../../components/layout/list-with-details.css";
import "./content.css";
import { useDragging } from "./use-dragging.ts";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";

interface Props {
  readonly library: Library;
  readonly playlist: PlaylistV2;
}

export function Content({ library, playlist }: Props): ReactNode {
  const entries = useEntries(library, playlist);
  const actions = useItemActions(playlist, entries);
  const dragging = useDragging(entries, library, actions);
  const { contextProps, dragged, carrying, carry } = dragging;
  const mayChange = useMayChange();
  const [isOpen, setAdding] = useState(entries.length === 0);
  const isAdding = isOpen && mayChange;
  const { append } = usePlaylistActions();
  useEffect(() => {
    if (!mayChange) return;
    const { playlist_id: id, name } = playlist;
    // Uploads take time: by then this page may be closed, and the playlist another one.
    setUploadPlaylist({
      ...{ id, name },
      take: (ids, signal) => append(id, uploadedItems(ids), signal),
    });
    return () => {
      setUploadPlaylist(null);
    };
  }, [playlist, append, mayChange]);
  // The pressed button disappears: the focus moves to what replaces it.
  const setEnabled = useCallback((isOn: boolean, place: string) => {
    flushSync(() => {
      setAdding(isOn);
    });
    focusInstead(document, place);
  }, []);
  const more = useMemo(
    () =>
      isAdding || !mayChange ? null : (
        <>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => {
              setEnabled(true, ".picker input");
            }}
          >
            {t("playlists.picker.show")}
          </Button>
          <AddFilesButton isQuiet />
        </>
      ),
    [isAdding, mayChange, setEnabled],
  );
  const counts = useMemo(() => {
    const many = new Map<string, number>();
    for (const { assetId } of entries)
      many.set(assetId, (many.get(assetId) ?? 0) + 1);
    return many;
  }, [entries]);
  return (
    <DndContext {...contextProps}>
      <Stack className="content" gap={0} h="100%" data-adding={isAdding}>
        {entries.length > 0 ? (
          <FilmStrip
            {...{ entries, actions }}
            isCarrying={carrying !== null && carrying !== "list"}
            onCarry={carry}
          />
        ) : null}
        <Flex flex={1} mih={0} pos="relative">
          <ItemList
            {...{ entries, actions, more }}
            isCovered={isAdding}
            isCarrying={carrying !== null && carrying !== "strip"}
            onCarry={carry}
          />
          {isAdding ? (
            <AssetPicker
              views={library.views}
              counts={counts}
              onAdd={(assetId) => {
                actions.add([assetId], entries.length);
              }}
              onDone={() => {
                setEnabled(false, ".items-more button");
              }}
            />
          ) : null}
        </Flex>
      </Stack>
      <DragOverlay dropAnimation={null}>
        {dragged ? (
          <Flex
            className="item-dragged"
            align="center"
            gap={12}
            maw={320}
            py={8}
            ps={8}
            pe={16}
            bd="1px solid var(--accent)"
            bdrs={8}
            bg="var(--panel)"
          >
            <Thumbnail view={dragged.view} />
            <span dir="auto">{dragged.name}</span>
          </Flex>
        ) : null}
      </DragOverlay>
    </DndContext>
  );
}

function useEntries(
  { viewsById, assets, screen }: Library,
  { items }: PlaylistV2,
): readonly Entry[] {
  const { streamSeconds } = screen.presentationDefaults;
  return useMemo(
    () =>
      items.map((item) =>
        entryOf(
          item,
          assets.get(item.asset_id),
          viewsById.get(item.asset_id),
          streamSeconds,
        ),
      ),
    [items, assets, viewsById, streamSeconds],
  );
}

/** Stable for as long as the page is open: a row rerenders only when its own item changed. */
function useItemActions(
  playlist: PlaylistV2,
  entries: readonly Entry[],
): ItemActions {
  const { change } = usePlaylistActions();
  const latest = useRef({ playlist, entries });
  useLayoutEffect(() => {
    latest.current = { playlist, entries };
  });
  return useMemo(() => {
    const put = async (
      nextItems: Items,
      sentence?: string,
      topic?: string,
    ): Promise<boolean> => {
      const { playlist: seen } = latest.current;
      if (nextItems === seen.items) return true;
      return change(seen, { items: nextItems }, sentence, topic);
    };
    const items = () => latest.current.playlist.items;
    const nameOf = (id: string | undefined) =>
      latest.current.entries.find((entry) => entry.id === id)?.name ?? "";
    return {
      move: (from, to) => {
        const { name, id } = latest.current.entries[from] ?? {};
        put(
          moved(items(), from, to),
          t("playlists.content.moved", { name: name ?? "" }),
          `moved ${id}`,
        ).catch(notifyInternalError);
      },
      add: (assetIds, place) => {
        put(inserted(items(), assetIds, place, makeItemId)).catch(
          notifyInternalError,
        );
      },
      time: (ids, seconds) => put(timed(items(), ids, seconds)),
      takeOut: (ids) => {
        const [first] = ids;
        put(
          withoutItems(items(), ids),
          ids.size === 1
            ? t("playlists.content.itemRemoved", { name: nameOf(first) })
            : t("playlists.content.itemsRemoved", { count: ids.size }),
        ).catch(notifyInternalError);
      },
    };
  }, [change]);
}
