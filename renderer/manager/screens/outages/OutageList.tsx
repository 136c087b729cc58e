// The list of outages: which screen, what happened, why, when, and for how long.

import { Anchor, Button, Table, Text } from "@mantine/core";
import {
  IconApps,
  IconBolt,
  IconCalendarCheck,
  IconCloudDown,
  IconDeviceDesktopOff,
  IconHelpCircle,
  IconWifiOff,
  type Icon,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { OutageCause } from "../../../../server/contract/link/screen-report.ts";
import type { ScreenOutageV3 } from "../../../../server/contract/v3/v3-outages.ts";
import { t } from "../../../locales/messages.ts";
import { lengthOf } from "../../components/duration-text.ts";
import { addressOf } from "../../place/navigation.ts";
import { timeHere } from "../screen-times.ts";
import { StateBadge } from "../StateBadge.tsx";
import { whatHappened } from "./outage-text.ts";

interface Props {
  readonly serviceId: string;
  readonly outages: readonly ScreenOutageV3[];
  readonly moment: number;
  /** Null where all are listed. */
  readonly onMore: (() => void) | null;
  readonly isLoadingMore: boolean;
}

const causeIcons: Readonly<Record<OutageCause, Icon>> = {
  network: IconWifiOff,
  power: IconBolt,
  app: IconApps,
  content: IconCloudDown,
  display: IconDeviceDesktopOff,
  planned: IconCalendarCheck,
  unknown: IconHelpCircle,
};

const columns = ["screen", "state", "cause", "began", "duration"] as const;

export function OutageList(props: Props): ReactNode {
  const { outages, onMore } = props;
  return (
    <>
      <Table className="outage-list" aria-label={t("screens.outages.list")}>
        <Table.Thead visibleFrom="xs">
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th
                key={column}
                scope="col"
                fw={500}
                c="dimmed"
                {...(column === "duration" && { ta: "end" })}
              >
                {t(`screens.outages.columns.${column}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {outages.map((outage) => (
            <OutageRow key={outage.id} {...props} outage={outage} />
          ))}
        </Table.Tbody>
      </Table>
      {onMore === null ? null : (
        <Button
          variant="default"
          mt={12}
          loading={props.isLoadingMore}
          onClick={onMore}
        >
          {t("screens.outages.showMore")}
        </Button>
      )}
    </>
  );
}

function OutageRow({
  serviceId,
  moment,
  outage,
}: Props & { readonly outage: ScreenOutageV3 }): ReactNode {
  const { screen_id, screen_name, state, cause, started_at } = outage;
  const Sign = causeIcons[cause];
  const isPending =
    cause === "unknown" && state === "offline" && outage.ended_at === null;
  const help = isPending
    ? t("screens.outages.causeHelp.pending")
    : t(`screens.outages.causeHelp.${cause}`);
  return (
    <Table.Tr>
      <Table.Th scope="row" miw={140} fw={500}>
        <Anchor
          href={addressOf("screens", `${serviceId}/${screen_id}`)}
          c="inherit"
          fw="inherit"
          underline="always"
        >
          <bdi>{screen_name}</bdi>
        </Anchor>
      </Table.Th>
      <Table.Td>
        <StateBadge state={state} />
        <Text className="small" c="dimmed" maw="60ch" dir="auto">
          {whatHappened(outage)}
        </Text>
      </Table.Td>
      <Table.Td>
        <span className="icon-line" title={help}>
          <Sign size={16} stroke={1.75} aria-hidden />
          {t(`screens.outages.causes.${cause}`)}
        </span>
      </Table.Td>
      <Table.Td className="one-line">{timeHere(started_at)}</Table.Td>
      <Table.Td className="one-line" ta="end">
        {outage.duration_seconds === null
          ? t("screens.outages.ongoing", {
              length: lengthOf(
                Math.max(0, moment - Date.parse(started_at)) / 1000,
              ),
            })
          : lengthOf(outage.duration_seconds)}
      </Table.Td>
    </Table.Tr>
  );
}
