// The library page: all assets of this player, to search, select and edit.

import { Text } from "@mantine/core";
import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from "react";
import { flushSync } from "react-dom";
import type { AssetView } from "../api/asset-view.ts";
import { useAssets, useNow } from "../api/api.ts";
import { Inspector } from "../inspector/Inspector.tsx";
import { draftsOf } from "../inspector/use-details.ts";
import { AddFilesButton } from "../uploads/AddFilesButton.tsx";
import { setUploadFolder } from "../uploads/uploads.ts";
import { useAnswer } from "../api/operations.ts";
import { type PageProps, goTo, stayAt, staying } from "../place/navigation.ts";
import { focusInstead, pageTitle } from "../components/focus/focus.ts";
import { ListWithDetails } from "../components/layout/ListWithDetails.tsx";
import { PageFrame } from "../components/layout/PageFrame.tsx";
import { QueryError } from "../components/outcomes/QueryError.tsx";
import { useHasDrafts } from "../components/drafts/use-draft.ts";
import {
  notifyOnce,
  notifyInternalError,
} from "../components/outcomes/outcome.ts";
import { can } from "../place/abilities.ts";
import { isNarrow } from "../place/narrow-window.ts";
import { useMayRequest } from "../place/permissions.ts";
import { t } from "../../locales/messages.ts";
import { AddPageForm } from "../uploads/AddPageForm.tsx";
import { AssetList, type View } from "./AssetList.tsx";
import {
  deleteForever,
  orderAssets,
  throwAway,
} from "../assets/asset-actions.ts";
import { DeletionQuestion } from "./DeletionQuestion.tsx";
import { Trash } from "./Trash.tsx";
import { NoMatches } from "../components/layout/NoMatches.tsx";
import { EmptyLibrary } from "./EmptyLibrary.tsx";
import { FilterBar } from "./FilterBar.tsx";
import {
  createFinder,
  foldersOf,
  prepareSearch,
  type Sorting,
} from "../assets/search.ts";
import { Folders, type Part } from "./Folders.tsx";
import {
  shifted,
  keepListed,
  nothingSelected,
  select,
  type Selection,
} from "../components/card-list/selection.ts";
import "../components/card-list/card-list.css";
import "./asset-list.css";

const viewKept = "vitrine.library.view";
const none: readonly AssetView[] = [];

function countText(shownCount: number, count: number): string {
  return shownCount === count
    ? t("library.assetCount", { count })
    : t("library.matchCount", { found: shownCount, count });
}

