// State of one command as a symbol and words, with the reason of a failure.

import {
  IconAlertTriangle,
  IconCircleCheck,
  IconClockX,
  IconDownload,
  IconHourglass,
  IconLoader,
  type Icon,
} from "@tabler/icons-react";
import { type ReactNode } from "react";
import type { CommandState } from "../../../../server/contract/link/link.ts";
import type { ScreenCommandStateV3 } from "../../../../server/contract/v3/v3-screens.ts";
import { plainMessage, t } from "../../../locales/messages.ts";
import { AttemptButton } from "../../components/controls/AttemptButton.tsx";
import { notifySuccess } from "../../components/outcomes/outcome.ts";
import { useMayRequest } from "../../place/permissions.ts";
import { problemText } from "../../api/problem-text.ts";
import { timeHere } from "../screen-times.ts";
import { bridge } from "../../transport/bridge.ts";
import { ResultLine } from "./ResultLine.tsx";

const icons: Readonly<Record<CommandState, Icon>> = {
  waiting: IconHourglass,
  received: IconLoader,
  done: IconCircleCheck,
  failed: IconAlertTriangle,
  expired: IconClockX,
};

const tones = {
  ...({ waiting: "plain", received: "plain", done: "good" } as const),
  ...({ failed: "fault", expired: "fault" } as const),
};

interface Props {
  /** What it is about: the command, or the screen. */
  readonly subject: string;
  readonly command: ScreenCommandStateV3;
  /** Of the command, as its service names it. */
  readonly serviceId: string;
  /** For the names of files. */
  readonly screenName: string;
}

export function CommandResult(props: Props): ReactNode {
  const { subject, command } = props;
  const { state, state_at: at, message } = command;
  const mayRead = useMayRequest()("GET", "/screens/commands/:id/bundle");
  return (
    <ResultLine
      icon={icons[state]}
      tone={tones[state]}
      action={
        command.kind === "collect-logs" && state === "done" && mayRead ? (
          <SaveLogs {...props} />
        ) : null
      }
    >
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
          {problemText(message)}
        </span>
      )}
    </ResultLine>
  );
}

function SaveLogs({ command, serviceId, screenName }: Props): ReactNode {
  return (
    <AttemptButton
      size="compact-sm"
      h={36}
      leftSection={<IconDownload size={16} aria-hidden />}
      aria-label={t("screens.saveLogsOf", { name: screenName })}
      failedText={t("screens.logsNotSaved", { name: screenName })}
      onAttempt={async () => {
        const saved = await bridge().saveScreenLogs({
          ...{ serviceId, commandId: command.id },
          suggestedName: logsFileName(screenName),
        });
        if (saved !== null) notifySuccess(t("screens.logsSaved"), saved.path);
      }}
    >
      {t("screens.saveLogs")}
    </AttemptButton>
  );
}

/** Names of screens may have characters that no file has. */
function logsFileName(name: string): string {
  const screen = name
    .replace(/[^\p{L}\p{N} ._-]+/gu, " ")
    .trim()
    .slice(0, 100);
  const day = new Date().toISOString().slice(0, 10);
  return plainMessage("screens.logsFileName", { screen, day });
}
