// When a playlist plays: clicked on one side, written on the other; both are the same predicate.

import { useMemo, useState, type ReactNode } from "react";
import { parsePredicate } from "../../../../server/core/predicate.ts";
import type { PlaylistV2 } from "../../../../server/contract/v2-playlists.ts";
import { texts } from "../../texts/texts.ts";
import { usePlaylistActions } from "../use-playlists.ts";
import { Clicked } from "./Clicked.tsx";
import { GiveTimes } from "./GiveTimes.tsx";
import { predicateOf, whenOf, type When as WhenParts } from "./weekly.ts";
import "./when.css";
import { Written } from "./Written.tsx";

interface Props {
  readonly playlist: PlaylistV2;
  readonly zone: string;
  /** Every playlist there is. */
  readonly all: readonly PlaylistV2[];
}

/** Clicked parts that do not make a sentence yet, as a window on no day, are kept here until they do. */
interface Draft {
  /** The predicate it was made of, or makes. */
  readonly text: string;
  readonly when: WhenParts;
}

export function When({ playlist, zone, all }: Props): ReactNode {
  const { change } = usePlaylistActions();
  const { predicate: stored, name } = playlist;
  const [written, setWritten] = useState(stored);
  const [draft, setDraft] = useState<Draft | null>(null);
  const [followed, setFollowed] = useState(stored);
  // Changed from elsewhere, or put back: both views follow.
  if (followed !== stored) {
    setFollowed(stored);
    setWritten(stored);
  }
  const { predicate, problem } = useMemo(
    () => parsePredicate(written),
    [written],
  );
  const when = useMemo(() => {
    if (draft && draft.text === written) return draft.when;
    return predicate ? whenOf(predicate.tree) : null;
  }, [draft, written, predicate]);

  const put = (text: string) => {
    setWritten(text);
    if (text !== stored)
      void change(
        playlist,
        { predicate: text },
        texts.playlists.when.changed(name),
      );
  };
  return (
    <div className="when">
      <Clicked
        when={when}
        zone={zone}
        onWhen={(wished, isSentence) => {
          const text = isSentence ? predicateOf(wished) : written;
          setDraft({ text, when: wished });
          if (isSentence) put(text);
        }}
      />
      <Written
        text={written}
        stored={stored}
        predicate={predicate}
        problem={problem}
        zone={zone}
        onText={setWritten}
        onApply={put}
      />
      <GiveTimes playlist={playlist} all={all} />
    </div>
  );
}
