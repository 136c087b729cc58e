// Concurrent changes of a playlist: appending, retrying on its latest state, and undo.

import { MantineProvider } from "@mantine/core";
import { notificationsStore } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { PlaylistV2 } from "../../../../server/contract/v2/v2-playlists.ts";
import type { PlaylistActions } from "../../../../renderer/manager/playlist-actions/use-playlists.ts";
import { uploadedItems } from "../../../../renderer/manager/uploads/uploaded-items.ts";
import { stubWindow } from "../../../support/manager/stub-window.ts";

const empty = {
  ...{ playlist_id: "P1", name: "Window", items: [], items_revision: "0" },
} as unknown as PlaylistV2;

interface Item {
  readonly item_id: string;
  readonly asset_id: string;
  readonly duration: number | null;
}

interface OperationCall {
  readonly operation: string;
  readonly body?: Partial<PlaylistV2>;
}

/** A player with one playlist that responds on command and follows V2-430 and V2-431. */
function playerOfOne() {
  let kept = empty;
  let revision = 0;
  const answers: (() => void)[] = [];
  const requests: string[] = [];
  const localChanges: unknown[] = [];
  let expectedFields: Partial<PlaylistV2> = {};
  const keep = (fields: Partial<PlaylistV2>): PlaylistV2 => {
    if (fields.items) revision += 1;
    return (kept = { ...kept, ...fields, items_revision: `${revision}` });
  };
  const put = (ids: readonly string[]): PlaylistV2 =>
    keep({
      items: ids.map((asset_id, place) => ({
        ...{ item_id: `item ${place}`, asset_id, duration: null },
      })),
    });
  const answer = ({ operation, body = {} }: OperationCall): unknown => {
    if (operation === "listLocalChanges") return localChanges;
    requests.push(operation);
    const { items_revision: read, ...fields } = body;
    if (operation === "listPlaylists") return [kept];
    if (operation === "readPlaylist") return kept;
    if (operation === "discardLocalChanges") return keep(expectedFields);
    if (read !== undefined && read !== kept.items_revision) return "conflict";
    if (operation === "appendPlaylistItems")
      return keep({ items: [...kept.items, ...(fields.items ?? [])] });
    return keep(fields);
  };
  return {
    put,
    keep,
    requests,
    /** Makes these fields local changes; once discarded, they have the values of `as`. */
    setLocal: (fields: readonly string[], as: Partial<PlaylistV2>) => {
      const one = { kind: "playlist", id: "P1", is_deleted: false, fields };
      localChanges.splice(0, 1, one);
      expectedFields = as;
    },
    operate: (one: OperationCall) =>
      new Promise((resolve) => {
        answers.push(() => {
          const reported = answer(one);
          resolve(
            reported === "conflict"
              ? {
                  isDone: false,
                  code: reported,
                  message: reported,
                  fields: null,
                }
              : { isDone: true, answer: reported },
          );
        });
      }),
    answerAll: async () => {
      for (const one of answers.splice(0)) one();
      await new Promise((resolve) => setImmediate(resolve));
    },
    shown: () => kept.items.map(({ asset_id }) => asset_id),
    items: (): readonly Item[] => kept.items,
    now: () => kept,
  };
}

async function openManager(
  operate: (requests: OperationCall) => Promise<unknown>,
) {
  stubWindow(operate);
  vi.stubGlobal("addEventListener", () => undefined);
  vi.resetModules();
  const { createQuestions } =
    await import("../../../../renderer/manager/api/fresh-query-client.ts");
  const { usePlaylistActions } =
    await import("../../../../renderer/manager/playlist-actions/use-playlists.ts");
  const client = createQuestions();
  const show = (playlist: PlaylistV2): void => {
    client.setQueryData(["listPlaylists", {}], [playlist]);
  };
  show(empty);
  const { undoLast } =
    await import("../../../../renderer/manager/undo/undo.ts");
  const actions: PlaylistActions[] = [];
  const Page = (): null => {
    actions.push(usePlaylistActions());
    return null;
  };
  const open = () => {
    renderToStaticMarkup(
      createElement(QueryClientProvider, { client }, createElement(Page)),
    );
    const last = actions.at(-1);
    if (!last) throw new Error("The page was not drawn.");
    return last;
  };
  return { open, show, undoLast };
}

