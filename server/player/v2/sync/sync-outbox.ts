// Pairing, outbox changes, remote contents, and offline bundles (V2-300 to V2-329).

import { syncTargetV2 } from "../../../contract/v2/v2-sync.ts";
import {
  beginPairingV2,
  defaultRows,
  importPlanQueryV2,
  retrySyncChangeV2,
  serviceContentQueryV2,
  type ImportedPlanV2,
  type PairingV2,
  type SyncChangeV2,
} from "../../../contract/v2/v2-sync-outbox.ts";
import { momentToText } from "../../../contract/v2/v2-values.ts";
import { Failure } from "../../../core/failure.ts";
import type { CloudChange } from "../../../core/sync-plan/outbox.ts";
import type { PairingView } from "../../sync/link-client/pairing.ts";
import type { PlanImported } from "../../sync/offline-bundle/offline-bundle.ts";
import type { AttachedSync } from "../../sync/attached-sync.ts";
import { parseBody, parseQuery, receiveField } from "../request/body.ts";
import type { Handlers } from "../request/handlers.ts";

const field = "plan_upload";

/** The extensions are looked up on each request: they may be attached after the interface has begun to listen. */
export function syncOutboxOperations(extensions: AttachedSync["extensions"]) {
  return {
    readPairing: (_request, response) => {
      const view = extensions().link.pairing();
      response
        .setHeader("Cache-Control", "no-store")
        .json(view && pairingToV2(view));
    },
    beginPairing: async (request, response) => {
      const { base_url: baseUrl } = parseBody(request, beginPairingV2);
      const view = await extensions().link.pair(baseUrl);
      response.status(201).json(pairingToV2(view));
    },
    endPairing: async (_request, response) => {
      await extensions().link.endPairing();
      response.status(204).end();
    },
    listSyncLinks: (_request, response) => {
      response.setHeader("Cache-Control", "no-store").json(
        extensions()
          .link.links()
          .map((link) => ({
            account_id: link.connectionId,
            screen_id: link.screenId,
            screen_name: link.screenName,
            is_connected: link.isConnected,
            last_seen: textOf(link.lastContactAt),
            playbacks_waiting: link.playbacksWaiting,
            problem: link.problem,
          })),
      );
    },
    listSyncChanges: (request, response) => {
      const changes = extensions().outbox.changes(request.params.id);
      response
        .setHeader("Cache-Control", "no-store")
        .json(changes.map(changeToV2));
    },
    createSyncChange: (request, response) => {
      const { id } = request.params;
      const change = extensions().outbox.add(id, request.body);
      response.status(201).json(changeToV2(change));
    },
    deleteSyncChange: (request, response) => {
      const { id, change } = request.params;
      extensions().outbox.drop(id, change);
      response.status(204).end();
    },
    retrySyncChange: (request, response) => {
      const { id, change } = request.params;
      const { choose = null } = parseBody(request, retrySyncChangeV2);
      response.json(changeToV2(extensions().outbox.retry(id, change, choose)));
    },
    listServiceContent: async (request, response) => {
      const { id, collection } = request.params;
      const { after = null, limit = defaultRows } = parseQuery(
        request,
        serviceContentQueryV2,
      );
      const page = await extensions().outbox.read(id, collection, {
        ...{ after, limit },
      });
      response.setHeader("Cache-Control", "no-store").json(page);
    },
    exportPlan: async (request, response) => {
      const { account_id: connectionId } = parseBody(request, syncTargetV2);
      const { name, content } =
        await extensions().offlineBundles.exportPlan(connectionId);
      response.attachment(name).type("application/gzip");
      // In the middle of a body, only breaking the connection can signal an error.
      content.once("error", (error) => response.destroy(error));
      response.once("close", () => content.destroy());
      if (response.destroyed) content.destroy();
      else content.pipe(response);
    },
    importPlan: async (request, response) => {
      if (!request.is("multipart"))
        throw new Failure(
          "unsupported",
          `The offline bundle must be sent as the field ${field} of a multipart/form-data body.`,
        );
      const { account_id: connectionId, trust } = parseQuery(
        request,
        importPlanQueryV2,
      );
      const { offlineBundles } = extensions();
      const imported = await receiveField(request, field, (stream, arrived) =>
        offlineBundles.importPlan(stream, { connectionId, trust }, arrived),
      );
      response.json(importedToV2(imported));
    },
    listPlanKeys: async (_request, response) => {
      const { own, trusted } = await extensions().offlineBundles.keys();
      response.json({
        own,
        trusted: trusted.map(({ fingerprint, name, trustedAt }) => ({
          ...{ fingerprint, name, trusted: momentToText(trustedAt) },
        })),
      });
    },
    distrustPlanKey: (request, response) => {
      extensions().offlineBundles.distrust(request.params.fingerprint);
      response.status(204).end();
    },
  } satisfies Partial<Handlers>;
}

function textOf(moment: number | null): string | null {
  return moment === null ? null : momentToText(moment);
}

function pairingToV2(view: PairingView): PairingV2 {
  return {
    ...{ base_url: view.baseUrl, state: view.state, pin: view.pin },
    ...{ expires: textOf(view.pinEndsAt), account_id: view.accountId },
    problem: view.problem,
  };
}

function changeToV2(change: CloudChange): SyncChangeV2 {
  const { collection, action, state, tries, reason, file } = change;
  return {
    ...{ change_id: change.id, collection, action, state, reason },
    attempts: tries,
    id: change.madeId ?? change.target,
    fields: { ...change.fields },
    base: change.base && { ...change.base },
    theirs: change.theirs && { ...change.theirs },
    conflicts: [...change.clashes],
    file: file && {
      ...{ name: file.name, size: file.sizeBytes, sent: file.sentBytes },
    },
    created: momentToText(change.createdAt),
    done: textOf(change.doneAt),
  };
}

function importedToV2(imported: PlanImported): ImportedPlanV2 {
  const { connectionId, from, fingerprint, assets, playlists } = imported;
  return {
    ...{ account_id: connectionId, from, fingerprint, assets, playlists },
    exported: momentToText(imported.madeAt),
    files: imported.files,
    bytes: imported.bytes,
  };
}
