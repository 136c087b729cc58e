// Activity list: prepending new entries, day headings, and export as a table.

import { beforeAll, describe, expect, it, vi } from "vitest";
import { activityRow } from "../../../../server/contract/v2/activity-changes.ts";
import { csvOf } from "../../../../server/contract/csv.ts";
import type { ActivityV2 } from "../../../../server/contract/v2/v2-logs.ts";
import { linesOf } from "../../../../renderer/manager/activity/activity-lines.ts";

const event = (id: number, change: Partial<ActivityV2> = {}): ActivityV2 => ({
  ...{ activity_id: id, kind: "asset", action: "added", name: `asset ${id}` },
  ...{ time: "2026-01-31T12:00:00.000Z", asset_id: null, details: "" },
  ...{ actor: null, changes: [] },
  ...change,
});

const linesUtc = (events: readonly ActivityV2[]) => linesOf(events, "UTC");

describe("activity", () => {
  beforeAll(() => {
    vi.stubGlobal("navigator", { language: "en" });
    vi.stubGlobal("window", { localStorage: { getItem: () => null } });
  });

  it("prepends new entries once, and detects missing entries in between", async () => {
    const { withNewest } =
      await import("../../../../renderer/manager/activity/use-paged-activity.ts");
    const page = (next: number | null, ...ids: readonly number[]) => ({
      ...{ entries: ids.map((id) => event(id)), next },
    });
    const idOf = ({ activity_id: id }: ActivityV2) => id;
    const pages = [page(2, 4, 2), page(null, 1)];
    expect(withNewest(pages, page(2, 6, 5, 4, 2), idOf)).toEqual([
      ...[page(2, 6, 5, 4, 2), page(null, 1)],
    ]);
    // One that was made before another, and stored after it.
    expect(withNewest(pages, page(2, 4, 3, 2), idOf)).toEqual([
      ...[page(2, 4, 3, 2), page(null, 1)],
    ]);
    expect(withNewest(pages, page(2, 4, 2), idOf)).toBe(pages);
    expect(withNewest(pages, page(8, 9, 8), idOf)).toBeNull();
    expect(withNewest([page(null)], page(null, 1), idOf)).toEqual([
      page(null, 1),
    ]);
  });

  it("has a heading for each day in the screen's time zone, wherever the manager is", () => {
    const events = [
      event(3, { time: "2026-01-31T16:00:00.000Z" }),
      event(2),
      event(1),
    ];
    const kinds = (zone: string) =>
      linesOf(events, zone).map(({ kind }) => kind);
    expect(kinds("UTC")).toEqual(["day", "event", "event", "event"]);
    expect(kinds("Asia/Tokyo")).toEqual([
      ...["day", "event", "day", "event", "event"],
    ]);
  });

  it("shows many changes at once as a number, and a few by name", () => {
    const reported = linesUtc([
      event(30, {
        kind: "playlist",
        action: "removed",
        name: "",
        details: "200",
      }),
      ...[25, 24, 23, 22, 21].map((id) =>
        event(id, { action: "changed", details: "play_order" }),
      ),
      ...[13, 12].map((id) =>
        event(id, { action: "changed", details: "name" }),
      ),
      event(11, { name: "39", action: "added" }),
    ]).flatMap((line) =>
      line.kind === "event" ? [[line.key, line.count]] : [],
    );
    expect(reported).toEqual([
      ...[
        [30, 200],
        [25, 5],
        [13, 1],
        [12, 1],
        [11, 1],
      ],
    ]);
  });

  it("[V2-793] keeps the names and values of changes that share a line", () => {
    const many = [25, 24, 23, 22, 21].map((id) =>
      event(id, {
        ...{ action: "changed", details: "play_order" },
        changes: [{ field: "play_order", before: id, after: id + 1 }],
      }),
    );
    const [, line] = linesUtc(many);
    expect(line).toMatchObject({ count: 5, events: many });
  });

  it("marks a takeover drill at its start and its end, and no other takeover", () => {
    const takeover = (id: number, action: string) =>
      event(id, { kind: "takeover", action });
    const marked = linesUtc([
      ...[takeover(7, "ended"), takeover(6, "began"), takeover(5, "ended")],
      ...[event(4), takeover(3, "drill"), takeover(2, "ended"), event(1)],
    ]).flatMap((line) =>
      line.kind === "event" && line.isDrill ? [line.key] : [],
    );
    expect(marked).toEqual([5, 3]);
  });

  it("exports a table in which no spreadsheet evaluates a formula", async () => {
    const { columns } =
      await import("../../../../renderer/manager/activity/export-csv.ts");
    const events = [
      event(1, { name: '=1+1, "quoted"', details: "two\nlines" }),
    ];
    const text = csvOf(events.map(activityRow), columns);
    expect(text).toBe(
      'time,kind,action,name,asset_id,details,actor_kind,actor_name,actor_address,changes\r\n2026-01-31T12:00:00.000Z,asset,added,"\'=1+1, ""quoted""",,"two\nlines",,,,\r\n',
    );
  });
});
