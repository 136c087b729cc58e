// What if: answers which screens a proposed change would affect; nothing is changed (V3-100 to V3-103, V3-127).

import { composeSentence } from "../../../contract/sentence-templates.ts";
import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import {
  whatIfRequestV3,
  type ProposedV3,
  type WhatIfRequestV3,
} from "../../../contract/v3/v3-what-if.ts";
import { Failure, fieldFailure } from "../../../core/failure.ts";
import { teamOf } from "../../access/access.ts";
import { judged } from "../../http/json-body.ts";
import { sendJson, type Methods } from "../../http/routes.ts";
import { fieldsOf } from "../operation/fields.ts";
import { groupLabels, refuseUnknown } from "../operation/references.ts";
import { queryRunner, type RunQuery, type V3 } from "../operation/v3.ts";
import {
  addPlaylist,
  changePlaylist,
  lockPlaylist,
  removePlaylist,
} from "../playlists/playlists.ts";
import { assignToScreens } from "../screens/assignments.ts";
import { lockGroup, removeGroup, writeGroup } from "../screens/groups.ts";
import { lockScreen, removeScreen, writeScreen } from "../screens/screens.ts";

export function createWhatIfRoute(v3: V3): Methods {
  return {
    POST: async (request, response) => {
      const team = teamOf(response);
      const change = judged(whatIfRequestV3, fieldsOf(request));
      const answer = await v3.whatIf.preview(team, (run) =>
        applyChange(v3, queryRunner(v3, run), team, change),
      );
      sendJson(response, 200, answer);
    },
  };
}

/** In the order of their lists, as the requests of their own would do it. */
async function applyChange(
  v3: V3,
  runQuery: RunQuery,
  team: string,
  { groups, screens, playlists, assignments }: WhatIfRequestV3,
): Promise<void> {
  await eachOf("groups", groups, async ({ id, isRemoved, fields }) => {
    const place = { team, id: await manualLabel(v3, runQuery, team, id ?? "") };
    if (isRemoved) await removeGroup(runQuery, place);
    else {
      await lockGroup(v3, runQuery, place, fields);
      await writeGroup(v3, runQuery, place, fields);
    }
  });
  await eachOf("screens", screens, async ({ id, isRemoved, fields }) => {
    const place = { team, id: id ?? "" };
    if (isRemoved) await removeScreen(runQuery, place);
    else {
      await lockScreen(v3, runQuery, place);
      await writeScreen(v3, runQuery, place, fields);
    }
  });
  await eachOf("playlists", playlists, async ({ id, isRemoved, fields }) => {
    if (id === null) {
      const place = { team, id: v3.makeId() };
      await addPlaylist(v3, runQuery, place, { title: "", ...fields });
    } else if (isRemoved) await removePlaylist(runQuery, { team, id });
    else {
      await lockPlaylist(v3, runQuery, { team, id });
      await changePlaylist(v3, runQuery, { team, id }, fields);
    }
  });
  for (const assignment of assignments)
    await assignToScreens(v3, runQuery, team, assignment).catch(
      (error: unknown) => {
        throw error instanceof Failure && error.fields
          ? fieldFailure("assignments", error.message)
          : error;
      },
    );
}

/** What a change names must exist: 400 under its list instead of 404 (V3-8). */
async function eachOf<Fields>(
  list: "groups" | "screens" | "playlists",
  proposals: readonly ProposedV3<Fields>[],
  apply: (proposal: ProposedV3<Fields>) => Promise<void>,
): Promise<void> {
  for (const proposal of proposals)
    await apply(proposal).catch((error: unknown) => {
      if (error instanceof Failure && error.code === "not-found")
        throw fieldFailure(
          list,
          composeSentence(serviceSentences["id-unknown"], {
            kind: list.slice(0, -1),
            id: JSON.stringify(proposal.id),
          }),
        );
      throw error;
    });
}

async function manualLabel(
  v3: V3,
  runQuery: RunQuery,
  team: string,
  id: string,
): Promise<string> {
  const labels = await groupLabels(v3, runQuery, team, [id]);
  refuseUnknown("groups", [id], labels);
  const label = labels.get(id);
  if (label?.type !== "manual")
    throw fieldFailure("groups", "A built-in group cannot be changed.");
  return label.id;
}
