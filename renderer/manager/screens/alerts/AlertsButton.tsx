// Opens the alerts of the content services; its label counts the open incidents.

import { IconBell } from "@tabler/icons-react";
import { useQueries } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { ScreenServiceView } from "../../../../server/contract/ipc/ipc-screens.ts";
import { t } from "../../../locales/messages.ts";
import { ModalButton } from "../../components/controls/ModalButton.tsx";
import { questionKey } from "../../api/manager-queries.ts";
import type { ScreenItem } from "../../fleet/find-screens.ts";
import { Alerts } from "./Alerts.tsx";
import { bridge } from "../../transport/bridge.ts";

interface Props {
  readonly services: readonly ScreenServiceView[];
  readonly screens: readonly ScreenItem[];
}

const pollMs = 10_000;

export function AlertsButton({ services, screens }: Props): ReactNode {
  const answers = useQueries({
    queries: services.map(({ id: serviceId }) => ({
      // The same as in the dialog.
      queryKey: [...questionKey("listOpenIncidents"), { serviceId }],
      queryFn: () => bridge().listOpenIncidents({ serviceId }),
      refetchInterval: pollMs,
    })),
  });
  const count = answers.reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
  return (
    <ModalButton
      icon={IconBell}
      text={t("alerts.open", { count })}
      size="xl"
      title={t("alerts.title")}
    >
      {() => <Alerts services={services} screens={screens} />}
    </ModalButton>
  );
}
