// State of a screen as a symbol, a colour and words.

import type { ReactNode } from "react";
import type { ScreenState } from "../../../server/contract/link/screen-report.ts";
import { t } from "../../locales/messages.ts";
import { stateIcons } from "../fleet/screen-states.ts";

export function StateBadge({
  state,
}: {
  readonly state: ScreenState;
}): ReactNode {
  const Sign = stateIcons[state];
  return (
    <span className="screen-state" data-state={state}>
      <Sign size={16} stroke={1.75} aria-hidden />
      {t(`screens.states.${state}`)}
    </span>
  );
}
