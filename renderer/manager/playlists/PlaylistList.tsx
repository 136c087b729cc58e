// List of all playlists: a thumbnail, when each plays in plain words, and which of them is playing.

import { Badge, Flex, Text, TextInput, UnstyledButton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconPlayerPlayFilled, IconSearch } from "@tabler/icons-react";
import { memo, useMemo, useState, type ReactNode } from "react";
import {
  compileSchedule,
  type ScheduleInput,
} from "../../../server/core/schedule/schedule.ts";
import type { AssetView } from "../api/asset-view.ts";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import { useMoment } from "../components/use-moment.ts";
import { addressOf } from "../place/navigation.ts";
import { can } from "../place/abilities.ts";
import { useTakeover } from "../takeover/use-takeover.ts";
import { t } from "../../locales/messages.ts";
import type { Library } from "../lineup/schedule-inputs.ts";
import { Thumbnail } from "../assets/Thumbnail.tsx";
import { inWords } from "../predicates/predicate-text.ts";

interface Props {
  readonly library: Library;
  readonly chosenId: string | null;
  /** Of the chosen playlist; otherwise it is alone. */
  readonly isBeside: boolean;
}

/** Fewer need no filter. */
const fewEnough = 8;

export function PlaylistList(props: Props): ReactNode {
  const { library, chosenId, isBeside } = props;
  const [searchText, setSearchText] = useState("");
  const { playlists, viewsById, screen } = library;
  const playing = usePlaying(library);
  const isCovered = useTakeover() != null;
  const matches = playlists.filter(({ name }) =>
    name.toLocaleLowerCase().includes(searchText.trim().toLocaleLowerCase()),
  );
  return (
    <Flex
      component="nav"
      className={isBeside ? "scrolls line-after" : "scrolls"}
      direction="column"
      gap={8}
      flex={isBeside ? "none" : 1}
      w={isBeside ? "clamp(240px, 22vw, 340px)" : undefined}
      miw={0}
      p={8}
      aria-label={t("playlists.list")}
    >
      {playlists.length > fewEnough ? (
        <TextInput
          type="search"
          aria-label={t("playlists.search")}
          placeholder={t("playlists.search")}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={searchText}
          onChange={(event) => {
            setSearchText(event.currentTarget.value);
          }}
        />
      ) : null}
      {matches.length === 0 ? (
        <Text c="dimmed" py={16} px={8}>
          {t("playlists.notFound", { search: searchText })}
        </Text>
      ) : (
        <Flex direction="column" gap={2} component="ul" role="list">
          {matches.map((playlist) => (
            <PlaylistLink
              key={playlist.playlist_id}
              playlist={playlist}
              first={viewsById.get(playlist.items[0]?.asset_id ?? "")}
              zone={screen.zone}
              isChosen={playlist.playlist_id === chosenId}
              isCovered={isCovered}
              isPlaying={playing.has(playlist.playlist_id)}
            />
          ))}
        </Flex>
      )}
    </Flex>
  );
}

interface LinkProps {
  readonly playlist: PlaylistV2;
  readonly first: AssetView | undefined;
  readonly zone: string;
  readonly isChosen: boolean;
  readonly isPlaying: boolean;
  /** A takeover covers the screen. */
  readonly isCovered: boolean;
}

const PlaylistLink = memo(function PlaylistLink(props: LinkProps): ReactNode {
  const { playlist, first, zone, isChosen, isPlaying, isCovered } = props;
  const { playlist_id: id, name, predicate, priority, is_enabled } = playlist;
  const words = useMemo(() => inWords(predicate, zone), [predicate, zone]);
  const when = is_enabled ? words : t("schedule.disabled");
  return (
    <li>
      <UnstyledButton
        component="a"
        variant="row"
        mih={60}
        py={6}
        px={8}
        href={addressOf("playlists", id)}
        className="playlist-link"
        aria-current={isChosen ? "true" : undefined}
        data-dim={!is_enabled}
      >
        <Thumbnail view={first} />
        <span className="lines">
          <Text component="span" truncate fw={550} title={name}>
            <bdi>{name}</bdi>
          </Text>
          <span className="two-lines small quiet" title={when}>
            {isPlaying ? (
              <Text
                component="span"
                fw={600}
                style={{ color: "light-dark(#2f52b4, #a9bffb)" }}
              >
                {isCovered ? (
                  t("schedule.covered")
                ) : (
                  <>
                    <IconPlayerPlayFilled
                      style={{ verticalAlign: "-1px" }}
                      size={12}
                      aria-hidden
                    />{" "}
                    {t("playlists.playsNow")}
                  </>
                )}
                {" · "}
              </Text>
            ) : null}
            <bdi>{when}</bdi>
          </span>
        </span>
        {can("player") ? (
          <Badge
            flex="none"
            variant="default"
            radius="sm"
            aria-label={t("playlists.priority", { priority })}
            title={t("playlists.priority", { priority })}
          >
            {t("schedule.priority", { priority })}
          </Badge>
        ) : priority > 0 ? (
          <Badge
            flex="none"
            variant="default"
            radius="sm"
            tt="none"
            title={t("playlists.service.priorityHigh")}
          >
            {t("playlists.service.priorities.high")}
          </Badge>
        ) : null}
      </UnstyledButton>
    </li>
  );
});

const restMs = 400;
/** A change caused by the clock appears with at most this delay. */
const refreshIntervalMs = 5_000;

function usePlaying(library: Library): ReadonlySet<string> {
  const moment = useMoment(refreshIntervalMs);
  // While items are being reordered, ten thousand assets are not planned again at every step.
  const [input] = useDebouncedValue(library.input, restMs);
  // What plays on the screens of a content service, each of them knows.
  const schedule = useMemo(
    () => (can("player") ? compileSchedule(listedOf(input)) : null),
    [input],
  );
  return useMemo(
    () =>
      new Set(
        schedule
          ?.lineupAt(moment)
          .entries.flatMap(({ playlistId }) => playlistId ?? []),
      ),
    [schedule, moment],
  );
}

/** Without the assets that are in no playlist: they only matter to playlists of lower rank. */
function listedOf(input: ScheduleInput): ScheduleInput {
  const { assets, playlists } = input;
  if (playlists.some(({ priority }) => priority < 0)) return input;
  const listed = new Set(
    playlists.flatMap(({ items }) => items.map(({ assetId }) => assetId)),
  );
  return { ...input, assets: assets.filter(({ id }) => listed.has(id)) };
}
