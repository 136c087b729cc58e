// Schedule of a playlist: visual editor on one side, text on the other; both edit the same predicate.

import { SimpleGrid } from "@mantine/core";
import { useMemo, useState, type ReactNode } from "react";
import { parsePredicate } from "../../../../server/core/predicate/predicate.ts";
import type { PlaylistV2 } from "../../../../server/contract/v2/v2-playlists.ts";
import { ChangedElsewhere } from "../../components/drafts/ChangedElsewhere.tsx";
import { useDraft } from "../../components/drafts/use-draft.ts";
import { wayBackHere } from "../../place/navigation.ts";
import { t } from "../../../locales/messages.ts";
import { Panel } from "../../components/layout/Panel.tsx";
import { useMayChange } from "../../playlist-actions/PlaylistPermission.tsx";
import { usePlaylistActions } from "../../playlist-actions/use-playlists.ts";
import { Clicked } from "./VisualEditor.tsx";
import { GiveTimes } from "./CopyTimes.tsx";
import {
  predicateOf,
  whenOf,
  type When as WhenParts,
} from "../../predicates/weekly-windows.ts";
import "./predicate-editor.css";
import { inWords } from "../../predicates/predicate-text.ts";
import { Written } from "./PredicateField.tsx";
import { notifyInternalError } from "../../components/outcomes/outcome.ts";

interface Props {
  readonly playlist: PlaylistV2;
  readonly zone: string;
  /** All playlists. */
  readonly all: readonly PlaylistV2[];
}

/** The edited schedule, and the predicate made from it. */
interface Clicks {
  readonly text: string;
  readonly when: WhenParts;
}

export function When(props: Props): ReactNode {
  return useMayChange() ? <WhenEditor {...props} /> : <WhenShown {...props} />;
}

/** For a person who may only read it. */
function WhenShown({ playlist: { predicate }, zone }: Props): ReactNode {
  const times = inWords(predicate, zone);
  return (
    <SimpleGrid
      className="when"
      minColWidth="min(100%, 420px)"
      autoFlow="auto-fit"
      spacing={16}
      p={16}
    >
      <Panel
        title={t("playlists.schedule.times")}
        about={t("playlists.service.timesShown")}
      >
        <div className="panel-note">
          <p>{t("playlists.schedule.plays", { times })}</p>
          <p className="quiet">
            <code dir="ltr">{predicate}</code>
          </p>
        </div>
      </Panel>
    </SimpleGrid>
  );
}

function WhenEditor({ playlist, zone, all }: Props): ReactNode {
  const { change } = usePlaylistActions();
  const { playlist_id: id, predicate: stored, name } = playlist;
  const { attach, ...draft } = useDraft({
    ...{ key: `playlist ${id} predicate`, stored, isKept: true },
    read: (text) => ({ stored: text }),
    save: async (text, base) => {
      const isSaved = await change(
        ...([
          playlist,
          { predicate: text },
          t("playlists.schedule.changed", { name }),
        ] as const),
        ...([undefined, { predicate: base ?? stored }] as const),
      );
      return isSaved ? { isSaved } : { isSaved, reason: null };
    },
    place: {
      field: t("playlists.schedule.predicate"),
      of: name,
      goBack: wayBackHere(),
    },
  });
  const written = draft.typed ?? stored;
  const { predicate, problem } = useMemo(
    () => parsePredicate(written),
    [written],
  );
  // Two ranges of the same days print as one phrase, and stay two rows until it is parsed again.
  const [clicked, setClicked] = useState<Clicks | null>(null);
  const when = useMemo(() => {
    if (clicked?.text === written) return clicked.when;
    return predicate ? whenOf(predicate.tree) : null;
  }, [clicked, written, predicate]);
  const write = (text: string) => {
    if (text === stored && !draft.isChanged) draft.drop();
    else draft.type(text);
  };
  const put = async (text: string): Promise<void> => {
    draft.type(text);
    await draft.leave();
  };
  return (
    <SimpleGrid
      className="when"
      minColWidth="min(100%, 420px)"
      autoFlow="auto-fit"
      spacing={16}
      p={16}
    >
      <Clicked
        // Edits in one playlist do not carry over to another.
        key={id}
        {...{ id, name, when, zone }}
        onWhen={async (next) => {
          // A rejected predicate stays in the text field, and is not applied yet.
          const text = predicateOf(next);
          setClicked({ text, when: next });
          await put(text);
          return true;
        }}
        onDisable={() => {
          change(playlist, { is_enabled: false }).catch(notifyInternalError);
        }}
      />
      <Written
        text={written}
        stored={stored}
        predicate={predicate}
        problem={problem}
        zone={zone}
        attach={attach}
        note={
          draft.isChanged ? (
            <ChangedElsewhere
              label={t("playlists.schedule.predicate")}
              theirs={stored}
              onKeep={draft.keepMine}
              onTheirs={draft.useTheirs}
            />
          ) : null
        }
        onText={write}
        onRevert={draft.drop}
        onApply={(text) => {
          put(text).catch(notifyInternalError);
        }}
      />
      <GiveTimes playlist={playlist} all={all} />
    </SimpleGrid>
  );
}
