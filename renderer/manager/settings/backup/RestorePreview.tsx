// Preview of an archive, compared with the present data: counted, listed, and the settings that would change.

import { Box, Flex, Group, Stack, Table, Text, Title } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { BackupContents } from "../../../../server/contract/ipc/ipc-pc.ts";
import { useAssets } from "../../api/api.ts";
import { useAnswer } from "../../api/operations.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { restoredConnections } from "./restored-connections.ts";
import { quotedNames } from "./quoted-names.ts";
import { settingNamed } from "../setting-sections.ts";
import { spoken } from "../setting-value.ts";

/** Enough to recognise an archive. */
const maxListed = 24;

export function RestorePreview({
  contents,
}: {
  readonly contents: BackupContents;
}): ReactNode {
  const currentAssets = useAssets().data ?? [];
  const playlistsHere = useAnswer("listPlaylists", {}).data ?? [];
  const connectionsHere = useAnswer("listSyncAccounts", {}).data ?? [];
  const { assets, playlists, connections, settings, madeBy } = contents;
  const restored = restoredConnections(connectionsHere, connections);
  const problems = assets.filter(({ problem }) => problem !== null).length;
  return (
    <Stack className="restore-preview" gap={12} mb={16}>
      <Text fw={600}>
        {madeBy === null
          ? t("settings.restore.fromAnthias")
          : t("settings.restore.createdBy", {
              player: madeBy.player,
              time: formats.moment(Date.parse(madeBy.created)),
              version: madeBy.version,
            })}
      </Text>
      <Table maw={440} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            {[
              t("settings.restore.current"),
              t("settings.restore.afterwards"),
            ].map((column) => (
              <Table.Th key={column} scope="col" ta="end" fw={500} c="dimmed">
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Row
            name={t("settings.restore.assets")}
            now={currentAssets.length}
            then={assets.length}
          />
          <Row
            name={t("settings.restore.playlists")}
            now={playlistsHere.length}
            then={playlists.length}
          />
          {restored.now + restored.then > 0 ? (
            <Row
              name={t("settings.restore.connections")}
              now={restored.now}
              then={restored.then}
            />
          ) : null}
        </Table.Tbody>
      </Table>
      <p className="quiet">
        {t("settings.restore.files", {
          count: contents.filesCount,
          size: formats.size(contents.sizeBytes),
        })}
        {" · "}
        {t("settings.restore.settingsChanged", { count: settings.length })}
      </p>
      {restored.ended.length + restored.needingToken.length > 0 ? (
        <Flex
          align="center"
          gap={6}
          component="p"
          c="var(--waiting)"
          data-tone="waiting"
        >
          <IconAlertTriangle size={16} aria-hidden />{" "}
          {[
            restored.ended.length > 0
              ? t("settings.restore.connectionsRemoved", {
                  names: quotedNames(restored.ended),
                })
              : "",
            restored.needingToken.length > 0
              ? t("settings.restore.connectionsWithoutToken", {
                  names: quotedNames(restored.needingToken),
                })
              : "",
          ].join(" ")}
        </Flex>
      ) : null}
      {problems > 0 ? (
        <Flex
          align="center"
          gap={6}
          component="p"
          c="var(--waiting)"
          data-tone="waiting"
        >
          <IconAlertTriangle size={16} aria-hidden />{" "}
          {t("settings.restore.problems", { count: problems })}
        </Flex>
      ) : null}
      {assets.length > 0 ? (
        <>
          <Title order={4} fz="inherit" lh="inherit">
            {t("settings.restore.assetList")}
          </Title>
          <Box component="ul" style={{ columns: "220px" }}>
            {assets.slice(0, maxListed).map(({ name, isEnabled }, at) => (
              <Box component="li" key={at}>
                <bdi>{name}</bdi>
                {isEnabled ? null : (
                  <span className="quiet">
                    {" "}
                    ({t("settings.restore.disabled")})
                  </span>
                )}
              </Box>
            ))}
            {assets.length > maxListed ? (
              <Box c="dimmed" component="li">
                {t("settings.restore.moreAssets", {
                  count: assets.length - maxListed,
                })}
              </Box>
            ) : null}
          </Box>
        </>
      ) : null}
      {settings.length > 0 ? (
        <dl>
          {settings.map(({ name, now, then }) => (
            <Group
              align="stretch"
              gap="0 12px"
              py={4}
              style={{ borderBlockStart: "1px solid var(--line)" }}
              key={name}
            >
              <Box component="dt" miw={200}>
                {settingNamed(name)?.words.name ?? name}
              </Box>
              <dd>
                <span className="quiet">{valueText(name, now)}</span>
                {" → "}
                {valueText(name, then)}
              </dd>
            </Group>
          ))}
        </dl>
      ) : null}
    </Stack>
  );
}

function valueText(name: string, value: unknown): string {
  const setting = settingNamed(name);
  return setting ? spoken(setting, value) : String(value);
}

function Row(props: {
  readonly name: string;
  readonly now: number;
  readonly then: number;
}): ReactNode {
  return (
    <Table.Tr>
      <Table.Th scope="row" ps={0} fw={400}>
        {props.name}
      </Table.Th>
      <Table.Td ta="end">{formats.count(props.now)}</Table.Td>
      <Table.Td ta="end">{formats.count(props.then)}</Table.Td>
    </Table.Tr>
  );
}
