// All operations of version 2, those of the specification in its order: the source of the routes and of the description.

import { refTo } from "../v2-answers.ts";
import { makeBackupQueryV2 } from "../v2-administration.ts";
import { bodyRefusals, inPath, operation } from "./v2-operation.ts";
import { playlistOperationsV2 } from "./v2-operations-playlists.ts";
import { historyOperationsV2 } from "./v2-operations-logs.ts";
import { extendedOperationsV2 } from "./v2-operations-extended.ts";
import { syncOperationsV2 } from "./v2-operations-sync.ts";
import { syncOutboxOperationsV2 } from "./v2-operations-sync-outbox.ts";

const assetId = inPath(
  "asset_id",
  "The asset's identifier.",
  "4b0c7b0e6f1d4f0f9a4b2c1d0e9f8a7b",
);
const noAsset = { 404: "There is no asset with this identifier." };
const oneAsset = { description: "The asset.", shape: "Asset" } as const;
const fileRefusals = {
  413: "The file is too large for this player.",
  415: "The body is not multipart/form-data.",
  503: "The limit of eight simultaneous uploads has been reached; see Retry-After.",
  507: "The disk is full: only the reserved space is left.",
};

const createRules = [
  ...[5, 6, 7, 8, 13, 14, 15, 16, 17, 26],
  ...[100, 101, 102, 103, 104, 105, 106, 107, 109, 115],
];
const recoverRules = [
  ...[28, 47, 48, 49, 50, 51, 52, 53, 54],
  ...[55, 56, 57, 58, 69, 117, 118],
];
const changeRules = [
  ...[6, 7, 8, 12, 13, 16],
  ...[100, 101, 102, 103, 104, 105, 106, 107, 109, 115],
];

const dates = {
  start_date: "2026-01-31T09:00:00Z",
  end_date: "2026-12-31T18:00:00Z",
};

