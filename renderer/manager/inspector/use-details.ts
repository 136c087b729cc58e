// State of the detail fields: saved at once on blur, errors shown in place, undone by Ctrl+Z.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { AssetView } from "../api/asset-view.ts";
import type { AssetV2 } from "../../../server/contract/v2/v2.ts";
import { assetsKey } from "../api/api.ts";
import { reasonOf } from "../api/reason.ts";
import {
  changeAssets,
  changeOf,
  type ChangeInput,
} from "../assets/asset-actions.ts";
import { keyOf, noteChange, operate } from "../api/operations.ts";
import { Refusal } from "../api/refusal.ts";
import { notifyFailure } from "../components/outcomes/outcome.ts";
import type { SaveOutcome } from "../components/drafts/use-draft.ts";
import { t } from "../../locales/messages.ts";

export type FieldName = Exclude<keyof AssetV2, number | symbol>;

/** Thrown by a change that was made to another value than the asset has now. */
export class ChangedElsewhere extends Error {
  override readonly name = "ChangedElsewhere";
}

export interface Details {
  readonly ids: readonly string[];
  /** Name of a single asset. */
  readonly name: string;
  /** It was deleted elsewhere: nothing can be saved. */
  readonly isGone: boolean;
  /** Undefined until they are loaded. */
  readonly assets: readonly AssetV2[] | undefined;
  readonly state: "idle" | "saving" | "saved";
  /** How many of them have been changed so far, while changing more than a few. */
  readonly done: number;
  /** Messages of the last rejected change, by field. */
  readonly fieldErrors: Readonly<Record<string, string>>;
  readonly save: (input: ChangeInput, field: string) => Promise<SaveOutcome>;
}

/** Key prefix of all drafts in the details of these assets. */
export function draftsOf(ids: readonly string[]): string {
  return `asset ${ids.join()} `;
}

/** Beyond this number the whole list is fetched once. */
const fewAssets = 20;

async function readAll(ids: readonly string[]): Promise<readonly AssetV2[]> {
  if (ids.length <= fewAssets)
    return Promise.all(
      ids.map((id) => operate("readAsset", { parameters: { id } })),
    );
  const idSet = new Set(ids);
  const all = await operate("listAssets", {});
  return all.filter(({ asset_id: id }) => idSet.has(id));
}

export function useDetails(
  selected: readonly AssetView[],
  isGone: boolean,
): Details {
  const client = useQueryClient();
  const ids = selected.map(({ id }) => id);
  const key = [...keyOf("readAsset"), ...ids];
  const { data } = useQuery({
    queryKey: key,
    queryFn: () => readAll(ids),
    enabled: !isGone,
  });
  const [state, setState] = useState<Details["state"]>("idle");
  const [done, setDone] = useState(0);
  const [fieldErrors, setFieldErrors] = useState<Details["fieldErrors"]>({});
  // Changes run one after the other, in the order in which the fields were left.
  const lastTask = useRef<Promise<unknown>>(Promise.resolve());

  async function change(
    input: ChangeInput,
    field: string,
  ): Promise<SaveOutcome> {
    setState("saving");
    setDone(0);
    let changedFields: readonly string[] = [];
    try {
      const now = await readAll(ids);
      const before = new Map(now.map((asset) => [asset.asset_id, asset]));
      changedFields = now.flatMap((asset) =>
        Object.keys(changeOf(input, asset)),
      );
      await changeAssets(
        before,
        input,
        t("inspector.changed", { field }),
        setDone,
      );
      setFieldErrors({});
      setState("saved");
      return { isSaved: true };
    } catch (error) {
      setState("idle");
      // Reported at the field, which shows the stored value by then.
      if (error instanceof ChangedElsewhere)
        return { isSaved: false, reason: null };
      if (error instanceof Refusal && error.fields) {
        const sentences = beneath(changedFields, firstSentences(error));
        setFieldErrors(sentences);
        const [reason = error.message] = changedFields.flatMap(
          (name) => sentences[name] ?? [],
        );
        return { isSaved: false, reason };
      }
      notifyFailure(t("inspector.saveFailed"), reasonOf(error));
      return { isSaved: false, reason: null };
    } finally {
      await Promise.all([
        client.invalidateQueries({ queryKey: keyOf("readAsset") }),
        client.invalidateQueries({ queryKey: assetsKey }),
      ]);
    }
  }

  return {
    ...{ ids, isGone, name: selected[0]?.name ?? "" },
    assets: data?.map((asset) => withStoredDuration(asset, selected)),
    ...{ state, done, fieldErrors },
    save: (input, field) => {
      const mine = noteChange(
        lastTask.current.then(() => change(input, field)),
      );
      lastTask.current = mine;
      return mine;
    },
  };
}

/** The interface returns a clip's own length (V2-403); the field shows 0, which is the value that can be chosen. */
function withStoredDuration(
  asset: AssetV2,
  views: readonly AssetView[],
): AssetV2 {
  const view = views.find(({ id }) => id === asset.asset_id);
  const isOwnLength = view?.durationSeconds === 0;
  return isOwnLength ? { ...asset, duration: 0 } : asset;
}

function firstSentences(refusal: Refusal): Details["fieldErrors"] {
  return Object.fromEntries(
    Object.entries(refusal.fields ?? {}).map(([field, sentences]) => [
      field,
      sentences[0] ?? refusal.message,
    ]),
  );
}

/** An error about the other field of a pair is shown beneath the one that was changed: nothing was typed in the other. */
function beneath(
  changedFields: readonly string[],
  fieldErrors: Details["fieldErrors"],
): Details["fieldErrors"] {
  const [sentence] = Object.values(fieldErrors);
  if (
    sentence === undefined ||
    changedFields.some((field) => field in fieldErrors)
  )
    return fieldErrors;
  return Object.fromEntries(changedFields.map((field) => [field, sentence]));
}

/** The value they have in common; undefined where they differ. */
export function sameOf<Name extends FieldName>(
  assets: readonly AssetV2[],
  name: Name,
): AssetV2[Name] | undefined {
  const [first, ...rest] = assets;
  if (!first) return undefined;
  const measure = JSON.stringify(first[name]);
  return rest.every((asset) => JSON.stringify(asset[name]) === measure)
    ? first[name]
    : undefined;
}
