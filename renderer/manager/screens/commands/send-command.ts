// Sends one command to screens of any services, and follows its results.

import type { CommandKind } from "../../../../server/contract/link/link.ts";
import type { ManagerInput } from "../../../../server/contract/ipc/ipc.ts";
import { messageFor, t } from "../../../locales/messages.ts";
import { notifyFailure } from "../../components/outcomes/outcome.ts";
import { problemText } from "../../api/problem-text.ts";
import type { ScreenItem } from "../../fleet/find-screens.ts";
import { bridge } from "../../transport/bridge.ts";

/** One action of the operator: an action of each service whose screens are concerned. */
export interface SentAction {
  readonly kind: CommandKind;
  readonly parts: readonly {
    readonly serviceId: string;
    readonly actionId: string;
  }[];
  /** By the key of the screen, its name when the command was sent. */
  readonly names: ReadonlyMap<string, string>;
}

type Arguments = ManagerInput<"sendScreenCommand">["arguments"];

/** Null if no service accepted it; each that did not is reported by itself. */
export async function sendCommand(
  items: readonly ScreenItem[],
  kind: CommandKind,
  sent?: Arguments,
): Promise<SentAction | null> {
  const serviceIds = [...new Set(items.map(({ serviceId }) => serviceId))];
  const parts = await Promise.all(
    serviceIds.map(async (serviceId) => {
      const ofService = items.filter((item) => item.serviceId === serviceId);
      try {
        const action = await bridge().sendScreenCommand({
          ...{ serviceId, kind },
          screenIds: ofService.map(({ screen }) => screen.id),
          ...(sent !== undefined && { arguments: sent }),
        });
        return { serviceId, actionId: action.id };
      } catch (error) {
        const service = ofService[0]?.serviceName ?? "";
        notifyFailure(t("screens.sendFailed", { service }), error);
        return null;
      }
    }),
  );
  const accepted = parts.filter((part) => part !== null);
  if (accepted.length === 0) return null;
  return {
    ...{ kind, parts: accepted },
    names: new Map(items.map(({ key, screen }) => [key, screen.name])),
  };
}

/** The name of a command; of a later version, as it is spelled there. */
export function commandName(kind: string): string {
  return messageFor("screens.commandKinds", kind) ?? kind;
}

const screenshotSeconds = 30;
const pollMs = 500;

/** Resolves when the service has the new screenshot; throws with the reason where the player could not take one. */
export async function requestScreenshot({
  serviceId,
  screen,
}: ScreenItem): Promise<void> {
  const { id: actionId } = await bridge().sendScreenCommand({
    ...{ serviceId, screenIds: [screen.id], kind: "screenshot" },
    expiresInSeconds: screenshotSeconds,
  });
  const deadline = Date.now() + (screenshotSeconds + 10) * 1000;
  while (Date.now() < deadline) {
    await new Promise((resolve) => {
      setTimeout(resolve, pollMs);
    });
    const [command] = await bridge().listScreenCommands({
      ...{ serviceId, actionId },
    });
    if (command?.state === "done") return;
    if (command?.state === "failed")
      throw new Error(
        command.message === null
          ? t("screens.commandStates.failed")
          : problemText(command.message),
      );
    if (command?.state === "expired") break;
  }
  throw new Error(t("screens.noAnswer"));
}
