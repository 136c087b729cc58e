// The operations of sync in version 2, beyond the specification.

import {
  deleteSyncAccountQueryV2,
  discardAllLocalChangesQueryV2,
  discardLocalChangesQueryV2,
} from "../v2-sync.ts";
import { bodyRefusals, inPath, operation } from "./v2-operation.ts";

const connectionId = inPath("id", "The connection's identifier.", "3f9a1c2e");
const noSync = { 503: "This player was started without sync." };
const noConnection = { 404: "There is no connection with this identifier." };
const oneConnection = {
  description: "The connection.",
  shape: "SyncAccount",
} as const;
const status = {
  description: "The status of each connection.",
  shape: "Sync",
} as const;
const targetBody = {
  ...({ shape: "SyncTarget", isOptional: true } as const),
  example: { account_id: "3f9a1c2e" },
};
const targetRefusals = { ...bodyRefusals, ...noConnection, ...noSync };
const connectionRules = [5, 6, 200, 201, 202, 203, 204];

export const syncOperationsV2 = [
  operation("get", "/api/v2/sync", {
    ...{ id: "readSync", group: "Sync", rules: [205, 208, 209] },
    summary: "Get the status of all connections",
    answers: { 200: status },
    refusals: noSync,
  }),
  operation("post", "/api/v2/sync/run", {
    ...{ id: "runSync", group: "Sync", rules: [205] },
    summary: "Sync now",
    body: targetBody,
    answers: { 202: status },
    refusals: targetRefusals,
  }),
  operation("get", "/api/v2/sync/plan", {
    ...{ id: "readSyncPlan", group: "Sync", rules: [206, 207] },
    summary: "List pending plans",
    answers: {
      200: {
        description: "One plan for each connection with pending changes.",
        list: "SyncPlan",
      },
    },
    refusals: noSync,
  }),
  operation("post", "/api/v2/sync/apply", {
    ...{ id: "applySync", group: "Sync", rules: [206, 207, 375] },
    summary: "Apply the pending changes",
    body: {
      ...{ shape: "ApplySync", isOptional: true },
      example: { account_id: "3f9a1c2e" },
    },
    answers: { 202: status },
    refusals: {
      ...targetRefusals,
      409: "There are no pending changes, or the plan has been replaced.",
    },
  }),
  operation("post", "/api/v2/sync/hold", {
    ...{ id: "holdSync", group: "Sync", rules: [207] },
    summary: "Postpone the pending changes until they are applied or replaced",
    body: targetBody,
    answers: { 200: status },
    refusals: { ...targetRefusals, 409: "There are no pending changes." },
  }),
  operation("post", "/api/v2/sync/rollback", {
    ...{ id: "rollBackSync", group: "Sync", rules: [208] },
    summary: "Restore the previous plan",
    body: targetBody,
    answers: {
      200: { description: "The stored plans.", shape: "AppliedPlans" },
    },
    refusals: {
      ...targetRefusals,
      409: "There is no earlier plan to restore.",
    },
  }),
  operation("get", "/api/v2/sync/accounts", {
    ...{ id: "listSyncAccounts", group: "Sync", rules: [200, 201] },
    summary: "List connections",
    answers: {
      200: {
        description: "The connections, without their tokens.",
        list: "SyncAccount",
      },
    },
    refusals: noSync,
  }),
  operation("get", "/api/v2/sync/origins", {
    ...{ id: "listSyncOrigins", group: "Sync", rules: [470] },
    summary: "List the assets and playlists of each connection",
    answers: {
      200: {
        description: "One entry per connection, with local identifiers.",
        list: "SyncOrigin",
      },
    },
  }),
  operation("get", "/api/v2/sync/local-changes", {
    ...{ id: "listLocalChanges", group: "Sync", rules: [560, 562, 655] },
    summary: "List local changes to synced content",
    answers: {
      200: {
        description:
          "One entry for each asset or playlist that was changed or deleted on this player.",
        list: "LocalChanges",
      },
    },
  }),
  operation("delete", "/api/v2/sync/local-changes", {
    ...{ id: "discardAllLocalChanges", group: "Sync" },
    rules: [561, 656, 657, 755],
    summary: "Discard all local changes of a connection",
    query: discardAllLocalChangesQueryV2,
    answers: { 204: { description: "All local changes are discarded." } },
    refusals: {
      400: "account_id is missing.",
      404: "There are no local changes to it.",
    },
  }),
  operation("delete", "/api/v2/sync/local-changes/:id", {
    ...{ id: "discardLocalChanges", group: "Sync" },
    rules: [561, 563, 657, 755],
    summary: "Discard local changes to an asset or playlist",
    parameters: [
      inPath(
        "id",
        "The local identifier of the asset or playlist.",
        "3f9a1c2e-0d5c",
      ),
    ],
    query: discardLocalChangesQueryV2,
    answers: { 204: { description: "The local changes are discarded." } },
    refusals: {
      400: "fields names no field.",
      404: "There are no local changes to it.",
    },
  }),
  operation("post", "/api/v2/sync/accounts", {
    ...{ id: "createSyncAccount", group: "Sync", rules: connectionRules },
    summary: "Add a connection to a content service",
    body: {
      shape: "CreateSyncAccount",
      example: {
        ...{ base_url: "https://content.example.org", token: "0123456789" },
        labels: ["lobby"],
      },
    },
    answers: { 201: oneConnection },
    refusals: { ...bodyRefusals, ...noSync },
  }),
  operation("get", "/api/v2/sync/accounts/:id", {
    ...{ id: "readSyncAccount", group: "Sync", rules: [200, 201] },
    summary: "Get a connection",
    parameters: [connectionId],
    answers: { 200: oneConnection },
    refusals: { ...noConnection, ...noSync },
  }),
  operation("patch", "/api/v2/sync/accounts/:id", {
    ...{ id: "changeSyncAccount", group: "Sync", rules: connectionRules },
    summary: "Update the given fields",
    parameters: [connectionId],
    body: {
      ...{ shape: "PatchSyncAccount", isOptional: true },
      example: { mode: "ask" },
    },
    answers: { 200: oneConnection },
    refusals: { ...bodyRefusals, ...noConnection, ...noSync },
  }),
  operation("delete", "/api/v2/sync/accounts/:id", {
    ...{ id: "deleteSyncAccount", group: "Sync", rules: [203, 755] },
    summary: "Remove a connection, its token and its synced content",
    parameters: [connectionId],
    query: deleteSyncAccountQueryV2,
    answers: { 204: { description: "Deleted." } },
    refusals: {
      400: "keep is not valid; nothing was changed.",
      ...noConnection,
      ...noSync,
    },
  }),
];
