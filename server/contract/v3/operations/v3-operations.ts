// All operations of version 3: the source of the paths that the router serves, and of the OpenAPI description.

import { alertIncidentsQueryV3 } from "../v3-alerts.ts";
import {
  applyAnyway,
  changedSince,
  deleted,
  exampleId,
  heldBack,
  idOf,
  ifMatch,
  invalid,
  invalidQuery,
  notFound,
  operation,
} from "./v3-operation.ts";
import {
  openOperationsV3,
  peopleOperationsV3,
} from "./v3-operations-people.ts";
import { screenOperationsV3 } from "./v3-operations-screens.ts";
import { explained } from "./v3-query-texts.ts";

const asset = idOf("asset");
const oneAsset = { description: "The asset.", shape: "Asset" } as const;
const taggedAsset = { ...oneAsset, isTagged: true } as const;
const changedAsset = {
  group: "Assets",
  rules: [8, 10, 16, 17, 107, 108, 150, 151, 152],
  parameters: [asset, applyAnyway, ifMatch],
  body: { shape: "UpdateAsset", example: { title: "Spring sale" } },
  answers: { 200: taggedAsset },
  refusals: { ...invalid, ...notFound, ...heldBack, ...changedSince },
} as const;
const newAsset = {
  source_url: "https://example.org/sale.mp4",
  title: "Spring sale",
};

const ofAssets = [
  operation("get", "/assets/", {
    ...{ id: "listAssets", group: "Assets", rules: [9, 10] },
    summary: "List assets",
    answers: { 200: { description: "All assets.", list: "Asset" } },
  }),
  operation("post", "/assets/", {
    ...{ id: "createAsset", group: "Assets", rules: [6, 11, 12, 16, 17] },
    summary: "Create an asset from an address",
    body: { shape: "CreateAsset", example: newAsset },
    answers: { 201: oneAsset },
    refusals: {
      ...invalid,
      400: "A field is not valid, or the address did not respond.",
    },
  }),
  operation("post", "/assets/upload/", {
    ...{ id: "uploadAsset", group: "Assets", rules: [13] },
    summary: "Create an asset from a file",
    body: {
      shape: "UploadAsset",
      example: { file: "sale.mp4", title: "Spring sale" },
      shapes: {
        "multipart/form-data": "UploadAsset",
        "application/json": "CreateAsset",
      },
    },
    answers: { 201: oneAsset },
    refusals: { ...invalid, 507: "The disk of the service is full." },
  }),
  operation("get", "/assets/:id/", {
    ...{ id: "readAsset", group: "Assets", rules: [10, 150] },
    summary: "Get an asset",
    parameters: [asset],
    answers: { 200: taggedAsset },
    refusals: notFound,
  }),
  operation("put", "/assets/:id/", {
    ...changedAsset,
    id: "replaceAssetFields",
    summary: "Update an asset with the object as it was read",
  }),
  operation("patch", "/assets/:id/", {
    ...changedAsset,
    id: "updateAsset",
    summary: "Update the given fields of an asset",
  }),
  operation("delete", "/assets/:id/", {
    ...{ id: "deleteAsset", group: "Assets", rules: [14, 107, 108, 151, 152] },
    summary: "Delete an asset, and remove it from all playlists",
    parameters: [asset, applyAnyway, ifMatch],
    answers: deleted,
    refusals: { ...notFound, ...heldBack, ...changedSince },
  }),
  operation("get", "/assets/:id/capture/", {
    ...{ id: "captureAsset", group: "Assets", rules: [15] },
    summary: "Request a new screenshot of a web page",
    parameters: [asset],
    answers: { 200: oneAsset },
    refusals: notFound,
  }),
] as const;

const playlist = idOf("playlist");
const onePlaylist = {
  description: "The playlist with its items.",
  shape: "Playlist",
} as const;
const taggedPlaylist = { ...onePlaylist, isTagged: true } as const;
const changedPlaylist = {
  group: "Playlists",
  rules: [8, 31, 33, 34, 35, 36, 107, 108, 150, 151, 152],
  parameters: [playlist, applyAnyway, ifMatch],
  body: {
    shape: "UpdatePlaylist",
    example: { assets: [{ id: exampleId, duration: 10 }] },
  },
  answers: { 200: taggedPlaylist },
  refusals: { ...invalid, ...notFound, ...heldBack, ...changedSince },
} as const;

