// Sync operations: connections, their status, plans that wait for review, and actions on them (V2-200 to V2-219).

import type { RequestHandler } from "express";
import type * as z from "zod";
import {
  applySyncV2,
  createSyncAccountV2,
  deleteSyncAccountQueryV2,
  patchSyncAccountV2,
  syncTargetV2,
  type SyncV2,
} from "../../../contract/v2/v2-sync.ts";
import {
  connectionDefaults,
  type SyncConnectionInput,
} from "../../../core/sync-plan/sync-state.ts";
import type { AttachedSync } from "../../sync/attached-sync.ts";
import type { Sync } from "../../sync/sync.ts";
import { parseBody, parseQuery } from "../request/body.ts";
import type { Handlers } from "../request/handlers.ts";
import {
  connectionToV2,
  appliedPlanToV2,
  planToV2,
  statusToV2,
} from "./sync-json.ts";

/** The sync is looked up on each request: it may be attached after the interface has begun to listen. */
export function syncOperations({
  sync,
  changes,
}: Pick<AttachedSync, "sync" | "changes">) {
  const status = (): SyncV2 => {
    const kinds = new Map(
      sync()
        .connections()
        .map(({ id, kind }) => [id, kind]),
    );
    const connections = sync()
      .status()
      .map((one) => {
        const kind = kinds.get(one.connectionId) ?? "cloud";
        return statusToV2(one, kind, changes(one.connectionId));
      });
    return { accounts: connections };
  };
  /** Runs the action, then responds with the status of all connections. */
  const action =
    (
      code: number,
      act: (target: Sync, connectionId: string | undefined) => void,
    ): RequestHandler =>
    (request, response) => {
      const { account_id: connectionId } = parseBody(request, syncTargetV2);
      act(sync(), connectionId);
      response.status(code).json(status());
    };
  return {
    readSync: (_request, response) => {
      response.setHeader("Cache-Control", "no-store").json(status());
    },
    runSync: action(202, (target, id) => target.run(id)),
    readSyncPlan: (_request, response) => {
      response
        .setHeader("Cache-Control", "no-store")
        .json(sync().plans().map(planToV2));
    },
    applySync: (request, response) => {
      const body = parseBody(request, applySyncV2);
      sync().apply(body.account_id, body.plan_id);
      response.status(202).json(status());
    },
    holdSync: action(200, (target, id) => target.hold(id)),
    rollBackSync: async (request, response) => {
      const { account_id: connectionId } = parseBody(request, syncTargetV2);
      const plans = await sync().back(connectionId);
      response.json(plans.map(appliedPlanToV2));
    },
    listSyncAccounts: (_request, response) => {
      response.json(sync().connections().map(connectionToV2));
    },
    createSyncAccount: async (request, response) => {
      const { token, ...body } = parseBody(request, createSyncAccountV2);
      const input: SyncConnectionInput = {
        ...connectionDefaults,
        baseUrl: body.base_url,
        name: body.name ?? hostOf(body.base_url),
        ...inputOf(body),
      };
      const connection = await sync().addConnection(input, token);
      response.status(201).json(connectionToV2(connection));
    },
    readSyncAccount: (request, response) => {
      response.json(connectionToV2(sync().connection(request.params.id)));
    },
    changeSyncAccount: async (request, response) => {
      const { token, ...body } = parseBody(request, patchSyncAccountV2);
      const { id } = request.params;
      const changed = await sync().changeConnection(id, inputOf(body), token);
      response.json(connectionToV2(changed));
    },
    deleteSyncAccount: async (request, response) => {
      const { keep = false } = parseQuery(request, deleteSyncAccountQueryV2);
      await sync().removeConnection(request.params.id, keep);
      response.status(204).end();
    },
  } satisfies Partial<Handlers>;
}

type ConnectionBody = Omit<z.infer<typeof patchSyncAccountV2>, "token">;

/** Exactly the fields that the body contains. */
function inputOf(body: ConnectionBody): Partial<SyncConnectionInput> {
  const named: Partial<Record<keyof SyncConnectionInput, unknown>> = {
    name: body.name,
    baseUrl: body.base_url,
    version: body.version,
    labels: body.labels,
    screenId: body.screen_id,
    assetGroups: body.asset_groups,
    allAssets: body.all_assets,
    mode: body.mode,
    applyAtMs: body.apply_at,
    pollSeconds: body.poll_seconds,
    rateLimit: body.rate_limit,
    fetchFromMs: body.download_from,
    fetchUntilMs: body.download_until,
    letsItemsEnd: body.finish_current_item,
    isEnabled: body.is_enabled,
    isCertificateSkipped: body.skip_ssl_verify,
    proxyUrl: body.proxy_url,
  };
  return Object.fromEntries(
    Object.entries(named).filter(([, value]) => value !== undefined),
  );
}

function hostOf(address: string): string {
  return new URL(address).host;
}
