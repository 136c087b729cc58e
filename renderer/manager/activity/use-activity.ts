// Loads the activity of a player, and again when it reports an event.

import { useMemo } from "react";
import type { ActivityV2 } from "../../../server/contract/v2/v2-logs.ts";
import { operate } from "../api/operations.ts";
import { transport } from "../transport/transport.ts";
import type { ActivityQuery } from "./use-activity-filter.ts";
import { usePagedActivity, type LogSource } from "./use-paged-activity.ts";

export type Parameters = Readonly<Record<string, string>>;

const pageSize = 200;
/** The player checks for changes once a second and logs them then. */
const logDelayMs = 1_300;

export function parametersOf(
  { kind, actor, search, backMs }: ActivityQuery,
  now: number,
): Parameters {
  return {
    ...(kind === "" ? {} : { kind }),
    ...(actor === "" ? {} : { actor }),
    ...(search === "" ? {} : { search }),
    ...(backMs === null ? {} : { from: new Date(now - backMs).toISOString() }),
  };
}

export function useActivity(query: ActivityQuery) {
  const source = useMemo(() => sourceOf(query), [query]);
  return usePagedActivity(source);
}

function sourceOf(query: ActivityQuery): LogSource<ActivityV2> {
  return {
    key: ["listActivity", query],
    read: async (from) => {
      const entries = await operate("listActivity", {
        parameters: {
          ...parametersOf(query, Date.now()),
          limit: String(pageSize),
          ...(from === null ? {} : { before: String(from) }),
        },
      });
      const isLast = entries.length < pageSize;
      return {
        entries,
        next: isLast ? null : (entries.at(-1)?.activity_id ?? null),
      };
    },
    idOf: ({ activity_id: id }) => id,
    watch: (onNew) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      // However many events arrive meanwhile, it reloads once this has passed.
      const stop = transport.onPlayerEvent(() => {
        timer ??= setTimeout(() => {
          timer = undefined;
          onNew();
        }, logDelayMs);
      });
      return () => {
        clearTimeout(timer);
        stop();
      };
    },
  };
}
