// The operations of version 2 beyond the specification.

import { peerBackupQueryV2 } from "../v2-administration.ts";
import { whyQueryV2 } from "../v2-screen.ts";
import { bodyRefusals, inPath, operation } from "./v2-operation.ts";

const backupName = inPath(
  "name",
  "The archive's file name.",
  "lobby-backup-2026-01-31T09-30-00.tar.gz",
);
const settingRules = [5, 6, 30, 114, 120, 121, 122, 123, 124, 125, 126];
const backupContents = {
  description: "What is in it, and which settings it would change.",
  shape: "BackupContents",
} as const;
const noBackup = { 404: "There is no archive with this name." };
const tokenId = inPath(
  "id",
  "The token's identifier.",
  "0123456789abcdef0123456789abcdef",
);

const uploadId = inPath(
  "id",
  "The upload's identifier: upload_id of its pieces, or the part of its uri after the colon.",
  "0123456789abcdef0123456789abcdef",
);
const noUpload = { 404: "There is no upload with this identifier." };

const takeoverRules = [5, 6, 150, 151, 152, 153, 154, 155, 156];

export const extendedOperationsV2 = [
  operation("post", "/api/v2/assets/add", {
    ...{ id: "addAsset", group: "Assets", rules: [5, 15, 17, 714] },
    summary: "Create an asset that plays immediately, with defaults",
    body: {
      shape: "AddAsset",
      example: { uri: "https://example.org/", folder: "Menus" },
    },
    answers: { 201: { description: "The asset.", shape: "Asset" } },
    refusals: bodyRefusals,
  }),
  operation("put", "/api/v2/file_asset/:id", {
    ...{ id: "beginUpload", group: "Assets", rules: [31, 800, 801, 803] },
    summary: "Begin an upload in pieces, or get its state",
    parameters: [uploadId],
    body: { shape: "BeginUpload", example: { total: 4096 } },
    answers: {
      200: { description: "What has been received.", shape: "UploadState" },
    },
    refusals: {
      ...bodyRefusals,
      404: "The identifier is not 32 hexadecimal digits.",
      409: "The upload has a different size.",
      413: "The body is larger than 1 MiB, or the file too large for this player.",
    },
  }),
  operation("get", "/api/v2/file_asset/:id", {
    ...{ id: "readUpload", group: "Assets", rules: [800, 801] },
    summary: "Get the state of an upload",
    parameters: [uploadId],
    answers: {
      200: { description: "What has been received.", shape: "UploadState" },
    },
    refusals: noUpload,
  }),
  operation("delete", "/api/v2/file_asset/:id", {
    ...{ id: "cancelUpload", group: "Assets", rules: [802] },
    summary: "Cancel an upload",
    parameters: [uploadId],
    answers: {
      204: { description: "The upload is canceled, and its data is deleted." },
    },
    refusals: noUpload,
  }),
  operation("get", "/api/v2/files/:sha256", {
    ...{ id: "readFile", group: "Assets", rules: [713, 715] },
    summary: "Get a stored file as it is shown",
    parameters: [
      inPath(
        "sha256",
        "The hash of the file, as in stored.file of its asset.",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        { type: "string", pattern: "^[0-9a-f]{64}$" },
      ),
    ],
    answers: {
      200: { description: "The bytes, in the type of the file.", type: "*/*" },
    },
    refusals: {
      404: "There is no file with this hash, or it is missing or damaged.",
    },
  }),
  operation("post", "/api/v2/assets/:id/source", {
    ...{ id: "replaceSource", group: "Assets", rules: [5, 15, 17, 294] },
    summary: "Replace an asset's file or address",
    parameters: [
      inPath(
        "asset_id",
        "The asset's identifier.",
        "4b0c7b0e6f1d4f0f9a4b2c1d0e9f8a7b",
      ),
    ],
    body: {
      shape: "ReplaceSource",
      example: { uri: "upload:0123456789abcdef0123456789abcdef" },
    },
    answers: { 200: { description: "The asset.", shape: "Asset" } },
    refusals: {
      ...bodyRefusals,
      404: "There is no asset with this identifier.",
    },
  }),
  operation("post", "/api/v2/pause", {
    ...{ id: "pausePlayback", group: "Playback", rules: [5, 291] },
    summary: "Pause playback on the current item",
    body: { shape: "BeginPause", isOptional: true, example: { seconds: 600 } },
    answers: { 201: { description: "The end of the pause.", shape: "Pause" } },
    refusals: bodyRefusals,
  }),
  operation("delete", "/api/v2/pause", {
    ...{ id: "resumePlayback", group: "Playback", rules: [291] },
    summary: "Resume playback",
    answers: { 204: { description: "Playback continues." } },
  }),
  operation("get", "/api/v2/backups", {
    ...{ id: "listBackups", group: "Backup", rules: [27, 42] },
    summary: "List the stored backups",
    answers: { 200: { description: "The backups.", list: "Backup" } },
  }),
  operation("get", "/api/v2/backups/:name", {
    ...{ id: "fetchBackup", group: "Backup", rules: [27, 42] },
    summary: "Download a backup",
    parameters: [backupName],
    answers: { 200: { description: "The archive.", type: "application/gzip" } },
    refusals: noBackup,
  }),
  operation("post", "/api/v2/backups/contents", {
    ...{ id: "examineArchive", group: "Backup" },
    rules: [51, 53, 54, 55, 56, 69, 756],
    summary: "Examine an uploaded backup without restoring it",
    body: {
      ...{ field: "backup_upload", example: "lobby-backup.tar.gz" },
      description: "A .tar.gz backup of this player or of Anthias.",
    },
    answers: { 200: backupContents },
    refusals: {
      400: "The archive is damaged or not a supported backup.",
      413: "The archive is too large for this player.",
      415: "The body is not multipart/form-data.",
      503: "Too many archives are being examined or uploaded; see Retry-After.",
      507: "The disk is full: only the reserved space is left.",
    },
  }),
  operation("get", "/api/v2/backups/:name/contents", {
    ...{ id: "examineBackup", group: "Backup", rules: [42, 756] },
    summary: "Examine a stored backup without restoring it",
    parameters: [backupName],
    answers: { 200: backupContents },
    refusals: {
      ...noBackup,
      400: "The archive is damaged.",
      503: "Too many archives are being examined; see Retry-After.",
      507: "The disk is full: only the reserved space is left.",
    },
  }),
  operation("post", "/api/v2/backups/:name/recover", {
    ...{ id: "restoreBackup", group: "Backup", rules: [28, 48, 49, 50, 757] },
    summary: "Restore a stored backup, after backing up the current state",
    parameters: [backupName],
    answers: {
      200: {
        description: "Done; the name of the other backup.",
        shape: "RestoredBackup",
      },
    },
    refusals: {
      ...noBackup,
      400: "The archive is damaged; nothing was changed.",
      409: "Another restore is in progress.",
      507: "The disk is full: only the reserved space is left.",
    },
  }),
  operation("get", "/static_with_mime/:name", {
    ...{ id: "fetchBackupAsPeer", group: "Backup", rules: [27, 42, 583] },
    summary: "Download a backup at the path that Anthias uses",
    parameters: [backupName],
    query: peerBackupQueryV2,
    answers: {
      200: { description: "The archive.", type: "application/x-tgz" },
    },
    refusals: noBackup,
  }),
  operation("delete", "/api/v2/backups/:name", {
    ...{ id: "deleteBackup", group: "Backup", rules: [27, 42] },
    summary: "Delete a backup",
    parameters: [backupName],
    answers: { 204: { description: "Deleted." } },
    refusals: noBackup,
  }),
  operation("get", "/api/v2/device_settings", {
    ...{ id: "readSettings", group: "Player", rules: [30, 114, 120] },
    summary: "Get all settings",
    answers: { 200: { description: "The settings.", shape: "Settings" } },
  }),
  operation("patch", "/api/v2/device_settings", {
    ...{ id: "changeSettings", group: "Player", rules: settingRules },
    summary:
      "Update settings; all of the given ones, or none if any is invalid",
    body: {
      ...{ shape: "ChangeSettings", isOptional: true },
      example: { player_name: "Lobby", default_duration: 15 },
    },
    answers: {
      200: { description: "The settings are saved.", shape: "Message" },
    },
    refusals: bodyRefusals,
  }),
  operation("get", "/api/v2/screenshot", {
    ...{ id: "readScreenshot", group: "Observing", rules: [22] },
    summary: "Take a screenshot of the screen",
    answers: { 200: { description: "The screenshot.", type: "image/png" } },
  }),
  operation("get", "/api/v2/now", {
    ...{ id: "readNow", group: "Observing", rules: [72, 147, 148] },
    summary: "Get what is playing, why, and what comes next",
    answers: { 200: { description: "The current state.", shape: "Now" } },
  }),
  operation("get", "/api/v2/why", {
    ...{ id: "readWhy", group: "Observing", rules: [8, 145, 146, 755] },
    summary: "Get what plays at a given time, and why",
    query: whyQueryV2,
    answers: { 200: { description: "What plays at that time.", shape: "Why" } },
    refusals: { 400: "at is not a date and time." },
  }),
  operation("get", "/api/v2/takeover", {
    ...{ id: "readTakeover", group: "Playback", rules: [150, 154] },
    summary: "Get the current takeover",
    answers: { 200: { description: "The takeover.", shape: "Takeover" } },
    refusals: { 404: "There is no takeover." },
  }),
  operation("post", "/api/v2/takeover", {
    ...{ id: "takeOver", group: "Playback", rules: takeoverRules },
    summary: "Take over the screen with an asset, a message or a web page",
    body: {
      shape: "CreateTakeover",
      example: { text: "Please leave the building.", seconds: 600 },
    },
    answers: { 201: { description: "The takeover.", shape: "Takeover" } },
    refusals: bodyRefusals,
  }),
  operation("delete", "/api/v2/takeover", {
    ...{ id: "endTakeover", group: "Playback", rules: [152] },
    summary: "Stop the takeover",
    answers: {
      204: { description: "The schedule continues." },
    },
  }),
  operation("get", "/api/v2/info", {
    ...{ id: "readInfo", group: "Observing", rules: [73] },
    summary: "Get the status of the player and its PC",
    answers: { 200: { description: "The status.", shape: "Info" } },
  }),
  operation("get", "/api/v2/integrations", {
    ...{ id: "readIntegrations", group: "Observing", rules: [582] },
    summary: "Get fleet integrations; always none",
    answers: {
      200: { description: "No integrations.", shape: "Integrations" },
    },
  }),
  operation("get", "/api/v2/events", {
    ...{
      id: "streamEvents",
      group: "Observing",
      rules: [75, 76, 77, 78, 128],
    },
    summary: "Stream events",
    parameters: [
      {
        ...{ name: "Last-Event-ID", in: "header", example: "m1x2y3-7" },
        description: "The last event received; the stream resumes after it.",
      },
    ],
    answers: {
      200: {
        description:
          "Server-sent events: changed, showing, progress, sync and fault.",
        type: "text/event-stream",
      },
    },
    refusals: {
      503: "The limit of 64 event streams has been reached; see Retry-After.",
    },
  }),
  operation("get", "/api/v2/metrics", {
    ...{ id: "readMetrics", group: "Observing", rules: [79] },
    summary: "Get metrics in Prometheus format",
    answers: {
      200: {
        description: "Metrics in the text format 0.0.4.",
        type: "text/plain",
      },
    },
  }),
  operation("get", "/api/v2/tokens", {
    ...{ id: "listTokens", group: "Access", rules: [61, 64] },
    summary: "List access tokens",
    answers: {
      200: { description: "The tokens, without their secrets.", list: "Token" },
    },
  }),
  operation("post", "/api/v2/tokens", {
    ...{ id: "createToken", group: "Access", rules: [60, 64] },
    summary: "Create an access token",
    body: { shape: "CreateToken", example: { name: "front desk" } },
    answers: {
      201: {
        description:
          "The token, with its secret. The secret is returned only once.",
        shape: "NewToken",
      },
    },
    refusals: {
      ...bodyRefusals,
      409: "The name is taken, or the limit of 100 tokens has been reached.",
    },
  }),
  operation("delete", "/api/v2/tokens/:id", {
    ...{ id: "revokeToken", group: "Access", rules: [64] },
    summary: "Revoke an access token",
    parameters: [tokenId],
    answers: { 204: { description: "The token is no longer valid." } },
    refusals: {
      404: "There is no token with this identifier.",
      409: "This is the last token; without one the player could no longer be reached.",
    },
  }),
  operation("get", "/api/v2/session", {
    ...{ id: "readSession", group: "Access", rules: [772] },
    summary: "Check whether this browser must sign in, and whether it has",
    answers: { 200: { description: "The state.", shape: "Session" } },
  }),
  operation("post", "/api/v2/session", {
    ...{ id: "signIn", group: "Access", rules: [62, 772, 773, 775, 780, 785] },
    summary:
      "Sign in from a browser with an access token, the password or a code, for a session cookie",
    body: { shape: "SignIn", example: { token: "the secret of a token" } },
    answers: {
      200: { description: "The cookie is set.", shape: "Session" },
    },
    refusals: bodyRefusals,
  }),
  operation("delete", "/api/v2/session", {
    ...{ id: "signOut", group: "Access", rules: [774, 775] },
    summary: "Sign out this browser",
    answers: { 204: { description: "The session has ended." } },
  }),
  operation("delete", "/api/v2/sessions", {
    ...{ id: "signOutEverywhere", group: "Access", rules: [774] },
    summary: "Sign out all browsers",
    answers: { 204: { description: "All sessions have ended." } },
  }),
  operation("get", "/api/v2/password", {
    ...{ id: "readPassword", group: "Access", rules: [779] },
    summary: "Check whether a password is set",
    answers: { 200: { description: "The state.", shape: "Password" } },
  }),
  operation("put", "/api/v2/password", {
    ...{ id: "setPassword", group: "Access", rules: [779, 781] },
    summary: "Set or change the password for signing in from a browser",
    body: {
      shape: "SetPassword",
      example: { password: "correct horse battery" },
    },
    answers: { 200: { description: "It is set.", shape: "Password" } },
    refusals: bodyRefusals,
  }),
  operation("delete", "/api/v2/password", {
    ...{ id: "removePassword", group: "Access", rules: [779, 781] },
    summary: "Remove the password",
    answers: { 204: { description: "The password is removed." } },
    refusals: {
      409: "There is no token; without the password the player could no longer be reached.",
    },
  }),
  operation("get", "/api/v2/openapi.json", {
    ...{ id: "readDescription", group: "Help", rules: [90, 91] },
    summary: "Get this description as OpenAPI 3.1",
    answers: {
      200: { description: "The OpenAPI document.", schema: { type: "object" } },
    },
  }),
  operation("get", "/api/docs", {
    ...{ id: "readDocumentation", group: "Help", rules: [92] },
    summary: "Get this description as a web page",
    answers: { 200: { description: "The page.", type: "text/html" } },
  }),
];
