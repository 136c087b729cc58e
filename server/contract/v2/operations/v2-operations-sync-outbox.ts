// Operations of version 2 for pairing, the outbox and offline bundles, beyond the specification.

import {
  changeChoices,
  readCollections,
} from "../../../core/sync-plan/outbox.ts";
import { importPlanQueryV2, serviceContentQueryV2 } from "../v2-sync-outbox.ts";
import { bodyRefusals, inPath, operation } from "./v2-operation.ts";

const connectionId = inPath("id", "The connection's identifier.", "3f9a1c2e");
const changeId = inPath(
  "change",
  "The change's identifier.",
  "0f1e2d3c4b5a6978",
);
const noSync = { 503: "This player was started without sync." };
const noConnection = { 404: "There is no connection with this identifier." };
const noChange = {
  404: "There is no connection or change with this identifier.",
};
const oneChange = { description: "The change.", shape: "SyncChange" } as const;

export const syncOutboxOperationsV2 = [
  operation("get", "/api/v2/sync/pairing", {
    ...{ id: "readPairing", group: "Sync", rules: [300, 301, 302] },
    summary: "Get the current pairing and its PIN",
    answers: {
      200: {
        description: "The pairing; null if none is in progress.",
        shape: "PairingOrNull",
      },
    },
    refusals: noSync,
  }),
  operation("post", "/api/v2/sync/pairing", {
    ...{ id: "beginPairing", group: "Sync", rules: [300, 301, 302, 303] },
    summary: "Start pairing with a content service",
    body: {
      shape: "BeginPairing",
      example: { base_url: "https://content.example.org" },
    },
    answers: {
      201: { description: "The pairing, with its PIN.", shape: "Pairing" },
    },
    refusals: {
      ...bodyRefusals,
      503: "The service cannot be reached, or does not support pairing.",
    },
  }),
  operation("delete", "/api/v2/sync/pairing", {
    ...{ id: "endPairing", group: "Sync", rules: [300] },
    summary: "Cancel pairing",
    answers: { 204: { description: "No pairing is in progress." } },
    refusals: noSync,
  }),
  operation("get", "/api/v2/sync/links", {
    ...{ id: "listSyncLinks", group: "Sync", rules: [304, 305, 306, 307] },
    summary: "List the links of paired screens",
    answers: {
      200: {
        description:
          "One entry for each connection that was paired with a PIN.",
        list: "SyncLink",
      },
    },
    refusals: noSync,
  }),
  operation("get", "/api/v2/sync/accounts/:id/changes", {
    ...{ id: "listSyncChanges", group: "Sync", rules: [310, 315] },
    summary:
      "List the outbox: changes for the content service and their status",
    parameters: [connectionId],
    answers: {
      200: {
        description: "The changes, in sending order.",
        list: "SyncChange",
      },
    },
    refusals: { ...noConnection, ...noSync },
  }),
  operation("post", "/api/v2/sync/accounts/:id/changes", {
    ...{ id: "createSyncChange", group: "Sync" },
    rules: [5, 6, 310, 311, 312, 313, 314, 317, 318],
    summary: "Create, change or delete something in the content service",
    parameters: [connectionId],
    body: {
      shape: "CreateSyncChange",
      example: {
        ...{ collection: "labels", action: "create" },
        fields: { name: "Lobby" },
      },
    },
    answers: { 201: oneChange },
    refusals: {
      ...bodyRefusals,
      ...noConnection,
      429: "The limit of 10,000 pending changes has been reached.",
      ...noSync,
    },
  }),
  operation("delete", "/api/v2/sync/accounts/:id/changes/:change", {
    ...{ id: "deleteSyncChange", group: "Sync", rules: [315] },
    summary: "Discard a pending change",
    parameters: [connectionId, changeId],
    answers: { 204: { description: "Deleted." } },
    refusals: {
      ...noChange,
      409: "It is being sent, or another change depends on it.",
      ...noSync,
    },
  }),
  operation("post", "/api/v2/sync/accounts/:id/changes/:change/retry", {
    ...{ id: "retrySyncChange", group: "Sync", rules: [314, 315] },
    summary: "Retry a rejected change, or resolve a conflict",
    parameters: [connectionId, changeId],
    body: {
      ...{ shape: "RetrySyncChange", isOptional: true },
      example: { choose: changeChoices[0] },
    },
    answers: { 200: oneChange },
    refusals: {
      ...bodyRefusals,
      ...noChange,
      409: "It is done or being sent, or choose is missing for a conflict.",
      ...noSync,
    },
  }),
  operation("get", "/api/v2/sync/accounts/:id/cloud/:collection", {
    ...{ id: "listServiceContent", group: "Sync", rules: [316, 755] },
    summary: "List what the content service has",
    parameters: [
      connectionId,
      inPath("collection", "The kind of rows.", "playlists", {
        type: "string",
        enum: readCollections,
      }),
    ],
    query: serviceContentQueryV2,
    answers: { 200: { description: "A page.", shape: "CloudPage" } },
    refusals: {
      ...{ 400: "after or limit is not valid." },
      404: "There is no connection with this identifier, or the content service has no such rows.",
      503: "The content service cannot be reached, or does not accept the token.",
    },
  }),
  operation("post", "/api/v2/sync/export", {
    ...{ id: "exportPlan", group: "Sync", rules: [320, 321, 324, 347] },
    summary:
      "Export the current plan with its files as a signed offline bundle",
    body: {
      ...{ shape: "SyncTarget", isOptional: true },
      example: { account_id: "3f9a1c2e" },
    },
    answers: { 200: { description: "The archive.", type: "application/gzip" } },
    refusals: {
      ...bodyRefusals,
      ...noConnection,
      409: "There is no plan, there are several connections, or the signing key cannot be read right now.",
      ...noSync,
    },
  }),
  operation("post", "/api/v2/sync/import", {
    ...{ id: "importPlan", group: "Sync" },
    rules: [321, 322, 323, 325, 347, 755],
    summary: "Import an offline bundle from another player",
    query: importPlanQueryV2,
    body: {
      ...{ field: "plan_upload", example: "lobby-plan.tar.gz" },
      description: "A .tar.gz archive from POST /sync/export.",
    },
    answers: {
      200: { description: "What was applied.", shape: "ImportedPlan" },
    },
    refusals: {
      400: "A parameter is not valid, or the archive is damaged or does not match its signature; nothing was changed.",
      ...noConnection,
      409: "Its key is not trusted, this player's own key cannot be read right now, or another import is in progress.",
      413: "It is larger than this player accepts.",
      415: "The body is not multipart/form-data.",
      503: "The player was started without sync, or the limit of eight simultaneous uploads has been reached.",
      507: "The disk is full: only the reserved space is left.",
    },
  }),
  operation("get", "/api/v2/sync/keys", {
    ...{ id: "listPlanKeys", group: "Sync", rules: [323, 347] },
    summary: "List the trusted keys, and this player's own key",
    answers: { 200: { description: "The fingerprints.", shape: "PlanKeys" } },
    refusals: {
      409: "The player's own key cannot be read right now.",
      ...noSync,
    },
  }),
  operation("delete", "/api/v2/sync/keys/:fingerprint", {
    ...{ id: "distrustPlanKey", group: "Sync", rules: [323] },
    summary: "Remove trust in a key",
    parameters: [
      inPath(
        "fingerprint",
        "The key's fingerprint.",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      ),
    ],
    answers: { 204: { description: "Deleted." } },
    refusals: { 404: "There is no key with this fingerprint.", ...noSync },
  }),
];
