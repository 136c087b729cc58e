// Results of one action on several screens: a count for each state, and a line for each screen, failures first.

import { ActionIcon } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import {
  commandStates,
  type CommandState,
} from "../../../../server/contract/link/link.ts";
import type { ActionResultsView } from "../../../../server/contract/ipc/ipc-screens.ts";
import type { ScreenCommandTotalsV3 } from "../../../../server/contract/v3/v3-screens.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { reasonOf } from "../../api/reason.ts";
import { questionKey } from "../../api/manager-queries.ts";
import { CommandResult } from "./CommandResult.tsx";
import { ResultList } from "./ResultLine.tsx";
import { commandName, type SentAction } from "./send-command.ts";
import { DetailsSection } from "../../components/layout/DetailsSection.tsx";
import { bridge } from "../../transport/bridge.ts";

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
      queryKey: [...questionKey("readActionResults"), part],
      queryFn: () => bridge().readActionResults(part),
      refetchInterval: ({
        state,
      }: {
        readonly state: { readonly data?: ActionResultsView | undefined };
      }) => (state.data && isOver(state.data.totals) ? false : pollMs),
      ...{ staleTime: 0, gcTime: 60_000, retry: false },
    })),
  });
  const commands = answers
    .flatMap(({ data }, index) =>
      (data?.commands ?? []).map((command) => ({
        command,
        serviceId: action.parts[index]?.serviceId ?? "",
        key: `${action.parts[index]?.serviceId ?? ""}/${command.screen_id}`,
      })),
    )
    .sort(
      (a, b) => order.indexOf(a.command.state) - order.indexOf(b.command.state),
    );
  const totals = answers.flatMap(({ data }) => (data ? [data.totals] : []));
  const count = totals.reduce((sum, one) => sum + countOf(one), 0);
  const lines = commands.slice(0, maxLines);
  const error = answers.find(({ isError }) => isError)?.error;
  const title = t("screens.actionTitle", {
    command: commandName(kind),
    count: names.size,
  });
  return (
    <DetailsSection
      title={title}
      action={
        <ActionIcon
          size={32}
          aria-label={t("screens.closeResults")}
          onClick={onClose}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      }
    >
      <p role="status">{countsText(totals)}</p>
      {error === undefined ? null : (
        <p className="quiet" dir="auto">
          {reasonOf(error)}
        </p>
      )}
      <ResultList>
        {lines.map(({ key, command, serviceId }) => (
          <CommandResult
            key={command.id}
            subject={names.get(key) ?? command.screen_id}
            command={command}
            serviceId={serviceId}
            screenName={names.get(key) ?? command.screen_id}
          />
        ))}
      </ResultList>
      {count > lines.length ? (
        <p className="quiet">
          {t("screens.moreResults", { count: count - lines.length })}
        </p>
      ) : null}
    </DetailsSection>
  );
}

/** "9 done, 2 waiting and 1 failed" */
function countsText(totals: readonly ScreenCommandTotalsV3[]): string {
  if (totals.length === 0) return t("screens.sending");
  const texts = commandStates.flatMap((state) => {
    const count = totals.reduce((sum, one) => sum + one[state], 0);
    return count === 0 ? [] : [t(`screens.commandCounts.${state}`, { count })];
  });
  return formats.list(texts);
}

function countOf(totals: ScreenCommandTotalsV3): number {
  return commandStates.reduce((sum, state) => sum + totals[state], 0);
}

/** Nothing more happens to any of them. */
function isOver({ waiting, received }: ScreenCommandTotalsV3): boolean {
  return waiting === 0 && received === 0;
}
