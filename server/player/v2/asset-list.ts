// The list of all assets as the JSON it is answered with, kept until a change or a date makes it another.

import { steadyUntil } from "../../core/asset.ts";
import type { Library } from "../library.ts";
import type { SettingsStore } from "../settings.ts";
import { assetMannerOf, assetToV2 } from "./present.ts";

/** The list as of a moment, as bytes: a screen's clients ask far more often than anything changes. */
export function createAssetList(
  library: Library,
  settings: SettingsStore,
): (moment: number) => Buffer {
  let kept: { json: Buffer; from: number; until: number } | null = null;
  const forget = (): void => {
    kept = null;
  };
  library.onChanged(forget);
  settings.onChanged(forget);

  return (moment) => {
    if (!kept || moment < kept.from || moment >= kept.until) {
      const assets = library.assets();
      const manner = assetMannerOf(settings.all());
      const shown = assets.map((asset) => assetToV2(asset, moment, manner));
      const json = Buffer.from(JSON.stringify(shown));
      const until = steadyUntil(assets, moment, manner.zone);
      kept = { json, from: moment, until };
    }
    return kept.json;
  };
}
