// The items of a playlist under the names this desk gave them first, whatever the player calls them.

import { expect, it } from "vitest";
import type { PlaylistV2 } from "../../../server/contract/v2-playlists.ts";
import {
  asFirstNamed,
  noteNames,
  type FirstNames,
} from "../../../renderer/manager/playlists/first-names.ts";
import type { Items } from "../../../renderer/manager/playlists/order.ts";

/** `x:A` is the item x of the asset A. */
function itemsOf(written: string): Items {
  return written.split(" ").map((one) => {
    const [item_id = "", asset_id = ""] = one.split(":");
    return { item_id, asset_id, duration: null };
  });
}

const playlistOf = (written: string) =>
  ({ playlist_id: "P", items: itemsOf(written) }) as unknown as PlaylistV2;

function shown(names: FirstNames, written: string): string | undefined {
  const [playlist] = asFirstNamed(names, [playlistOf(written)]);
  return playlist?.items.map(({ item_id }) => item_id).join(" ");
}

it("what was put in keeps its name once the player has given it another, wherever it is moved to", () => {
  const names: FirstNames = new Map();
  noteNames(names, itemsOf("x:A new:B"), itemsOf("x:A s1:B"));
  expect(shown(names, "x:A s1:B")).toBe("x new");
  noteNames(names, itemsOf("new:B x:A"), itemsOf("s1:B x:A"));
  expect(shown(names, "s1:B x:A s2:C")).toBe("new x s2");
  // Taken out and put back, the player calls it otherwise again.
  noteNames(names, itemsOf("new:B x:A"), itemsOf("s3:B x:A"));
  expect(shown(names, "s3:B x:A")).toBe("new x");
});

it("no two are called alike, and what belongs to another wish names nothing", () => {
  const names: FirstNames = new Map();
  // Both wishes were answered with what became of the later one.
  noteNames(names, itemsOf("x:A new:A"), itemsOf("x:A s1:A"));
  noteNames(names, itemsOf("new:A x:A"), itemsOf("x:A s1:A"));
  expect(shown(names, "x:A s1:A")).toBe("x new");
  noteNames(names, itemsOf("x:A"), itemsOf("x:A s2:B"));
  noteNames(names, itemsOf("new:B"), itemsOf("s3:B"));
  expect(shown(names, "s1:A s3:B s2:B")).toBe("new s3 s2");
});

it("what nobody renamed is the same as it was, and so is what was renamed before", () => {
  const names: FirstNames = new Map([["s1", "new"]]);
  const playlists = [playlistOf("x:A"), playlistOf("s1:B")];
  const [first, second] = asFirstNamed(names, playlists);
  expect(first).toBe(playlists[0]);
  expect(asFirstNamed(names, playlists)[1]).toBe(second);
});
