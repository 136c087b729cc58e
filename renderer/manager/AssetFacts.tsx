// The quiet line under a name: kind, how long it stays, how large it is, and when.

import type { ReactNode } from "react";
import type { AssetView } from "../../server/contract/ipc.ts";
import { datesWorthReading } from "./asset-state.ts";
import { KindIcon } from "./parts/KindIcon.tsx";
import { formats, texts } from "./texts/texts.ts";

interface Props {
  readonly asset: AssetView;
  readonly moment: number;
}

export function AssetFacts({ asset, moment }: Props): ReactNode {
  const facts = [
    lengthOf(asset),
    asset.sizeBytes === null ? null : formats.size(asset.sizeBytes),
    datesOf(asset, moment),
  ].filter((fact) => fact !== null);
  return (
    <p className="asset-facts quiet">
      <span className="asset-kind">
        <KindIcon kind={asset.kind} size={16} />
        {texts.kinds[asset.kind]}
      </span>
      {facts.map((fact) => (
        <span key={fact} className="asset-fact">
          {fact}
        </span>
      ))}
    </p>
  );
}

function lengthOf(asset: AssetView): string {
  const hasItsOwn = asset.kind === "video" || asset.kind === "audio";
  const isWhole = hasItsOwn && asset.durationSeconds === 0;
  return isWhole ? texts.wholeLength : formats.length(asset.durationSeconds);
}

function datesOf(asset: AssetView, moment: number): string | null {
  const { from, until } = datesWorthReading(asset, moment);
  if (from !== null && until !== null && from < until)
    return formats.days(from, until);
  if (from !== null) return texts.from(formats.day(from));
  return until === null ? null : texts.until(formats.day(until));
}