/** Lets the player respond until the promise settles. */
async function until<T>(
  player: ReturnType<typeof playerOfOne>,
  done: Promise<T>,
): Promise<T> {
  let isDone = false;
  const settled = done.finally(() => (isDone = true));
  settled.catch(() => undefined);
  while (!isDone) await player.answerAll();
  return settled;
}

function notices() {
  const { notifications } = notificationsStore.getState();
  return notifications.map(({ title }) => title);
}

beforeEach(() => {
  notificationsStore.setState((state) => ({ ...state, notifications: [] }));
});

describe("appending to a playlist", () => {
  it("keeps all assets when two uploads finish at once, even on two pages", async () => {
    const player = playerOfOne();
    const { open } = await openManager(player.operate);
    const both = Promise.all([
      open().append(empty.playlist_id, uploadedItems(["A"])),
      open().append(empty.playlist_id, uploadedItems(["B", "C"])),
    ]);
    await until(player, both);
    expect(player.shown()).toEqual(["A", "B", "C"]);
  });

  it("follows items that another client added or removed, before this window was notified", async () => {
    const player = playerOfOne();
    const { open, show } = await openManager(player.operate);
    const seen = player.put(["X", "Y"]);
    show(seen);
    player.put(["Y", "Z"]);
    await until(player, open().append(seen.playlist_id, uploadedItems(["A"])));
    expect(player.shown()).toEqual(["Y", "Z", "A"]);
    expect(player.requests).toEqual(["appendPlaylistItems"]);
  });

  it("follows local changes made meanwhile", async () => {
    const player = playerOfOne();
    const { open, show } = await openManager(player.operate);
    const seen = player.put(["X", "Y"]);
    show(seen);
    const both = Promise.all([
      open().append(seen.playlist_id, uploadedItems(["N"])),
      open().change(seen, { items: seen.items.slice(1) }),
    ]);
    await until(player, both);
    expect(player.shown()).toEqual(["Y", "N"]);
  });
});

describe("[V2-721] an undone change of content from a content service", () => {
  it("is no longer a local change, while one made before stays", async () => {
    const player = playerOfOne();
    const { open, show, undoLast } = await openManager(player.operate);
    const seen = player.put(["X", "Y"]);
    show(seen);
    const change = async (fields: Partial<PlaylistV2>): Promise<void> => {
      await until(player, open().change(player.now(), fields));
      player.requests.splice(0);
    };
    await change({ name: "Door" });
    player.setLocal(["name"], { name: "Door" });
    await change({ name: "Gate" });
    await until(player, undoLast());
    expect(player.requests).not.toContain("discardLocalChanges");
    expect(player.now().name).toBe("Door");
    player.requests.splice(0);
    // The service wants the same by now: discarding changes nothing.
    await until(player, undoLast());
    expect(player.requests).toContain("discardLocalChanges");
    expect(player.requests).not.toContain("changePlaylist");
  });

  it("keeps the items added since, which are not discarded", async () => {
    const player = playerOfOne();
    const { open, show, undoLast } = await openManager(player.operate);
    const seen = player.put(["X", "Y"]);
    show(seen);
    await until(player, open().change(seen, { items: seen.items.slice(1) }));
    player.setLocal(["items"], {});
    player.keep({ items: [...player.items(), anItem("theirs")] });
    await until(player, undoLast());
    expect(player.requests).not.toContain("discardLocalChanges");
    expect(player.shown()).toEqual(["X", "Y", "theirs"]);
  });
});

describe("a change of the items", () => {
  it("is retried on the latest state after every concurrent change", async () => {
    const player = playerOfOne();
    const { open, show } = await openManager(player.operate);
    const seen = player.put(["X", "Y", "Z"]);
    show(seen);
    player.keep({ items: [...seen.items, anItem("theirs")] });
    const moved = open().change(seen, { items: seen.items.toReversed() });
    while (player.requests.length === 0) await player.answerAll();
    player.keep({ items: [anItem("first"), ...player.items()] });
    expect(await until(player, moved)).toBe(true);
    expect(player.shown()).toEqual(["first", "Z", "Y", "X", "theirs"]);
    expect(
      player.requests.filter((name) => name === "readPlaylist"),
    ).toHaveLength(2);
  });

  it("reads nothing while nobody else changes them", async () => {
    const player = playerOfOne();
    const { open, show } = await openManager(player.operate);
    const seen = player.put(["X", "Y", "Z"]);
    show(seen);
    await until(player, open().change(seen, { items: seen.items.slice(1) }));
    const next = player.now();
    await until(player, open().change(next, { items: next.items.slice(1) }));
    expect(player.requests).toEqual([
      ...["readPlaylist", "changePlaylist", "changePlaylist"],
    ]);
    expect(player.shown()).toEqual(["Z"]);
  });

  it("records no undo step where it changed nothing", async () => {
    const player = playerOfOne();
    const { open, show, undoLast } = await openManager(player.operate);
    const seen = player.put(["X", "Y"]);
    show(seen);
    const without = { items: seen.items.slice(1) };
    const twice = [1, 2].map(() => open().change(seen, without, "taken out"));
    expect(await until(player, Promise.all(twice))).toEqual([true, true]);
    await until(player, undoLast());
    expect(player.shown()).toEqual(["X", "Y"]);
    await until(player, undoLast());
    expect(notices()).toContain("Nothing to undo");
  });
});

