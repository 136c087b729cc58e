// Open incidents: which screen, since when and why, what was sent about it, and who acknowledged it.

import { Group, Text, Title } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { type ReactNode } from "react";
import { problemText } from "../../api/problem-text.ts";
import type { AlertIncidentV3 } from "../../../../server/contract/v3/v3-alerts.ts";
import { useMayRequest } from "../../place/permissions.ts";
import { bridge } from "../../transport/bridge.ts";
import {
  EntryLine,
  EntryText,
} from "../../components/editable-list/EntryLine.tsx";
import { t } from "../../../locales/messages.ts";
import { useRefetch } from "../../api/manager-queries.ts";
import type { ScreenItem } from "../../fleet/find-screens.ts";
import { reasonOfState } from "../screen-reason.ts";
import { timeHere } from "../screen-times.ts";
import { AttemptButton } from "../../components/controls/AttemptButton.tsx";
import { StateBadge } from "../StateBadge.tsx";

interface Props {
  readonly serviceId: string;
  readonly screens: readonly ScreenItem[];
  readonly incidents: readonly AlertIncidentV3[];
}

/** The Screens page itself lists all screens that are wrong. */
const maxShown = 50;

export function OpenIncidents(props: Props): ReactNode {
  const { serviceId, screens, incidents } = props;
  const rest = incidents.length - maxShown;
  return (
    <section aria-label={t("alerts.incidents")}>
      <Title order={3} mb={8} fz={16} lh="24px">
        {t("alerts.incidents")}
      </Title>
      {incidents.length === 0 ? (
        <Text c="dimmed">{t("alerts.noIncidents")}</Text>
      ) : (
        <ul>
          {incidents.slice(0, maxShown).map((incident) => (
            <Incident
              key={incident.id}
              {...{ serviceId, incident }}
              item={screens.find(
                (item) => item.key === `${serviceId}/${incident.screen_id}`,
              )}
            />
          ))}
        </ul>
      )}
      {rest > 0 ? (
        <Text c="dimmed">{t("alerts.moreIncidents", { count: rest })}</Text>
      ) : null}
    </section>
  );
}

/** In this language while the screen is still in that state; otherwise as its service reported it. */
function reasonFor(
  incident: AlertIncidentV3,
  item: ScreenItem | undefined,
): string {
  return item?.screen.state === incident.state
    ? reasonOfState(item.screen)
    : incident.reason;
}

function Incident({
  serviceId,
  incident,
  item,
}: {
  readonly serviceId: string;
  readonly incident: AlertIncidentV3;
  /** Undefined for a screen that was removed. */
  readonly item: ScreenItem | undefined;
}): ReactNode {
  const { id, screen_name: name, state, since } = incident;
  const mayAcknowledge = useMayRequest()(
    ...(["POST", "/alerts/incidents/:id/acknowledge"] as const),
    item ? [item.screen] : [],
  );
  const refetch = useRefetch();
  return (
    <EntryLine>
      <EntryText name={name}>
        <Group component="span" gap="4px 12px">
          <StateBadge state={state} />
          <span className="quiet">
            {t("screens.stateSince", { time: timeHere(since) })}
          </span>
        </Group>
        <span className="quiet" dir="auto">
          {reasonFor(incident, item)}
        </span>
        <span className="quiet">
          {t("alerts.fromRule", { name: incident.rule_name })}
        </span>
        {incident.messages.map((message) => (
          <span
            className="quiet"
            key={`${message.message_id} ${message.address}`}
          >
            {sentenceOf(message)}
          </span>
        ))}
      </EntryText>
      {incident.acknowledged_at === null ? (
        mayAcknowledge ? (
          <AttemptButton
            leftSection={<IconCheck size={18} aria-hidden />}
            aria-label={t("alerts.acknowledgeNamed", { name })}
            failedText={t("alerts.acknowledgeFailed", { name })}
            onAttempt={async () => {
              await bridge().acknowledgeIncident({ serviceId, incidentId: id });
              await refetch("listOpenIncidents");
            }}
          >
            {t("alerts.acknowledge")}
          </AttemptButton>
        ) : null
      ) : (
        <Text c="dimmed">
          {t("alerts.acknowledgedBy", {
            name: incident.acknowledged_by ?? "",
            time: timeHere(incident.acknowledged_at),
          })}
        </Text>
      )}
    </EntryLine>
  );
}

function sentenceOf({
  state,
  address,
  tries,
  result,
}: AlertIncidentV3["messages"][number]): string {
  if (state === "sent") return t("alerts.sentTo", { address });
  if (state === "waiting" && tries === 0)
    return t("alerts.waitingFor", { address });
  return t("alerts.sendFailed", { address, reason: problemText(result ?? "") });
}
