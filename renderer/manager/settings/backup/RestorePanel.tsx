// Restore: an archive is read completely and previewed before anything changes; then one named confirmation, and undo.

import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { IconFolderOpen } from "@tabler/icons-react";
import { useEffect, useRef, type ReactNode } from "react";
import { useAssets, useNow } from "../../api/api.ts";
import { FileChoice } from "../../components/controls/FileChoice.tsx";
import { NamedQuestion } from "../../components/controls/Confirmation.tsx";
import { notifyFailure } from "../../components/outcomes/outcome.ts";
import { Panel } from "../../components/layout/Panel.tsx";
import { QueryError } from "../../components/outcomes/QueryError.tsx";
import { t } from "../../../locales/messages.ts";
import { notifyUndoable } from "../../undo/undo.ts";
import { restoredUndo } from "./restore-undo.ts";
import { RestorePreview } from "./RestorePreview.tsx";

/** A backup of this PC by its name, or any file by its path. */
export interface Archive {
  readonly title: string;
  readonly where: { readonly name: string } | { readonly path: string };
}

interface Props {
  readonly archive: Archive | null;
  readonly onChoose: (archive: Archive | null) => void;
}

export function RestorePanel({ archive, onChoose }: Props): ReactNode {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (archive) panel.current?.scrollIntoView({ block: "start" });
  }, [archive]);
  return (
    <div ref={panel}>
      <Panel
        title={
          archive
            ? t("settings.restore.titleNamed", { name: archive.title })
            : t("settings.restore.title")
        }
        about={t("settings.restore.description")}
        actions={
          <FileChoice
            accept=".tar.gz,.tgz,application/gzip"
            onFiles={([file]) => {
              onChoose({
                title: file.name,
                where: { path: window.manager.pathOf(file) },
              });
            }}
          >
            {(props) => (
              <Button
                {...props}
                variant="default"
                leftSection={<IconFolderOpen size={18} aria-hidden />}
              >
                {t("settings.restore.choose")}
              </Button>
            )}
          </FileChoice>
        }
      >
        {archive ? (
          <Examined
            key={JSON.stringify(archive.where)}
            archive={archive}
            onDone={() => {
              onChoose(null);
            }}
          />
        ) : null}
      </Panel>
    </div>
  );
}

function Examined(props: {
  readonly archive: Archive;
  readonly onDone: () => void;
}): ReactNode {
  const { archive, onDone } = props;
  const client = useQueryClient();
  const assets = useAssets().data?.length ?? 0;
  const player = useNow().data?.player_name ?? t("manager.product");
  const contents = useQuery({
    queryKey: ["examineBackup", archive.where],
    queryFn: () => window.manager.examineBackup(archive.where),
    retry: false,
    gcTime: 0,
  });
  if (contents.isError)
    return (
      <div className="panel-note">
        <QueryError
          sentence={t("settings.restore.unreadable")}
          query={contents}
        />
      </div>
    );
  if (contents.data === undefined)
    return (
      <p className="panel-note quiet after-a-moment" role="status">
        {t("settings.restore.reading")}
      </p>
    );
  return (
    <div className="panel-note">
      <RestorePreview contents={contents.data} />
      <NamedQuestion
        question={t("settings.restore.question", { player })}
        consequence={t("settings.restore.consequence", { count: assets })}
        no={t("settings.restore.cancel")}
        yes={t("settings.restore.confirm")}
        isGrave={false}
        onNo={onDone}
        onYes={async () => {
          try {
            const { wayBack } = await window.manager.restoreBackup(
              archive.where,
            );
            onDone();
            await client.invalidateQueries();
            notifyUndoable(
              t("settings.restore.restored"),
              await restoredUndo(wayBack),
            );
          } catch (error) {
            notifyFailure(t("settings.restore.failed"), error);
          }
        }}
      />
    </div>
  );
}
