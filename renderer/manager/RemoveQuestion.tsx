// The named question before an asset is removed, in the row it is about.

import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { AssetView } from "../../server/contract/ipc.ts";
import { texts } from "./texts/texts.ts";

interface Props {
  readonly asset: AssetView;
  readonly isShowing: boolean;
  readonly onKeep: () => void;
  readonly onRemove: () => Promise<void>;
}

export function RemoveQuestion(props: Props): ReactNode {
  const { asset, isShowing, onKeep, onRemove } = props;
  const [isRemoving, setIsRemoving] = useState(false);
  const consequences = [
    ...(asset.fileUrl === null ? [] : [texts.removeFile]),
    ...(isShowing ? [texts.removeShowing] : []),
  ];
  return (
    <div
      className="remove-question"
      role="group"
      aria-label={texts.removeQuestion(asset.name)}
      onKeyDown={(event) => {
        if (event.key === "Escape") onKeep();
      }}
    >
      <div className="remove-words">
        <p className="remove-name">{texts.removeQuestion(asset.name)}</p>
        {consequences.length > 0 ? (
          <p className="quiet">{consequences.join(" ")}</p>
        ) : null}
      </div>
      {/* The harmless answer has the focus: Enter twice removes nothing. */}
      <Button variant="default" autoFocus onClick={onKeep}>
        {texts.keep}
      </Button>
      <Button
        className="remove-button"
        color="red"
        loading={isRemoving}
        onClick={() => {
          setIsRemoving(true);
          void onRemove();
        }}
      >
        {texts.remove}
      </Button>
    </div>
  );
}
