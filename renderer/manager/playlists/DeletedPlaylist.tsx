// Replaces the editor of a playlist that was deleted: nobody who had it open ends up editing another one.

import { Box, Button } from "@mantine/core";
import { IconPlaylistX, IconRestore } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, type ReactNode } from "react";
import { restoreUndo } from "../assets/asset-actions.ts";
import { keyOf, operate, useAnswer } from "../api/operations.ts";
import { Refusal } from "../api/refusal.ts";
import { Empty } from "../components/layout/Empty.tsx";
import { hasFocus } from "../components/focus/focus.ts";
import {
  notifyFailure,
  notifyInternalError,
} from "../components/outcomes/outcome.ts";
import { addressOf } from "../place/navigation.ts";
import { can } from "../place/abilities.ts";
import { t } from "../../locales/messages.ts";
import { notifyUndoable } from "../undo/undo.ts";

/** Only once the player does not know it either: a playlist that was just created may be missing in the list for a moment. */
export function DeletedPlaylist({ id }: { readonly id: string }): ReactNode {
  const input = { parameters: { id } };
  const { error } = useQuery({
    queryKey: keyOf("readPlaylist", input),
    queryFn: () => operate("readPlaylist", input),
    retry: false,
  });
  const isGone = error instanceof Refusal && error.code === "not-found";
  return isGone ? <Deleted id={id} /> : null;
}

function Deleted({ id }: { readonly id: string }): ReactNode {
  const section = useRef<HTMLElement>(null);
  // The focused element may have disappeared with the editor: no button takes the focus by itself.
  useEffect(() => {
    if (!hasFocus()) section.current?.focus({ preventScroll: true });
  }, []);
  const trash = useAnswer("listTrash", {}).data;
  const trashEntry = trash?.find((entry) => entry.id === id);
  const restore = async (): Promise<void> => {
    const body = { playlist_ids: [id] };
    try {
      await operate("restoreFromTrash", { body });
      notifyUndoable(t("library.restored", { count: 1 }), restoreUndo(body));
    } catch (error) {
      notifyFailure(t("library.restoreFailed"), error);
    }
  };
  return (
    <Box
      ref={section}
      component="section"
      miw={0}
      style={{ outlineOffset: "-4px" }}
      aria-label={t("playlists.deleted.title")}
      tabIndex={-1}
    >
      <Empty
        icon={IconPlaylistX}
        title={t("playlists.deleted.title")}
        sentence={
          trashEntry
            ? t("playlists.deleted.inTrash", { name: trashEntry.name })
            : t(
                can("player")
                  ? "playlists.deleted.gone"
                  : "playlists.service.gone",
              )
        }
      >
        {trashEntry ? (
          <Button
            leftSection={<IconRestore size={18} aria-hidden />}
            onClick={() => {
              restore().catch(notifyInternalError);
            }}
          >
            {t("library.restore")}
          </Button>
        ) : null}
        <Button component="a" variant="default" href={addressOf("playlists")}>
          {t("playlists.deleted.toList")}
        </Button>
      </Empty>
    </Box>
  );
}
