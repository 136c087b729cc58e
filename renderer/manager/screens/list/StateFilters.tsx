// How many screens are in each state; each count is a filter at the same time.

import { Group, VisuallyHidden } from "@mantine/core";
import { memo, type ReactNode } from "react";
import type { ScreenState } from "../../../../server/contract/link/screen-report.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import {
  stateIcons,
  stateTones,
  statesInCounts,
} from "../../fleet/screen-states.ts";

interface Props {
  /** Numbers alone, where there is no space for the words. */
  readonly isShort: boolean;
  readonly counts: ReadonlyMap<ScreenState, number>;
  readonly chosen: ReadonlySet<ScreenState>;
  readonly onChosen: (states: ReadonlySet<ScreenState>) => void;
}

export const StateFilters = memo(function StateFilters({
  isShort,
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
        const isPressed = chosen.has(state);
        const isQuiet = count === 0 && !isPressed;
        const words = t(`screens.counts.${state}`, { count });
        return (
          <button
            key={state}
            type="button"
            className="chip screen-count figures"
            data-state={state}
            title={t(`screens.states.${state}`)}
            aria-pressed={isPressed}
            onClick={() => {
              const next = new Set(chosen);
              if (!next.delete(state)) next.add(state);
              onChosen(next);
            }}
          >
            <Sign
              size={16}
              stroke={1.75}
              aria-hidden
              data-tone={count === 0 ? "plain" : stateTones[state]}
            />
            {isShort ? (
              <>
                <VisuallyHidden>{words}</VisuallyHidden>
                <span className={isQuiet ? "quiet" : undefined} aria-hidden>
                  {formats.count(count)}
                </span>
              </>
            ) : (
              <span className={isQuiet ? "quiet" : undefined}>{words}</span>
            )}
          </button>
        );
      })}
    </Group>
  );
});
