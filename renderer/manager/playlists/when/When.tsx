// When a playlist plays: clicked on one side, written on the other; both are the same predicate.

import { useMemo, useState, type ReactNode } from "react";
import { parsePredicate } from "../../../../server/core/predicate.ts";
import type { PlaylistV2 } from "../../../../server/contract/v2-playlists.ts";
import { texts } from "../../texts/texts.ts";
import { usePlaylistActions } from "../use-playlists.ts";
import { Clicked } from "./Clicked.tsx";
import { GiveTimes } from "./GiveTimes.tsx";
import { createUnapplied } from "./unapplied.ts";
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

const unapplied = createUnapplied();

export function When({ playlist, zone, all }: Props): ReactNode {
  const { change } = usePlaylistActions();
  const { playlist_id: id, predicate: stored, name } = playlist;
  const [written, setWritten] = useState(() => unapplied.textOf(id, stored));
  const [draft, setDraft] = useState<Draft | null>(null);
  const [followed, setFollowed] = useState(stored);
  // Changed from elsewhere, or put back: both views follow; what was refused is there again.
  if (followed !== stored) {
    setFollowed(stored);
    setWritten(unapplied.textOf(id, stored));
  }
  const { predicate, problem } = useMemo(
    () => parsePredicate(written),
    [written],
  );
  const when = useMemo(() => {
    if (draft && draft.text === written) return draft.when;
    return predicate ? whenOf(predicate.tree) : null;
  }, [draft, written, predicate]);

  const write = (text: string) => {
    unapplied.note(id, stored, text);
    setWritten(text);
  };
  const put = (text: string) => {
    unapplied.note(id, stored, stored);
    setWritten(text);
    if (text === stored) return;
    const says = texts.playlists.when.changed(name);
    void change(playlist, { predicate: text }, says).then((isTaken) => {
      // What was refused, or written over it meanwhile, is not applied yet.
      if (!isTaken) unapplied.note(id, stored, unapplied.textOf(id, text));
    });
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
        onText={write}
        onApply={put}
      />
      <GiveTimes playlist={playlist} all={all} />
    </div>
  );
}
