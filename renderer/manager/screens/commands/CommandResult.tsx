// State of one command as a symbol and words, with the reason of a failure.

import {
  IconAlertTriangle,
  IconCircleCheck,
  IconClockX,
  IconHourglass,
  IconLoader,
  type Icon,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { CommandState } from "../../../../server/contract/link/link.ts";
import type { ScreenCommandStateV3 } from "../../../../server/contract/v3/v3-screens.ts";
import { t } from "../../../locales/messages.ts";
import { timeHere } from "../screen-times.ts";

const icons: Readonly<Record<CommandState, Icon>> = {
  waiting: IconHourglass,
  received: IconLoader,
  done: IconCircleCheck,
  failed: IconAlertTriangle,
  expired: IconClockX,
};

interface Props {
  /** What it is about: the command, or the screen. */
  readonly subject: string;
  readonly command: ScreenCommandStateV3;
}

export function CommandResult({ subject, command }: Props): ReactNode {
  const { state, state_at: at, message } = command;
  const Sign = icons[state];
  return (
    <li className="command-result" data-state={state}>
      <Sign size={16} stroke={1.75} aria-hidden />
      <span className="command-words">
        <span>
          <bdi>{subject}</bdi>
        </span>
        <span className="quiet">
          {t("screens.commandAt", {
            state: t(`screens.commandStates.${state}`),
            time: timeHere(at),
          })}
        </span>
        {message === null ? null : (
          <span className="quiet" dir="auto">
            {message}
          </span>
        )}
      </span>
    </li>
  );
}
