// What a screen shows at this moment, for those who look at it: each request extends the time in which its player sends pictures
// (V3-130).

import { screenWatchV3 } from "../../../contract/v3/v3-screens.ts";
import { teamOf } from "../../access/access.ts";
import { judged } from "../../http/json-body.ts";
import { sendJson, type Methods } from "../../http/routes.ts";
import { fieldsOf } from "../operation/fields.ts";
import { existingIds } from "../operation/references.ts";
import { notFound } from "../operation/responses.ts";
import { reading, type V3 } from "../operation/v3.ts";

export function createLiveScreens(v3: V3): Methods {
  return {
    POST: async (request, response) => {
      const id = request.params["id"] ?? "";
      const teamId = teamOf(response);
      const found = await existingIds(v3, reading(v3), "screens", teamId, [id]);
      if (!found.has(id)) throw notFound();
      const { hash } = judged(screenWatchV3, fieldsOf(request));
      const { live, isNew } = await v3.link.livePictures.watch(
        { id, teamId },
        hash,
      );
      if (isNew) v3.link.changes.announceSoon();
      response.setHeader("Cache-Control", "no-store");
      sendJson(response, 200, live);
    },
  };
}
