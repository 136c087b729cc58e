// Takeovers made ready beforehand: the player's own, or, until somebody writes one, a few that everybody needs.

import { useQueryClient } from "@tanstack/react-query";
import type { TakeoverMessage } from "../../../server/contract/v2-settings.ts";
import { keyOf, operate, useAnswer } from "../operations.ts";
import { texts } from "../texts/texts.ts";

export interface Messages {
  readonly list: readonly TakeoverMessage[];
  /** Brings what was changed from the first list to the second into what the player has by then. Throws what it refused. */
  readonly keep: (
    began: readonly TakeoverMessage[],
    changed: readonly TakeoverMessage[],
  ) => Promise<void>;
}

export function useMessages(): Messages {
  const client = useQueryClient();
  const list = listOf(useAnswer("readSettings", {}).data);
  return {
    list,
    keep: async (began, changed) => {
      const latest = listOf(await operate("readSettings", {}));
      const list = mergedMessages(began, changed, latest);
      await operate("changeSettings", { body: { takeover_messages: list } });
      await client.invalidateQueries({ queryKey: keyOf("readSettings") });
    },
  };
}

function listOf(
  settings: Readonly<Record<string, unknown>> | undefined,
): readonly TakeoverMessage[] {
  const kept = settings?.["takeover_messages"];
  const own = Array.isArray(kept) ? (kept as readonly TakeoverMessage[]) : [];
  return own.length > 0 ? own : usual();
}

/** The latest list with what was changed, added and removed between the other two; all else is as it is by now. */
export function mergedMessages(
  began: readonly TakeoverMessage[],
  changed: readonly TakeoverMessage[],
  latest: readonly TakeoverMessage[],
): readonly TakeoverMessage[] {
  const before = new Map(began.map((one) => [one.id, one]));
  const after = new Map(changed.map((one) => [one.id, one]));
  const now = new Set(latest.map(({ id }) => id));
  return [
    ...latest.flatMap((one) => {
      const [was, is] = [before.get(one.id), after.get(one.id)];
      // What nobody has seen here cannot have been changed or removed here.
      if (!was) return [one];
      if (!is) return [];
      return [JSON.stringify(was) === JSON.stringify(is) ? one : is];
    }),
    ...changed.filter((one) => {
      if (now.has(one.id)) return false;
      const was = before.get(one.id);
      // Removed elsewhere: it is back only if it was changed here meanwhile.
      return !was || JSON.stringify(was) !== JSON.stringify(one);
    }),
  ];
}

function usual(): readonly TakeoverMessage[] {
  return texts.takeover.usual.map(({ name, text, seconds }, index) => ({
    ...{ id: `usual-${index + 1}`, name, text, seconds },
  }));
}

/** What is sent; a drill says that it is one. */
export function bodyOf(
  message: Pick<TakeoverMessage, "text" | "asset_id" | "url" | "name">,
  seconds: number | null,
  isDrill: boolean,
): Readonly<Record<string, unknown>> {
  const { text, asset_id: assetId, url } = message;
  return {
    ...(text !== undefined && {
      text: isDrill ? texts.takeover.drillText(text) : text,
    }),
    ...(assetId !== undefined && { asset_id: assetId }),
    ...(url !== undefined && { url }),
    ...(seconds !== null && { seconds }),
    ...(isDrill && { is_drill: true }),
    reason: message.name,
  };
}
