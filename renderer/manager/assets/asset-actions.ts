// Actions on assets of the library, each with its undo.

import type { LocalChangesV2 } from "../../../server/contract/v2/v2-sync.ts";
import type { AssetV2 } from "../../../server/contract/v2/v2.ts";
import {
  canBeSetAgain,
  discardFields,
  fieldsToDiscard,
  discardAgain,
  unchangedFields,
} from "../local-changes/use-local-changes.ts";
import { noteChange, operate } from "../api/operations.ts";
import {
  notifySuccess,
  notifyFailure,
} from "../components/outcomes/outcome.ts";
import { t } from "../../locales/messages.ts";
import {
  isSame,
  mergeFields,
  mergeList,
  type ListOf,
} from "../undo/three-way-merge.ts";
import {
  ChangedElsewhere,
  defineUndo,
  noteFinal,
  rememberUndo,
  notifyUndoable,
} from "../undo/undo.ts";

interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * Moves the assets to the trash and off the screen immediately, with everything that belongs to them; returns whether that
 * succeeded.
 */
export async function throwAway(assets: readonly Named[]): Promise<boolean> {
  const [only] = assets;
  if (!only) return false;
  const input = { body: { asset_ids: assets.map(({ id }) => id) } };
  try {
    await operate("moveToTrash", input);
  } catch (error) {
    notifyFailure(t("library.moveToTrashFailed"), error);
    return false;
  }
  notifyUndoable(
    assets.length === 1
      ? t("library.movedToTrash", { name: only.name })
      : t("library.assetsMovedToTrash", { count: assets.length }),
    trashUndo(input.body.asset_ids),
  );
  return true;
}

/** Where there is no trash; what was deleted before one that fails stays deleted. Returns whether all are gone. */
export async function deleteForever(
  assets: readonly Named[],
): Promise<boolean> {
  const [only] = assets;
  if (!only) return false;
  try {
    for (const { id } of assets)
      await noteChange(operate("deleteAsset", { parameters: { id } }));
  } catch (error) {
    notifyFailure(t("library.deleteFailed"), error);
    return false;
  }
  const sentence =
    assets.length === 1
      ? t("library.deleted", { name: only.name })
      : t("library.assetsDeleted", { count: assets.length });
  noteFinal(sentence);
  notifySuccess(sentence);
  return true;
}

const trashUndo = defineUndo<readonly string[]>("assets in the trash", (ids) =>
  operate("restoreFromTrash", { body: { asset_ids: ids } }),
);

/** Assets and playlists that were restored from the trash. */
export const restoreUndo = defineUndo<{
  readonly asset_ids?: readonly string[];
  readonly playlist_ids?: readonly string[];
}>("restored from the trash", (body) => operate("moveToTrash", { body }));

/** They were added: undo moves them to the trash, from where they can be restored. */
export const addUndo = defineUndo<readonly string[]>("assets added", (ids) =>
  operate("moveToTrash", { body: { asset_ids: ids } }),
);

/** Their present values, to restore them later. */
export type Before = ReadonlyMap<string, AssetV2>;

export type Change = Readonly<Record<string, unknown>>;

/** The same change for each, or a function that returns it for an asset's present values. */
export type ChangeInput = Change | ((asset: AssetV2) => Change);

export function changeOf(input: ChangeInput, asset: AssetV2): Change {
  return typeof input === "function" ? input(asset) : input;
}

/** Concurrent requests: few enough for the player to keep serving others. */
const atOnce = 8;

/**
 * Makes the same change to each and reports progress. Throws the first rejection if none was changed before it; otherwise what was
 * changed stays, and can be undone.
 */
export async function changeAssets(
  before: Before,
  input: ChangeInput,
  sentence: string,
  onProgress: (done: number) => void = () => undefined,
): Promise<void> {
  const changed: ChangedAsset[] = [];
  const waiting = [...before.values()];
  const unchanged = await unchangedFields("asset");
  try {
    while (waiting.length > 0) {
      const some = waiting.splice(0, atOnce);
      changed.push(
        ...(await Promise.all(
          some.map(async (asset): Promise<ChangedAsset> => {
            const body = changeOf(input, asset);
            const id = asset.asset_id;
            const after = await operate("changeAsset", {
              ...{ parameters: { id }, body },
            });
            const fields = Object.keys(body);
            return {
              id,
              before: fieldsOf(asset, fields),
              after: fieldsOf(after, fields),
              made: unchanged(id, fields),
            };
          }),
        )),
      );
      onProgress(changed.length);
    }
  } finally {
    if (changed.length > 0) rememberUndo(sentence, changeUndo(changed));
  }
}

/** Only the fields that were changed. */
interface ChangedAsset {
  readonly id: string;
  readonly before: Change;
  readonly after: Change;
  /** Fields that were not local changes before. */
  readonly made: readonly string[];
}

function fieldsOf(asset: AssetV2, fields: readonly string[]): Change {
  return Object.fromEntries(
    Object.entries(asset).filter(([name]) => fields.includes(name)),
  );
}

