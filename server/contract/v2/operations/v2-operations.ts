// All operations of version 2, those of the specification in its order: the source of the routes and of the description.

import { refTo } from "../v2-answers.ts";
import { bodyRefusals, inPath, inQuery, operation } from "./v2-operation.ts";
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
  413: "The file is larger than this player takes.",
  415: "The body is no multipart/form-data.",
  503: "Eight uploads are under way already; see Retry-After.",
  507: "The disk is full: its reserve would be touched.",
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
    summary: "List all assets in play order",
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
    summary: "Read one asset",
    parameters: [assetId],
    answers: { 200: oneAsset },
    refusals: noAsset,
  }),
  operation("patch", "/api/v2/assets/:id", {
    ...{ id: "changeAsset", group: "Assets", rules: changeRules },
    summary: "Change the fields that are sent",
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
    summary: "Change an asset as a whole",
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
    summary: "Delete an asset, and its file with the last asset of it",
    parameters: [assetId],
    answers: { 204: { description: "It is gone." } },
    refusals: noAsset,
  }),
  operation("get", "/api/v2/assets/:id/content", {
    ...{ id: "readContent", group: "Assets", rules: [25] },
    summary: "Read the bytes behind an asset, or its address",
    parameters: [assetId],
    answers: {
      200: {
        description: "The file in base64, or the address.",
        shape: "AssetContent",
      },
    },
    refusals: { 404: "There is no such asset, or its file is missing." },
  }),
  operation("get", "/api/v2/assets/control/:command", {
    ...{ id: "controlPlayback", group: "Playback", rules: [20, 21, 153] },
    summary: "Show the next, the previous or a certain asset",
    parameters: [
      inPath(
        "command",
        "next, previous, or asset& followed by an identifier.",
        "next",
        { type: "string", pattern: "^(next|previous|asset&.+)$" },
      ),
    ],
    answers: {
      200: { description: "It is done.", schema: { const: "Asset switched" } },
    },
    refusals: {
      404: "The command or the asset is not known, or nothing is due.",
      409: "A takeover has the screen.",
    },
  }),
  operation("post", "/api/v2/assets/order", {
    ...{ id: "orderAssets", group: "Assets", rules: [24] },
    summary: "Put assets in the order in which they play",
    body: {
      ...{ shape: "Order", isOptional: true },
      example: { ids: `${assetId.example},9f8a7b` },
    },
    answers: { 200: { description: "They are in order." } },
    refusals: bodyRefusals,
  }),
  operation("post", "/api/v2/backup", {
    ...{ id: "makeBackup", group: "Backup" },
    rules: [27, 40, 41, 43, 44, 45, 46, 117],
    summary: "Pack settings, files and the database into an archive",
    parameters: [
      inQuery("stream", "1 answers the archive itself and keeps none.", "1", {
        type: "boolean",
        default: false,
      }),
    ],
    answers: {
      200: {
        description: "The archive, with stream=1.",
        type: "application/gzip",
      },
      201: { description: "The archive's name.", schema: { type: "string" } },
    },
    refusals: { 507: "The disk is full: its reserve would be touched." },
  }),
  operation("post", "/api/v2/file_asset", {
    ...{ id: "uploadFile", group: "Assets", rules: [15, 18, 19, 31, 69] },
    summary: "Upload an image or a video, whole or in pieces",
    parameters: [
      {
        ...{ name: "Content-Range", in: "header" },
        ...{
          description: "Which piece this is.",
          example: "bytes 0-1023/4096",
        },
        schema: { type: "string", pattern: "^bytes \\d+-\\d+/\\d+$" },
      },
      {
        ...{ name: "X-Upload-Id", in: "header" },
        description:
          "Which upload the piece belongs to: upload_id of the first answer.",
        schema: { type: "string", pattern: "^[0-9a-f]{32}$" },
        example: "0123456789abcdef0123456789abcdef",
      },
    ],
    body: {
      ...{ field: "file_upload", example: "image.png" },
      description: "An image or a video, told by its bytes.",
    },
    answers: {
      200: {
        description:
          "What to send as uri (and ext) of a creation; with a piece, how far it is.",
        schema: { anyOf: [refTo("Upload"), refTo("UploadPiece")] },
      },
    },
    refusals: {
      ...fileRefusals,
      400: "There is no file in file_upload, or it is no image or video.",
      409: "A piece of this upload is coming in.",
    },
  }),
  operation("post", "/api/v2/recover", {
    ...{ id: "recoverBackup", group: "Backup" },
    rules: recoverRules,
    summary: "Put an archive in the place of what is there",
    body: {
      ...{ field: "backup_upload", example: "lobby-backup.tar.gz" },
      description: "A .tar.gz archive of this player or of its peer.",
    },
    answers: {
      200: {
        description: "It is done.",
        schema: { const: "Recovery successful." },
      },
    },
    refusals: {
      ...fileRefusals,
      400: "The archive is broken or not one of ours; nothing has changed.",
      409: "Another recovery is under way.",
    },
  }),
  operation("post", "/api/v2/reboot", {
    ...{ id: "reboot", group: "Player", rules: [29] },
    summary: "Start the machine again",
    answers: { 200: { description: "It will." } },
    refusals: { 403: "The setting power_allowed is off." },
  }),
  operation("post", "/api/v2/shutdown", {
    ...{ id: "shutdown", group: "Player", rules: [29] },
    summary: "Shut the machine down",
    answers: { 200: { description: "It will." } },
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
