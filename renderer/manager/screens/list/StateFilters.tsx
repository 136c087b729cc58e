// How many screens are in each state; each count is a filter at the same time.

import { Group } from "@mantine/core";
import { memo, type ReactNode } from "react";
import type { ScreenState } from "../../../../server/contract/link/screen-report.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { stateIcons, statesInCounts } from "../../fleet/screen-states.ts";

interface Props {
  readonly counts: ReadonlyMap<ScreenState, number>;
  readonly chosen: ReadonlySet<ScreenState>;
  readonly onChosen: (states: ReadonlySet<ScreenState>) => void;
}

export const StateFilters = memo(function StateFilters({
  counts,
  chosen,
  onChosen,
}: Props): ReactNode {
  // What is right and what is wrong are always told, also when there is none.
  const shown = statesInCounts.filter(
    (state) =>
      state === "right" ||
      state === "wrong" ||
      chosen.has(state) ||
      (counts.get(state) ?? 0) > 0,
  );
  return (
    <Group
      className="screen-counts"
      gap={4}
      role="group"
      aria-label={t("screens.stateFilter")}
    >
      {shown.map((state) => {
        const Sign = stateIcons[state];
        const count = counts.get(state) ?? 0;
        return (
          <button
            key={state}
            type="button"
            className="kind-chip screen-count"
            data-state={state}
            data-none={count === 0}
            title={t(`screens.states.${state}`)}
            aria-pressed={chosen.has(state)}
            onClick={() => {
              const next = new Set(chosen);
              if (!next.delete(state)) next.add(state);
              onChosen(next);
            }}
          >
            <Sign size={16} stroke={1.75} aria-hidden />
            <span className="screen-count-words">
              {t(`screens.counts.${state}`, { count })}
            </span>
            {/* Next to the details in a narrow window, where there is no space for the words. */}
            <span className="screen-count-number" aria-hidden>
              {formats.count(count)}
            </span>
          </button>
        );
      })}
    </Group>
  );
});
