// Everything this player has, or why that cannot be said, or how to begin.

import { IconStack2 } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { AddBar, AddFilesButton } from "./AddBar.tsx";
import { AssetList } from "./AssetList.tsx";
import { reasonOf, useAssets } from "./api.ts";
import { Trouble } from "./parts/Trouble.tsx";
import { texts } from "./texts/texts.ts";
import "./assets-panel.css";

export function AssetsPanel(): ReactNode {
  const { data: assets, isError, error, isFetching, refetch } = useAssets();
  const isEmpty = assets?.length === 0;
  const active = assets?.filter((asset) => asset.isActive).length ?? 0;

  return (
    <main className="assets-panel" aria-labelledby="assets-heading">
      <header className="assets-head">
        <div className="assets-title">
          <h2 id="assets-heading" tabIndex={-1}>
            {texts.assets}
          </h2>
          <p className="quiet">
            {assets && !isEmpty
              ? texts.assetsCounted(assets.length, active)
              : null}
          </p>
        </div>
        <AddBar withFiles={!isEmpty} />
      </header>
      {isError ? (
        <Trouble
          sentence={texts.assetsFailed}
          reason={reasonOf(error)}
          isTrying={isFetching}
          onTryAgain={() => void refetch()}
        />
      ) : null}
      {assets === undefined ? (
        isError ? null : (
          <p className="quiet assets-wait after-a-moment">{texts.asking}</p>
        )
      ) : isEmpty ? (
        <EmptyLibrary />
      ) : (
        <AssetList assets={assets} />
      )}
    </main>
  );
}

function EmptyLibrary(): ReactNode {
  return (
    <div className="empty-library">
      <IconStack2 size={48} stroke={1.25} aria-hidden />
      <h3>{texts.emptyTitle}</h3>
      <p className="quiet">{texts.emptyText}</p>
      <AddFilesButton />
    </div>
  );
}
