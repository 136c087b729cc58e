// Backups: create, list, save elsewhere, delete by name, and choose for a restore.

import { ActionIcon, Button, Tooltip } from "@mantine/core";
import {
  IconArchive,
  IconDeviceFloppy,
  IconHistory,
  IconTrash,
} from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import type { BackupV2 } from "../../../server/contract/v2/v2-beyond.ts";
import { reasonOf } from "../api.ts";
import { useAnswer, useOperation } from "../operations.ts";
import { NamedQuestion } from "../parts/controls/Confirmation.tsx";
import { notifySuccess, notifyFailure } from "../parts/outcomes/outcome.ts";
import { Panel } from "../parts/layout/Panel.tsx";
import { ErrorAlert } from "../parts/outcomes/ErrorAlert.tsx";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { texts } from "../texts/texts.ts";
import type { Archive } from "./RestorePanel.tsx";

const words = texts.settings.backup;

export function BackupPanel({
  onRestore,
}: {
  readonly onRestore: (archive: Archive) => void;
}): ReactNode {
  const backups = useAnswer("listBackups", {});
  const make = useOperation("makeBackup", ["listBackups"]);
  return (
    <Panel
      title={words.title}
      about={make.isPending ? words.making : words.about}
      actions={
        <Button
          leftSection={<IconArchive size={18} aria-hidden />}
          loading={make.isPending}
          onClick={() => {
            make.mutate(
              {},
              {
                onSuccess: (name) => {
                  notifySuccess(words.made, name);
                },
                onError: (error) => {
                  notifyFailure(words.makeFailed, error);
                },
              },
            );
          }}
        >
          {words.make}
        </Button>
      }
    >
      {backups.isError ? (
        <div className="panel-note">
          <ErrorAlert
            sentence={words.listFailed}
            reason={reasonOf(backups.error)}
            isTrying={backups.isFetching}
            onTryAgain={() => void backups.refetch()}
          />
        </div>
      ) : backups.data === undefined ? (
        <p className="panel-note quiet after-a-moment">
          {t("manager.loading")}
        </p>
      ) : backups.data.length === 0 ? (
        <div className="panel-note">
          <p>{words.empty}</p>
          <p className="quiet">{words.emptyStep}</p>
        </div>
      ) : (
        <ul className="panel-rows" aria-label={words.list}>
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
  readonly onRestore: (archive: Archive) => void;
}): ReactNode {
  const { name, size, created } = props.backup;
  const [isConfirming, setIsConfirming] = useState(false);
  const remove = useOperation("deleteBackup", ["listBackups"]);
  if (isConfirming)
    return (
      <li>
        <NamedQuestion
          question={words.removeQuestion(name)}
          consequence={words.removeWhat}
          no={words.keep}
          yes={words.remove}
          onNo={() => {
            setIsConfirming(false);
          }}
          onYes={() =>
            remove.mutateAsync({ parameters: { name } }).then(
              () => {
                notifySuccess(words.removed(name));
              },
              (error: unknown) => {
                setIsConfirming(false);
                notifyFailure(words.removeFailed(name), error);
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
          {words.facts(formats.moment(Date.parse(created)), formats.size(size))}
        </p>
      </div>
      <Button
        variant="default"
        leftSection={<IconHistory size={18} aria-hidden />}
        aria-label={words.restoreNamed(name)}
        onClick={() => {
          props.onRestore({ title: name, where: { name } });
        }}
      >
        {words.restore}
      </Button>
      <Tooltip label={words.save}>
        <ActionIcon
          variant="default"
          aria-label={words.saveNamed(name)}
          onClick={() => void save(name)}
        >
          <IconDeviceFloppy size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={words.remove}>
        <ActionIcon
          variant="default"
          aria-label={words.removeNamed(name)}
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
    const saved = await window.manager.saveBackup({ name });
    if (saved !== null) notifySuccess(words.saved, saved.path);
  } catch (error) {
    notifyFailure(words.saveFailed, error);
  }
}