export function LibraryPage({ at }: PageProps): ReactNode {
  const answer = useAssets();
  const assets = answer.data ?? none;
  const showingAssetId = useNow().data?.showing?.asset_id ?? null;
  const trashedCount = useAnswer("listTrash", {}).data?.length ?? 0;
  const part: Part =
    at === "problems" || (at === "trash" && can("player")) ? at : "everything";
  const mayRequest = useMayRequest();
  const mayAdd = mayRequest("POST", "/assets");
  const mayChange = mayRequest("PATCH", "/assets/:id");

  const [words, setWords] = useState("");
  const [kinds, setKinds] = useState<ReadonlySet<AssetView["kind"]>>(new Set());
  const [folder, setFolder] = useState<string | null>(null);
  const [sorting, setSorting] = useState<Sorting>(
    can("player") ? "order" : "latest",
  );
  const [view, setView] = useState<View>(() =>
    localStorage.getItem(viewKept) === "list" ? "list" : "grid",
  );
  const [chosen, setChosen] = useState<Selection>(() =>
    part === "everything" && at !== ""
      ? { ids: new Set([at]), active: at, anchor: at }
      : nothingSelected,
  );
  const [find] = useState(createFinder);
  const matches = useMemo(
    () =>
      find(assets, {
        ...{ words, kinds, folder, sorting },
        onlyProblems: part === "problems",
      }),
    [find, assets, words, kinds, folder, sorting, part],
  );
  const order = useMemo(() => matches.map(({ id }) => id), [matches]);
  const selection = useMemo(
    () => (answer.data ? keepListed(chosen, order) : chosen),
    [chosen, order, answer.data],
  );
  const selected = useMemo(
    () =>
      selection.ids.size === 0
        ? none
        : matches.filter(({ id }) => selection.ids.has(id)),
    [matches, selection],
  );
  const deleted = useDeletedWhileTyping(selected, assets, chosen);
  const open = deleted ?? selected;
  useEffect(() => prepareSearch(assets), [assets]);
  const folders = useMemo(() => foldersOf(assets), [assets]);
  const inNone = useMemo(
    () => assets.filter((asset) => asset.folder === "").length,
    [assets],
  );
  const counts = useMemo(() => countKinds(assets), [assets]);
  const problems = useMemo(
    () => assets.filter(({ problem }) => problem !== null).length,
    [assets],
  );
  /** Words that come from elsewhere remount the field. */
  const [epoch, setEpoch] = useState(0);
  const searchFor = (next: string): void => {
    setWords(next);
    setEpoch(epoch + 1);
  };
  const details = useRef<HTMLDivElement>(null);

  useEffect(() => {
    setUploadFolder(folder ?? "");
    return () => {
      setUploadFolder("");
    };
  }, [folder]);

  // An address that names an asset selects it, wherever it came from.
  const [lastAt, setLastAt] = useState(at);
  if (at !== lastAt) {
    setLastAt(at);
    if (part === "everything" && at !== "" && !chosen.ids.has(at))
      setChosen(select(chosen, order, at, "only"));
  }

  const onSelect = (next: Selection): void => {
    setChosen(next);
    const [only] = next.ids;
    if (part === "everything")
      stayAt("library", next.ids.size === 1 ? only : "");
  };
  const goToPart = useCallback((next: Part): void => {
    setChosen(nothingSelected);
    goTo("library", next === "everything" ? "" : next);
  }, []);
  const goToFolder = useCallback(
    (next: string | null): void => {
      setFolder(next);
      if (part !== "everything") goToPart("everything");
    },
    [part, goToPart],
  );
  const choices = useMemo(
    () => ({
      ...{ sorting, view, folders, folder, inNone, counts, chosen: kinds },
      ...{ onChosen: setKinds, onSorting: setSorting, onFolder: setFolder },
      onView: (next: View) => {
        localStorage.setItem(viewKept, next);
        setView(next);
      },
    }),
    [sorting, view, folders, folder, inNone, counts, kinds],
  );
  /** Asked about this selection. */
  const [deleting, setDeleting] = useState<Selection | null>(null);
  const remove = async (
    throwThem: (assets: readonly AssetView[]) => Promise<boolean>,
  ): Promise<void> => {
    const last = order.findLastIndex((id) => selection.ids.has(id));
    const next = order.slice(last + 1)[0] ?? null;
    const isHere = staying();
    const isGone = await throwThem(selected);
    if (!isGone || !isHere()) return;
    // The details close, and with them the button that was pressed; what was selected since stays.
    flushSync(() => {
      setChosen((latest) =>
        latest === chosen ? { ...nothingSelected, active: next } : latest,
      );
      if (part === "everything") stayAt("library");
    });
    focusInstead(document, ".asset-list");
  };
  const requestRemoval = (): void => {
    if (!mayChange || selected.length === 0) return;
    if (can("player")) remove(throwAway).catch(notifyInternalError);
    else setDeleting(chosen);
  };
  const closeDetails = (): void => {
    // In a narrow window the details cover the list, which takes no focus until they are gone.
    flushSync(() => {
      onSelect({ ...selection, ids: new Set() });
    });
    document.querySelector<HTMLElement>(".asset-list")?.focus();
  };
  const isOpen = open.length > 0;
  useEffect(() => {
    if (isOpen && isNarrow())
      details.current?.querySelector<HTMLElement>("button")?.focus();
  }, [isOpen]);
  const isNothingListed = answer.data !== undefined && matches.length === 0;
  useEffect(() => {
    if (isNothingListed) focusInstead(document, pageTitle);
  }, [isNothingListed]);
  const shift = (by: -1 | 1): void => {
    if (!can("player")) return;
    if (sorting !== "order") {
      // A key held down shows the notice once.
      notifyOnce("library order", t("library.sortToMove"));
      return;
    }
    const all = assets.map(({ id }) => id);
    const next = shifted(all, order, selection.ids, by);
    if (next) orderAssets(next, all).catch(notifyInternalError);
  };

  return (
    <PageFrame
      title={t("library.title")}
      about={
        part === "trash"
          ? t("library.trashCount", { count: trashedCount })
          : answer.data && assets.length > 0
            ? countText(matches.length, assets.length)
            : undefined
      }
      actions={
        mayAdd ? (
          <>
            <AddPageForm />
            {assets.length === 0 ? null : <AddFilesButton />}
          </>
        ) : undefined
      }
      isFilled
    >
      <ListWithDetails
        className="library"
        side={
          <Folders
            {...{ folders, folder, part, problems, trashedCount, inNone }}
            all={assets.length}
            onFolder={goToFolder}
            onPart={goToPart}
          />
        }
        head={
          part === "trash" || assets.length === 0 ? null : (
            <FilterBar
              {...{ words, epoch, choices }}
              areKindsShort={open.length > 0}
              onWords={setWords}
              onDown={() => {
                const [first] = order;
                if (first === undefined) return;
                onSelect(select(selection, order, first, "only"));
                document.querySelector<HTMLElement>(".asset-list")?.focus();
              }}
            />
          )
        }
        detailsLabel={t("inspector.title")}
        ref={details}
        detailsWidth={380}
        onDetailsKey={(event) => {
          if (event.key !== "Escape" || event.defaultPrevented) return;
          // It closes an open list of choices first.
          if (
            event.target instanceof Element &&
            event.target.matches('[aria-expanded="true"]')
          )
            return;
          if (isNarrow()) closeDetails();
          else document.querySelector<HTMLElement>(".asset-list")?.focus();
        }}
        details={
          open.length === 0 ? null : (
            <Inspector
              assets={open}
              folders={folders}
              isGone={deleted !== null}
              mayChange={mayChange}
              onRemove={requestRemoval}
              onClose={closeDetails}
              question={
                deleting === chosen ? (
                  <DeletionQuestion
                    assets={selected}
                    onNo={() => {
                      setDeleting(null);
                    }}
                    onYes={() => remove(deleteForever)}
                  />
                ) : null
              }
            />
          )
        }
      >
        {part === "trash" ? (
          <Trash />
        ) : answer.isError ? (
          <QueryError
            sentence={t(
              can("player") ? "manager.noResponse" : "service.noResponse",
            )}
            query={answer}
          />
        ) : answer.data === undefined ? (
          <Text className="after-a-moment" c="dimmed" p={24}>
            {t("manager.loading")}
          </Text>
        ) : assets.length === 0 ? (
          <EmptyLibrary mayAdd={mayAdd} />
        ) : matches.length === 0 ? (
          <NoMatches
            title={t("library.noMatches")}
            sentence={t("library.noMatchesText")}
            showAll={t("library.showAll")}
            onShowAll={() => {
              searchFor("");
              setKinds(new Set());
              setFolder(null);
              if (part !== "everything") goToPart("everything");
            }}
          />
        ) : (
          <AssetList
            {...{ view, showingAssetId, selection, onSelect }}
            assets={matches}
            onOpen={() => {
              details.current
                ?.querySelector<HTMLElement>("input, button")
                ?.focus();
            }}
            onDelete={requestRemoval}
            onShift={shift}
            onType={(letter) => {
              searchFor(words + letter);
            }}
          />
        )}
      </ListWithDetails>
    </PageFrame>
  );
}

/** The asset whose details were open, deleted elsewhere while something was typed in them. */
function useDeletedWhileTyping(
  selected: readonly AssetView[],
  assets: readonly AssetView[],
  chosen: Selection,
): readonly AssetView[] | null {
  const [last, setLast] = useState(selected);
  if (selected.length > 0 && selected !== last) setLast(selected);
  const [only] = last;
  const hasDrafts = useHasDrafts(only ? draftsOf([only.id]) : null);
  if (!only || last.length > 1 || selected.length > 0 || !hasDrafts)
    return null;
  const isListed = assets.some(({ id }) => id === only.id);
  return chosen.ids.has(only.id) && !isListed ? last : null;
}

function countKinds(
  assets: readonly AssetView[],
): ReadonlyMap<AssetView["kind"], number> {
  const counts = new Map<AssetView["kind"], number>();
  for (const { kind } of assets) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}
