// What is done to assets of the library, each with its way back.

import type { AssetV2 } from "../../../server/contract/v2.ts";
import { operate } from "../operations.ts";
import { sayFailed } from "../parts/outcome.ts";
import { texts } from "../texts/texts.ts";
import { sayUndoable, rememberUndo } from "../undo.ts";

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Out of sight and off the glass at once, with everything that belongs to them; answers whether they went. */
export async function throwAway(assets: readonly Named[]): Promise<boolean> {
  const [only] = assets;
  if (!only) return false;
  const wish = { body: { asset_ids: assets.map(({ id }) => id) } };
  try {
    await operate("putInBin", wish);
  } catch (error) {
    sayFailed(texts.library.notRemoved, error);
    return false;
  }
  sayUndoable(
    assets.length === 1
      ? texts.library.removed(only.name)
      : texts.library.removedSome(assets.length),
    () => operate("restoreFromBin", wish),
  );
  return true;
}

/** As they are now, so that they can be put back. */
export type Before = ReadonlyMap<string, AssetV2>;

export type Change = Readonly<Record<string, unknown>>;

/** The same for each, or what it comes to for one that is so now. */
export type Wish = Change | ((asset: AssetV2) => Change);

export function changeOf(wish: Wish, asset: AssetV2): Change {
  return typeof wish === "function" ? wish(asset) : wish;
}

/** Few enough at once that the player goes on answering others. */
const atOnce = 8;

/**
 * The same change to each, told how far it is. Throws the first refusal when none was changed before it; else what was
 * changed stays, and can be undone.
 */
export async function changeAssets(
  before: Before,
  wish: Wish,
  sentence: string,
  onProgress: (done: number) => void = () => undefined,
): Promise<void> {
  const changed: AssetV2[] = [];
  const waiting = [...before.values()];
  try {
    while (waiting.length > 0) {
      const some = waiting.splice(0, atOnce);
      await Promise.all(
        some.map((asset) =>
          operate("changeAsset", {
            parameters: { id: asset.asset_id },
            body: changeOf(wish, asset),
          }),
        ),
      );
      changed.push(...some);
      onProgress(changed.length);
    }
  } finally {
    if (changed.length > 0)
      rememberUndo(sentence, () =>
        putBack(changed, (asset) => Object.keys(changeOf(wish, asset))),
      );
  }
}

async function putBack(
  assets: readonly AssetV2[],
  fieldsOf: (asset: AssetV2) => readonly string[],
): Promise<void> {
  const waiting = [...assets];
  while (waiting.length > 0)
    await Promise.all(
      waiting.splice(0, atOnce).map((asset) => {
        const fields = fieldsOf(asset);
        return operate("changeAsset", {
          parameters: { id: asset.asset_id },
          body: Object.fromEntries(
            Object.entries(asset).filter(([name]) => fields.includes(name)),
          ),
        });
      }),
    );
}

/** In this order of play; the way back is the order before. */
export async function orderAssets(
  ids: readonly string[],
  idsBefore: readonly string[],
): Promise<void> {
  try {
    await operate("orderAssets", { body: { ids: ids.join() } });
    rememberUndo(texts.library.reordered, () =>
      operate("orderAssets", { body: { ids: idsBefore.join() } }),
    );
  } catch (error) {
    sayFailed(texts.library.notReordered, error);
  }
}
