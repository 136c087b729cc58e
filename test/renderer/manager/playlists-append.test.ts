// What is added at the end of a playlist from beside it: files that were taken in, whenever they are there.

import { QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import type { PlaylistV2 } from "../../../server/contract/v2-playlists.ts";
import type { PlaylistActions } from "../../../renderer/manager/playlists/use-playlists.ts";

const empty = {
  ...{ playlist_id: "P1", name: "Window", items: [] },
} as unknown as PlaylistV2;

interface Asked {
  readonly operation: string;
  readonly body?: { readonly items: readonly { asset_id: string }[] };
}

/** A player with one playlist, that answers when told. */
function playerOfOne() {
  let kept = empty;
  const answers: (() => void)[] = [];
  const put = (ids: readonly string[]): PlaylistV2 => {
    const items = ids.map((asset_id, place) => ({
      ...{ item_id: `item ${place}`, asset_id, duration: null },
    }));
    return (kept = { ...kept, items });
  };
  const answer = ({ operation, body }: Asked): unknown =>
    operation === "listPlaylists"
      ? [kept]
      : put((body?.items ?? []).map(({ asset_id }) => asset_id));
  return {
    put,
    operate: (asked: Asked) =>
      new Promise((resolve) => {
        answers.push(() => {
          resolve({ isDone: true, answer: answer(asked) });
        });
      }),
    answerAll: async () => {
      for (const one of answers.splice(0)) one();
      await new Promise((resolve) => setImmediate(resolve));
    },
    shown: () => kept.items.map(({ asset_id }) => asset_id),
  };
}

async function deskOn(operate: (asked: Asked) => Promise<unknown>) {
  vi.stubGlobal("navigator", { language: "en" });
  vi.stubGlobal("window", {
    ...{ localStorage: { getItem: () => null }, manager: { operate } },
  });
  vi.stubGlobal("addEventListener", () => undefined);
  vi.resetModules();
  const { createQuestions } = await import("../../../renderer/manager/api.ts");
  const { usePlaylistActions } =
    await import("../../../renderer/manager/playlists/use-playlists.ts");
  const client = createQuestions();
  client.setQueryData(["listPlaylists", {}], [empty]);
  const actions: PlaylistActions[] = [];
  const Page = (): null => {
    actions.push(usePlaylistActions());
    return null;
  };
  return () => {
    renderToStaticMarkup(
      createElement(QueryClientProvider, { client }, createElement(Page)),
    );
    const last = actions.at(-1);
    if (!last) throw new Error("The page was not drawn.");
    return last;
  };
}

describe("what is added at the end of a playlist", () => {
  it("is all in it when two intakes come to their end at once, on two pages too", async () => {
    const player = playerOfOne();
    const open = await deskOn(player.operate);
    const both = Promise.all([
      open().append(empty, ["A"]),
      open().append(empty, ["B", "C"]),
    ]);
    let isDone = false;
    void both.then(() => (isDone = true));
    while (!isDone) await player.answerAll();
    expect(await both).toEqual([true, true]);
    expect(player.shown()).toEqual(["A", "B", "C"]);
  });

  it("comes behind what somebody else put in, of which this desk has not heard yet", async () => {
    const player = playerOfOne();
    const open = await deskOn(player.operate);
    player.put(["Z"]);
    const appended = open().append(empty, ["A"]);
    let isDone = false;
    void appended.then(() => (isDone = true));
    while (!isDone) await player.answerAll();
    expect(await appended).toBe(true);
    expect(player.shown()).toEqual(["Z", "A"]);
  });

  it("comes behind what the hand changed while the list was asked for", async () => {
    const player = playerOfOne();
    const open = await deskOn(player.operate);
    const seen = player.put(["X", "Y"]);
    const both = Promise.all([
      open().append(seen, ["N"]),
      Promise.resolve().then(() =>
        open().change(seen, { items: seen.items.slice(1) }),
      ),
    ]);
    let isDone = false;
    void both.then(() => (isDone = true));
    while (!isDone) await player.answerAll();
    expect(player.shown()).toEqual(["Y", "N"]);
  });
});
