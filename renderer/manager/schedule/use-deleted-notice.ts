// Notice when the playlist is deleted whose times are open: its panel closes, and nothing else takes its place.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useRef } from "react";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import { keyOf } from "../api/operations.ts";
import { focusInstead, pageTitle } from "../components/focus/focus.ts";
import { notifySuccess } from "../components/outcomes/outcome.ts";
import { t } from "../../locales/messages.ts";

export function useDeletedNotice(
  playlist: PlaylistV2 | null,
  isOpen: boolean,
): void {
  const client = useQueryClient();
  const latest = useRef({ playlist, isOpen });
  useLayoutEffect(() => {
    // Its lane stays a moment longer than the playlist does.
    latest.current = { playlist: playlist ?? latest.current.playlist, isOpen };
  });
  useEffect(
    () => () => {
      const { playlist: gone, isOpen: wasOpen } = latest.current;
      if (!wasOpen || !gone) return;
      const list = client.getQueryData<readonly PlaylistV2[]>(
        keyOf("listPlaylists", {}),
      );
      // Its lane may have left the page for another reason.
      const { playlist_id: id } = gone;
      if (!list || list.some((one) => one.playlist_id === id)) return;
      notifySuccess(
        t("playlists.deleted.elsewhere", { name: gone.name }),
        t("playlists.deleted.elsewhereHint"),
      );
      setTimeout(() => focusInstead(document, pageTitle));
    },
    [client],
  );
}