const ofPlaylists = [
  operation("get", "/playlists/", {
    ...{ id: "listPlaylists", group: "Playlists", rules: [9, 30, 32] },
    summary: "List playlists",
    answers: { 200: { description: "All playlists.", list: "ListedPlaylist" } },
  }),
  operation("post", "/playlists/", {
    ...{ id: "createPlaylist", group: "Playlists" },
    rules: [6, 31, 33, 34, 35, 36, 107, 108],
    summary: "Create a playlist",
    parameters: [applyAnyway],
    body: {
      shape: "CreatePlaylist",
      example: {
        ...{ title: "Lunch", predicate: "TRUE" },
        assets: [{ id: exampleId }],
        groups: [{ id: "all-screens" }],
      },
    },
    answers: { 201: onePlaylist },
    refusals: { ...invalid, ...heldBack },
  }),
  operation("get", "/playlists/:id/", {
    ...{ id: "readPlaylist", group: "Playlists", rules: [30, 32, 150] },
    summary: "Get a playlist with its items",
    parameters: [playlist],
    answers: { 200: taggedPlaylist },
    refusals: notFound,
  }),
  operation("put", "/playlists/:id/", {
    ...changedPlaylist,
    id: "replacePlaylistFields",
    summary: "Update a playlist with the object as it was read",
  }),
  operation("patch", "/playlists/:id/", {
    ...changedPlaylist,
    id: "updatePlaylist",
    summary: "Update the given fields of a playlist",
  }),
  operation("delete", "/playlists/:id/", {
    ...{
      id: "deletePlaylist",
      group: "Playlists",
      rules: [107, 108, 151, 152],
    },
    summary: "Delete a playlist",
    parameters: [playlist, applyAnyway, ifMatch],
    answers: deleted,
    refusals: { ...notFound, ...heldBack, ...changedSince },
  }),
  operation("post", "/predicate-validation", {
    ...{ id: "validatePredicate", group: "Playlists", rules: [50] },
    summary: "Check the syntax of a predicate",
    body: { shape: "ValidatePredicate", example: { predicate: "TRUE" } },
    answers: {
      201: { description: "The errors.", shape: "PredicateValidation" },
    },
    refusals: invalid,
  }),
  operation("post", "/predicate/evaluate", {
    ...{ id: "evaluatePredicate", group: "Playlists", rules: [51] },
    summary: "Evaluate a predicate at a moment",
    body: {
      shape: "EvaluatePredicate",
      example: { predicate: "TRUE", timezone: "Europe/Berlin" },
    },
    answers: { 201: { description: "The result.", shape: "PredicateResult" } },
    refusals: invalid,
  }),
] as const;

const rule = idOf("rule");
const oneRule = { description: "The rule.", shape: "AlertRule" } as const;
const changedRule = {
  group: "Alerts",
  rules: [8, 90, 91],
  parameters: [rule],
  body: { shape: "UpdateAlertRule", example: { is_enabled: false } },
  answers: { 200: oneRule },
  refusals: { ...invalid, ...notFound },
} as const;
const oneIncident = {
  description: "The incident with its messages.",
  shape: "AlertIncident",
} as const;

