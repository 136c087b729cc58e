// The operations of sync in version 2, beyond the specification.

import { bodyRefusals, inPath, inQuery, operation } from "./v2-operation.ts";

const connectionId = inPath("id", "The account's identifier.", "3f9a1c2e");
const noSync = { 503: "This player was started without a sync." };
const noConnection = { 404: "There is no account with this identifier." };
const oneConnection = {
  description: "The account.",
  shape: "SyncAccount",
} as const;
const status = { description: "How they fare.", shape: "Sync" } as const;
const targetBody = {
  ...({ shape: "SyncTarget", isOptional: true } as const),
  example: { account_id: "3f9a1c2e" },
};
const targetRefusals = { ...bodyRefusals, ...noConnection, ...noSync };
const connectionRules = [5, 6, 200, 201, 202, 203, 204];

export const syncOperationsV2 = [
  operation("get", "/api/v2/sync", {
    ...{ id: "readSync", group: "Sync", rules: [205, 208, 209] },
    summary: "Read how every account fares",
    answers: { 200: status },
    refusals: noSync,
  }),
  operation("post", "/api/v2/sync/run", {
    ...{ id: "runSync", group: "Sync", rules: [205] },
    summary: "Look now",
    body: targetBody,
    answers: { 202: status },
    refusals: targetRefusals,
  }),
  operation("get", "/api/v2/sync/plan", {
    ...{ id: "readSyncPlan", group: "Sync", rules: [206, 207] },
    summary: "Read what waits to be applied",
    answers: {
      200: {
        description: "One plan for each account that has something waiting.",
        list: "SyncPlan",
      },
    },
    refusals: noSync,
  }),
  operation("post", "/api/v2/sync/apply", {
    ...{ id: "applySync", group: "Sync", rules: [206, 207, 375] },
    summary: "Apply what waits, whatever holds it",
    body: {
      ...{ shape: "ApplySync", isOptional: true },
      example: { account_id: "3f9a1c2e" },
    },
    answers: { 202: status },
    refusals: {
      ...targetRefusals,
      409: "Nothing waits to be applied, or another plan does.",
    },
  }),
  operation("post", "/api/v2/sync/hold", {
    ...{ id: "holdSync", group: "Sync", rules: [207] },
    summary:
      "Put off what waits, until somebody applies it or the cloud says something else",
    body: targetBody,
    answers: { 200: status },
    refusals: { ...targetRefusals, 409: "Nothing waits to be applied." },
  }),
  operation("post", "/api/v2/sync/rollback", {
    ...{ id: "rollBackSync", group: "Sync", rules: [208] },
    summary: "Go back to the plan before the current one",
    body: targetBody,
    answers: { 200: { description: "The kept plans.", shape: "AppliedPlans" } },
    refusals: { ...targetRefusals, 409: "There is no plan to go back to." },
  }),
  operation("get", "/api/v2/sync/accounts", {
    ...{ id: "listSyncAccounts", group: "Sync", rules: [200, 201] },
    summary: "List the accounts",
    answers: {
      200: {
        description: "The accounts, without their tokens.",
        list: "SyncAccount",
      },
    },
    refusals: noSync,
  }),
  operation("get", "/api/v2/sync/origins", {
    ...{ id: "listSyncOrigins", group: "Sync", rules: [470] },
    summary: "List which assets and playlists came from which account",
    answers: {
      200: {
        description:
          "One for each account, with the identifiers of what is here.",
        list: "SyncOrigin",
      },
    },
  }),
  operation("get", "/api/v2/sync/local-changes", {
    ...{ id: "listLocalChanges", group: "Sync", rules: [560, 562, 655] },
    summary: "List what was changed here of what the accounts brought",
    answers: {
      200: {
        description:
          "One for each asset and playlist that was changed or deleted here.",
        list: "LocalChanges",
      },
    },
  }),
  operation("delete", "/api/v2/sync/local-changes", {
    ...{ id: "discardAllLocalChanges", group: "Sync", rules: [561, 656, 657] },
    summary: "Go back to what the content service wants in everything",
    parameters: [
      inQuery(
        "account_id",
        "The account whose local changes are meant.",
        "3f9a1c2e",
      ),
    ],
    answers: { 204: { description: "All of them are given up." } },
    refusals: {
      400: "No account is named.",
      404: "Nothing was changed here of it.",
    },
  }),
  operation("delete", "/api/v2/sync/local-changes/:id", {
    ...{ id: "discardLocalChanges", group: "Sync", rules: [561, 563, 657] },
    summary: "Go back to what the content service wants",
    parameters: [
      inPath(
        "id",
        "The identifier that the asset or playlist has here.",
        "3f9a1c2e-0d5c",
      ),
      inQuery(
        "fields",
        "These fields alone, divided by commas; without it, everything.",
        "name,is_enabled",
      ),
    ],
    answers: { 204: { description: "It is given up." } },
    refusals: { 404: "Nothing was changed here of it." },
  }),
  operation("post", "/api/v2/sync/accounts", {
    ...{ id: "createSyncAccount", group: "Sync", rules: connectionRules },
    summary: "Add an account of a cloud",
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
    summary: "Read one account",
    parameters: [connectionId],
    answers: { 200: oneConnection },
    refusals: { ...noConnection, ...noSync },
  }),
  operation("patch", "/api/v2/sync/accounts/:id", {
    ...{ id: "changeSyncAccount", group: "Sync", rules: connectionRules },
    summary: "Change the fields that are sent",
    parameters: [connectionId],
    body: {
      ...{ shape: "PatchSyncAccount", isOptional: true },
      example: { mode: "ask" },
    },
    answers: { 200: oneConnection },
    refusals: { ...bodyRefusals, ...noConnection, ...noSync },
  }),
  operation("delete", "/api/v2/sync/accounts/:id", {
    ...{ id: "deleteSyncAccount", group: "Sync", rules: [203] },
    summary: "Remove an account, its token and what it brought",
    parameters: [
      connectionId,
      inQuery("keep", "Keeps what it brought as local content.", "1", {
        type: "string",
        enum: ["1"],
      }),
    ],
    answers: { 204: { description: "It is gone." } },
    refusals: { ...noConnection, ...noSync },
  }),
];
