// One asset in the grid or the list: its picture, its name, and its state in words.

import { memo, type ReactNode } from "react";
import type { AssetView } from "../../../server/contract/ipc.ts";
import { AssetFacts } from "./AssetFacts.tsx";
import type { AssetState } from "./asset-state.ts";
import { AssetThumbnail } from "./AssetThumbnail.tsx";
import { StateBadge } from "./StateBadge.tsx";

interface Props {
  readonly asset: AssetView;
  readonly state: AssetState;
  /** What the state alone does not say; null where it says it all. */
  readonly reason: string | null;
  readonly moment: number;
  readonly isLine: boolean;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  readonly place: number;
  readonly all: number;
}

/** Plain elements: a screenful is drawn anew at every step of a scroll. */
export const AssetCard = memo(function AssetCard(props: Props): ReactNode {
  const { asset, state, moment, isLine, isSelected, isActive } = props;
  return (
    <div
      id={`asset-${asset.id}`}
      data-asset={asset.id}
      data-state={state}
      data-active={isActive}
      className={isLine ? "asset-line" : "asset-card"}
      role="option"
      aria-selected={isSelected}
      aria-posinset={props.place}
      aria-setsize={props.all}
      title={asset.problem ?? props.reason ?? asset.name}
    >
      <AssetThumbnail asset={asset} />
      <span className="asset-name">
        <bdi>{asset.name}</bdi>
      </span>
      <AssetFacts asset={asset} moment={moment} isShort={!isLine} />
      {isLine || state !== "active" ? <StateBadge state={state} /> : null}
    </div>
  );
});
