// Changes the player's settings: applied at once, undoable, with errors kept at their field.

import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import type { OperationAnswer } from "../../../server/contract/ipc/ipc-operate.ts";
import { reasonOf } from "../api/reason.ts";
import { keyOf, noteChange, operate, useAnswer } from "../api/operations.ts";
import { Refusal } from "../api/refusal.ts";
import {
  notifyFailure,
  notifyInternalError,
} from "../components/outcomes/outcome.ts";
import type { SaveOutcome } from "../components/drafts/use-draft.ts";
import { t } from "../../locales/messages.ts";
import { isSame } from "../undo/three-way-merge.ts";
import { ChangedElsewhere, defineUndo, notifyUndoable } from "../undo/undo.ts";
import { kindOf, spoken } from "./setting-value.ts";
import type { SettingView } from "./setting-sections.ts";

type Values = Readonly<Record<string, unknown>>;

export interface SettingsEditor {
  readonly values: Values | undefined;
  readonly error: unknown;
  readonly isFetching: boolean;
  readonly refetch: () => void;
  /** Messages by the setting's name. */
  readonly refusals: Readonly<Record<string, string>>;
  /** With a base only where that is still stored, as text. */
  readonly change: (
    setting: SettingView,
    value: unknown,
    base?: string,
  ) => Promise<SaveOutcome>;
  readonly forgetRefusal: (wireName: string) => void;
}

const key = keyOf("readSettings", {});

export function useSettings(): SettingsEditor {
  const client = useQueryClient();
  const answer = useAnswer("readSettings", {});
  const [refusals, setRefusals] = useState<Readonly<Record<string, string>>>(
    {},
  );
  const forgetRefusal = useCallback((wireName: string) => {
    setRefusals(({ [wireName]: _gone, ...rest }) => rest);
  }, []);

  const write = useCallback(
    async (wireName: string, value: unknown) => {
      await operate("changeSettings", { body: { [wireName]: value } });
      await client.invalidateQueries({ queryKey: keyOf("readSettings") });
      // The player may store it in another notation; where no component uses the query, nothing was refetched.
      return client.getQueryState(key)?.isInvalidated === false
        ? client.getQueryData<Values>(key)?.[wireName]
        : undefined;
    },
    [client],
  );

  const change = useCallback(
    async (
      setting: SettingView,
      value: unknown,
      base?: string,
    ): Promise<SaveOutcome> => {
      const { wireName, words } = setting;
      if (base !== undefined && !(await isStill(client, wireName, base)))
        return { isSaved: false, reason: null };
      const before = client.getQueryData<Values>(key)?.[wireName];
      if (before === value) return { isSaved: true };
      forgetRefusal(wireName);
      // A switch follows the pointer, and the player's response is final; typed text stays as it was typed.
      await client.cancelQueries({ queryKey: key });
      if (!isTyped(setting))
        client.setQueryData<Values>(key, (values) => ({
          ...{ ...values, [wireName]: value },
        }));
      let stored: unknown;
      try {
        stored = await noteChange(write(wireName, value));
      } catch (error) {
        await client.invalidateQueries({ queryKey: key });
        const sentence =
          error instanceof Refusal ? error.fields?.[wireName]?.[0] : undefined;
        if (sentence === undefined)
          notifyFailure(
            t("settings.changeFailed", { name: words.name }),
            error,
          );
        const reason = sentence ?? reasonOf(error);
        setRefusals((others) => ({ ...{ ...others, [wireName]: reason } }));
        return { isSaved: false, reason };
      }
      notifyUndoable(
        t("settings.changed", {
          name: words.name,
          value: assetName(client, setting, value) ?? spoken(setting, value),
        }),
        settingUndo({
          ...{ wireName, name: words.name, after: stored ?? value },
          before: before ?? setting.byDefault,
        }),
        null,
        [`settings ${wireName}`],
      );
      return { isSaved: true };
    },
    [client, forgetRefusal, write],
  );

  return {
    ...{ values: answer.data, error: answer.error, refusals },
    ...{ change, forgetRefusal, isFetching: answer.isFetching },
    refetch: () => {
      answer.refetch().catch(notifyInternalError);
    },
  };
}

interface ChangedSetting {
  readonly wireName: string;
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

const settingUndo = defineUndo<ChangedSetting>(
  "setting changed",
  async ({ wireName, name, before, after }, { isForced }) => {
    const now = (await operate("readSettings", {}))[wireName];
    if (isSame(now, before)) return undefined;
    if (!isForced && !isSame(now, after))
      return new ChangedElsewhere(name, false);
    return operate("changeSettings", { body: { [wireName]: before } });
  },
);

/** Queried again: the cached value may be outdated. If the query fails, the change itself reports it. */
async function isStill(
  client: QueryClient,
  wireName: string,
  base: string,
): Promise<boolean> {
  try {
    const now = await operate("readSettings", {});
    client.setQueryData<Values>(key, now);
    return String(now[wireName]) === base;
  } catch {
    return true;
  }
}

/** Name of the asset that the setting refers to; undefined for other settings. */
function assetName(
  client: QueryClient,
  setting: SettingView,
  value: unknown,
): string | undefined {
  if (kindOf(setting) !== "asset") return undefined;
  const assets = client.getQueryData<OperationAnswer<"listAssets">>(
    keyOf("listAssets", {}),
  );
  return assets?.find(({ asset_id }) => asset_id === value)?.name ?? undefined;
}

function isTyped(setting: SettingView): boolean {
  return ["text", "number", "keys"].includes(kindOf(setting));
}
