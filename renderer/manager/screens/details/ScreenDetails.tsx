// One screen: its picture, what it shows and why, commands with their results, its hardware, and its settings.

import { Button, Group, Stack } from "@mantine/core";
import { IconAlertTriangle, IconTrash } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import {
  ActivityLink,
  useMayReadActivity,
} from "../../components/controls/ActivityLink.tsx";
import { DetailsHead } from "../../components/layout/DetailsHead.tsx";
import { DetailsSection } from "../../components/layout/DetailsSection.tsx";
import type { ScreenState } from "../../../../server/contract/link/screen-report.ts";
import { t } from "../../../locales/messages.ts";
import { NamedQuestion } from "../../components/controls/Confirmation.tsx";
import {
  notifyFailure,
  notifySuccess,
} from "../../components/outcomes/outcome.ts";
import { useQuestion, useRefetch } from "../../api/manager-queries.ts";
import { problemText } from "../../api/problem-text.ts";
import { useMayRequest } from "../../place/permissions.ts";
import { AdoptedPlayer } from "../adopted/AdoptedPlayer.tsx";
import { CommandButtons } from "../commands/CommandButtons.tsx";
import { CommandResult } from "../commands/CommandResult.tsx";
import { ResultLine, ResultList } from "../commands/ResultLine.tsx";
import { commandName } from "../commands/send-command.ts";
import type { ScreenItem } from "../../fleet/find-screens.ts";
import { reasonOfState } from "../screen-reason.ts";
import { timeHere } from "../screen-times.ts";
import { StateBadge } from "../StateBadge.tsx";
import { ReplacePlayer } from "./ReplacePlayer.tsx";
import { ScreenDay } from "./ScreenDay.tsx";
import { ScreenFacts, Showing } from "./ScreenFacts.tsx";
import { ScreenPicture } from "./ScreenPicture.tsx";
import { ScreenSchedule } from "./ScreenSchedule.tsx";
import { ScreenSettings } from "./ScreenSettings.tsx";
import { bridge } from "../../transport/bridge.ts";

interface Props {
  readonly item: ScreenItem;
  readonly onClose: () => void;
}

/** The reason names the time already. */
const timed: ReadonlySet<ScreenState> = new Set([
  ...(["right", "wrong", "offline"] as const),
]);

/** Another screen is another form: no half-typed value carries over. */
export function ScreenDetails(props: Props): ReactNode {
  const { item, onClose } = props;
  const { screen, isManageable } = item;
  const refetch = useRefetch();
  const mayRequest = useMayRequest();
  const mayReadActivity = useMayReadActivity();
  const onSent = (): void => {
    refetch("listScreenCommands").catch(() => undefined);
  };
  return (
    <Stack className="details" gap={16} pt={4} px={20} pb={32}>
      <DetailsHead title={<bdi>{screen.name}</bdi>} onClose={onClose} />
      <Stack gap={2}>
        <StateBadge state={screen.state} />
        <span>{reasonOfState(screen)}</span>
        {screen.state_since === null || timed.has(screen.state) ? null : (
          <span className="quiet">
            {t("screens.stateSince", { time: timeHere(screen.state_since) })}
          </span>
        )}
      </Stack>
      {screen.adopted === undefined ? <ScreenPicture item={item} /> : null}
      <Showing screen={screen} />
      <Missing item={item} />
      <CommandButtons items={[item]} onSent={onSent} />
      {isManageable && screen.adopted === undefined ? (
        <ScreenSchedule item={item} />
      ) : null}
      {isManageable ? <Results item={item} /> : null}
      {isManageable ? <ScreenDay item={item} /> : null}
      {isManageable && mayRequest("PATCH", "/screens/:id", [screen]) ? (
        <ScreenSettings item={item} />
      ) : null}
      {screen.adopted === undefined ? null : (
        <AdoptedPlayer item={item} adopted={screen.adopted} />
      )}
      <ScreenFacts item={item} />
      {mayReadActivity ? (
        <Group className="details-actions" gap={8}>
          <ActivityLink id={screen.id} />
        </Group>
      ) : null}
      {isManageable && mayRequest("DELETE", "/screens/:id", [screen]) ? (
        <Removal {...props} />
      ) : null}
    </Stack>
  );
}

/** What should be on the player and is not, with the player's reasons. */
function Missing({ item }: { readonly item: ScreenItem }): ReactNode {
  const missing = item.screen.report?.missing ?? [];
  if (missing.length === 0) return null;
  return (
    <DetailsSection title={t("screens.missing")}>
      <ResultList>
        {missing.map(({ name, reason }, index) => (
          <ResultLine key={index} icon={IconAlertTriangle} tone="fault">
            <bdi>{name}</bdi>
            <span className="quiet" dir="auto">
              {problemText(reason)}
            </span>
          </ResultLine>
        ))}
      </ResultList>
    </DetailsSection>
  );
}

const pollMs = 1_500;
/** Older ones are of no use here. */
const maxResults = 8;

function Results({ item }: { readonly item: ScreenItem }): ReactNode {
  const { serviceId, screen } = item;
  const commands = useQuestion(
    "listScreenCommands",
    { serviceId, screenId: screen.id },
    { intervalMs: pollMs },
  );
  if (commands.data === undefined || commands.data.length === 0) return null;
  return (
    <DetailsSection title={t("screens.results")}>
      <ResultList>
        {commands.data.slice(0, maxResults).map((command) => (
          <CommandResult
            key={command.id}
            subject={commandName(command.kind)}
            command={command}
            serviceId={serviceId}
            screenName={screen.name}
          />
        ))}
      </ResultList>
    </DetailsSection>
  );
}

function Removal({ item, onClose }: Props): ReactNode {
  const [isConfirming, setIsConfirming] = useState(false);
  const refetch = useRefetch();
  const { serviceId, screen } = item;
  const { name } = screen;
  if (!isConfirming)
    return (
      <Group className="details-actions" gap={8}>
        {screen.adopted === undefined ? <ReplacePlayer item={item} /> : null}
        <Button
          variant="default"
          leftSection={<IconTrash size={18} aria-hidden />}
          onClick={() => {
            setIsConfirming(true);
          }}
        >
          {t("screens.remove")}
        </Button>
      </Group>
    );
  return (
    <NamedQuestion
      question={t("screens.removeQuestion", { name })}
      consequence={
        screen.adopted === undefined
          ? t("screens.removeConsequence")
          : t("screens.adopted.removeConsequence")
      }
      no={t("manager.cancel")}
      yes={t("screens.removeYes")}
      onNo={() => {
        setIsConfirming(false);
      }}
      onYes={async () => {
        try {
          await bridge().removeScreen({ serviceId, screenId: screen.id });
          notifySuccess(t("screens.removed", { name }));
          onClose();
        } catch (error) {
          notifyFailure(t("screens.removeFailed", { name }), error);
          setIsConfirming(false);
        }
        await refetch("readScreens");
      }}
    />
  );
}
