// Preview of a playlist, or of the whole screen at any moment.

import {
  Button,
  Flex,
  Group,
  SegmentedControl,
  TextInput,
} from "@mantine/core";
import {
  memo,
  useDeferredValue,
  useMemo,
  useState,
  type ReactNode,
} from "react";
import { compileSchedule } from "../../../server/core/schedule/schedule.ts";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import { momentOf, wallOf } from "../components/screen-time/week.ts";
import { t } from "../../locales/messages.ts";
import { playlistOf, type Library } from "../lineup/schedule-inputs.ts";
import { placeFromText, placeToText } from "../predicates/input-formats.ts";
import { Preview } from "../preview/Preview.tsx";
import {
  roundOf,
  previewItemsOf,
  entriesOfPlaylist,
} from "../preview/preview-items.ts";

interface Props {
  readonly library: Library;
  readonly playlist: PlaylistV2;
}

/** Follows edits next to it with low priority. */
export function PlaylistPreview({ library, playlist }: Props): ReactNode {
  return (
    <LatePreview
      library={useDeferredValue(library)}
      playlist={useDeferredValue(playlist)}
    />
  );
}

const LatePreview = memo(function LatePreview({
  library,
  playlist,
}: Props): ReactNode {
  const [what, setWhat] = useState<"playlist" | "screen">("playlist");
  const [moment, setMoment] = useState<number>(() => Date.now());
  const { input, assets, screen } = library;
  const { zone } = screen;
  const previewItems = useMemo(() => {
    const one = playlistOf(playlist);
    const entries =
      what === "playlist"
        ? entriesOfPlaylist(one, assets)
        : compileSchedule(input).lineupAt(moment).entries;
    const round = roundOf(entries, input.playlists, screen);
    return previewItemsOf(round, screen.presentationDefaults);
  }, [what, moment, input, assets, screen, playlist]);
  const { day, timeMs } = wallOf(moment, zone);
  const written = placeToText(day, timeMs);
  return (
    <Flex
      component="section"
      direction="column"
      gap={12}
      aria-label={t("playlists.preview.title")}
    >
      <SegmentedControl
        fullWidth
        aria-label={t("playlists.preview.source")}
        value={what}
        data={[
          { value: "playlist", label: t("playlists.preview.thisPlaylist") },
          { value: "screen", label: t("playlists.preview.fullScreen") },
        ]}
        onChange={(value) => {
          setWhat(value === "screen" ? "screen" : "playlist");
        }}
      />
      {what === "screen" ? (
        <Group align="end" gap={8}>
          <TextInput
            type="datetime-local"
            label={t("playlists.preview.moment")}
            key={written}
            defaultValue={written}
            onBlur={(event) => {
              const place = placeFromText(event.currentTarget.value);
              if (place && event.currentTarget.value !== written)
                setMoment(momentOf(place.day, place.timeMs, zone));
            }}
            onKeyDown={(event) => {
              if (event.key === "Enter") event.currentTarget.blur();
            }}
          />
          <Button
            variant="default"
            onClick={() => {
              setMoment(Date.now());
            }}
          >
            {t("playlists.preview.now")}
          </Button>
        </Group>
      ) : null}
      <Preview
        previewItems={previewItems}
        nothing={
          what === "playlist"
            ? t("playlists.preview.empty")
            : t("playlists.preview.nothingDue")
        }
      />
      <p className="quiet">{t("playlists.preview.help")}</p>
    </Flex>
  );
});
