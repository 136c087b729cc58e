// Edits playlists: applied optimistically, sent one after the other, rejected with the player's message, and undoable.

import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import type { LocalChangesV2 } from "../../../server/contract/v2/v2-sync.ts";
import {
  discardFields,
  fieldsToDiscard,
  discardAgain,
  unchangedFields,
} from "../local-changes/use-local-changes.ts";
import { keyOf, noteChange, operate } from "../api/operations.ts";
import { can } from "../place/abilities.ts";
import { Refusal } from "../api/refusal.ts";
import {
  notifySuccess,
  notifyFailure,
  notifyInternalError,
} from "../components/outcomes/outcome.ts";
import { t } from "../../locales/messages.ts";
import {
  isSame,
  mergeFields,
  mergeList,
  type MergeOptions,
} from "../undo/three-way-merge.ts";
import {
  ChangedElsewhere,
  defineUndo,
  noteFinal,
  rememberUndo,
  notifyUndoable,
} from "../undo/undo.ts";
import { confirmChange, confirmRemoval } from "./confirm-change.ts";
import { requestService } from "../service-requests/service-requests.ts";
import { createChangeQueue } from "./change-queue.ts";
import { itemList, type Items } from "./item-order.ts";

export type PlaylistInput = Partial<
  Omit<PlaylistV2, "playlist_id" | "created" | "items_revision">
>;

export interface PlaylistActions {
  /**
   * Undoable; with a sentence that is shown, once per topic. False: it was rejected, which is shown, or something else than the
   * base is stored by now, which the list shows then.
   */
  change(
    before: PlaylistV2,
    input: PlaylistInput,
    sentence?: string,
    topic?: string,
    base?: PlaylistInput,
  ): Promise<boolean>;
  /**
   * Appends items at its end, whatever has changed in it since; those that it has already, once. Rejects with the player's reason. No
   * undo of its own: its items disappear with the assets.
   */
  append(id: string, items: Items, signal?: AbortSignal): Promise<void>;
  /** Null: it was rejected, which is shown. */
  create(
    input: PlaylistInput & { readonly name: string },
  ): Promise<PlaylistV2 | null>;
  remove(playlist: PlaylistV2): Promise<boolean>;
  /** Discards the local changes: the playlist is as its content service has it (V2-561). False: that failed, which is shown. */
  discardChanges(
    playlist: Pick<PlaylistV2, "playlist_id" | "name">,
    changes: LocalChangesV2,
    service: string,
  ): Promise<boolean>;
}

const listKey = keyOf("listPlaylists", {});

export function usePlaylistActions(): PlaylistActions {
  const client = useQueryClient();
  return useMemo(() => actionsOn(client), [client]);
}

/** A change of a playlist, as its fields before and after: only the fields concerned. */
interface Change {
  readonly id: string;
  readonly before: PlaylistInput;
  readonly after: PlaylistInput;
  /** It is written only while these values are stored (V2-807). */
  readonly base?: PlaylistInput | undefined;
}

/** Joins two consecutive changes of the same fields. */
function joined(earlier: Change, later: Change): Change {
  return { ...later, before: earlier.before, base: earlier.base };
}

interface Outcome {
  readonly changed: PlaylistV2;
  /** Whether something was left as others had changed it. */
  readonly isPartial: boolean;
  /** Whether anything was written. */
  readonly isWritten: boolean;
}

/** Others may change the items between reading and writing; nobody does so this often. */
const maxTries = 8;

/**
 * Applies the change to the playlist as it is now: its items are written only where they are still those that were read (V2-431),
 * otherwise they are read again. `known` saves the first reading.
 */
