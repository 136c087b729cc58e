// The library as a grid or a list: virtualised, with the keyboard navigation of a file manager.

import {
  memo,
  useCallback,
  useEffect,
  useMemo,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import type { AssetView } from "../api/asset-view.ts";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import { groupNames } from "../../../server/contract/v2/v2-settings.ts";
import { parsePredicate } from "../../../server/core/predicate/predicate.ts";
import { wallClockOf } from "../../../server/core/wall-clock.ts";
import { useScreensZone } from "../api/api.ts";
import { useAnswer } from "../api/operations.ts";
import { can } from "../place/abilities.ts";
import { isForScreen } from "../lineup/schedule-inputs.ts";
import { hoursText } from "../lineup/reasons.ts";
import { t } from "../../locales/messages.ts";
import { AssetCard } from "./AssetCard.tsx";
import { ThumbnailsWait } from "../assets/AssetThumbnail.tsx";
import {
  assetStateAt,
  nextEdgeAfter,
  storedStateOf,
  type AssetState,
} from "../assets/asset-state.ts";
import { CardList } from "../components/card-list/CardList.tsx";
import { useMomentOfEdges } from "../components/use-moment.ts";
import type { Selection } from "../components/card-list/selection.ts";

export type View = "grid" | "list";

interface Props {
  readonly assets: readonly AssetView[];
  readonly view: View;
  readonly showingAssetId: string | null;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  /** Enter: moves to the details of the selection. */
  readonly onOpen: () => void;
  readonly onDelete: () => void;
  /** Alt and an arrow: earlier or later in play order. */
  readonly onShift: (by: -1 | 1) => void;
  /** A letter: typed into the search. */
  readonly onType: (letter: string) => void;
}

const sizes = {
  cardWidth: (available: number) => (available >= 1800 ? 300 : 184),
  wordsHeight: 50,
  lineHeight: 60,
};

/** Longer than the time between two keystrokes. */
const restMs = 200;

export function AssetList(props: Props): ReactNode {
  const { assets, view, showingAssetId, selection, onSelect } = props;
  const order = useMemo(() => assets.map(({ id }) => id), [assets]);
  const isAtRest = useRest(assets);
  const moment = useMomentOfEdges(
    useCallback((after: number) => nextEdgeAfter(assets, after), [assets]),
  );
  const playlists = useAnswer(
    ...(["listPlaylists", {}, { isEnabled: can("player") }] as const),
  ).data;
  const zone = useScreensZone();
  const groups = useAnswer("readSettings", {}).data?.["groups"];
  const listed = useMemo(
    () => listedAt(playlists ?? [], moment, zone, groups),
    [playlists, moment, zone, groups],
  );

  return (
    <ThumbnailsWait value={!isAtRest}>
      <CardList
        kind="asset"
        label={t("library.title")}
        {...{ view, order, selection, onSelect, onOpen: props.onOpen }}
        sizes={{ ...sizes, isLines: view === "list" }}
        overscan={3}
        paddingStart={8}
        isTyping={!isAtRest}
        onKey={(event) => handleKey(event, props)}
      >
        {(index, columns, isStill) => (
          <RowCards
            {...{ isStill, assets, index, columns, view, showingAssetId }}
            {...{ selection, listed, moment, zone }}
          />
        )}
      </CardList>
    </ThumbnailsWait>
  );
}

interface RowProps {
  /** Out of view while the list changes with each keystroke. */
  readonly isStill: boolean;
  /** All assets in the list; the row contains some of them. */
  readonly assets: readonly AssetView[];
  readonly index: number;
  readonly columns: number;
  readonly view: View;
  readonly showingAssetId: string | null;
  readonly selection: Selection;
  readonly listed: ReadonlyMap<string, "not-due" | "due">;
  readonly moment: number;
  readonly zone: string;
}

/**
 * The cards of a row. Those of a still row stay as they are: they are updated once when typing pauses, instead of being removed and
 * recreated.
 */
const RowCards = memo(
  function RowCards(props: RowProps): ReactNode {
    const { assets, index, columns, selection, listed, moment, zone } = props;
    if (props.isStill) return null;
    const { ids, active } = selection;
    return assets
      .slice(index * columns, (index + 1) * columns)
      .map((asset, column) => {
        const isShowing = asset.id === props.showingAssetId;
        const where = listed.get(asset.id) ?? "in-none";
        const state = can("player")
          ? assetStateAt(...([asset, isShowing, moment, where, zone] as const))
          : storedStateOf(asset);
        return (
          <AssetCard
            // Keyed by position: the next results are written into the same cards.
            key={column}
            asset={asset}
            state={state}
            reason={reasonFor(asset, state, where)}
            moment={moment}
            isLine={props.view === "list"}
            isSelected={ids.has(asset.id)}
            isActive={asset.id === active}
            place={index * columns + column + 1}
            all={assets.length}
          />
        );
      });
  },
  (_before, { isStill }) => isStill,
);

function handleKey(event: KeyboardEvent<HTMLElement>, props: Props): boolean {
  if (event.altKey) {
    const isBack = event.key === "ArrowUp" || event.key === "ArrowLeft";
    const isForth = event.key === "ArrowDown" || event.key === "ArrowRight";
    if (isBack || isForth) props.onShift(isBack ? -1 : 1);
    return isBack || isForth;
  }
  const isCtrl = event.ctrlKey || event.metaKey;
  if (event.key === "Delete" || event.key === "Backspace") {
    props.onDelete();
    return true;
  }
  if (!isCtrl && event.key.length === 1 && event.key !== " ") {
    props.onType(event.key);
    return true;
  }
  return false;
}

/** Every asset that is in a playlist, and whether one of those is due. */
function listedAt(
  playlists: readonly PlaylistV2[],
  moment: number,
  zone: string,
  groups: unknown,
): ReadonlyMap<string, "not-due" | "due"> {
  const screenGroups = groupNames(typeof groups === "string" ? groups : "");
  const wall = wallClockOf(zone).wallTimeAt(moment);
  const listed = new Map<string, "not-due" | "due">();
  for (const {
    items,
    is_enabled,
    predicate,
    groups: targetGroups,
  } of playlists) {
    const parsed = parsePredicate(predicate);
    const isDue =
      is_enabled &&
      isForScreen(targetGroups, screenGroups) &&
      parsed.predicate?.holds(wall) === true;
    for (const { asset_id: id } of items)
      if (isDue) listed.set(id, "due");
      else if (!listed.has(id)) listed.set(id, "not-due");
  }
  return listed;
}

function reasonFor(
  { hours }: AssetView,
  state: AssetState,
  where: "in-none" | "not-due" | "due",
): string | null {
  if (state === "outside-hours") return hours && hoursText(hours);
  if (state !== "not-due") return null;
  return where === "in-none"
    ? t("library.inNoPlaylist")
    : t("library.noPlaylistDue");
}

/** False while the list changes with each keystroke: rows that are out of view, and thumbnails, can wait. */
function useRest(assets: readonly AssetView[]): boolean {
  const [rested, setRested] = useState(assets);
  useEffect(() => {
    const timer = setTimeout(() => {
      setRested(assets);
    }, restMs);
    return () => {
      clearTimeout(timer);
    };
  }, [assets]);
  return rested === assets;
}
