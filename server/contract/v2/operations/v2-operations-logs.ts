// Operations of the activity log, the playback log and the trash, beyond the specification.

import type { ShapeName } from "../v2-answers.ts";
import {
  activityQueryV2,
  playbackDaysQueryV2,
  playbacksQueryV2,
} from "../v2-logs.ts";
import { bodyRefusals, inPath, operation } from "./v2-operation.ts";

const refusals = { 400: "A parameter is not valid." };
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
      rules: [284, 285, 287, 357, 440, 755, 792, 793, 794],
    },
    summary: "List the activity log, newest first",
    query: activityQueryV2,
    answers: listOf("Activity", "The entries."),
    refusals,
  }),
  operation("get", "/api/v2/playbacks", {
    ...{ id: "listPlaybacks", group: "Observing", rules: [286, 287, 357, 755] },
    summary: "List playbacks, newest first",
    query: playbacksQueryV2,
    answers: listOf("Playback", "The playbacks."),
    refusals,
  }),
  operation("get", "/api/v2/playbacks/report", {
    ...{
      id: "reportPlaybacks",
      group: "Observing",
      rules: [286, 288, 358, 755],
    },
    summary: "Report playbacks by asset and day",
    query: playbackDaysQueryV2,
    answers: listOf(
      "PlaybackDay",
      "Number and total seconds of playbacks per asset and day.",
    ),
    refusals,
  }),
  operation("get", "/api/v2/trash", {
    ...{ id: "listTrash", group: "Assets", rules: [280] },
    summary: "List the trash, newest first",
    answers: listOf("TrashEntry", "The contents of the trash."),
  }),
  operation("post", "/api/v2/trash", {
    ...{ id: "moveToTrash", group: "Assets", rules: [5, 280, 281] },
    summary: "Move assets and playlists to the trash",
    body: things,
    answers: listOf("TrashEntry", "The trashed assets and playlists."),
    refusals: { ...bodyRefusals, 404: "One of them does not exist." },
  }),
  operation("delete", "/api/v2/trash", {
    ...{ id: "emptyTrash", group: "Assets", rules: [283] },
    summary: "Empty the trash",
    answers: { 204: { description: "The trash is empty." } },
  }),
  operation("post", "/api/v2/trash/restore", {
    ...{ id: "restoreFromTrash", group: "Assets", rules: [5, 281, 282] },
    summary: "Restore assets and playlists from the trash",
    body: things,
    answers: listOf("TrashEntry", "The restored assets and playlists."),
    refusals: {
      ...bodyRefusals,
      404: "One of them is not in the trash.",
      409: "One of them already exists again after a backup was restored.",
    },
  }),
  operation("delete", "/api/v2/trash/:id", {
    ...{ id: "deleteFromTrash", group: "Assets", rules: [283] },
    summary: "Delete an asset or playlist permanently",
    parameters: [
      inPath(
        "id",
        "The identifier of the asset or playlist.",
        "4b0c7b0e6f1d4f0f9a4b2c1d0e9f8a7b",
      ),
    ],
    answers: { 204: { description: "Deleted." } },
    refusals: { 404: "It is not in the trash." },
  }),
];
