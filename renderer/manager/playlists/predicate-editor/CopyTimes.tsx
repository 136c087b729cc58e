// Copies the times of one playlist to another, with undo.

import { Box, Button, Menu } from "@mantine/core";
import { IconCopy } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { PlaylistV2 } from "../../../../server/contract/v2/v2-playlists.ts";
import { useMayRequest } from "../../place/permissions.ts";
import { t } from "../../../locales/messages.ts";
import { usePlaylistActions } from "../../playlist-actions/use-playlists.ts";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";

interface Props {
  readonly playlist: PlaylistV2;
  readonly all: readonly PlaylistV2[];
}

export function GiveTimes({ playlist, all }: Props): ReactNode {
  const { change } = usePlaylistActions();
  const { playlist_id: id, predicate } = playlist;
  const mayRequest = useMayRequest();
  const others = all.filter(
    (one) =>
      one.playlist_id !== id &&
      one.predicate !== predicate &&
      mayRequest(
        "PATCH",
        "/playlists/:id",
        one.groups.map((label) => ({ groups: [{ id: label }] })),
      ),
  );
  if (others.length === 0) return null;
  return (
    <Box mt={16}>
      <Menu
        position="bottom-start"
        width={260}
        transitionProps={{ duration: 0 }}
      >
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconCopy size={16} aria-hidden />}
          >
            {t("playlists.schedule.copyTimes")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className="scrolls" mah={320}>
          {others.map((other) => (
            <Menu.Item
              key={other.playlist_id}
              onClick={() => {
                change(
                  other,
                  { predicate },
                  t("playlists.schedule.changed", { name: other.name }),
                ).catch(notifyInternalError);
              }}
            >
              <bdi>{other.name}</bdi>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Box>
  );
}
