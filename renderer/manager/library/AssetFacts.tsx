// The quiet line under a name: kind, how long it stays, how large it is, and when.

import type { ReactNode } from "react";
import type { AssetView } from "../../../server/contract/ipc.ts";
import { KindIcon } from "../parts/KindIcon.tsx";
import { formats, texts } from "../texts/texts.ts";
import { datesWorthReading } from "./asset-state.ts";

interface Props {
  readonly asset: AssetView;
  readonly moment: number;
  readonly isShort?: boolean;
}

export function AssetFacts({ asset, moment, isShort }: Props): ReactNode {
  const facts = [
    lengthOf(asset),
    asset.sizeBytes === null ? null : formats.size(asset.sizeBytes),
    isShort ? null : datesOf(asset, moment),
  ].filter((fact) => fact !== null);
  return (
    <span className="asset-facts quiet">
      <KindIcon kind={asset.kind} size={16} />
      <span>{[texts.library.kinds[asset.kind], ...facts].join(" · ")}</span>
    </span>
  );
}

function lengthOf(asset: AssetView): string {
  const hasItsOwn = asset.kind === "video" || asset.kind === "audio";
  const isWhole = hasItsOwn && asset.durationSeconds === 0;
  if (!isWhole) return formats.length(asset.durationSeconds);
  return asset.lengthSeconds === null
    ? texts.library.wholeLength
    : formats.length(asset.lengthSeconds);
}

function datesOf(asset: AssetView, moment: number): string | null {
  const { from, until } = datesWorthReading(asset, moment);
  if (from !== null && until !== null && from < until)
    return formats.days(from, until);
  if (from !== null) return texts.library.from(formats.day(from));
  return until === null ? null : texts.library.until(formats.day(until));
}
