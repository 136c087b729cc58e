// Commands for the selected screens; those that disturb what is shown ask first and name how many screens it concerns.

import { Button } from "@mantine/core";
import {
  IconPlayerSkipBack,
  IconPlayerSkipForward,
  IconPower,
  IconRefresh,
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
import type { ScreenItem } from "../find-screens.ts";
import { sendCommand, type SentAction } from "./send-command.ts";
import { TakeoverDialog } from "./TakeoverDialog.tsx";

interface Props {
  readonly items: readonly ScreenItem[];
  readonly onSent: (action: SentAction) => void;
}

const commands: readonly {
  readonly kind: Exclude<CommandKind, "screenshot" | "show" | "reboot">;
  readonly icon: Icon;
}[] = [
  { kind: "previous", icon: IconPlayerSkipBack },
  { kind: "next", icon: IconPlayerSkipForward },
  { kind: "look", icon: IconRefresh },
  { kind: "identify", icon: IconZoomScan },
  { kind: "takeover", icon: IconScreenShare },
  { kind: "end-takeover", icon: IconScreenShareOff },
  { kind: "restart", icon: IconPower },
];

/** They point in the direction of reading. */
const mirrored: ReadonlySet<CommandKind> = new Set(["previous", "next"]);

export function CommandButtons({ items, onSent }: Props): ReactNode {
  const [asked, setAsked] = useState<"takeover" | "restart" | null>(null);
  const manageable = items.filter(({ isManageable }) => isManageable);
  const count = manageable.length;
  const send = async (kind: CommandKind): Promise<void> => {
    const action = await sendCommand(manageable, kind);
    if (action) onSent(action);
  };
  const close = (): void => {
    setAsked(null);
  };
  if (count === 0) return <p className="quiet">{t("screens.notManageable")}</p>;
  return (
    <>
      {count < items.length ? (
        <p className="quiet">
          {t("screens.someNotManageable", { count: items.length - count })}
        </p>
      ) : null}
      <div
        className="details-actions"
        role="group"
        aria-label={t("screens.commands")}
      >
        {commands.map(({ kind, icon: Sign }) => (
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
              if (kind === "takeover" || kind === "restart") setAsked(kind);
              else send(kind).catch(notifyInternalError);
            }}
          >
            {t(`screens.commandKinds.${kind}`)}
          </Button>
        ))}
      </div>
      {asked === "restart" ? (
        <NamedQuestion
          question={
            count === 1
              ? t("screens.restartOne", {
                  name: manageable[0]?.screen.name ?? "",
                })
              : t("screens.restartMany", { count })
          }
          consequence={t("screens.restartConsequence")}
          isGrave={false}
          no={t("manager.cancel")}
          yes={t("screens.commandKinds.restart")}
          onNo={close}
          onYes={async () => {
            await send("restart");
            close();
          }}
        />
      ) : null}
      <TakeoverDialog
        items={manageable}
        isOpen={asked === "takeover"}
        onClose={close}
        onSent={onSent}
      />
    </>
  );
}
