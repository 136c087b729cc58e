// What a playlist shows: the film strip, the items in order, and the library beside them to take from.

import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { DndContext, DragOverlay } from "@dnd-kit/core";
import { useMemo, useState, type ReactNode } from "react";
import type { PlaylistV2 } from "../../../../server/contract/v2-playlists.ts";
import { texts } from "../../texts/texts.ts";
import { staySeconds, type Library } from "../library.ts";
import { inserted, moved, timed, withoutItems, type Items } from "../order.ts";
import { Thumb } from "../Thumb.tsx";
import { usePlaylistActions } from "../use-playlists.ts";
import { AssetPicker } from "./AssetPicker.tsx";
import type { Entry, ItemActions } from "./entry.ts";
import { FilmStrip } from "./FilmStrip.tsx";
import { ItemList } from "./ItemList.tsx";
import "./content.css";
import { useDragging } from "./use-dragging.ts";

interface Props {
  readonly library: Library;
  readonly playlist: PlaylistV2;
}

export function Content({ library, playlist }: Props): ReactNode {
  const entries = useEntries(library, playlist);
  const actions = useItemActions(playlist, entries);
  const { contextProps, dragged } = useDragging(entries, library, actions);
  const [isAdding, setAdding] = useState(entries.length === 0);
  const counts = useMemo(() => {
    const many = new Map<string, number>();
    for (const { assetId } of entries)
      many.set(assetId, (many.get(assetId) ?? 0) + 1);
    return many;
  }, [entries]);
  return (
    <DndContext {...contextProps}>
      <div className="content" data-adding={isAdding}>
        {entries.length > 0 ? (
          <FilmStrip entries={entries} actions={actions} />
        ) : null}
        <div className="content-columns">
          <ItemList
            entries={entries}
            actions={actions}
            more={
              isAdding ? null : (
                <Button
                  variant="default"
                  leftSection={<IconPlus size={16} aria-hidden />}
                  onClick={() => {
                    setAdding(true);
                  }}
                >
                  {texts.playlists.pickerShow}
                </Button>
              )
            }
          />
          {isAdding ? (
            <AssetPicker
              views={library.views}
              counts={counts}
              onAdd={(assetId) => {
                actions.add(assetId, entries.length);
              }}
              onDone={() => {
                setAdding(false);
              }}
            />
          ) : null}
        </div>
      </div>
      <DragOverlay dropAnimation={null}>
        {dragged ? (
          <div className="item-dragged">
            <Thumb view={dragged.view} />
            <span dir="auto">{dragged.name}</span>
          </div>
        ) : null}
      </DragOverlay>
    </DndContext>
  );
}

function useEntries(
  { views, assets, screen }: Library,
  { items }: PlaylistV2,
): readonly Entry[] {
  const byId = useMemo(
    () => new Map(views.map((view) => [view.id, view])),
    [views],
  );
  const { streamSeconds } = screen.manner;
  return useMemo(
    () =>
      items.map(({ item_id, asset_id, duration }) => {
        const asset = assets.get(asset_id);
        return {
          ...{ id: item_id, assetId: asset_id, duration },
          view: byId.get(asset_id),
          name: asset?.name ?? texts.playlists.missing,
          seconds: asset ? staySeconds(asset, duration, streamSeconds) : null,
        };
      }),
    [items, assets, byId, streamSeconds],
  );
}

function useItemActions(
  playlist: PlaylistV2,
  entries: readonly Entry[],
): ItemActions {
  const { change } = usePlaylistActions();
  return useMemo(() => {
    const { items } = playlist;
    const put = (wished: Items, sentence?: string) => {
      if (wished !== items) void change(playlist, { items: wished }, sentence);
    };
    const nameOf = (id: string | undefined) =>
      entries.find((entry) => entry.id === id)?.name ?? "";
    return {
      move: (from, to) => {
        const name = entries[from]?.name ?? "";
        put(moved(items, from, to), texts.playlists.moved(name));
      },
      add: (assetId, place) => {
        put(inserted(items, [assetId], place, makeId));
      },
      time: (ids, seconds) => {
        put(timed(items, ids, seconds));
      },
      takeOut: (ids) => {
        const [first] = ids;
        put(
          withoutItems(items, ids),
          ids.size === 1
            ? texts.playlists.itemRemoved(nameOf(first))
            : texts.playlists.itemsRemoved(ids.size),
        );
      },
    };
  }, [playlist, entries, change]);
}

/** Until the player has given it one. */
function makeId(): string {
  return `new-${crypto.randomUUID()}`;
}
