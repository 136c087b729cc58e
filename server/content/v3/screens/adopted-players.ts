// Adopted players of version 3: added by their address, and changed (V3-110, V3-111).

import {
  adoptedChangeV3,
  adoptPlayerV3,
} from "../../../contract/v3/v3-adopted.ts";
import { teamOf } from "../../access/access.ts";
import { judged } from "../../http/json-body.ts";
import type { Handler, Methods } from "../../http/routes.ts";
import { sql } from "../../sql.ts";
import { refuseScreensOutside } from "../../v4/write/label-limits.ts";
import { fieldsOf } from "../operation/fields.ts";
import { limitsOf } from "../operation/limits.ts";
import { sendText } from "../operation/responses.ts";
import { bodyIn, reading, type V3 } from "../operation/v3.ts";
import { screenRows } from "../operation/views.ts";

export interface AdoptedPlayers {
  readonly collection: Methods;
  readonly item: Methods;
}

export function createAdoptedPlayers(v3: V3): AdoptedPlayers {
  const { adopted, dialect } = v3;

  /** As any other screen (V3-40). */
  async function bodyOf(team: string, id: string): Promise<string> {
    const one = sql`AND s.id = ${id}`;
    const rows = await reading(v3)(
      screenRows(dialect, team, one, { isDetailed: true }),
    );
    return bodyIn(rows) ?? "null";
  }

  const add: Handler = async (request, response) => {
    const team = teamOf(response);
    const body = judged(adoptPlayerV3, fieldsOf(request));
    const id = await adopted.adopt(team, body);
    sendText(response, 201, await bodyOf(team, id));
  };

  const change: Handler = async (request, response) => {
    const team = teamOf(response);
    const id = request.params["id"] ?? "";
    await refuseScreensOutside(limitsOf(v3, reading(v3), response), [id]);
    await adopted.change(team, id, judged(adoptedChangeV3, fieldsOf(request)));
    sendText(response, 200, await bodyOf(team, id));
  };

  return { collection: { POST: add }, item: { PATCH: change } };
}
