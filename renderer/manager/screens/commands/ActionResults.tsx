// Results of one action on several screens: a count for each state, and a line for each screen, failures first.

import { ActionIcon } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import {
  commandStates,
  type CommandState,
} from "../../../../server/contract/link/link.ts";
import type { ScreenCommandStateV3 } from "../../../../server/contract/v3/v3-screens.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { reasonOf } from "../../api.ts";
import { questionKey } from "../../manager-queries.ts";
import { CommandResult } from "./CommandResult.tsx";
import { commandName, isSettled, type SentAction } from "./send-command.ts";

interface Props {
  readonly action: SentAction;
  readonly onClose: () => void;
}

const pollMs = 1_000;
/** Longer lists are read as counts. */
const maxLines = 100;

const order: readonly CommandState[] = [
  ...(["failed", "expired", "waiting", "received", "done"] as const),
];

export function ActionResults({ action, onClose }: Props): ReactNode {
  const { kind, names } = action;
  const answers = useQueries({
    queries: action.parts.map((part) => ({
      queryKey: [...questionKey("listScreenCommands"), part],
      queryFn: () => window.manager.listScreenCommands(part),
      refetchInterval: ({
        state,
      }: {
        readonly state: {
          readonly data?: readonly ScreenCommandStateV3[] | undefined;
        };
      }) => (state.data?.every(isSettled) === true ? false : pollMs),
      ...{ staleTime: 0, gcTime: 60_000, retry: false },
    })),
  });
  const commands = answers
    .flatMap(({ data }, index) =>
      (data ?? []).map((command) => ({
        command,
        key: `${action.parts[index]?.serviceId ?? ""}/${command.screen_id}`,
      })),
    )
    .sort(
      (a, b) => order.indexOf(a.command.state) - order.indexOf(b.command.state),
    );
  const error = answers.find(({ isError }) => isError)?.error;
  const title = t("screens.actionTitle", {
    command: commandName(kind),
    count: names.size,
  });
  return (
    <section className="details-section" aria-label={title}>
      <header className="action-head">
        <h3>{title}</h3>
        <ActionIcon
          size={32}
          aria-label={t("screens.closeResults")}
          onClick={onClose}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </header>
      <p role="status">{countsText(commands.map(({ command }) => command))}</p>
      {error === undefined ? null : (
        <p className="quiet" dir="auto">
          {reasonOf(error)}
        </p>
      )}
      <ul className="command-results">
        {commands.slice(0, maxLines).map(({ key, command }) => (
          <CommandResult
            key={command.id}
            subject={names.get(key) ?? command.screen_id}
            command={command}
          />
        ))}
      </ul>
      {commands.length > maxLines ? (
        <p className="quiet">
          {t("screens.moreResults", { count: commands.length - maxLines })}
        </p>
      ) : null}
    </section>
  );
}

/** "9 done, 2 waiting and 1 failed" */
function countsText(commands: readonly ScreenCommandStateV3[]): string {
  if (commands.length === 0) return t("screens.sending");
  const texts = commandStates.flatMap((state) => {
    const count = commands.filter((one) => one.state === state).length;
    return count === 0 ? [] : [t(`screens.commandCounts.${state}`, { count })];
  });
  return formats.list(texts);
}
