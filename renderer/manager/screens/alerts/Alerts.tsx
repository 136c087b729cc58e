// Alerts of one content service: open incidents, and the rules.

import { Stack, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { ScreenServiceView } from "../../../../server/contract/ipc/ipc-screens.ts";
import { t } from "../../../locales/messages.ts";
import { reasonOf } from "../../api/reason.ts";
import { ErrorAlert } from "../../components/outcomes/ErrorAlert.tsx";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";
import { useQuestion, useRefetch } from "../../api/manager-queries.ts";
import type { ScreenItem } from "../../fleet/find-screens.ts";
import { ServiceChoice } from "../../fleet/ServiceChoice.tsx";
import { serviceName } from "../../fleet/use-screens.ts";
import { OpenIncidents } from "./OpenIncidents.tsx";
import { RuleList } from "./RuleList.tsx";

interface Props {
  readonly services: readonly ScreenServiceView[];
  readonly screens: readonly ScreenItem[];
}

const pollMs = 3_000;

export function Alerts({ services, screens }: Props): ReactNode {
  const [chosen, setChosen] = useState<string | null>(null);
  const service = services.find(({ id }) => id === chosen) ?? services[0];
  if (!service) return null;
  return (
    <Stack gap={20}>
      <Text c="dimmed">{t("alerts.about")}</Text>
      <ServiceChoice
        services={services}
        serviceId={service.id}
        onChosen={setChosen}
      />
      <AlertsOf key={service.id} {...{ service, screens }} />
    </Stack>
  );
}

function AlertsOf({
  service,
  screens,
}: {
  readonly service: ScreenServiceView;
  readonly screens: readonly ScreenItem[];
}): ReactNode {
  const serviceId = service.id;
  const rules = useQuestion("listAlertRules", { serviceId });
  const incidents = useQuestion(
    "listOpenIncidents",
    { serviceId },
    { intervalMs: pollMs },
  );
  const refetch = useRefetch();
  const error = rules.error ?? incidents.error;
  if (error !== null)
    return (
      <ErrorAlert
        sentence={t("alerts.loadFailed", { name: serviceName(service) })}
        reason={reasonOf(error)}
        isTrying={rules.isFetching || incidents.isFetching}
        onTryAgain={() => {
          refetch("listAlertRules", "listOpenIncidents").catch(
            notifyInternalError,
          );
        }}
      />
    );
  if (rules.data === undefined || incidents.data === undefined)
    return (
      <Text className="after-a-moment" c="dimmed">
        {t("manager.loading")}
      </Text>
    );
  if (rules.data === null || incidents.data === null)
    return <Text>{t("alerts.unsupported")}</Text>;
  return (
    <>
      <OpenIncidents {...{ serviceId, screens }} incidents={incidents.data} />
      <RuleList serviceId={serviceId} rules={rules.data} />
    </>
  );
}
