// The trash: deleted assets and playlists, to restore or delete permanently.

import { Box, Button, Flex, Group, Text } from "@mantine/core";
import {
  IconPhoto,
  IconPlaylist,
  IconRestore,
  IconTrash,
} from "@tabler/icons-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { operate, useAnswer } from "../api/operations.ts";
import { Empty } from "../components/layout/Empty.tsx";
import { focusInstead, pageTitle } from "../components/focus/focus.ts";
import {
  notifySuccess,
  notifyFailure,
  notifyInternalError,
} from "../components/outcomes/outcome.ts";
import { QueryError } from "../components/outcomes/QueryError.tsx";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { notifyUndoable } from "../undo/undo.ts";
import { restoreUndo } from "../assets/asset-actions.ts";
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
    return <QueryError sentence={t("manager.noResponse")} query={trash} />;
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
    <Box className="page-scroll" h="100%" p={0}>
      <Group
        gap={8}
        pt={4}
        pb={8}
        ps={{ base: "var(--side)", lg: 8 }}
        pe="calc(var(--side) - 10px)"
      >
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
          <Group
            role="group"
            className="trash-question"
            gap={8}
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
          </Group>
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
      </Group>
      <Flex
        component="ul"
        direction="column"
        gap={4}
        pt={8}
        pb={24}
        ps={{ base: "var(--side)", lg: 8 }}
        pe="calc(var(--side) - 10px)"
        aria-label={t("library.trash")}
      >
        {entries.map((entry) => (
          <Flex
            key={entry.id}
            className="trash-row"
            align="center"
            gap={12}
            component="li"
            mih={52}
            ps={12}
            pe={8}
            bd="1px solid var(--line)"
            bdrs={10}
            bg="var(--panel)"
          >
            {entry.kind === "playlist" ? (
              <IconPlaylist size={20} stroke={1.75} aria-hidden />
            ) : (
              <IconPhoto size={20} stroke={1.75} aria-hidden />
            )}
            <Box flex={1} miw={0} lh="18px">
              <Text truncate>
                <bdi>{entry.name}</bdi>
              </Text>
              <Text truncate c="dimmed">
                {t("library.deletedAt", {
                  time: formats.dayAndTime(Date.parse(entry.deleted)),
                })}
              </Text>
            </Box>
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
          </Flex>
        ))}
      </Flex>
    </Box>
  );
}
