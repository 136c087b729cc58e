// Operations of the activity log, the playback log and the trash, beyond the specification.

import type { ShapeName } from "../v2-answers.ts";
import { activityKinds } from "../v2-logs.ts";
import { bodyRefusals, inPath, inQuery, operation } from "./v2-operation.ts";
import { readMoment } from "../v2-values.ts";

const from = inQuery(
  "from",
  "Nothing before this moment.",
  "2026-01-31T00:00:00Z",
  readMoment.schema,
);
const to = inQuery(
  "to",
  "Nothing from this moment on.",
  "2026-02-01T00:00:00Z",
  readMoment.schema,
);
const before = inQuery(
  "before",
  "Only what stands before this number: the page behind the last one.",
  "4711",
  { type: "integer" },
);
const limit = inQuery("limit", "At most so many; 200 by default.", "200", {
  ...{ type: "integer", minimum: 1, maximum: 10_000 },
});
const format = inQuery("format", "`csv` for a table.", "json", {
  ...{ type: "string", enum: ["json", "csv"] },
});
const refusals = { 400: "A parameter cannot be read." };
const listOf = <const Name extends ShapeName>(
  list: Name,
  description: string,
) => ({
  200: { description, list },
});

const things = {
  shape: "TrashSelection",
  example: { asset_ids: ["4b0c7b0e6f1d4f0f9a4b2c1d0e9f8a7b"] },
} as const;

export const historyOperationsV2 = [
  operation("get", "/api/v2/activity", {
    ...{
      id: "listActivity",
      group: "Observing",
      rules: [284, 285, 287, 357, 440],
    },
    summary: "List what happened, the newest first",
    parameters: [
      inQuery("kind", "Only what happened to this.", "fault", {
        ...{ type: "string", enum: activityKinds },
      }),
      from,
      to,
      inQuery("search", "Only what has this in its name or words.", "Lobby"),
      before,
      limit,
      format,
    ],
    answers: listOf("Activity", "What happened."),
    refusals,
  }),
  operation("get", "/api/v2/playbacks", {
    ...{ id: "listPlaybacks", group: "Observing", rules: [286, 287, 357] },
    summary: "List what was shown, the newest first",
    parameters: [
      inQuery(
        "asset_id",
        "Only this asset.",
        "4b0c7b0e6f1d4f0f9a4b2c1d0e9f8a7b",
      ),
      from,
      to,
      before,
      limit,
      format,
    ],
    answers: listOf("Playback", "What was shown."),
    refusals,
  }),
  operation("get", "/api/v2/playbacks/report", {
    ...{ id: "reportPlaybacks", group: "Observing", rules: [286, 288, 358] },
    summary: "Count what was shown, by asset and day",
    parameters: [
      inQuery(
        "from",
        "The first day; 31 days by default, 400 at most.",
        "2026-01-01",
      ),
      inQuery("to", "The last day; today by default.", "2026-01-31"),
      format,
    ],
    answers: listOf(
      "PlaybackDay",
      "Plays and seconds of each asset on each day.",
    ),
    refusals,
  }),
  operation("get", "/api/v2/trash", {
    ...{ id: "listTrash", group: "Assets", rules: [280] },
    summary: "List what was thrown away, the newest first",
    answers: listOf("TrashEntry", "What is in the trash."),
  }),
  operation("post", "/api/v2/trash", {
    ...{ id: "moveToTrash", group: "Assets", rules: [5, 280, 281] },
    summary: "Throw assets and playlists away, to be taken back if need be",
    body: things,
    answers: listOf("TrashEntry", "What was thrown away."),
    refusals: { ...bodyRefusals, 404: "One of them is not there." },
  }),
  operation("delete", "/api/v2/trash", {
    ...{ id: "emptyTrash", group: "Assets", rules: [283] },
    summary: "Empty the trash permanently",
    answers: { 204: { description: "It is empty." } },
  }),
  operation("post", "/api/v2/trash/restore", {
    ...{ id: "restoreFromTrash", group: "Assets", rules: [5, 281, 282] },
    summary: "Take assets and playlists back, as they were",
    body: things,
    answers: listOf("TrashEntry", "What was taken back."),
    refusals: {
      ...bodyRefusals,
      404: "One of them is not in the trash.",
      409: "A recovery has brought one of them back already.",
    },
  }),
  operation("delete", "/api/v2/trash/:id", {
    ...{ id: "deleteFromTrash", group: "Assets", rules: [283] },
    summary: "Delete what was thrown away for good",
    parameters: [
      inPath(
        "id",
        "Of the asset or playlist.",
        "4b0c7b0e6f1d4f0f9a4b2c1d0e9f8a7b",
      ),
    ],
    answers: { 204: { description: "It is gone." } },
    refusals: { 404: "It is not in the trash." },
  }),
];