const changeUndo = defineUndo<readonly ChangedAsset[]>(
  "assets changed",
  async (changed, options) => {
    const waiting = [...changed];
    const others: string[] = [];
    let isWritten = false;
    while (waiting.length > 0)
      await Promise.all(
        waiting.splice(0, atOnce).map(async ({ id, before, after, made }) => {
          const now = await operate("readAsset", { parameters: { id } });
          const { state: body, isPartial } = mergeFields(
            ...([after, before, { ...now }, options] as const),
          );
          if (isPartial) others.push(now.name ?? id);
          if (Object.keys(body).length === 0) return;
          isWritten = true;
          const meant = made.filter((field) => field in body);
          const given = await discardAgain("asset", id, meant);
          const rest = Object.entries(body).filter(
            ([field]) => !given.includes(field),
          );
          if (rest.length > 0)
            await operate("changeAsset", {
              ...{ parameters: { id }, body: Object.fromEntries(rest) },
            });
        }),
      );
    const [first] = others;
    return first === undefined
      ? undefined
      : new ChangedElsewhere(first, isWritten);
  },
);

/** Discards the local changes: the asset is as its content service has it (V2-561). Returns whether that succeeded. */
export async function discardAssetChanges(
  { id, name }: Named,
  seen: LocalChangesV2,
  service: string,
): Promise<boolean> {
  try {
    const fields = await fieldsToDiscard(seen);
    const { before, after } = await noteChange(
      discardFields(id, fields, () =>
        operate("readAsset", { parameters: { id } }),
      ),
    );
    const sentence = t("localChanges.discarded", {
      name: after.name ?? name,
      service,
    });
    const change = {
      id,
      ...{ before: fieldsOf(before, fields), after: fieldsOf(after, fields) },
      made: [],
    };
    if (canBeSetAgain(seen) && !isSame(change.before, change.after))
      notifyUndoable(sentence, changeUndo([change]));
    else {
      noteFinal(sentence);
      notifySuccess(sentence);
    }
    return true;
  } catch (error) {
    notifyFailure(t("localChanges.discardFailed", { name }), error);
    return false;
  }
}

/** Restores an asset that was deleted locally as its content service has it, at once or when it is downloaded (V2-562). */
export async function discardDeletion(
  { id, name }: Named,
  seen: LocalChangesV2,
): Promise<boolean> {
  const input = { parameters: { id } };
  try {
    await noteChange(operate("discardLocalChanges", input));
  } catch (error) {
    notifyFailure(t("localChanges.discardFailed", { name }), error);
    return false;
  }
  const isHere = await operate(
    seen.kind === "asset" ? "readAsset" : "readPlaylist",
    input,
  ).then(
    () => true,
    () => false,
  );
  const sentence = isHere
    ? t("localChanges.restored", { name })
    : t("localChanges.restoredLater", { name });
  const ids =
    seen.kind === "asset" ? { asset_ids: [id] } : { playlist_ids: [id] };
  if (isHere && canBeSetAgain(seen)) notifyUndoable(sentence, restoreUndo(ids));
  else {
    noteFinal(sentence);
    notifySuccess(sentence);
  }
  return true;
}

/** Discards the local changes of something that the service does not send at the moment: nothing visible changes here. */
export async function discardUndelivered({
  id,
  name,
}: Named): Promise<boolean> {
  const input = { parameters: { id } };
  try {
    await noteChange(operate("discardLocalChanges", input));
  } catch (error) {
    notifyFailure(t("localChanges.discardFailed", { name }), error);
    return false;
  }
  const sentence = t("localChanges.discardedUndelivered", { name });
  noteFinal(sentence);
  notifySuccess(sentence);
  return true;
}

/** Sets this play order; undo restores the previous one. */
export async function orderAssets(
  ids: readonly string[],
  idsBefore: readonly string[],
): Promise<void> {
  try {
    await operate("orderAssets", { body: { ids: ids.join() } });
    rememberUndo(
      t("library.orderChanged"),
      orderUndo({ before: idsBefore, after: ids }),
    );
  } catch (error) {
    notifyFailure(t("library.orderFailed"), error);
  }
}

interface Order {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const assetIds: ListOf<string> = {
  idOf: (id) => id,
  isEqual: () => true,
};

const orderUndo = defineUndo<Order>(
  "assets ordered",
  async ({ before, after }, options) => {
    const now = (await operate("listAssets", {})).map((one) => one.asset_id);
    const { state, isPartial } = mergeList(
      ...([after, before, now, assetIds, options] as const),
    );
    const isThere = new Set(now);
    // Deleted assets are left out, and assets added since stay.
    const ids = state.filter((id) => isThere.has(id)).join();
    const isWritten = ids !== now.join();
    if (isWritten) await operate("orderAssets", { body: { ids } });
    return isPartial
      ? new ChangedElsewhere(t("library.sortOrders.order"), isWritten)
      : undefined;
  },
);