const ofAlerts = [
  operation("get", "/alerts/rules/", {
    ...{ id: "listAlertRules", group: "Alerts", rules: [90] },
    summary: "List alert rules",
    answers: { 200: { description: "All rules.", list: "AlertRule" } },
  }),
  operation("post", "/alerts/rules/", {
    ...{ id: "createAlertRule", group: "Alerts", rules: [90, 91] },
    summary: "Create an alert rule",
    body: {
      shape: "CreateAlertRule",
      example: {
        ...{ name: "Offline", states: ["offline"] },
        emails: ["ops@example.org"],
      },
    },
    answers: { 201: oneRule },
    refusals: { ...invalid, 409: "The limit of 100 rules has been reached." },
  }),
  operation("get", "/alerts/rules/:id/", {
    ...{ id: "readAlertRule", group: "Alerts", rules: [90] },
    summary: "Get an alert rule",
    parameters: [rule],
    answers: { 200: oneRule },
    refusals: notFound,
  }),
  operation("put", "/alerts/rules/:id/", {
    ...changedRule,
    id: "replaceAlertRuleFields",
    summary: "Update an alert rule with the object as it was read",
  }),
  operation("patch", "/alerts/rules/:id/", {
    ...changedRule,
    id: "updateAlertRule",
    summary: "Update the given fields of an alert rule",
  }),
  operation("delete", "/alerts/rules/:id/", {
    ...{ id: "deleteAlertRule", group: "Alerts", rules: [90, 93] },
    summary: "Delete an alert rule with its incidents",
    parameters: [rule],
    answers: deleted,
    refusals: notFound,
  }),
  operation("post", "/alerts/rules/:id/test/", {
    ...{ id: "testAlertRule", group: "Alerts", rules: [92] },
    summary: "Send a test message to every target of a rule",
    parameters: [rule],
    answers: { 200: { description: "The results.", shape: "AlertTest" } },
    refusals: notFound,
  }),
  operation("get", "/alerts/incidents/", {
    ...{ id: "listIncidents", group: "Alerts", rules: [93] },
    summary: "List incidents, ongoing ones first",
    query: explained(alertIncidentsQueryV3),
    answers: { 200: { description: "At most 500.", list: "AlertIncident" } },
    refusals: invalidQuery,
  }),
  operation("get", "/alerts/incidents/:id/", {
    ...{ id: "readIncident", group: "Alerts", rules: [93] },
    summary: "Get an incident",
    parameters: [idOf("incident")],
    answers: { 200: oneIncident },
    refusals: notFound,
  }),
  operation("post", "/alerts/incidents/:id/acknowledge/", {
    ...{ id: "acknowledgeIncident", group: "Alerts", rules: [95] },
    summary: "Acknowledge an incident",
    parameters: [idOf("incident")],
    answers: { 200: oneIncident },
    refusals: { ...notFound, 409: "It has ended." },
  }),
] as const;

const assertion = idOf("assertion");
const oneAssertion = {
  description: "The assertion.",
  shape: "Assertion",
} as const;
const changedAssertion = {
  group: "What if",
  rules: [8, 104, 109],
  parameters: [assertion],
  body: { shape: "UpdateAssertion", example: { is_enabled: false } },
  answers: { 200: oneAssertion },
  refusals: { ...invalid, ...notFound },
} as const;

const ofWhatIf = [
  operation("post", "/what-if/", {
    ...{ id: "simulateChange", group: "What if" },
    rules: [100, 101, 102, 103, 127],
    summary: "Simulate a change on all screens for 30 days",
    body: {
      shape: "WhatIfRequest",
      example: { playlists: [{ id: exampleId, is_enabled: false }] },
    },
    answers: { 200: { description: "What would change.", shape: "WhatIf" } },
    refusals: {
      ...invalid,
      413: "The team is too large, or the simulation takes too long.",
      429: "Eight simulations are waiting.",
    },
  }),
  operation("get", "/assertions/", {
    ...{ id: "listAssertions", group: "What if", rules: [104, 109, 125] },
    summary: "List assertions with the result of their last check",
    answers: { 200: { description: "All assertions.", list: "Assertion" } },
  }),
  operation("post", "/assertions/", {
    ...{ id: "createAssertion", group: "What if" },
    rules: [104, 105, 106, 109],
    summary: "Create an assertion",
    body: {
      shape: "CreateAssertion",
      example: {
        ...{ name: "No alcohol before 20:00", kind: "never" },
        folders: ["Alcohol"],
      },
    },
    answers: { 201: oneAssertion },
    refusals: {
      ...invalid,
      409: "The limit of 100 assertions has been reached.",
    },
  }),
  operation("get", "/assertions/:id/", {
    ...{ id: "readAssertion", group: "What if", rules: [104, 109] },
    summary: "Get an assertion",
    parameters: [assertion],
    answers: { 200: oneAssertion },
    refusals: notFound,
  }),
  operation("put", "/assertions/:id/", {
    ...changedAssertion,
    id: "replaceAssertionFields",
    summary: "Update an assertion with the object as it was read",
  }),
  operation("patch", "/assertions/:id/", {
    ...changedAssertion,
    id: "updateAssertion",
    summary: "Update the given fields of an assertion",
  }),
  operation("delete", "/assertions/:id/", {
    ...{ id: "deleteAssertion", group: "What if", rules: [104] },
    summary: "Delete an assertion",
    parameters: [assertion],
    answers: deleted,
    refusals: notFound,
  }),
] as const;

