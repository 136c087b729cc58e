// Preview of a playlist, or of the whole screen at any moment.

import { Button, SegmentedControl, TextInput } from "@mantine/core";
import {
  memo,
  useDeferredValue,
  useMemo,
  useState,
  type ReactNode,
} from "react";
import { compileSchedule } from "../../../../server/core/schedule/schedule.ts";
import type { PlaylistV2 } from "../../../../server/contract/v2/v2-playlists.ts";
import { momentOf, wallOf } from "../../schedule/week.ts";
import { texts } from "../../texts/texts.ts";
import { playlistOf, type Library } from "../library.ts";
import { placeFromText, placeToText } from "../predicate-editor/fields.ts";
import { Preview } from "./Preview.tsx";
import { roundOf, previewItemsOf, entriesOfPlaylist } from "./preview-items.ts";

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
  const messages = texts.playlists.preview;
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
    <section className="playlist-preview" aria-label={messages.title}>
      <SegmentedControl
        fullWidth
        aria-label={messages.what}
        value={what}
        data={[
          { value: "playlist", label: messages.thisPlaylist },
          { value: "screen", label: messages.fullScreen },
        ]}
        onChange={(value) => {
          setWhat(value === "screen" ? "screen" : "playlist");
        }}
      />
      {what === "screen" ? (
        <div className="preview-moment">
          <TextInput
            type="datetime-local"
            label={messages.moment}
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
            {messages.momentNow}
          </Button>
        </div>
      ) : null}
      <Preview
        previewItems={previewItems}
        nothing={what === "playlist" ? messages.nothing : messages.nothingDue}
      />
      <p className="quiet">{messages.about}</p>
    </section>
  );
});
