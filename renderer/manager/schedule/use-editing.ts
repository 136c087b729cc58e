// Edits the times of one lane by drawing, moving and opening: applied optimistically, sent when the pointer is released.

import { useState } from "react";
import { parsePredicate } from "../../../server/core/predicate/predicate.ts";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import { usePlaylistActions } from "../playlist-actions/use-playlists.ts";
import {
  predicateOf,
  whenOf,
  type WeeklyWindow,
  type When,
} from "../predicates/weekly-windows.ts";
import { t } from "../../locales/messages.ts";
import type { Occurrence } from "./time-axis.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

export function whenOfText(text: string): When | null {
  const { predicate } = parsePredicate(text);
  return predicate ? whenOf(predicate.tree) : null;
}

/** Which block is open: which window, and which of its occurrences. */
type Opened = Pick<Occurrence, "index" | "ordinal">;

/** A drag is shown at once and sent when the pointer is released; the player's response is final. */
export function useEditing(wire: PlaylistV2 | null, when: When | null) {
  const { change } = usePlaylistActions();
  const [drafted, setDrafted] = useState<{
    readonly windows: readonly WeeklyWindow[];
    readonly of: string;
    readonly isSent: boolean;
  } | null>(null);
  const [opened, setOpened] = useState<Opened | null>(null);
  const text = wire?.predicate ?? "";
  const isCurrent =
    drafted !== null &&
    (drafted.of === text ||
      (drafted.isSent && sentText(drafted.windows) === text));
  const windows = isCurrent ? drafted.windows : (when?.windows ?? []);

  function sentText(nextWindows: readonly WeeklyWindow[]): string {
    return when ? predicateOf({ ...when, windows: nextWindows }) : "";
  }

  async function send(
    nextWindows: readonly WeeklyWindow[],
    sentence: string,
    topic?: string,
  ): Promise<boolean> {
    if (!wire || !when) return false;
    setDrafted({ windows: nextWindows, of: text, isSent: true });
    const predicate = sentText(nextWindows);
    if (predicate === text) return true;
    const isDone = await change(wire, { predicate }, sentence, topic);
    if (!isDone) setDrafted(null);
    return isDone;
  }

  const name = wire?.name ?? "";
  const changed = t("playlists.schedule.changed", { name });
  return {
    ...{ windows, opened, setOpened },
    draft: (index: number, window: WeeklyWindow | null) => {
      setDrafted(
        window
          ? { windows: windows.with(index, window), of: text, isSent: false }
          : null,
      );
    },
    /** A step is one of many while a key is held down: together they count as one action. Returns whether it was accepted. */
    put: async (
      index: number,
      window: WeeklyWindow,
      isStep = false,
    ): Promise<boolean> => {
      const nextWindows = windows.with(index, window);
      if (window.days.length === 0 || window.fromMs === window.untilMs) {
        setDrafted({ windows: nextWindows, of: text, isSent: false });
        return false;
      }
      const topic = `times ${wire?.playlist_id} ${index}`;
      return send(nextWindows, changed, isStep ? topic : undefined);
    },
    add: (window: WeeklyWindow) => {
      send([...windows, window], changed).catch(notifyInternalError);
      setOpened({ index: windows.length, ordinal: 0 });
    },
    remove: (index: number) => {
      setOpened(null);
      send(
        windows.toSpliced(index, 1),
        t("schedule.timeRemoved", { name }),
      ).catch(notifyInternalError);
    },
    /** Disables the playlist, which keeps its times. */
    turnOff: () => {
      setOpened(null);
      if (wire) change(wire, { is_enabled: false }).catch(notifyInternalError);
    },
  };
}