async function carryOut(
  { id, before, after, base }: Change,
  options: MergeOptions,
  known?: PlaylistV2,
): Promise<Outcome> {
  const { items: itemsBefore, ...fieldsBefore } = before;
  const { items: itemsAfter, ...fieldsAfter } = after;
  let first = known;
  for (let tries = 1; ; tries += 1) {
    const now = first ?? (await readOne(id));
    const fields = options.isForced
      ? { state: fieldsAfter, isPartial: false }
      : mergeFields(
          fieldsBefore,
          fieldsAfter,
          now as object as Fields,
          options,
        );
    const items =
      itemsBefore && itemsAfter
        ? mergeList(itemsBefore, itemsAfter, now.items, itemList, options)
        : { state: now.items, isPartial: false };
    const isMoved = !areSame(items.state, now.items);
    const isPartial = fields.isPartial || items.isPartial;
    const isWritten = isMoved || Object.keys(fields.state).length > 0;
    const { items_revision } = now;
    const body = {
      ...fields.state,
      ...(isMoved && { items: items.state }),
      // A content service compares the whole playlist.
      ...((isMoved || !can("player")) && { items_revision }),
      ...(base && { expected: base }),
    };
    // A known state may be outdated, and may already contain what is to be written.
    const isSure =
      first === undefined ||
      (options.isForced ? isMoved || !itemsAfter : isWritten && !isPartial);
    first = undefined;
    if (!isSure) continue;
    if (!isWritten) return { changed: now, isPartial, isWritten };
    try {
      const input = { parameters: { id }, body };
      const changed = await operate("changePlaylist", input);
      return { changed, isPartial, isWritten };
    } catch (error) {
      const isOther = error instanceof Refusal && error.code === "conflict";
      if (!isOther || tries === maxTries) throw error;
      // Another try would overwrite what somebody else has written in the meantime.
      if (base && !holds(base, await readOne(id))) throw error;
    }
  }
}

