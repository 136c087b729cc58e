// One asset as a row: its picture, its name, its state in words, and what can be done with it.

import { IconCast, IconTrash } from "@tabler/icons-react";
import { memo, useRef, useState, type ReactNode } from "react";
import type { AssetView } from "../../server/contract/ipc.ts";
import { AssetFacts } from "./AssetFacts.tsx";
import type { AssetState } from "./asset-state.ts";
import { AssetThumbnail } from "./AssetThumbnail.tsx";
import { RemoveQuestion } from "./RemoveQuestion.tsx";
import { StateBadge } from "./StateBadge.tsx";
import { texts } from "./texts/texts.ts";
import "./asset-row.css";

export interface RowActions {
  readonly show: (asset: AssetView) => void;
  readonly setEnabled: (asset: AssetView, isEnabled: boolean) => void;
  /** Answers whether it is gone. */
  readonly remove: (asset: AssetView) => Promise<boolean>;
}

interface Props {
  readonly asset: AssetView;
  readonly state: AssetState;
  readonly moment: number;
  readonly actions: RowActions;
}

export const AssetRow = memo(function AssetRow(props: Props): ReactNode {
  const { asset, state, moment, actions } = props;
  const [isAsking, setIsAsking] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const canShow = state === "active" || state === "on-glass";

  return (
    <li className="asset-row" data-state={state} ref={row}>
      <AssetThumbnail asset={asset} />
      <div className="asset-words">
        <p className="asset-name" title={asset.name}>
          <bdi>{asset.name}</bdi>
        </p>
        <AssetFacts asset={asset} moment={moment} />
      </div>
      <StateBadge state={state} />
      {asset.problem === null ? null : (
        <p className="asset-problem" dir="auto">
          {asset.problem}
        </p>
      )}
      {isAsking ? (
        <RemoveQuestion
          asset={asset}
          isShowing={state === "on-glass"}
          onKeep={() => {
            setIsAsking(false);
            focusSoon(row.current);
          }}
          onRemove={async () => {
            const neighbour = neighbourOf(row.current);
            if (await actions.remove(asset)) focusSoon(neighbour);
            else setIsAsking(false);
          }}
        />
      ) : (
        // Plain elements: a thousand rows of library controls take seconds to mount on a small machine.
        <div className="asset-actions">
          <button
            type="button"
            className="row-button"
            data-control="show"
            title={canShow ? texts.showNow : texts.showNowNot}
            aria-label={texts.showNowNamed(asset.name)}
            disabled={!canShow}
            onClick={() => {
              actions.show(asset);
            }}
          >
            <IconCast size={20} aria-hidden />
          </button>
          <input
            type="checkbox"
            role="switch"
            data-control="enable"
            className="row-switch"
            aria-label={texts.enable(asset.name)}
            checked={asset.isEnabled}
            onChange={(event) => {
              actions.setEnabled(asset, event.currentTarget.checked);
            }}
          />
          <button
            type="button"
            className="row-button"
            data-control="remove"
            title={texts.remove}
            aria-label={texts.removeNamed(asset.name)}
            onClick={() => {
              setIsAsking(true);
            }}
          >
            <IconTrash size={20} aria-hidden />
          </button>
        </div>
      )}
    </li>
  );
});

/** Where the eye goes when a row is gone: the next one, else the one before. */
function neighbourOf(row: Element | null): Element | null {
  return row?.nextElementSibling ?? row?.previousElementSibling ?? null;
}

/** After React has drawn: the remove button of this row, or the list's heading when no row is left. */
function focusSoon(row: Element | null): void {
  requestAnimationFrame(() => {
    const place =
      row?.querySelector<HTMLElement>('[data-control="remove"]') ??
      document.getElementById("assets-heading");
    place?.focus();
  });
}
