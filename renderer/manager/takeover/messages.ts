// Preset takeovers: the player's own, or, until there are any, a few that everybody needs.

import { useQueryClient } from "@tanstack/react-query";
import type { TakeoverMessage } from "../../../server/contract/v2/v2-settings.ts";
import { keyOf, operate, useAnswer } from "../api/operations.ts";
import { plainMessage } from "../../locales/messages.ts";

export interface Messages {
  readonly list: readonly TakeoverMessage[];
  /** Queried again, regardless of the cached list. */
  readonly readNow: () => Promise<readonly TakeoverMessage[]>;
  /** Throws a Refusal when the player rejects it. */
  readonly keep: (list: readonly TakeoverMessage[]) => Promise<void>;
}

export function useMessages(): Messages {
  const client = useQueryClient();
  const stored = useAnswer("readSettings", {}).data?.["takeover_messages"];
  return {
    list: listOf(stored),
    readNow: async () => {
      const settings = await operate("readSettings", {});
      return listOf(settings["takeover_messages"]);
    },
    keep: async (list) => {
      await operate("changeSettings", { body: { takeover_messages: list } });
      await client.invalidateQueries({ queryKey: keyOf("readSettings") });
    },
  };
}

function listOf(kept: unknown): readonly TakeoverMessage[] {
  const ownMessages = Array.isArray(kept)
    ? (kept as readonly TakeoverMessage[])
    : [];
  return ownMessages.length > 0 ? ownMessages : presets();
}

function presets(): readonly TakeoverMessage[] {
  return (
    [
      { preset: "leave", seconds: null },
      { preset: "backSoon", seconds: 900 },
      { preset: "closed", seconds: 3600 },
    ] as const
  ).map(({ preset, seconds }, index) => ({
    id: `usual-${index + 1}`,
    name: plainMessage(`takeover.presets.${preset}.name`),
    text: plainMessage(`takeover.presets.${preset}.text`),
    seconds,
  }));
}

/** The request body; a drill is marked as one. */
export function bodyOf(
  message: Pick<TakeoverMessage, "text" | "asset_id" | "url" | "name">,
  seconds: number | null,
  isDrill: boolean,
): Readonly<Record<string, unknown>> {
  const { text, asset_id: assetId, url } = message;
  return {
    ...(text !== undefined && {
      text: isDrill ? plainMessage("takeover.drillText", { text }) : text,
    }),
    ...(assetId !== undefined && { asset_id: assetId }),
    ...(url !== undefined && { url }),
    ...(seconds !== null && { seconds }),
    ...(isDrill && { is_drill: true }),
    reason: message.name,
  };
}
