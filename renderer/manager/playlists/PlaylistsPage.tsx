// The playlists page: the list at the side, and the chosen playlist with its content, schedule and settings.

import { Button, Flex } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconPlaylist, IconPlus } from "@tabler/icons-react";
import {
  memo,
  useCallback,
  useEffect,
  useRef,
  useState,
  type MouseEvent,
  type ReactNode,
} from "react";
import { reasonOf } from "../api/reason.ts";
import { Empty } from "../components/layout/Empty.tsx";
import { PageFrame } from "../components/layout/PageFrame.tsx";
import { ErrorAlert } from "../components/outcomes/ErrorAlert.tsx";
import { goTo, stayAt, staying } from "../place/navigation.ts";
import { can } from "../place/abilities.ts";
import { useMayRequest } from "../place/permissions.ts";
import { TakeoverNote } from "../takeover/TakeoverNote.tsx";
import { plainMessage, t } from "../../locales/messages.ts";
import { DeletedPlaylist } from "./DeletedPlaylist.tsx";
import { useLibrary, type Library } from "../lineup/schedule-inputs.ts";
import { PlaylistEditor } from "./PlaylistEditor.tsx";
import { PlaylistList } from "./PlaylistList.tsx";
import { PlaylistPermission } from "../playlist-actions/PlaylistPermission.tsx";
import "./playlists.css";
import { usePlaylistActions } from "../playlist-actions/use-playlists.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

interface Props {
  /** Id of the chosen playlist; empty where none was chosen. */
  readonly at: string;
}

export function PlaylistsPage({ at }: Props): ReactNode {
  const { library, error, isFetching, refetch } = useLibrary();
  const { create } = usePlaylistActions();
  const isMaking = useRef(false);
  const [newId, setNewId] = useState<string | null>(null);
  const add = useCallback(
    async ({ detail }: MouseEvent) => {
      // A double click creates only one.
      if (isMaking.current || detail > 1) return;
      isMaking.current = true;
      const isHere = staying();
      const created = await create({ name: plainMessage("playlists.newName") });
      isMaking.current = false;
      if (!created || !isHere()) return;
      setNewId(created.playlist_id);
      goTo("playlists", created.playlist_id);
    },
    [create],
  );
  const count = library?.playlists.length ?? 0;
  const mayAdd = useMayRequest()("POST", "/playlists");
  return (
    <PageFrame
      title={t("playlists.title")}
      about={count > 0 ? t("playlists.count", { count }) : undefined}
      isFilled={count > 0}
      note={<TakeoverNote />}
      actions={
        count > 0 && mayAdd ? (
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={(event) => {
              add(event).catch(notifyInternalError);
            }}
          >
            {t("playlists.add")}
          </Button>
        ) : undefined
      }
    >
      {library ? (
        count > 0 ? (
          <Chosen library={library} at={at} newId={newId} />
        ) : at !== "" ? (
          <DeletedPlaylist key={at} id={at} />
        ) : (
          <Empty
            icon={IconPlaylist}
            title={t("playlists.emptyTitle")}
            sentence={
              mayAdd
                ? t("playlists.emptyText")
                : t("playlists.service.emptyForViewers")
            }
          >
            {mayAdd ? (
              <Button
                leftSection={<IconPlus size={16} aria-hidden />}
                onClick={(event) => {
                  add(event).catch(notifyInternalError);
                }}
              >
                {t("playlists.add")}
              </Button>
            ) : null}
          </Empty>
        )
      ) : error ? (
        <ErrorAlert
          sentence={t(
            can("player")
              ? "playlists.notLoaded"
              : "playlists.service.notLoaded",
          )}
          reason={reasonOf(error)}
          isTrying={isFetching}
          onTryAgain={refetch}
        />
      ) : (
        <p className="quiet after-a-moment">{t("manager.loading")}</p>
      )}
    </PageFrame>
  );
}

/** Where there is no space for both, the chosen playlist replaces the list. */
const wideScreen = "(width >= 1000px)";

interface ChosenProps {
  readonly library: Library;
  readonly at: string;
  /** Just created here: its name is entered next. */
  readonly newId: string | null;
}

/** A refetch alone is no reason to rerender everything. */
const Chosen = memo(function Chosen(props: ChosenProps): ReactNode {
  const { library, at, newId } = props;
  const isWide = useMediaQuery(wideScreen, true, {
    getInitialValueInEffect: false,
  });
  const { playlists } = library;
  const named = playlists.find(({ playlist_id }) => playlist_id === at);
  const [first] = playlists;
  const chosen = at === "" && isWide ? first : named;
  const isDeleted = at !== "" && !named;
  // The open playlist is named in the address: no other one takes its place when it is deleted.
  const opened = chosen?.playlist_id;
  useEffect(() => {
    if (at === "" && opened !== undefined) stayAt("playlists", opened);
  }, [at, opened]);
  return (
    <Flex className="playlists line-above" h="100%">
      {isWide || (!chosen && !isDeleted) ? (
        <PlaylistList
          library={library}
          chosenId={chosen?.playlist_id ?? null}
          isBeside={isWide}
        />
      ) : null}
      {isDeleted ? <DeletedPlaylist key={at} id={at} /> : null}
      {chosen ? (
        <PlaylistPermission key={chosen.playlist_id} playlist={chosen}>
          <PlaylistEditor
            library={library}
            playlist={chosen}
            hasWayBack={!isWide}
            isNew={chosen.playlist_id === newId}
          />
        </PlaylistPermission>
      ) : null}
    </Flex>
  );
});
