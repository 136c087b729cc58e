// Edge apps: previews a deployment, and deploys a revision, which is immutable from then on (V3-55, V3-56).

import type { Response } from "express";
import { deployV3, type DeployV3 } from "../../../contract/v3/v3-edge-apps.ts";
import { fieldFailure } from "../../../core/failure.ts";
import type { Run } from "../../../platform/database/database.ts";
import { teamOf } from "../../access/access.ts";
import { createShareFiles } from "../../ingest/share-files.ts";
import { judged } from "../../http/json-body.ts";
import { sendJson, type Handler, type Methods } from "../../http/routes.ts";
import { sql, trusted } from "../../sql.ts";
import { notFound } from "../operation/responses.ts";
import type { Place } from "./deploy-place.ts";
import { isOutstanding, planDeploy } from "./deploy-plan.ts";
import { writeRevision } from "./deploy-write.ts";
import { readAppState } from "./deploy-state.ts";
import { fieldsOf } from "../operation/fields.ts";
import {
  note,
  queryRunner,
  lockOf,
  reading,
  type V3,
} from "../operation/v3.ts";

export interface EdgeApps {
  readonly deploy: Methods;
  readonly preview: Methods;
}

export function createEdgeApps(v3: V3): EdgeApps {
  const shareFiles = createShareFiles(v3.database.kind);

  /** An unknown app is answered 404 before the body is validated. */
  async function deploymentFor(
    request: Parameters<Handler>[0],
    response: Response,
  ): Promise<{ readonly place: Place; readonly deployment: DeployV3 }> {
    const place = { team: teamOf(response), app: request.params["id"] ?? "" };
    const found = await reading(v3)(
      sql`SELECT id FROM edge_apps WHERE team_id = ${place.team} AND id = ${place.app} AND NOT deleted`,
    );
    if (found.length === 0) throw notFound();
    const deployment = judged(deployV3, fieldsOf(request));
    const { id } = deployment.manifest;
    if (id && id !== place.app)
      throw fieldFailure(
        "manifest.id",
        "manifest.id must not be the id of another app",
      );
    return { place, deployment };
  }

  const preview: Handler = async (request, response) => {
    const { place, deployment } = await deploymentFor(request, response);
    const state = await readAppState(reading(v3), place);
    sendJson(response, statusFor(request.path), planDeploy(state, deployment));
  };

  const deploy: Handler = async (request, response) => {
    const { place, deployment } = await deploymentFor(request, response);
    const result = await v3.database.write((run) =>
      deployed(run, place, deployment),
    );
    if ("outstanding" in result) sendJson(response, 409, result);
    else sendJson(response, statusFor(request.path), result);
  };

  async function deployed(run: Run, place: Place, deployment: DeployV3) {
    const runQuery = queryRunner(v3, run);
    // Of two concurrent deployments, the second sees the result of the first.
    const locked = await runQuery(
      sql`SELECT id FROM edge_apps WHERE team_id = ${place.team} AND id = ${place.app}${trusted(lockOf(v3))}`,
    );
    if (locked.length === 0) throw notFound();
    const state = await readAppState(runQuery, place);
    const plan = planDeploy(state, deployment);
    if (isOutstanding(plan.outstanding))
      return { outstanding: plan.outstanding };
    const constants = { published: true, channel: "stable" };
    if (!plan.deploy_needed)
      return { revision: state.revision, created: false, ...constants };
    const revision = await writeRevision(
      { v3, runQuery, place, share: (pairs) => shareFiles(run, pairs) },
      { state, deployment, plan },
    );
    await note(v3, runQuery, place.team, {
      ...{ kind: "edge-app", what: "deployed", id: place.app },
      name: sql`coalesce((SELECT name FROM edge_apps WHERE id = ${place.app}), '')`,
      changes: [{ field: "revision", before: state.revision, after: revision }],
    });
    return { revision, created: true, ...constants };
  }

  return { deploy: { POST: deploy }, preview: { POST: preview } };
}

/** Clients of the one path accept only 200; the specification shows the other with 201. */
function statusFor(path: string): number {
  return path.endsWith("/") ? 201 : 200;
}
