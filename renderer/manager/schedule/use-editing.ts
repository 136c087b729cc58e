// The times of one lane while they are drawn, moved and opened: seen at once, sent when the hand lets go.

import { useState } from "react";
import { parsePredicate } from "../../../server/core/predicate/predicate.ts";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import { usePlaylistActions } from "../playlists/use-playlists.ts";
import {
  predicateOf,
  whenOf,
  type WeeklyWindow,
  type When,
} from "../playlists/when/weekly.ts";
import { texts } from "../texts/texts.ts";
import type { Occurrence } from "./axis.ts";

export function whenOfText(text: string): When | null {
  const { predicate } = parsePredicate(text);
  return predicate ? whenOf(predicate.tree) : null;
}

/** Which block is open: of which window, and which of its showings. */
type Opened = Pick<Occurrence, "index" | "ordinal">;

/** What is drawn is seen at once and sent when the hand lets go; the player's answer has the last word. */
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
  const changed = texts.schedule.timeChanged(name);
  return {
    ...{ windows, opened, setOpened },
    draft: (index: number, window: WeeklyWindow | null) => {
      setDrafted(
        window
          ? { windows: windows.with(index, window), of: text, isSent: false }
          : null,
      );
    },
    /** A step is one of many while a key is held down: together they are one deed. Answers whether it was taken. */
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
      void send([...windows, window], changed);
      setOpened({ index: windows.length, ordinal: 0 });
    },
    remove: (index: number) => {
      setOpened(null);
      void send(windows.toSpliced(index, 1), texts.schedule.timeRemoved(name));
    },
    /** It plays no more, and keeps its times. */
    turnOff: () => {
      setOpened(null);
      if (wire) void change(wire, { is_enabled: false });
    },
  };
}
