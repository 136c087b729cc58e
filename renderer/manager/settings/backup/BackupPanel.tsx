// Backups: create, list, save elsewhere, delete by name, and choose for a restore.

import { ActionIcon, Button, Tooltip } from "@mantine/core";
import {
  IconArchive,
  IconDeviceFloppy,
  IconHistory,
  IconTrash,
} from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import type { BackupV2 } from "../../../../server/contract/v2/v2-administration.ts";
import { useAnswer, useOperation } from "../../api/operations.ts";
import { NamedQuestion } from "../../components/controls/Confirmation.tsx";
import {
  notifySuccess,
  notifyFailure,
  notifyInternalError,
} from "../../components/outcomes/outcome.ts";
import { Panel } from "../../components/layout/Panel.tsx";
import { QueryError } from "../../components/outcomes/QueryError.tsx";
import { saveBackup } from "../../saved-files/saved-files.ts";
import { formats } from "../../../locales/language.ts";
import { t } from "../../../locales/messages.ts";
import type { Archive } from "./RestorePanel.tsx";

export function BackupPanel({
  onRestore,
}: {
  /** Null where nothing can be restored. */
  readonly onRestore: ((archive: Archive) => void) | null;
}): ReactNode {
  const backups = useAnswer("listBackups", {});
  const make = useOperation("makeBackup", ["listBackups"]);
  return (
    <Panel
      title={t("settings.backups.title")}
      about={
        make.isPending
          ? t("settings.backups.creating")
          : t("settings.backups.description")
      }
      actions={
        <Button
          leftSection={<IconArchive size={18} aria-hidden />}
          loading={make.isPending}
          onClick={() => {
            make.mutate(
              {},
              {
                onSuccess: (name) => {
                  notifySuccess(t("settings.backups.created"), name);
                },
                onError: (error) => {
                  notifyFailure(t("settings.backups.createFailed"), error);
                },
              },
            );
          }}
        >
          {t("settings.backups.create")}
        </Button>
      }
    >
      {backups.isError ? (
        <div className="panel-note">
          <QueryError
            sentence={t("settings.backups.loadFailed")}
            query={backups}
          />
        </div>
      ) : backups.data === undefined ? (
        <p className="panel-note quiet after-a-moment">
          {t("manager.loading")}
        </p>
      ) : backups.data.length === 0 ? (
        <div className="panel-note">
          <p>{t("settings.backups.empty")}</p>
          <p className="quiet">{t("settings.backups.emptyHint")}</p>
        </div>
      ) : (
        <ul className="panel-rows" aria-label={t("settings.backups.list")}>
          {backups.data.map((backup) => (
            <BackupRow
              key={backup.name}
              backup={backup}
              onRestore={onRestore}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function BackupRow(props: {
  readonly backup: BackupV2;
  /** Null where nothing can be restored. */
  readonly onRestore: ((archive: Archive) => void) | null;
}): ReactNode {
  const { onRestore } = props;
  const { name, size, created } = props.backup;
  const [isConfirming, setIsConfirming] = useState(false);
  const remove = useOperation("deleteBackup", ["listBackups"]);
  if (isConfirming)
    return (
      <li>
        <NamedQuestion
          question={t("settings.backups.deleteQuestion", { name })}
          consequence={t("settings.backups.deleteConsequence")}
          no={t("settings.backups.cancel")}
          yes={t("settings.backups.delete")}
          onNo={() => {
            setIsConfirming(false);
          }}
          onYes={() =>
            remove.mutateAsync({ parameters: { name } }).then(
              () => {
                notifySuccess(t("settings.backups.deleted", { name }));
              },
              (error: unknown) => {
                setIsConfirming(false);
                notifyFailure(
                  t("settings.backups.deleteFailed", { name }),
                  error,
                );
              },
            )
          }
        />
      </li>
    );
  return (
    <li>
      <IconArchive size={18} aria-hidden className="quiet" />
      <div className="panel-main">
        <p>
          <bdi>{name}</bdi>
        </p>
        <p className="quiet">
          {formats.moment(Date.parse(created))}
          {" · "}
          {formats.size(size)}
        </p>
      </div>
      {onRestore === null ? null : (
        <Button
          variant="default"
          leftSection={<IconHistory size={18} aria-hidden />}
          aria-label={t("settings.backups.restoreNamed", { name })}
          onClick={() => {
            onRestore({ title: name, where: { name } });
          }}
        >
          {t("settings.backups.restore")}
        </Button>
      )}
      <Tooltip label={t("settings.backups.save")}>
        <ActionIcon
          variant="default"
          aria-label={t("settings.backups.saveNamed", { name })}
          onClick={() => {
            save(name).catch(notifyInternalError);
          }}
        >
          <IconDeviceFloppy size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t("settings.backups.delete")}>
        <ActionIcon
          variant="default"
          aria-label={t("settings.backups.deleteNamed", { name })}
          onClick={() => {
            setIsConfirming(true);
          }}
        >
          <IconTrash size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </li>
  );
}

async function save(name: string): Promise<void> {
  try {
    const saved = await saveBackup(name);
    if (saved !== null) notifySuccess(t("settings.backups.saved"), saved.path);
  } catch (error) {
    notifyFailure(t("settings.backups.saveFailed"), error);
  }
}
