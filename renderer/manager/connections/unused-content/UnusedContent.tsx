// Why a connection brings nothing to this screen, and what helps: a playlist of all assets, labels, or all assets in the library.

import { Button, Group, Stack } from "@mantine/core";
import { IconBooks, IconPlaylistAdd, IconTags } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import type {
  SyncAccountV2,
  SyncStatusV2,
} from "../../../../server/contract/v2/v2-sync.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import { noteChange, operate } from "../../api/operations.ts";
import { NamedQuestion } from "../../components/controls/Confirmation.tsx";
import {
  notifyFailure,
  notifyInternalError,
  notifySuccess,
} from "../../components/outcomes/outcome.ts";
import { notifyUndoable } from "../../undo/undo.ts";
import { useRefetchSync } from "../state/use-sync.ts";
import {
  createAllAssets,
  prepareAllAssets,
  type AllAssetsPlaylist,
} from "./all-assets-playlist.ts";
import { ChooseLabels } from "./ChooseLabels.tsx";
import { remediesOf, sentenceOf } from "./unused-content.ts";
import { Note } from "../../components/layout/Note.tsx";

interface Props {
  readonly connection: SyncAccountV2;
  readonly unused: NonNullable<SyncStatusV2["unused_content"]>;
}

export function UnusedContent({ connection, unused }: Props): ReactNode {
  const { account_id: id, name } = connection;
  const [isChoosing, setIsChoosing] = useState(false);
  const [isPreparing, setIsPreparing] = useState(false);
  const [playlist, setPlaylist] = useState<AllAssetsPlaylist | null>(null);
  const refetch = useRefetchSync();
  const remedies = remediesOf(connection, unused);

  const set = async (
    field: "labels" | "all_assets",
    value: unknown,
  ): Promise<void> => {
    await operate("changeSyncAccount", {
      ...{ parameters: { id }, body: { [field]: value } },
    });
    await refetch();
  };
  /** Of the connection's settings; can be undone. */
  const change = async (
    field: "labels" | "all_assets",
    value: unknown,
  ): Promise<void> => {
    const before = connection[field];
    try {
      await noteChange(set(field, value));
      notifyUndoable(
        t("connections.settings.saved", { name }),
        () => set(field, before),
        ...([null, [`${id} ${field}`]] as const),
      );
    } catch (error) {
      notifyFailure(t("connections.settings.saveFailed"), error);
    }
  };
  const prepare = async (): Promise<void> => {
    setIsPreparing(true);
    try {
      const prepared = await prepareAllAssets(connection);
      if (prepared.items.length > 0) setPlaylist(prepared);
      else notifySuccess(t("connections.unused.playlist.noneReady"));
    } catch (error) {
      notifyFailure(t("connections.unused.playlist.failed"), error);
    } finally {
      setIsPreparing(false);
    }
  };
  const create = async (chosen: AllAssetsPlaylist): Promise<void> => {
    try {
      await createAllAssets(connection, chosen);
      const title = t("connections.unused.playlist.name");
      notifySuccess(t("remoteEditing.created", { name: title }));
      await refetch();
    } catch (error) {
      notifyFailure(t("connections.unused.playlist.failed"), error);
    } finally {
      setPlaylist(null);
    }
  };
  return (
    <Note
      tone="waiting"
      role="region"
      aria-label={t("connections.unused.title", { name })}
    >
      <Stack gap={12} w="100%">
        <p>{sentenceOf(unused)}</p>
        {playlist ? (
          <NamedQuestion
            question={t("connections.unused.playlist.question", {
              name,
              assets: playlist.items.length,
            })}
            consequence={
              playlist.labels === null
                ? t("connections.unused.playlist.forAll")
                : t("connections.unused.playlist.forLabels", {
                    labels: formats.list(playlist.labels),
                  })
            }
            isGrave={false}
            no={t("connections.cancel")}
            yes={t("connections.unused.playlist.confirm")}
            onNo={() => {
              setPlaylist(null);
            }}
            onYes={() => create(playlist)}
          />
        ) : isChoosing ? (
          <ChooseLabels
            labels={unused.labels}
            onClose={() => {
              setIsChoosing(false);
            }}
            onChosen={async (labels) => {
              await change("labels", [
                ...new Set([...connection.labels, ...labels]),
              ]);
              setIsChoosing(false);
            }}
          />
        ) : remedies.length === 0 ? null : (
          <Group gap={8}>
            {remedies.includes("playlist") ? (
              <Button
                variant="default"
                leftSection={<IconPlaylistAdd size={18} aria-hidden />}
                loading={isPreparing}
                onClick={() => {
                  prepare().catch(notifyInternalError);
                }}
              >
                {t("connections.unused.playlist.create")}
              </Button>
            ) : null}
            {remedies.includes("labels") ? (
              <Button
                variant="default"
                leftSection={<IconTags size={18} aria-hidden />}
                onClick={() => {
                  setIsChoosing(true);
                }}
              >
                {t("connections.unused.labels.choose")}
              </Button>
            ) : null}
            {remedies.includes("all") ? (
              <Button
                variant="default"
                leftSection={<IconBooks size={18} aria-hidden />}
                onClick={() => {
                  change("all_assets", "library").catch(notifyInternalError);
                }}
              >
                {t("connections.unused.all.add")}
              </Button>
            ) : null}
          </Group>
        )}
      </Stack>
    </Note>
  );
}
