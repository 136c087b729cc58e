// Health of the player and its machine at a glance.

import { Flex, Group, Text } from "@mantine/core";
import { Card } from "../components/layout/Card.tsx";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { SyncStatusV2 } from "../../../server/contract/v2/v2-sync.ts";
import { useAssets } from "../api/api.ts";
import { useAnswer } from "../api/operations.ts";
import { addressOf } from "../place/navigation.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";

const intervalMs = 5_000;
/** Further connections are found on the connections page. */
const maxConnections = 3;
/** Below this there is not enough space for another video. */
const lowDiskBytes = 1_000_000_000;
/** Beyond this the system begins to kill processes. */
const highMemoryPart = 0.92;

export function Health(): ReactNode {
  const info = useAnswer("readInfo", {}, { intervalMs }).data;
  const failed =
    useAssets().data?.filter(({ problem }) => problem !== null).length ?? 0;
  const shown =
    useAnswer("readSync", {}, { intervalMs }).data?.accounts.slice(
      0,
      maxConnections,
    ) ?? [];
  if (!info) return null;
  const { memory, clock } = info;
  const usedPart = memory.total === 0 ? 0 : memory.used / memory.total;
  const isDiskLow = info.free_space_bytes < lowDiskBytes;
  const localZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const mebi = 1024 * 1024;
  return (
    <Card className="health" title={t("now.health.title")}>
      <Flex component="dl" className="facts" direction="column" gap={6}>
        <Fact
          name={t("now.health.problems")}
          isBad={failed > 0}
          value={
            failed > 0 ? (
              <a className="text-link" href={addressOf("library", "problems")}>
                {t("now.health.problemCount", { count: failed })}
              </a>
            ) : (
              t("now.health.noProblems")
            )
          }
        />
        {shown.map((connection) => (
          <Fact
            key={connection.account_id}
            name={connection.name}
            isBad={
              connection.problem !== null ||
              connection.changes_stuck > 0 ||
              hasFailed(connection)
            }
            value={
              <a className="text-link" href={addressOf("connections")}>
                {statusText(connection)}
              </a>
            }
          />
        ))}
        {info.software_rendering === null ? null : (
          <Fact
            name={t("now.health.graphics")}
            isBad
            value={t("now.health.softwareRendering")}
          />
        )}
        <Fact
          name={t("now.health.disk")}
          isBad={isDiskLow}
          value={
            <>
              {t("now.health.diskFree", {
                size: formats.size(info.free_space_bytes),
              })}
              {isDiskLow ? <> {t("now.health.diskLow")}</> : null}
            </>
          }
        />
        <Fact
          name={t("now.health.memory")}
          isBad={usedPart > highMemoryPart}
          value={t("now.health.memoryUsed", {
            used: formats.size(memory.used * mebi),
            total: formats.size(memory.total * mebi),
          })}
        />
        <Fact
          name={t("now.health.load")}
          value={formats.twoDigits(info.loadavg)}
        />
        <Fact
          name={t("now.health.uptime")}
          value={formats.length(info.player_uptime_seconds)}
        />
        <Fact
          name={t("now.health.clock")}
          value={
            <>
              {formats.clockIn(Date.parse(clock.time), clock.timezone)}
              {clock.timezone === localZone ? null : (
                <> {t("now.health.otherZone", { zone: clock.timezone })}</>
              )}
            </>
          }
        />
      </Flex>
    </Card>
  );
}

/** Failed items of a disabled connection are not reported here. */
function hasFailed({ phase, item_counts: items }: SyncStatusV2): boolean {
  return phase !== "off" && items.failed > 0;
}

function statusText(connection: SyncStatusV2): string {
  if (connection.kind === "plan" && connection.phase === "off")
    return t("connections.offlineBundle");
  if (connection.problem !== null)
    return t(`connections.phases.${connection.phase}`);
  if (connection.changes_stuck > 0)
    return t("remoteEditing.needReview", { count: connection.changes_stuck });
  if (connection.changes_waiting > 0)
    return t("remoteEditing.pending", { count: connection.changes_waiting });
  const { here, wanted, failed } = connection.item_counts;
  if (hasFailed(connection))
    return t("connections.itemsFailed", {
      available: here,
      total: wanted,
      failed,
    });
  if (connection.in_sync === true) return t("connections.inSync");
  return connection.phase === "idle"
    ? t("connections.notInSync")
    : t(`connections.phases.${connection.phase}`);
}

function Fact(props: {
  readonly name: string;
  readonly value: ReactNode;
  readonly isBad?: boolean;
}): ReactNode {
  const { name, value, isBad } = props;
  return (
    <Group
      className="fact"
      wrap="nowrap"
      align="stretch"
      justify="space-between"
      data-bad={isBad === true}
    >
      {/* The name of a content service may be of any length. */}
      <Flex
        component="dt"
        flex="none"
        maw="60%"
        align="center"
        gap={6}
        c={isBad === true ? "var(--waiting)" : "dimmed"}
      >
        {isBad === true ? <IconAlertTriangle size={16} aria-hidden /> : null}
        {name}
      </Flex>
      <Text
        component="dd"
        className="figures"
        miw={0}
        ta="end"
        {...(isBad === true && { c: "var(--waiting)" })}
      >
        {value}
      </Text>
    </Group>
  );
}
