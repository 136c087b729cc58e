// API keys of the team in version 3: list, create, revoke; for administrators (V3-134, V3-135).

import { composeSentence } from "../../../contract/sentence-templates.ts";
import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import {
  apiKeyCreateV3,
  type ApiKeyV3,
  type CreatedApiKeyV3,
} from "../../../contract/v3/v3-access.ts";
import { Failure } from "../../../core/failure.ts";
import { teamOf } from "../../access/access.ts";
import { judged } from "../../http/json-body.ts";
import { sendJson, type Handler, type Methods } from "../../http/routes.ts";
import { fieldsOf } from "../operation/fields.ts";
import { notFound } from "../operation/responses.ts";
import { rowReaders } from "../operation/team-rows.ts";
import type { V3 } from "../operation/v3.ts";
import { limitLabelsOf } from "./limit-labels.ts";

export interface KeyRoutes {
  readonly collection: Methods;
  readonly item: Methods;
}

const maxKeys = 500;

export function createKeyRoutes(v3: V3): KeyRoutes {
  const { keys, log } = v3;

  async function shown(
    team: string,
    only?: string,
  ): Promise<readonly ApiKeyV3[]> {
    const all = (await keys.list(team)).filter(
      ({ id }) => only === undefined || id === only,
    );
    const labelsOf = await limitLabelsOf(v3, team, all);
    return all.map(
      ({ id, name, role, labelIds, createdAt, lastUsedAt }): ApiKeyV3 => ({
        ...{ id, name, role, labels: labelsOf(labelIds) },
        created_at: new Date(createdAt).toISOString(),
        last_used_at:
          lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
      }),
    );
  }

  const { shownOne, list, read } = rowReaders(shown);

  const create: Handler = async (request, response) => {
    const team = teamOf(response);
    const body = judged(apiKeyCreateV3, fieldsOf(request));
    if ((await keys.list(team)).length >= maxKeys)
      throw new Failure(
        "conflict",
        composeSentence(serviceSentences["team-limit"], {
          limit: maxKeys,
          kind: "API keys",
        }),
      );
    const { id, secret } = await keys.addTo(team, {
      ...{ name: body.name, role: body.role },
      labels: body.labels ?? undefined,
    });
    log.info("access.key-created", { key: id, role: body.role });
    const created: CreatedApiKeyV3 = { ...(await shownOne(team, id)), secret };
    response.setHeader("Cache-Control", "no-store");
    sendJson(response, 201, created);
  };

  const revoke: Handler = async (request, response) => {
    const id = request.params["id"] ?? "";
    await keys.revoke(id, teamOf(response)).catch((error: unknown) => {
      throw error instanceof Failure ? notFound() : error;
    });
    log.info("access.key-revoked", { key: id });
    response.status(200).end();
  };

  return {
    collection: { GET: list, POST: create },
    item: { GET: read, DELETE: revoke },
  };
}
