// The operations of version 2 beyond the specification.

import { bodyRefusals, inPath, inQuery, operation } from "./v2-operation.ts";
import { readMoment } from "../v2-values.ts";

const backupName = inPath(
  "name",
  "The archive's name.",
  "lobby-backup-2026-01-31T09-30-00.tar.gz",
);
const settingRules = [5, 6, 30, 114, 120, 121, 122, 123, 124, 125, 126];
const noBackup = { 404: "There is no archive of this name." };
const tokenId = inPath(
  "id",
  "The token's identifier.",
  "0123456789abcdef0123456789abcdef",
);

const someMoment = "2026-01-31T09:30:00Z";
const takeoverRules = [5, 6, 150, 151, 152, 153, 154, 155, 156];

export const extendedOperationsV2 = [
  operation("post", "/api/v2/assets/:id/source", {
    ...{ id: "replaceSource", group: "Assets", rules: [5, 15, 17, 294] },
    summary: "Put another file or address into an asset; all else stays",
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
    summary: "Keep what is on the screen when its time is over",
    body: { shape: "BeginPause", isOptional: true, example: { seconds: 600 } },
    answers: { 201: { description: "Until when.", shape: "Pause" } },
    refusals: bodyRefusals,
  }),
  operation("delete", "/api/v2/pause", {
    ...{ id: "resumePlayback", group: "Playback", rules: [291] },
    summary: "Go on again",
    answers: { 204: { description: "It goes on." } },
  }),
  operation("get", "/api/v2/backups", {
    ...{ id: "listBackups", group: "Backup", rules: [27, 42] },
    summary: "List the archives that are kept",
    answers: { 200: { description: "The archives.", list: "Backup" } },
  }),
  operation("get", "/api/v2/backups/:name", {
    ...{ id: "fetchBackup", group: "Backup", rules: [27, 42] },
    summary: "Fetch an archive",
    parameters: [backupName],
    answers: { 200: { description: "The archive.", type: "application/gzip" } },
    refusals: noBackup,
  }),
  operation("get", "/static_with_mime/:name", {
    ...{ id: "fetchBackupAsPeer", group: "Backup", rules: [27, 42, 583] },
    summary: "Fetch an archive, where the peer's page fetches it",
    parameters: [
      backupName,
      inQuery(
        "mime",
        "What it is said to be: one of the types of archives.",
        "application/x-tgz",
      ),
    ],
    answers: {
      200: { description: "The archive.", type: "application/x-tgz" },
    },
    refusals: noBackup,
  }),
  operation("delete", "/api/v2/backups/:name", {
    ...{ id: "deleteBackup", group: "Backup", rules: [27, 42] },
    summary: "Delete an archive",
    parameters: [backupName],
    answers: { 204: { description: "It is gone." } },
    refusals: noBackup,
  }),
  operation("get", "/api/v2/device_settings", {
    ...{ id: "readSettings", group: "Player", rules: [30, 114, 120] },
    summary: "Read every setting",
    answers: { 200: { description: "The settings.", shape: "Settings" } },
  }),
  operation("patch", "/api/v2/device_settings", {
    ...{ id: "changeSettings", group: "Player", rules: settingRules },
    summary: "Change the settings that are sent, all or none",
    body: {
      ...{ shape: "ChangeSettings", isOptional: true },
      example: { player_name: "Lobby", default_duration: 15 },
    },
    answers: { 200: { description: "They are kept.", shape: "Message" } },
    refusals: bodyRefusals,
  }),
  operation("get", "/api/v2/screenshot", {
    ...{ id: "readScreenshot", group: "Observing", rules: [22] },
    summary: "See what a person sees on the screen",
    answers: { 200: { description: "A screenshot.", type: "image/png" } },
  }),
  operation("get", "/api/v2/now", {
    ...{ id: "readNow", group: "Observing", rules: [72, 147, 148] },
    summary: "Read what is on the screen, why, and what is next",
    answers: { 200: { description: "This moment.", shape: "Now" } },
  }),
  operation("get", "/api/v2/why", {
    ...{ id: "readWhy", group: "Observing", rules: [8, 145, 146] },
    summary: "Read what is due at any moment, and why",
    parameters: [
      inQuery(
        "at",
        "The moment; now without it.",
        someMoment,
        readMoment.schema,
      ),
    ],
    answers: { 200: { description: "That moment.", shape: "Why" } },
    refusals: { 400: "That is no moment." },
  }),
  operation("get", "/api/v2/takeover", {
    ...{ id: "readTakeover", group: "Playback", rules: [150, 154] },
    summary: "Read what has the screen",
    answers: { 200: { description: "The takeover.", shape: "Takeover" } },
    refusals: { 404: "Nothing has taken the screen over." },
  }),
  operation("post", "/api/v2/takeover", {
    ...{ id: "takeOver", group: "Playback", rules: takeoverRules },
    summary: "Show an asset, a text or a page before everything else",
    body: {
      shape: "CreateTakeover",
      example: { text: "Please leave the building.", seconds: 600 },
    },
    answers: { 201: { description: "It has the screen.", shape: "Takeover" } },
    refusals: bodyRefusals,
  }),
  operation("delete", "/api/v2/takeover", {
    ...{ id: "endTakeover", group: "Playback", rules: [152] },
    summary: "Give the screen back",
    answers: {
      204: { description: "Nothing has the screen but the programme." },
    },
  }),
  operation("get", "/api/v2/info", {
    ...{ id: "readInfo", group: "Observing", rules: [73] },
    summary: "Read how the player and its machine fare",
    answers: { 200: { description: "The figures.", shape: "Info" } },
  }),
  operation("get", "/api/v2/integrations", {
    ...{ id: "readIntegrations", group: "Observing", rules: [582] },
    summary: "Read what fleet the player belongs to: none",
    answers: { 200: { description: "None.", shape: "Integrations" } },
  }),
  operation("get", "/api/v2/events", {
    ...{
      id: "streamEvents",
      group: "Observing",
      rules: [75, 76, 77, 78, 128],
    },
    summary: "Hear of what happens as it happens",
    parameters: [
      {
        ...{ name: "Last-Event-ID", in: "header", example: "m1x2y3-7" },
        description: "The last event heard, to hear what came after it.",
      },
    ],
    answers: {
      200: {
        description:
          "Server-sent events: changed, showing, progress, sync and fault.",
        type: "text/event-stream",
      },
    },
    refusals: { 503: "Sixty-four clients listen already; see Retry-After." },
  }),
  operation("get", "/api/v2/metrics", {
    ...{ id: "readMetrics", group: "Observing", rules: [79] },
    summary: "Read the figures for a Prometheus",
    answers: { 200: { description: "Text 0.0.4.", type: "text/plain" } },
  }),
  operation("get", "/api/v2/tokens", {
    ...{ id: "listTokens", group: "Access", rules: [61, 64] },
    summary: "List the access tokens",
    answers: {
      200: { description: "The tokens, without their secrets.", list: "Token" },
    },
  }),
  operation("post", "/api/v2/tokens", {
    ...{ id: "createToken", group: "Access", rules: [60, 64] },
    summary: "Make an access token",
    body: { shape: "CreateToken", example: { name: "front desk" } },
    answers: {
      201: {
        description: "The token; its secret is told this once.",
        shape: "NewToken",
      },
    },
    refusals: {
      ...bodyRefusals,
      409: "The name is taken, or there are 100 tokens already.",
    },
  }),
  operation("delete", "/api/v2/tokens/:id", {
    ...{ id: "revokeToken", group: "Access", rules: [64] },
    summary: "Revoke an access token",
    parameters: [tokenId],
    answers: { 204: { description: "It is not valid any more." } },
    refusals: {
      404: "There is no token with this identifier.",
      409: "Without this last one the player could not be reached.",
    },
  }),
  operation("get", "/api/v2/openapi.json", {
    ...{ id: "readDescription", group: "Help", rules: [90, 91] },
    summary: "Read this description as OpenAPI 3.1",
    answers: { 200: { description: "It.", schema: { type: "object" } } },
  }),
  operation("get", "/api/docs", {
    ...{ id: "readDocumentation", group: "Help", rules: [92] },
    summary: "Read this description as a page",
    answers: { 200: { description: "The page.", type: "text/html" } },
  }),
];
