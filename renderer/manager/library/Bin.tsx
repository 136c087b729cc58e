// What was thrown away: it can be taken back as it was, until somebody deletes it for good.

import { Button } from "@mantine/core";
import {
  IconPhoto,
  IconPlaylist,
  IconRestore,
  IconTrash,
} from "@tabler/icons-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { reasonOf } from "../api.ts";
import { operate, useAnswer } from "../operations.ts";
import { Empty } from "../parts/Empty.tsx";
import { focusInstead, pageTitle } from "../parts/focus.ts";
import { sayDone, sayFailed } from "../parts/outcome.ts";
import { Trouble } from "../parts/Trouble.tsx";
import { formats, texts } from "../texts/texts.ts";
import { sayUndoable } from "../undo.ts";
import { restoreUndo } from "./actions.ts";
import type { BinEntryV2 } from "../../../server/contract/v2/v2-history.ts";

export function Bin(): ReactNode {
  const bin = useAnswer("listBin", {});
  const [isAsking, setIsAsking] = useState(false);
  // The place of what was pressed, and went with its entry.
  const pressed = useRef<number | null>(null);
  useEffect(() => {
    if (pressed.current === null) return;
    const row = `.bin-row:nth-child(${pressed.current + 1}) button`;
    const last = ".bin-row:last-child button";
    if (focusInstead(document, row, last, pageTitle)) pressed.current = null;
  }, [bin.data]);
  if (bin.isError)
    return (
      <Trouble
        sentence={texts.desk.unanswered}
        reason={reasonOf(bin.error)}
        isTrying={bin.isFetching}
        onTryAgain={() => void bin.refetch()}
      />
    );
  const entries = bin.data ?? [];
  if (bin.data && entries.length === 0)
    return (
      <Empty
        icon={IconTrash}
        title={texts.library.binEmpty}
        sentence={texts.library.binEmptyText}
      />
    );
  const wishFor = (some: readonly BinEntryV2[]) => ({
    body: {
      asset_ids: some.flatMap(({ kind, id }) => (kind === "asset" ? [id] : [])),
      playlist_ids: some.flatMap(({ kind, id }) =>
        kind === "playlist" ? [id] : [],
      ),
    },
  });
  const restore = async (some: readonly BinEntryV2[]): Promise<void> => {
    const [first] = some;
    pressed.current = first ? entries.indexOf(first) : null;
    try {
      await operate("restoreFromBin", wishFor(some));
      sayUndoable(
        texts.library.restored(some.length),
        restoreUndo(wishFor(some).body),
      );
    } catch (error) {
      sayFailed(texts.library.notRestored, error);
    }
    await bin.refetch();
  };
  const empty = async (): Promise<void> => {
    setIsAsking(false);
    pressed.current = 0;
    try {
      await operate("emptyBin", {});
      sayDone(texts.library.binEmptied);
    } catch (error) {
      sayFailed(texts.library.notEmptied, error);
    }
    await bin.refetch();
  };
  return (
    <div className="bin-scroll">
      <div className="library-bar">
        <Button
          variant="default"
          leftSection={<IconRestore size={18} aria-hidden />}
          onClick={() => void restore(entries)}
        >
          {texts.library.restoreAll}
        </Button>
        {isAsking ? (
          <div
            role="group"
            className="bin-question"
            aria-label={texts.library.emptyBinQuestion(entries.length)}
          >
            <span>{texts.library.emptyBinQuestion(entries.length)}</span>
            {/* The harmless answer has the focus: Enter twice deletes nothing. */}
            <Button
              variant="default"
              autoFocus
              onClick={() => {
                setIsAsking(false);
              }}
            >
              {texts.library.keepThem}
            </Button>
            <Button color="red" onClick={() => void empty()}>
              {texts.library.deleteForGood}
            </Button>
          </div>
        ) : (
          <Button
            variant="default"
            leftSection={<IconTrash size={18} aria-hidden />}
            onClick={() => {
              setIsAsking(true);
            }}
          >
            {texts.library.emptyBin}
          </Button>
        )}
      </div>
      <ul className="bin-list" aria-label={texts.library.bin}>
        {entries.map((entry) => (
          <li key={entry.id} className="bin-row">
            {entry.kind === "playlist" ? (
              <IconPlaylist size={20} stroke={1.75} aria-hidden />
            ) : (
              <IconPhoto size={20} stroke={1.75} aria-hidden />
            )}
            <div className="bin-words">
              <p>
                <bdi>{entry.name}</bdi>
              </p>
              <p className="quiet">
                {texts.library.binnedAt(
                  formats.dayAndTime(Date.parse(entry.binned)),
                )}
              </p>
            </div>
            <Button
              variant="default"
              h={36}
              aria-label={texts.library.restoreNamed(entry.name)}
              onClick={() => void restore([entry])}
            >
              {texts.library.restore}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
