// Playlists and assets as players receive them, from rows of either database.

import { describe, expect, it } from "vitest";
import {
  isPlayable,
  receivedItem,
  receivedPlaylist,
} from "../../../../server/content/store/received-content.ts";

const playlist = (row: Readonly<Record<string, unknown>>) =>
  receivedPlaylist(
    {
      ...{ id: "p", title: "Lunch", predicate: "", is_enabled: 1 },
      ...{ priority: 0, transitions: 0, created_at: 5, ...row },
    },
    [],
    [],
  );

describe("a playlist", () => {
  it.each([
    [0, 0],
    [1, 1],
    [3, 1],
    ["2", 1],
  ])("[V3-36] with priority %j has level %j", (priority, level) => {
    expect(playlist({ priority }).priority).toBe(level);
  });

  it("without a predicate plays always", () => {
    expect(playlist({ predicate: "  " }).predicate).toBe("TRUE");
  });

  it.each([
    [1, true],
    [true, true],
    [0, false],
    [false, false],
  ])("is enabled when the column is %j: %j", (value, isEnabled) => {
    expect(playlist({ is_enabled: value }).isEnabled).toBe(isEnabled);
  });
});

it("an item with a duration of 0 plays to its end", () => {
  const item = { id: "i", asset_id: "a" };
  expect(receivedItem({ ...item, duration: 0 }).durationSeconds).toBeNull();
  expect(receivedItem({ ...item, duration: 7.5 }).durationSeconds).toBe(7.5);
});

it.each([
  [{ type: "image", status: "finished", pdf_page_enabled: null }, true],
  [{ type: "image", status: "processing", pdf_page_enabled: null }, true],
  [{ type: "image", status: "error", pdf_page_enabled: null }, false],
  [{ type: "pdf-page", status: "finished", pdf_page_enabled: 0 }, false],
  [{ type: "pdf-page", status: "finished", pdf_page_enabled: true }, true],
])("%j can be shown: %j", (row, expected) => {
  expect(isPlayable(row)).toBe(expected);
});
