// Commands for the selected screens; those that disturb what is shown ask first and name how many screens it concerns.

import { Button, Group } from "@mantine/core";
import {
  IconFileZip,
  IconPhotoVideo,
  IconPlayerSkipBack,
  IconPlayerSkipForward,
  IconPower,
  IconRefresh,
  IconReload,
  IconScreenShare,
  IconScreenShareOff,
  IconZoomScan,
  type Icon,
} from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import type { CommandKind } from "../../../../server/contract/link/link.ts";
import { t } from "../../../locales/messages.ts";
import { NamedQuestion } from "../../components/controls/Confirmation.tsx";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";
import { useMayRequest } from "../../place/permissions.ts";
import type { ScreenItem } from "../../fleet/find-screens.ts";
import { sendCommand, type SentAction } from "./send-command.ts";
import { ShowDialog } from "./ShowDialog.tsx";
import { TakeoverDialog } from "./TakeoverDialog.tsx";

interface Props {
  readonly items: readonly ScreenItem[];
  readonly onSent: (action: SentAction) => void;
}

interface Command {
  readonly kind: Exclude<CommandKind, "screenshot">;
  readonly icon: Icon;
}

const commands: readonly Command[] = [
  { kind: "previous", icon: IconPlayerSkipBack },
  { kind: "next", icon: IconPlayerSkipForward },
  { kind: "show", icon: IconPhotoVideo },
  { kind: "look", icon: IconRefresh },
  { kind: "identify", icon: IconZoomScan },
  { kind: "takeover", icon: IconScreenShare },
  { kind: "end-takeover", icon: IconScreenShareOff },
  { kind: "restart", icon: IconReload },
  { kind: "reboot", icon: IconPower },
  { kind: "collect-logs", icon: IconFileZip },
];

/** What the interface of an Anthias player has (V3-119). */
const ofAdopted: ReadonlySet<CommandKind> = new Set([
  ...(["previous", "next", "show", "look", "reboot"] as const),
]);

/** They point in the direction of reading. */
const mirrored: ReadonlySet<CommandKind> = new Set(["previous", "next"]);

/** These ask first, or need to know more. */
const needsDialog = ["show", "takeover", "restart", "reboot"] as const;
type NeedsDialog = (typeof needsDialog)[number];
const hasDialog = (kind: CommandKind): kind is NeedsDialog =>
  (needsDialog as readonly CommandKind[]).includes(kind);

export function CommandButtons({ items, onSent }: Props): ReactNode {
  const mayRequest = useMayRequest();
  const [unconfirmed, setUnconfirmed] = useState<NeedsDialog | null>(null);
  const manageable = items.filter(({ isManageable }) => isManageable);
  const count = manageable.length;
  const send = async (kind: CommandKind): Promise<void> => {
    const action = await sendCommand(manageable, kind);
    if (action) onSent(action);
  };
  // Assets have another identifier in each service.
  const isOneService =
    new Set(manageable.map(({ serviceId }) => serviceId)).size === 1;
  const areAdopted = manageable.every(
    ({ screen }) => screen.adopted !== undefined,
  );
  const offered = commands.filter(
    ({ kind }) =>
      (kind !== "show" || isOneService) && (!areAdopted || ofAdopted.has(kind)),
  );
  const close = (): void => {
    setUnconfirmed(null);
  };
  const affected = manageable.map(({ screen }) => screen);
  if (!mayRequest("POST", "/screens/commands", affected)) return null;
  if (count === 0) return <p className="quiet">{t("screens.notManageable")}</p>;
  return (
    <>
      {count < items.length ? (
        <p className="quiet">
          {t("screens.someNotManageable", { count: items.length - count })}
        </p>
      ) : null}
      <Group
        className="details-actions"
        gap={8}
        role="group"
        aria-label={t("screens.commands")}
      >
        {offered.map(({ kind, icon: Sign }) => (
          <Button
            key={kind}
            size="compact-sm"
            h={36}
            variant="default"
            leftSection={
              <Sign
                size={16}
                aria-hidden
                {...(mirrored.has(kind) && { className: "mirrored" })}
              />
            }
            onClick={() => {
              if (hasDialog(kind)) setUnconfirmed(kind);
              else send(kind).catch(notifyInternalError);
            }}
          >
            {t(`screens.commandKinds.${kind}`)}
          </Button>
        ))}
      </Group>
      {unconfirmed === "restart" || unconfirmed === "reboot" ? (
        <NamedQuestion
          question={
            count === 1
              ? t(`screens.${unconfirmed}One`, {
                  name: manageable[0]?.screen.name ?? "",
                })
              : t(`screens.${unconfirmed}Many`, { count })
          }
          consequence={
            areAdopted
              ? t("screens.adopted.rebootConsequence")
              : t(`screens.${unconfirmed}Consequence`)
          }
          isGrave={false}
          no={t("manager.cancel")}
          yes={t(`screens.commandKinds.${unconfirmed}`)}
          onNo={close}
          onYes={async () => {
            await send(unconfirmed);
            close();
          }}
        />
      ) : null}
      <ShowDialog
        items={manageable}
        isOpen={unconfirmed === "show"}
        onClose={close}
        onSent={onSent}
      />
      <TakeoverDialog
        items={manageable}
        isOpen={unconfirmed === "takeover"}
        onClose={close}
        onSent={onSent}
      />
    </>
  );
}
