// Changing playlists: seen at once, sent one after the other, refused in the player's words, and undone when wanted.

import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { PlaylistV2 } from "../../../server/contract/v2-playlists.ts";
import { keyOf, noteChange, operate } from "../operations.ts";
import { sayFailed } from "../parts/outcome.ts";
import { texts } from "../texts/texts.ts";
import { rememberUndo, sayUndoable } from "../undo.ts";
import { firstNames, noteNames } from "./first-names.ts";
import { createTurns } from "./in-turn.ts";
import { inserted, makeItemId, wishesOf } from "./order.ts";

export type PlaylistWish = Partial<Omit<PlaylistV2, "playlist_id" | "created">>;

export interface PlaylistActions {
  /**
   * Can be undone; with a sentence that is said, once for a topic. False: it was refused, which is said, or something
   * else than the base is stored by now, which the list shows then.
   */
  change(
    before: PlaylistV2,
    wish: PlaylistWish,
    sentence?: string,
    topic?: string,
    base?: PlaylistWish,
  ): Promise<boolean>;
  /** At its end, whatever became of it since it was seen. */
  append(seen: PlaylistV2, assetIds: readonly string[]): Promise<boolean>;
  /** Null: it was refused, which is said. */
  create(
    wish: PlaylistWish & { readonly name: string },
  ): Promise<PlaylistV2 | null>;
  remove(playlist: PlaylistV2): Promise<boolean>;
}

const listKey = keyOf("listPlaylists", {});

export function usePlaylistActions(): PlaylistActions {
  const client = useQueryClient();
  return useMemo(() => actionsOn(client), [client]);
}

interface Sent {
  readonly id: string;
  readonly wish: PlaylistWish;
}

/** A change makes the player plan anew: a key held down is not followed at every step. */
const restMs = 300;

/** Each waits for the one before: an earlier order never overtakes a later one. */
const turns = createTurns(
  async ({ id, wish: { items, ...fields } }: Sent) => {
    const changed = await operate("changePlaylist", {
      parameters: { id },
      body: { ...fields, ...(items && { items: wishesOf(items) }) },
    });
    if (items) noteNames(firstNames, items, changed.items);
    return changed;
  },
  restMs,
  {
    now: () => performance.now(),
    wait: (ms, done) => {
      const timer = setTimeout(done, ms);
      return () => {
        clearTimeout(timer);
      };
    },
  },
);
addEventListener("pagehide", turns.hurry);

/** Each begins with what the one before it left: two that begin with the same would lose what the first added. */
let appends: Promise<unknown> = Promise.resolve();

function actionsOn(client: QueryClient): PlaylistActions {
  const askAgain = () =>
    turns.isBusy()
      ? Promise.resolve()
      : client.invalidateQueries({ queryKey: keyOf("listPlaylists") });
  const inList = (turn: (list: readonly PlaylistV2[]) => PlaylistV2[]) => {
    client.setQueryData<readonly PlaylistV2[]>(listKey, (list) =>
      list ? turn(list) : list,
    );
  };

  async function send(id: string, wish: PlaylistWish): Promise<void> {
    // An answer still under way is older than this.
    void client.cancelQueries({ queryKey: listKey });
    inList((list) =>
      list.map((one) => (one.playlist_id === id ? { ...one, ...wish } : one)),
    );
    // The same fields of the same playlist: the later wish says it all.
    const answer = noteChange(
      turns.takeLatest(`${id} ${Object.keys(wish).join()}`, { id, wish }),
    );
    try {
      const changed = await answer;
      if (!turns.isBusy())
        inList((list) =>
          list.map((one) => (one.playlist_id === id ? changed : one)),
        );
      // What else follows from it, the player says by itself.
    } catch (error) {
      void askAgain();
      throw error;
    }
  }

  /**
   * As it is once every change before this is done: what is listed may be behind. As it was seen where it is gone.
   */
  async function latestOf(seen: PlaylistV2): Promise<PlaylistV2> {
    let list: readonly PlaylistV2[];
    // What is changed while this is asked is not in it yet.
    do list = await turns.take(() => operate("listPlaylists", {}));
    while (turns.isBusy());
    const now = list.find((one) => one.playlist_id === seen.playlist_id);
    if (now)
      inList((listed) =>
        listed.map((one) => (one.playlist_id === now.playlist_id ? now : one)),
      );
    return now ?? seen;
  }

  async function append(
    seen: PlaylistV2,
    assetIds: readonly string[],
  ): Promise<boolean> {
    try {
      const now = await latestOf(seen);
      const items = inserted(now.items, assetIds, Infinity, makeItemId);
      return await actions.change(now, { items });
    } catch (error) {
      sayFailed(texts.playlists.changeFailed(seen.name), error);
      return false;
    }
  }

  const actions: PlaylistActions = {
    append: (seen, assetIds) => {
      const done = noteChange(appends.then(() => append(seen, assetIds)));
      appends = done;
      return done;
    },
    change: async (seen, wish, sentence, topic, base) => {
      const { playlist_id: id, name } = seen;
      try {
        if (base && !holds(base, await noteChange(latestOf(seen))))
          return false;
      } catch (error) {
        sayFailed(texts.playlists.changeFailed(name), error);
        return false;
      }
      // What was seen may be a change behind.
      const before =
        client
          .getQueryData<readonly PlaylistV2[]>(listKey)
          ?.find((one) => one.playlist_id === id) ?? seen;
      try {
        await send(id, wish);
      } catch (error) {
        sayFailed(texts.playlists.changeFailed(name), error);
        return false;
      }
      const undo = () => send(id, valuesOf(before, wish));
      const fields = Object.keys(wish).map((field) => `${id} ${field}`);
      if (sentence === undefined)
        rememberUndo(texts.playlists.changed(name), undo, fields);
      else sayUndoable(sentence, undo, topic, fields);
      return true;
    },
    create: async ({ items, ...fields }) => {
      const body = { ...fields, ...(items && { items: wishesOf(items) }) };
      try {
        const made = await noteChange(
          turns.take(() => operate("createPlaylist", { body })),
        );
        inList((list) => [...list, made]);
        sayUndoable(texts.playlists.created(made.name), async () => {
          await bin(made.playlist_id);
          await askAgain();
        });
        return made;
      } catch (error) {
        sayFailed(texts.playlists.createFailed, error);
        return null;
      }
    },
    remove: async ({ playlist_id: id, name }) => {
      await client.cancelQueries({ queryKey: listKey });
      inList((list) => list.filter((one) => one.playlist_id !== id));
      try {
        await noteChange(turns.take(() => bin(id)));
        sayUndoable(texts.playlists.removed(name), async () => {
          const body = { playlist_ids: [id] };
          await operate("restoreFromBin", { body });
          await askAgain();
        });
        return true;
      } catch (error) {
        sayFailed(texts.playlists.removeFailed(name), error);
        return false;
      } finally {
        void askAgain();
      }
    },
  };
  return actions;
}

function bin(id: string): Promise<unknown> {
  return operate("putInBin", { body: { playlist_ids: [id] } });
}

/** Whether the playlist has these. */
function holds(base: PlaylistWish, playlist: PlaylistV2): boolean {
  return JSON.stringify(valuesOf(playlist, base)) === JSON.stringify(base);
}

/** What these fields were. */
function valuesOf(before: PlaylistV2, wish: PlaylistWish): PlaylistWish {
  return Object.fromEntries(
    Object.keys(wish).map((field) => [
      field,
      before[field as keyof PlaylistV2],
    ]),
  );
}
