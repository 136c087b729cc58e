// The assets in play order; up and down keys walk from row to row.

import {
  useCallback,
  useDeferredValue,
  useMemo,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import type { AssetView } from "../../server/contract/ipc.ts";
import {
  reasonOf,
  useNow,
  useRemoveAsset,
  useSetEnabled,
  useShowAsset,
} from "./api.ts";
import { assetStateAt, nextEdgeAfter } from "./asset-state.ts";
import { AssetRow, type RowActions } from "./AssetRow.tsx";
import { useMomentOfEdges } from "./moment.ts";
import { sayDone, sayFailed } from "./parts/outcome.ts";
import { texts } from "./texts/texts.ts";

/** More than the tallest window shows. */
const firstRows = 30;

interface Props {
  readonly assets: readonly AssetView[];
}

export function AssetList({ assets }: Props): ReactNode {
  const showingId = useNow().data?.showing?.assetId ?? null;
  // The first screenful at once; the rest follows without holding up a click.
  const listed = useDeferredValue(assets, assets.slice(0, firstRows));
  const moment = useMomentOfEdges(
    useCallback((after: number) => nextEdgeAfter(assets, after), [assets]),
  );
  const actions = useRowActions();

  return (
    <ol
      className="asset-list"
      role="list"
      aria-label={texts.assets}
      onKeyDown={walk}
    >
      {listed.map((asset) => (
        <AssetRow
          key={asset.id}
          asset={asset}
          state={assetStateAt(asset, asset.id === showingId, moment)}
          moment={moment}
          actions={actions}
        />
      ))}
    </ol>
  );
}

/** Keeps its identity, so that a row is drawn again only when its own asset changed. */
function useRowActions(): RowActions {
  const { mutate: show } = useShowAsset();
  const { mutate: setEnabled } = useSetEnabled();
  const { mutateAsync: remove } = useRemoveAsset();
  return useMemo(
    () => ({
      show: (asset) => {
        show(
          { assetId: asset.id },
          {
            onError: (error) => {
              sayFailed(texts.showFailed(asset.name), error);
            },
          },
        );
      },
      setEnabled: (asset, isEnabled) => {
        setEnabled(
          { assetId: asset.id, isEnabled },
          {
            onError: (error) => {
              sayFailed(texts.changeFailed(asset.name), error);
            },
          },
        );
      },
      remove: async (asset) => {
        try {
          await remove({ assetId: asset.id });
          sayDone(texts.removed(asset.name));
          return true;
        } catch (error) {
          sayFailed(texts.removeFailed(asset.name), reasonOf(error));
          return false;
        }
      },
    }),
    [show, setEnabled, remove],
  );
}

/** Up and down move to the same control of the neighbouring row, or to its first that can be used. */
function walk(event: KeyboardEvent<HTMLOListElement>): void {
  if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
  const from = event.target as HTMLElement;
  const row = from.closest("li");
  const neighbour =
    event.key === "ArrowUp"
      ? row?.previousElementSibling
      : row?.nextElementSibling;
  if (!neighbour) return;
  event.preventDefault();
  const control =
    from.closest<HTMLElement>("[data-control]")?.dataset["control"];
  const same = neighbour.querySelector<HTMLElement>(
    `[data-control="${control ?? ""}"]:enabled`,
  );
  (
    same ?? neighbour.querySelector<HTMLElement>("[data-control]:enabled")
  )?.focus();
}