describe("undoing a change", () => {
  async function changed(fields: (seen: PlaylistV2) => Partial<PlaylistV2>) {
    const player = playerOfOne();
    const manager = await openManager(player.operate);
    const seen = player.put(["X", "Y", "Z"]);
    manager.show(seen);
    await until(
      player,
      manager.open().change(seen, fields(seen), "the action"),
    );
    return { player, seen, undo: () => until(player, manager.undoLast()) };
  }

  it("restores an item with its identity, and keeps what others added", async () => {
    const { player, seen, undo } = await changed(({ items }) => ({
      items: items.toSpliced(1, 1),
    }));
    player.keep({ items: [...player.items(), anItem("theirs")] });
    await undo();
    expect(player.shown()).toEqual(["X", "Y", "Z", "theirs"]);
    expect(player.items().slice(0, 3)).toEqual(seen.items);
    expect(notices()).toContain("Undone: the action");
  });

  it("keeps a later change of others, reports it, and overwrites it on request", async () => {
    const { player, seen, undo } = await changed(({ items }) => ({
      items: items.map((item) => ({ ...item, duration: 33 })),
    }));
    const [first, ...rest] = player.items();
    if (!first) throw new Error("It is empty.");
    player.keep({ items: [{ ...first, duration: 44 }, ...rest] });
    await undo();
    expect(player.items().map(({ duration }) => duration)).toEqual([
      ...[44, null, null],
    ]);
    expect(notices()).toEqual(["Partly undone: the action"]);
    const { notifications } = notificationsStore.getState();
    const reported = renderToStaticMarkup(
      createElement(MantineProvider, null, notifications[0]?.message),
    );
    expect(reported).toContain("has since been changed elsewhere");
    const button = buttonOf(notifications[0]?.message);
    button.props.onClick();
    await expect
      .poll(async () => {
        await player.answerAll();
        return player.items();
      })
      .toEqual(seen.items);
  });

  it("keeps a field that another client wrote since", async () => {
    const { player, undo } = await changed(() => ({ name: "Mine" }));
    player.keep({ name: "Theirs" });
    await undo();
    expect(player.now().name).toBe("Theirs");
    expect(notices()).toContain("Couldn’t undo: the action");
  });

  it("undoes consecutive changes of one topic as one, back to before the first", async () => {
    const player = playerOfOne();
    const { open, show, undoLast } = await openManager(player.operate);
    const seen = player.put(["X", "Y", "Z"]);
    show(seen);
    vi.setSystemTime(Date.now());
    onTestFinished(() => void vi.useRealTimers());
    for (const to of [1, 2]) {
      const items = seen.items.toSpliced(0, 1).toSpliced(to, 0, seen.items[0]!);
      await until(player, open().change(seen, { items }, "moved", "moved X"));
    }
    expect(player.shown()).toEqual(["Y", "Z", "X"]);
    player.keep({ items: [...player.items(), anItem("theirs")] });
    await until(player, undoLast());
    expect(player.shown()).toEqual(["X", "Y", "Z", "theirs"]);
  });
});

function anItem(asset_id: string): Item {
  return { item_id: `of ${asset_id}`, asset_id, duration: null };
}

/** The button in a notice. */
function buttonOf(message: unknown): {
  readonly props: { readonly onClick: () => void };
} {
  const { props } = message as {
    readonly props: { readonly children: readonly unknown[] };
  };
  return props.children.at(-1) as ReturnType<typeof buttonOf>;
}