const deployment = {
  shape: "DeployApp",
  example: {
    manifest: { syntax: "manifest_v1" },
    file_tree: { "index.html": "0a1b" },
  },
} as const;

const ofEdgeApps = [
  operation("post", "/edge-apps/:id/deploy/", {
    ...{ id: "deployApp", group: "Edge apps", rules: [55, 56] },
    summary: "Deploy the staged files of an edge app",
    parameters: [idOf("app")],
    body: deployment,
    answers: {
      201: { description: "The revision.", shape: "DeployedApp" },
      409: { description: "Files are not ready.", shape: "OutstandingFiles" },
    },
    refusals: { ...invalid, ...notFound },
  }),
  operation("post", "/edge-apps/:id/deploy/preview/", {
    ...{ id: "previewDeployment", group: "Edge apps", rules: [55] },
    summary: "Preview a deployment",
    parameters: [idOf("app")],
    body: deployment,
    answers: { 201: { description: "The changes.", shape: "DeployPreview" } },
    refusals: { ...invalid, ...notFound },
  }),
  operation("get", "/edge-apps/oauth/tokens/:name/", {
    ...{ id: "readOauthToken", group: "Edge apps", rules: [57, 58, 70] },
    summary: "Get a token that the operator has configured for edge apps",
    parameters: [
      {
        ...{ name: "name", in: "path", example: "calendar" },
        description: "The name of the setting.",
      },
    ],
    answers: {
      200: { description: "The token, as configured.", shape: "OauthToken" },
      404: {
        description: "No token is configured under this name.",
        shape: "OauthError",
      },
      503: {
        description: "The file with the tokens can't be read.",
        shape: "OauthError",
      },
    },
  }),
] as const;

const ofHelp = [
  operation("get", "/", {
    ...{ id: "readDescription", group: "Help", rules: [176] },
    summary: "Get this description",
    answers: {
      200: {
        description: "OpenAPI, or a page if Accept prefers HTML.",
        ...{ type: "application/openapi+json", schema: { type: "object" } },
      },
    },
  }),
  operation("get", "/me", {
    ...{ id: "readMe", group: "Help", rules: [5] },
    summary: "Get the team of the key",
    answers: { 200: { description: "The team.", shape: "Me" } },
  }),
] as const;

const admittedOperationsV3 = [
  ...screenOperationsV3,
  ...ofAssets,
  ...ofPlaylists,
  ...ofAlerts,
  ...ofWhatIf,
  ...ofEdgeApps,
  ...peopleOperationsV3,
  ...ofHelp,
] as const;

export const operationsV3 = [
  ...admittedOperationsV3,
  ...openOperationsV3,
] as const;

type Admitted = (typeof admittedOperationsV3)[number];

type RouteOf<Path> = Path extends `/${infer Route}/` ? `/${Route}` : Path;

/** A path behind credentials, without the slash at the end that most of them have. */
export type RouteV3 = RouteOf<Admitted["path"]>;

/** A path that needs none. */
export type OpenRouteV3 = RouteOf<(typeof openOperationsV3)[number]["path"]>;

export type MethodOfRouteV3<Route extends RouteV3> = Uppercase<
  Extract<Admitted, { readonly path: Route | `${Route}/` }>["method"]
>;