const specifiedV2 = [
  operation("get", "/api/v2/assets", {
    ...{ id: "listAssets", group: "Assets", rules: [1, 9, 10, 13, 108, 109] },
    summary: "List assets in play order",
    answers: { 200: { description: "All assets.", list: "Asset" } },
  }),
  operation("post", "/api/v2/assets", {
    ...{ id: "createAsset", group: "Assets" },
    rules: createRules,
    summary: "Create an asset from an uploaded file or an address",
    body: {
      shape: "CreateAsset",
      example: {
        ...{ name: "Lobby", uri: "https://example.org/", ...dates },
        ...{ duration: 10, mimetype: "webpage", is_enabled: true },
      },
    },
    answers: { 201: oneAsset },
    refusals: bodyRefusals,
  }),
  operation("get", "/api/v2/assets/:id", {
    ...{ id: "readAsset", group: "Assets", rules: [9, 10, 11, 108, 109] },
    summary: "Get an asset",
    parameters: [assetId],
    answers: { 200: oneAsset },
    refusals: noAsset,
  }),
  operation("patch", "/api/v2/assets/:id", {
    ...{ id: "changeAsset", group: "Assets", rules: changeRules },
    summary: "Update the given fields",
    parameters: [assetId],
    body: {
      ...{ shape: "PatchAsset", isOptional: true },
      example: { is_enabled: false },
    },
    answers: { 200: oneAsset },
    refusals: { ...bodyRefusals, ...noAsset },
  }),
  operation("put", "/api/v2/assets/:id", {
    ...{ id: "updateAsset", group: "Assets", rules: changeRules },
    summary: "Replace an asset's fields",
    parameters: [assetId],
    body: {
      shape: "UpdateAsset",
      example: { name: "Lobby", ...dates, duration: 15, is_enabled: true },
    },
    answers: { 200: oneAsset },
    refusals: { ...bodyRefusals, ...noAsset },
  }),
  operation("delete", "/api/v2/assets/:id", {
    ...{ id: "deleteAsset", group: "Assets", rules: [15, 113] },
    summary: "Delete an asset, and its file unless another asset uses it",
    parameters: [assetId],
    answers: { 204: { description: "Deleted." } },
    refusals: noAsset,
  }),
  operation("get", "/api/v2/assets/:id/content", {
    ...{ id: "readContent", group: "Assets", rules: [25] },
    summary: "Get an asset's file or address",
    parameters: [assetId],
    answers: {
      200: {
        description: "The file as base64, or the address.",
        shape: "AssetContent",
      },
    },
    refusals: {
      404: "There is no asset with this identifier, or its file is missing.",
    },
  }),
  operation("get", "/api/v2/assets/control/:command", {
    ...{ id: "controlPlayback", group: "Playback", rules: [20, 21, 153] },
    summary: "Show the next, the previous or a specific asset",
    parameters: [
      inPath(
        "command",
        "next, previous, or asset& followed by an identifier.",
        "next",
        { type: "string", pattern: "^(next|previous|asset&.+)$" },
      ),
    ],
    answers: {
      200: { description: "Done.", schema: { const: "Asset switched" } },
    },
    refusals: {
      404: "The command or asset is unknown, or nothing is scheduled.",
      409: "A takeover is on the screen.",
    },
  }),
  operation("post", "/api/v2/assets/order", {
    ...{ id: "orderAssets", group: "Assets", rules: [24] },
    summary: "Set the play order of assets",
    body: {
      ...{ shape: "Order", isOptional: true },
      example: { ids: `${assetId.example},9f8a7b` },
    },
    answers: { 200: { description: "The order is saved." } },
    refusals: bodyRefusals,
  }),
  operation("post", "/api/v2/backup", {
    ...{ id: "makeBackup", group: "Backup" },
    rules: [27, 40, 41, 43, 44, 45, 46, 117, 755],
    summary: "Create a backup of settings, files and database",
    query: makeBackupQueryV2,
    answers: {
      200: {
        description: "The archive, with stream=1.",
        type: "application/gzip",
      },
      201: {
        description: "The archive's file name.",
        schema: { type: "string" },
      },
    },
    refusals: {
      400: "stream is not valid.",
      507: "The disk is full: only the reserved space is left.",
    },
  }),
  operation("post", "/api/v2/file_asset", {
    ...{ id: "uploadFile", group: "Assets", rules: [15, 18, 19, 31, 69] },
    summary: "Upload an image, video, audio or PDF file, whole or in pieces",
    parameters: [
      {
        ...{ name: "Content-Range", in: "header" },
        ...{
          description: "The byte range of this piece.",
          example: "bytes 0-1023/4096",
        },
        schema: { type: "string", pattern: "^bytes \\d+-\\d+/\\d+$" },
      },
      {
        ...{ name: "X-Upload-Id", in: "header" },
        description:
          "The upload that the piece belongs to: upload_id of the first response.",
        schema: { type: "string", pattern: "^[0-9a-f]{32}$" },
        example: "0123456789abcdef0123456789abcdef",
      },
    ],
    body: {
      ...{ field: "file_upload", example: "image.png" },
      description: "The file; its type is detected from its content.",
    },
    answers: {
      200: {
        description:
          "The uri (and ext) for creating an asset; for a piece, the progress.",
        schema: { anyOf: [refTo("Upload"), refTo("UploadPiece")] },
      },
    },
    refusals: {
      ...fileRefusals,
      400: "file_upload contains no file, or one of an unsupported type.",
      409: "Another piece of this upload is being received.",
    },
  }),
  operation("post", "/api/v2/recover", {
    ...{ id: "recoverBackup", group: "Backup" },
    rules: recoverRules,
    summary: "Restore a backup, replacing the current content",
    body: {
      ...{ field: "backup_upload", example: "lobby-backup.tar.gz" },
      description: "A .tar.gz backup of this player or of Anthias.",
    },
    answers: {
      200: {
        description: "Done.",
        schema: { const: "Recovery successful." },
      },
    },
    refusals: {
      ...fileRefusals,
      400: "The archive is damaged or not a supported backup; nothing was changed.",
      409: "Another restore is in progress.",
    },
  }),
  operation("post", "/api/v2/reboot", {
    ...{ id: "reboot", group: "Player", rules: [29] },
    summary: "Restart the PC",
    answers: { 200: { description: "The command is accepted." } },
    refusals: { 403: "The setting power_allowed is off." },
  }),
  operation("post", "/api/v2/shutdown", {
    ...{ id: "shutdown", group: "Player", rules: [29] },
    summary: "Shut down the PC",
    answers: { 200: { description: "The command is accepted." } },
    refusals: { 403: "The setting power_allowed is off." },
  }),
];

export const operationsV2 = [
  ...specifiedV2,
  ...playlistOperationsV2,
  ...extendedOperationsV2,
  ...historyOperationsV2,
  ...syncOperationsV2,
  ...syncOutboxOperationsV2,
];

type Listed = (typeof operationsV2)[number];

/** Each operation by its `id`. */
export type OperationsV2 = { readonly [One in Listed as One["id"]]: One };
export type OperationId = keyof OperationsV2;

/** Path parameters of an operation: `/api/v2/trash/:id` has an `id`. */
export type PathParameters<Path extends string> =
  Path extends `${string}:${infer Name}/${infer Rest}`
    ? { readonly [Key in Name]: string } & PathParameters<Rest>
    : Path extends `${string}:${infer Name}`
      ? { readonly [Key in Name]: string }
      : unknown;