function readOne(id: string): Promise<PlaylistV2> {
  return operate("readPlaylist", { parameters: { id } });
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * At a player, a change made now applies to whatever the playlist is by now. At a content service, where many people work, it
 * leaves what others have changed since, and says so (V3-191).
 */
const now: MergeOptions = { isForced: can("player") };

/** As last returned by the player. */
const answered = new Map<string, PlaylistV2>();

/** Every change makes the player plan again: not every step of a held key is sent. */
const restMs = 300;

interface Sent {
  readonly change: Change;
  readonly changed: PlaylistV2;
  /** Fields that were not local changes before. */
  readonly made: readonly string[];
  /** As in an outcome. */
  readonly isPartial: boolean;
  readonly isWritten: boolean;
}

/** Each waits for the previous one: an earlier order never overtakes a later one. */
const changeQueue = createChangeQueue(
  async (change: Change): Promise<Sent> => {
    const known = answered.get(change.id);
    await confirmChange({ ...change, name: nameOf(change.id) });
    const unchanged = await unchangedFields("playlist");
    const outcome = await carryOut(change, now, known);
    const { changed, isPartial, isWritten } = outcome;
    const made = unchanged(change.id, Object.keys(change.after));
    return { change, changed: noted(changed), made, isPartial, isWritten };
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
  joined,
);
addEventListener("pagehide", changeQueue.hurry);

function noted(playlist: PlaylistV2): PlaylistV2 {
  answered.set(playlist.playlist_id, playlist);
  return playlist;
}

/** Query client of the window, once a page with playlists was open. */
let queryClient: QueryClient | null = null;

function nameOf(id: string): string {
  const list = queryClient?.getQueryData<readonly PlaylistV2[]>(listKey);
  return list?.find((one) => one.playlist_id === id)?.name ?? "";
}

function inList(update: (list: readonly PlaylistV2[]) => PlaylistV2[]): void {
  queryClient?.setQueryData<readonly PlaylistV2[]>(listKey, (list) =>
    list ? update(list) : list,
  );
}

function show(changed: PlaylistV2): void {
  if (changeQueue.isBusy()) return;
  inList((list) =>
    list.map((one) =>
      one.playlist_id === changed.playlist_id ? changed : one,
    ),
  );
}

async function refetch(): Promise<void> {
  if (changeQueue.isBusy()) return;
  await queryClient?.invalidateQueries({ queryKey: keyOf("listPlaylists") });
}

interface UndoableAction extends Change {
  /** Fields that became local changes through it. */
  readonly made: readonly string[];
}

const changeUndo = defineUndo<UndoableAction>(
  "playlist changed",
  async (action, options) => {
    const { changed, isPartial, isWritten } = await changeQueue.take(
      async () => {
        const given = await discardMade(action);
        const back = {
          id: action.id,
          before: without(action.after, given),
          after: without(action.before, given),
        };
        const outcome = await carryOut(back, options);
        return given.length > 0 ? { ...outcome, isWritten: true } : outcome;
      },
    );
    show(noted(changed));
    return isPartial
      ? new ChangedElsewhere(changed.name, isWritten)
      : undefined;
  },
  (earlier, later) => ({ ...joined(earlier, later), made: earlier.made }),
);

/** Only for fields that are still as the action left them. */
async function discardMade({
  id,
  after,
  made,
}: UndoableAction): Promise<readonly string[]> {
  if (made.length === 0) return [];
  const now = await operate("readPlaylist", { parameters: { id } });
  const isLeft = (field: string): boolean =>
    isAsBefore(fieldsIn(now, [field]), {
      [field]: after[field as keyof PlaylistInput],
    });
  return discardAgain("playlist", id, made.filter(isLeft));
}

function without(
  input: PlaylistInput,
  fields: readonly string[],
): PlaylistInput {
  return Object.fromEntries(
    Object.entries(input).filter(([field]) => !fields.includes(field)),
  );
}

const createUndo = defineUndo<PlaylistV2>(
  "playlist made",
  async (made, { isForced }) => {
    const { playlist_id: id } = made;
    const latest = await changeQueue.take(() =>
      operate("readPlaylist", { parameters: { id } }),
    );
    if (!isForced && !isSame(made, latest))
      return new ChangedElsewhere(latest.name, false);
    await removeOne(id);
    await refetch();
    return undefined;
  },
);

const removeUndo = defineUndo<string>("playlist removed", async (id) => {
  const body = { playlist_ids: [id] };
  await operate("restoreFromTrash", { body });
  await refetch();
});

/** Made again with everything that it had, under another identifier; without assets that were deleted since. */
const removeFromServiceUndo = defineUndo<PlaylistV2>(
  "playlist removed from service",
  async ({ playlist_id: _, created: __, items_revision: ___, ...fields }) => {
    const assets = await operate("listAssets", {});
    const existing = new Set(assets.map(({ asset_id }) => asset_id));
    const items = fields.items.filter(({ asset_id }) => existing.has(asset_id));
    const body = { ...fields, items };
    const made = await changeQueue.take(() =>
      operate("createPlaylist", { body }),
    );
    inList((list) => [...list, noted(made)]);
    await refetch();
    const { name } = fields;
    if (items.length < fields.items.length)
      notifySuccess(t("playlists.service.restoredWithout", { name }));
  },
);

/** Returns it as it was when it was deleted: others may change it in between, and nobody does so this often. */
async function removeFromService(id: string): Promise<PlaylistV2> {
  for (let tries = 1; ; tries += 1) {
    const last = await readOne(id);
    // The page has whole seconds.
    const { assets } = await requestService<{
      readonly assets: readonly { readonly duration: number }[];
    }>("GET", `/playlists/${encodeURIComponent(id)}/`);
    try {
      await operate("deletePlaylist", { parameters: { id } });
      const items = last.items.map((item, at) => ({
        ...item,
        duration: assets[at]?.duration ?? item.duration,
      }));
      return { ...last, items };
    } catch (error) {
      const isOther = error instanceof Refusal && error.code === "conflict";
      if (!isOther || tries === maxTries) throw error;
    }
  }
}

function actionsOn(client: QueryClient): PlaylistActions {
  queryClient = client;

  async function send(change: Change): Promise<Sent> {
    const { id, after } = change;
    // A response that is still pending is older than this.
    client.cancelQueries({ queryKey: listKey }).catch(notifyInternalError);
    inList((list) =>
      list.map((one) => (one.playlist_id === id ? { ...one, ...after } : one)),
    );
    // The same fields of the same playlist: the later change replaces the earlier one.
    const answer = noteChange(
      changeQueue.takeLatest(`${id} ${Object.keys(after).join()}`, change),
    );
    try {
      const sent = await answer;
      show(sent.changed);
      // Everything that follows from it arrives as events of the player.
      return sent;
    } catch (error) {
      refetch().catch(notifyInternalError);
      throw error;
    }
  }

  /** The playlist once all earlier changes are done: the list may be outdated. */
  async function latestOf(id: string): Promise<PlaylistV2> {
    let latest: PlaylistV2;
    // A change made during the request is not in the response yet.
    do
      latest = await changeQueue.take(() =>
        operate("readPlaylist", { parameters: { id } }),
      );
    while (changeQueue.isBusy());
    show(noted(latest));
    return latest;
  }

  return {
    append: async (id, items, signal) => {
      const input = { parameters: { id }, body: { items } };
      const changed = await noteChange(
        changeQueue.take(() => operate("appendPlaylistItems", input, signal)),
      );
      show(noted(changed));
    },
    change: async (seen, input, sentence, topic, base) => {
      const { playlist_id: id, name } = seen;
      try {
        if (base && !holds(base, await noteChange(latestOf(id)))) return false;
      } catch (error) {
        notifyFailure(notChanged(name), error);
        return false;
      }
      // The displayed state may be one change behind.
      const latest =
        client
          .getQueryData<readonly PlaylistV2[]>(listKey)
          ?.find((one) => one.playlist_id === id) ?? seen;
      const items =
        input.items &&
        mergeList(seen.items, input.items, latest.items, itemList, now);
      const after = { ...input, ...(items && { items: items.state }) };
      const before = valuesOf(latest, input);
      if (isAsBefore(before, after)) return true;
      let sent: Sent;
      try {
        sent = await send({ id, before, after, base });
      } catch (error) {
        const isOther = error instanceof Refusal && error.code === "conflict";
        // The field shows both versions.
        if (base && isOther) return false;
        notifyFailure(notChanged(name), error);
        return false;
      }
      if (sent.isPartial && !can("player")) {
        refetch().catch(notifyInternalError);
        // The field shows both versions.
        if (!base)
          notifyFailure(
            t("playlists.service.notAllChanged", { name }),
            t("playlists.service.alsoChanged"),
          );
        if (!sent.isWritten) return false;
      }
      // A change sent together with an earlier one is undone completely only once all of that is undone.
      const made = isAsBefore(before, sent.change.before) ? sent.made : [];
      const undo = changeUndo({
        ...{ id, before, after: asKept(after, sent), made },
      });
      const fields = Object.keys(input).map((field) => `${id} ${field}`);
      if (sentence === undefined)
        rememberUndo(t("playlists.changed", { name }), undo, fields);
      else notifyUndoable(sentence, undo, topic, fields);
      return true;
    },
    create: async (fields) => {
      try {
        const created = await noteChange(
          changeQueue.take(() => operate("createPlaylist", { body: fields })),
        );
        inList((list) => [...list, noted(created)]);
        notifyUndoable(
          t("playlists.created", { name: created.name }),
          createUndo(created),
        );
        return created;
      } catch (error) {
        notifyFailure(
          t(
            can("player")
              ? "playlists.notCreated"
              : "playlists.service.notCreated",
          ),
          error,
        );
        return null;
      }
    },
    remove: async (playlist) => {
      const { playlist_id: id, name } = playlist;
      try {
        await confirmRemoval(playlist);
        await client.cancelQueries({ queryKey: listKey });
        inList((list) => list.filter((one) => one.playlist_id !== id));
        if (can("player")) {
          await noteChange(changeQueue.take(() => removeOne(id)));
          notifyUndoable(t("playlists.wasDeleted", { name }), removeUndo(id));
        } else {
          const last = await noteChange(
            changeQueue.take(() => removeFromService(id)),
          );
          notifyUndoable(
            t("playlists.service.wasDeleted", { name }),
            removeFromServiceUndo(last),
          );
        }
        return true;
      } catch (error) {
        notifyFailure(
          can("player")
            ? t("playlists.notDeleted", { name })
            : t("playlists.service.notDeleted", { name }),
          error,
        );
        return false;
      } finally {
        refetch().catch(notifyInternalError);
      }
    },
    discardChanges: async ({ playlist_id: id, name }, seen, service) => {
      try {
        const fields = await fieldsToDiscard(seen);
        const { before, after } = await noteChange(
          changeQueue.take(() =>
            discardFields(id, fields, () =>
              operate("readPlaylist", { parameters: { id } }),
            ),
          ),
        );
        show(noted(after));
        const change = {
          id,
          ...{
            before: fieldsIn(before, fields),
            after: fieldsIn(after, fields),
          },
          made: [],
        };
        const sentence = t("localChanges.discarded", {
          name: after.name,
          service,
        });
        if (isAsBefore(change.before, change.after)) {
          noteFinal(sentence);
          notifySuccess(sentence);
        } else {
          const named = fields.map((field) => `${id} ${field}`);
          notifyUndoable(sentence, changeUndo(change), null, named);
        }
        return true;
      } catch (error) {
        notifyFailure(t("localChanges.discardFailed", { name }), error);
        return false;
      }
    },
  };
}

function areSame(one: Items, other: Items): boolean {
  return (
    one === other ||
    (one.length === other.length &&
      one.every((item, place) => {
        const counterpart = other[place];
        return counterpart !== undefined && itemList.isEqual(item, counterpart);
      }))
  );
}

function isAsBefore(before: PlaylistInput, after: PlaylistInput): boolean {
  const { items: itemsBefore = [], ...fieldsBefore } = before;
  const { items: itemsAfter = [], ...fieldsAfter } = after;
  return areSame(itemsBefore, itemsAfter) && isSame(fieldsBefore, fieldsAfter);
}

/** A content service has no trash. */
function removeOne(id: string): Promise<unknown> {
  return can("player")
    ? operate("moveToTrash", { body: { playlist_ids: [id] } })
    : operate("deletePlaylist", { parameters: { id } });
}

function notChanged(name: string): string {
  return can("player")
    ? t("playlists.notChanged", { name })
    : t("playlists.service.notChanged", { name });
}

/** Whether the playlist has these values. */
function holds(base: PlaylistInput, playlist: PlaylistV2): boolean {
  return JSON.stringify(valuesOf(playlist, base)) === JSON.stringify(base);
}

/** The player may store a field in another notation than it was sent in; a later change of it does not affect this. */
function asKept(after: PlaylistInput, sent: Sent): PlaylistInput {
  const { change, changed } = sent;
  const changedValues = valuesOf(changed, after);
  const entries = Object.entries(after).map(([field, value]) => {
    const name = field as keyof PlaylistInput;
    if (name === "items") return [field, itemsAsKept(after.items ?? [], sent)];
    const isOwn = isSame(change.after[name], value);
    return [field, isOwn ? changedValues[name] : value];
  });
  return Object.fromEntries(entries) as PlaylistInput;
}

/** A content service has no duration of its own for an item that is shown as long as its asset. */
function itemsAsKept(items: Items, { changed, isPartial }: Sent): Items {
  if (can("player") || isPartial) return items;
  const kept = new Map(changed.items.map((item) => [item.item_id, item]));
  return items.map((item) => kept.get(item.item_id) ?? item);
}

/** The present values of these fields. */
function valuesOf(playlist: PlaylistV2, input: PlaylistInput): PlaylistInput {
  return fieldsIn(playlist, Object.keys(input));
}

function fieldsIn(
  playlist: PlaylistV2,
  fields: readonly string[],
): PlaylistInput {
  return Object.fromEntries(
    fields.map((field) => [field, playlist[field as keyof PlaylistV2]]),
  );
}
