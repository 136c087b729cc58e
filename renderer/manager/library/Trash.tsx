// The trash: deleted assets and playlists, to restore or delete permanently.

import { Button } from "@mantine/core";
import {
  IconPhoto,
  IconPlaylist,
  IconRestore,
  IconTrash,
} from "@tabler/icons-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { reasonOf } from "../api.ts";
import { operate, useAnswer } from "../operations.ts";
import { Empty } from "../components/layout/Empty.tsx";
import { focusInstead, pageTitle } from "../components/focus/focus.ts";
import {
  notifySuccess,
  notifyFailure,
  notifyInternalError,
} from "../components/outcomes/outcome.ts";
import { ErrorAlert } from "../components/outcomes/ErrorAlert.tsx";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { notifyUndoable } from "../undo.ts";
import { restoreUndo } from "./asset-actions.ts";
import type { TrashEntryV2 } from "../../../server/contract/v2/v2-logs.ts";

export function Trash(): ReactNode {
  const trash = useAnswer("listTrash", {});
  const [isConfirming, setIsConfirming] = useState(false);
  // Position of the pressed button, which disappeared with its entry.
  const pressed = useRef<number | null>(null);
  useEffect(() => {
    if (pressed.current === null) return;
    const row = `.trash-row:nth-child(${pressed.current + 1}) button`;
    const last = ".trash-row:last-child button";
    if (focusInstead(document, row, last, pageTitle)) pressed.current = null;
  }, [trash.data]);
  if (trash.isError)
    return (
      <ErrorAlert
        sentence={t("manager.noResponse")}
        reason={reasonOf(trash.error)}
        isTrying={trash.isFetching}
        onTryAgain={() => {
          trash.refetch().catch(notifyInternalError);
        }}
      />
    );
  const entries = trash.data ?? [];
  if (trash.data && entries.length === 0)
    return (
      <Empty
        icon={IconTrash}
        title={t("library.trashEmptyTitle")}
        sentence={t("library.trashEmptyText")}
      />
    );
  const inputFor = (some: readonly TrashEntryV2[]) => ({
    body: {
      asset_ids: some.flatMap(({ kind, id }) => (kind === "asset" ? [id] : [])),
      playlist_ids: some.flatMap(({ kind, id }) =>
        kind === "playlist" ? [id] : [],
      ),
    },
  });
  const restore = async (some: readonly TrashEntryV2[]): Promise<void> => {
    const [first] = some;
    pressed.current = first ? entries.indexOf(first) : null;
    try {
      await operate("restoreFromTrash", inputFor(some));
      notifyUndoable(
        t("library.restored", { count: some.length }),
        restoreUndo(inputFor(some).body),
      );
    } catch (error) {
      notifyFailure(t("library.restoreFailed"), error);
    }
    await trash.refetch();
  };
  const empty = async (): Promise<void> => {
    setIsConfirming(false);
    pressed.current = 0;
    try {
      await operate("emptyTrash", {});
      notifySuccess(t("library.trashEmptied"));
    } catch (error) {
      notifyFailure(t("library.emptyTrashFailed"), error);
    }
    await trash.refetch();
  };
  return (
    <div className="trash-scroll">
      <div className="library-bar">
        <Button
          variant="default"
          leftSection={<IconRestore size={18} aria-hidden />}
          onClick={() => {
            restore(entries).catch(notifyInternalError);
          }}
        >
          {t("library.restoreAll")}
        </Button>
        {isConfirming ? (
          <div
            role="group"
            className="trash-question"
            aria-label={t("library.emptyTrashQuestion", {
              count: entries.length,
            })}
          >
            <span>
              {t("library.emptyTrashQuestion", { count: entries.length })}
            </span>
            {/* The safe choice has the focus: pressing Enter twice deletes nothing. */}
            <Button
              variant="default"
              autoFocus
              onClick={() => {
                setIsConfirming(false);
              }}
            >
              {t("library.cancelEmptyTrash")}
            </Button>
            <Button
              color="red"
              onClick={() => {
                empty().catch(notifyInternalError);
              }}
            >
              {t("library.deletePermanently")}
            </Button>
          </div>
        ) : (
          <Button
            variant="default"
            leftSection={<IconTrash size={18} aria-hidden />}
            onClick={() => {
              setIsConfirming(true);
            }}
          >
            {t("library.emptyTrash")}
          </Button>
        )}
      </div>
      <ul className="trash-list" aria-label={t("library.trash")}>
        {entries.map((entry) => (
          <li key={entry.id} className="trash-row">
            {entry.kind === "playlist" ? (
              <IconPlaylist size={20} stroke={1.75} aria-hidden />
            ) : (
              <IconPhoto size={20} stroke={1.75} aria-hidden />
            )}
            <div className="trash-text">
              <p>
                <bdi>{entry.name}</bdi>
              </p>
              <p className="quiet">
                {t("library.deletedAt", {
                  time: formats.dayAndTime(Date.parse(entry.deleted)),
                })}
              </p>
            </div>
            <Button
              variant="default"
              h={36}
              aria-label={t("library.restoreNamed", { name: entry.name })}
              onClick={() => {
                restore([entry]).catch(notifyInternalError);
              }}
            >
              {t("library.restore")}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
