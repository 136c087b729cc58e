// Operations of version 2 for pairing, the outbox and offline bundles, beyond the specification.

import {
  changeChoices,
  readCollections,
} from "../../../core/sync-plan/outbox.ts";
import { bodyRefusals, inPath, inQuery, operation } from "./v2-operation.ts";

const connectionId = inPath("id", "The account's identifier.", "3f9a1c2e");
const changeId = inPath(
  "change",
  "The change's identifier.",
  "0f1e2d3c4b5a6978",
);
const noSync = { 503: "This player was started without a sync." };
const noConnection = { 404: "There is no account with this identifier." };
const noChange = { 404: "There is no such account, or no such change." };
const oneChange = { description: "The change.", shape: "SyncChange" } as const;

export const syncOutboxOperationsV2 = [
  operation("get", "/api/v2/sync/pairing", {
    ...{ id: "readPairing", group: "Sync", rules: [300, 301, 302] },
    summary: "Read the pin with which this player becomes a screen",
    answers: {
      200: {
        description: "How it stands; null while nobody waits.",
        shape: "PairingOrNull",
      },
    },
    refusals: noSync,
  }),
  operation("post", "/api/v2/sync/pairing", {
    ...{ id: "beginPairing", group: "Sync", rules: [300, 301, 302, 303] },
    summary: "Register at a service as a player that waits to be claimed",
    body: {
      shape: "BeginPairing",
      example: { base_url: "https://content.example.org" },
    },
    answers: { 201: { description: "With its pin.", shape: "Pairing" } },
    refusals: {
      ...bodyRefusals,
      503: "The service cannot be reached, or is none that screens pair with.",
    },
  }),
  operation("delete", "/api/v2/sync/pairing", {
    ...{ id: "endPairing", group: "Sync", rules: [300] },
    summary: "Wait no longer",
    answers: { 204: { description: "Nobody waits." } },
    refusals: noSync,
  }),
  operation("get", "/api/v2/sync/links", {
    ...{ id: "listSyncLinks", group: "Sync", rules: [304, 305, 306, 307] },
    summary: "List how paired screens are in touch",
    answers: {
      200: {
        description: "One for each account that was made by a pin.",
        list: "SyncLink",
      },
    },
    refusals: noSync,
  }),
  operation("get", "/api/v2/sync/accounts/:id/changes", {
    ...{ id: "listSyncChanges", group: "Sync", rules: [310, 315] },
    summary: "List what is to be changed in the cloud, and how far it is",
    parameters: [connectionId],
    answers: {
      200: {
        description: "In the order in which they are sent.",
        list: "SyncChange",
      },
    },
    refusals: { ...noConnection, ...noSync },
  }),
  operation("post", "/api/v2/sync/accounts/:id/changes", {
    ...{ id: "createSyncChange", group: "Sync" },
    rules: [5, 6, 310, 311, 312, 313, 314, 317, 318],
    summary: "Make, change or delete something in the cloud",
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
      429: "Ten thousand changes wait already.",
      ...noSync,
    },
  }),
  operation("delete", "/api/v2/sync/accounts/:id/changes/:change", {
    ...{ id: "deleteSyncChange", group: "Sync", rules: [315] },
    summary: "Take a change out of the queue",
    parameters: [connectionId, changeId],
    answers: { 204: { description: "It is gone." } },
    refusals: {
      ...noChange,
      409: "It is being sent, or another change needs what it makes.",
      ...noSync,
    },
  }),
  operation("post", "/api/v2/sync/accounts/:id/changes/:change/retry", {
    ...{ id: "retrySyncChange", group: "Sync", rules: [314, 315] },
    summary: "Send a refused change again, or settle a conflict",
    parameters: [connectionId, changeId],
    body: {
      ...{ shape: "RetrySyncChange", isOptional: true },
      example: { choose: changeChoices[0] },
    },
    answers: { 200: oneChange },
    refusals: {
      ...bodyRefusals,
      ...noChange,
      409: "It is done or being sent, or nothing was chosen of a conflict.",
      ...noSync,
    },
  }),
  operation("get", "/api/v2/sync/accounts/:id/cloud/:collection", {
    ...{ id: "listServiceContent", group: "Sync", rules: [316] },
    summary: "Read what the cloud has",
    parameters: [
      connectionId,
      inPath("collection", "What kind of rows.", "playlists", {
        type: "string",
        enum: readCollections,
      }),
      inQuery(
        "after",
        "next of the page before.",
        "01J9ZC0000000000000000000",
        { type: "string", pattern: "^[\\w-]{1,64}$" },
      ),
      inQuery("limit", "The most rows, from 1 to 500.", "100", {
        type: "integer",
        minimum: 1,
        maximum: 500,
        default: 100,
      }),
    ],
    answers: { 200: { description: "A page.", shape: "CloudPage" } },
    refusals: {
      ...{ 400: "after or limit makes no sense." },
      404: "There is no such account, or the cloud has no such rows.",
      503: "The cloud cannot be reached, or does not accept the token.",
    },
  }),
  operation("post", "/api/v2/sync/export", {
    ...{ id: "exportPlan", group: "Sync", rules: [320, 321, 324, 347] },
    summary: "Pack the current plan with its files into a signed archive",
    body: {
      ...{ shape: "SyncTarget", isOptional: true },
      example: { account_id: "3f9a1c2e" },
    },
    answers: { 200: { description: "The archive.", type: "application/gzip" } },
    refusals: {
      ...bodyRefusals,
      ...noConnection,
      409: "There is no plan, there are several accounts, or the key cannot be opened just now.",
      ...noSync,
    },
  }),
  operation("post", "/api/v2/sync/import", {
    ...{ id: "importPlan", group: "Sync", rules: [321, 322, 323, 325, 347] },
    summary: "Take in a plan that another player packed",
    parameters: [
      inQuery(
        "account_id",
        "The account it goes into; without one, one of its own.",
        "3f9a1c2e",
        { type: "string", pattern: "^[0-9a-f]{8,32}$" },
      ),
      inQuery(
        "trust",
        "This fingerprint is trusted from now on.",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        { type: "string", pattern: "^[0-9a-f]{64}$" },
      ),
    ],
    body: {
      ...{ field: "plan_upload", example: "lobby-plan.tar.gz" },
      description: "A .tar.gz archive that POST /sync/export packed.",
    },
    answers: {
      200: { description: "What was applied.", shape: "ImportedPlan" },
    },
    refusals: {
      400: "The archive is broken or not what it says; nothing has changed.",
      ...noConnection,
      409: "Its key is not trusted, this player's own cannot be opened just now, or another import is under way.",
      413: "It holds more than this player takes.",
      415: "The body is no multipart/form-data.",
      503: "There is no sync, or eight uploads are under way already.",
      507: "The disk is full: its reserve would be touched.",
    },
  }),
  operation("get", "/api/v2/sync/keys", {
    ...{ id: "listPlanKeys", group: "Sync", rules: [323, 347] },
    summary: "List whose plans are taken in, and this player's own key",
    answers: { 200: { description: "Fingerprints.", shape: "PlanKeys" } },
    refusals: { 409: "Its own key cannot be opened just now.", ...noSync },
  }),
  operation("delete", "/api/v2/sync/keys/:fingerprint", {
    ...{ id: "distrustPlanKey", group: "Sync", rules: [323] },
    summary: "Trust a key no longer",
    parameters: [
      inPath(
        "fingerprint",
        "The key's fingerprint.",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      ),
    ],
    answers: { 204: { description: "It is gone." } },
    refusals: { 404: "There is no such key.", ...noSync },
  }),
];
