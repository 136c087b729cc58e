// State of a screen as a symbol, a colour and words.

import type { ReactNode } from "react";
import type { ScreenState } from "../../../server/contract/link/screen-report.ts";
import { t } from "../../locales/messages.ts";
import { stateIcons, stateTones } from "../fleet/screen-states.ts";

export function StateBadge({
  state,
  text = t(`screens.states.${state}`),
}: {
  readonly state: ScreenState;
  /** Instead of its name. */
  readonly text?: string;
}): ReactNode {
  const Sign = stateIcons[state];
  return (
    <span
      className="icon-line small screen-state"
      data-tone={stateTones[state]}
    >
      <Sign size={16} stroke={1.75} aria-hidden />
      {text}
    </span>
  );
}
