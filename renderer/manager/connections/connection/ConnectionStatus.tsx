// Status of a connection, in a word with an icon; in case of a problem: what it is, what the screen does, and the next step.

import { Button, Flex, Stack } from "@mantine/core";
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconClock,
  IconHandStop,
  IconInfoCircle,
  IconPlayerPause,
  IconRefresh,
  IconUsb,
  type Icon,
} from "@tabler/icons-react";
import { problemText } from "../../api/problem-text.ts";
import { Note } from "../../components/layout/Note.tsx";
import type { ReactNode } from "react";
import type {
  SyncAccountV2,
  SyncStatusV2,
} from "../../../../server/contract/v2/v2-sync.ts";
import { messageFor, t } from "../../../locales/messages.ts";
import { useInTrash } from "../../local-changes/use-origin.ts";
import { unusedIn } from "../unused-content/unused-content.ts";
import { when } from "../state/status-time.ts";

interface Props {
  readonly connection: SyncAccountV2;
  readonly status: SyncStatusV2;
  readonly onToken: () => void;
}

type Tone = "plain" | "waiting" | "fault";

interface ConnectionSummary {
  readonly sign: Icon;
  readonly word: string;
  readonly tone: Tone;
}

export function ConnectionStatus({
  connection,
  status,
  onToken,
}: Props): ReactNode {
  const { sign: Sign, word, tone } = summaryOf(connection, status);
  const { problem } = status;
  const inTrash = useInTrash(connection.account_id);
  const current = status.applied_plans.find(({ is_current }) => is_current);
  return (
    <div>
      <Flex
        className="connection-status"
        wrap="wrap"
        align="center"
        gap="4px 8px"
        component="p"
        data-tone={tone}
        role="status"
      >
        <Sign size={18} stroke={1.75} aria-hidden />
        <strong>
          {word}
          {problem
            ? ` ${t("connections.since", { time: when(problem.since) })}`
            : ""}
        </strong>
        <span className="quiet">
          {t("connections.content", {
            assets: status.assets,
            playlists: status.playlists,
          })}
          {inTrash === 0
            ? ""
            : ` (${t("connections.inTrash", { assets: inTrash })})`}
          {" · "}
          {connection.kind === "plan"
            ? current &&
              t("connections.history.appliedAt", {
                time: when(current.applied),
              })
            : status.last_contact === null
              ? t("connections.neverConnected")
              : t("connections.lastContact", {
                  time: when(status.last_contact),
                })}
          {status.next_poll === null || !connection.is_enabled
            ? ""
            : `, ${t("connections.nextSync", { time: when(status.next_poll) })}`}
        </span>
      </Flex>
      {status.site ? (
        <p className="quiet">
          {t("connections.site.players", { players: status.site.players })}
          {status.site.files === 0
            ? ""
            : ` · ${t("connections.site.files", {
                received: status.site.files_from_players,
                total: status.site.files,
              })}`}
        </p>
      ) : null}
      {status.in_sync === true &&
      status.unused_content === null &&
      status.assets + status.playlists === 0 ? (
        <p className="quiet">{t("connections.nothingForScreen")}</p>
      ) : null}
      {problem ? (
        <Note tone="fault" display="block" mt={8} role="alert">
          <Stack align="flex-start" gap={8}>
            <p>
              {messageFor("connections.problems", `${problem.code}.message`) ??
                problemText(problem.message)}{" "}
              {t("connections.screenContinues")}{" "}
              {messageFor("connections.problems", `${problem.code}.step`)}
            </p>
            <p className="quiet" dir="auto">
              {problemText(problem.message)}
            </p>
            {problem.code === "unauthorized" || problem.code === "no-token" ? (
              <Button
                variant="default"
                aria-label={t("connections.enterTokenNamed", {
                  name: connection.name,
                })}
                onClick={onToken}
              >
                {t("connections.enterToken")}
              </Button>
            ) : null}
          </Stack>
        </Note>
      ) : null}
    </div>
  );
}

function summaryOf(
  connection: SyncAccountV2,
  status: SyncStatusV2,
): ConnectionSummary {
  const { phase, problem, in_sync: isInSync } = status;
  if (connection.kind === "plan" && !problem && phase !== "held")
    return {
      sign: IconUsb,
      word: t("connections.offlineBundle"),
      tone: "plain",
    };
  if (!connection.is_enabled || phase === "off")
    return {
      sign: IconPlayerPause,
      word: t("connections.phases.off"),
      tone: "plain",
    };
  if (problem)
    return {
      ...{ sign: IconAlertTriangle, tone: "fault" },
      word: t("connections.phases.failing"),
    };
  if (phase === "held")
    return {
      sign: IconHandStop,
      word: t("connections.phases.held"),
      tone: "waiting",
    };
  if (phase === "waiting-for-hours")
    return {
      sign: IconClock,
      word: t(`connections.phases.${phase}`),
      tone: "plain",
    };
  if (phase !== "idle" && phase !== "failing")
    return {
      sign: IconRefresh,
      word: t(`connections.phases.${phase}`),
      tone: "plain",
    };
  const { wanted, here, failed } = status.item_counts;
  if (failed > 0)
    return {
      ...{ sign: IconAlertTriangle, tone: "waiting" },
      word: t("connections.itemsFailed", {
        available: here,
        total: wanted,
        failed,
      }),
    };
  if (unusedIn(connection, status))
    return {
      ...{ sign: IconInfoCircle, tone: "waiting" },
      word: t("connections.unused.status"),
    };
  return isInSync === true
    ? { sign: IconCircleCheck, word: t("connections.inSync"), tone: "plain" }
    : { sign: IconRefresh, word: t("connections.notInSync"), tone: "plain" };
}
