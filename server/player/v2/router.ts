// The routes of version 2, in the order of the specification.

import express, { type Express, type RequestHandler } from "express";
import { randomUUID } from "node:crypto";
import type { MethodV2 } from "../../contract/v2-operation.ts";
import type { MethodsAtV2, PathV2 } from "../../contract/v2-operations.ts";
import { Failure } from "../../core/failure.ts";
import type { FileStore } from "../../platform/file-store.ts";
import type { Log } from "../../platform/log.ts";
import type { SharedFlush } from "../../platform/shared-flush.ts";
import type { Sqlite } from "../../platform/sqlite.ts";
import type { Turns } from "../../platform/turns.ts";
import type { Access } from "../access.ts";
import type { Assets } from "../assets.ts";
import type { Backups } from "../backup/backup.ts";
import type { Bin } from "../bin.ts";
import type { Director } from "../director.ts";
import type { History } from "../history.ts";
import type { Intake } from "../intake.ts";
import type { Library } from "../library.ts";
import { zoneOf } from "../manner.ts";
import type { Pieces } from "../pieces.ts";
import type { Playlists } from "../playlists.ts";
import type { Power } from "../power.ts";
import type { SettingsStore } from "../settings.ts";
import type { AttachedSync } from "../sync/attached-sync.ts";
import type { LocalChangeStore } from "../sync/store/local-changes.ts";
import { isTokenDemanded, requireAccess } from "./access.ts";
import { assetOperations } from "./assets.ts";
import { backupOperations } from "./backup.ts";
import { binOperations } from "./bin.ts";
import { historyOperations } from "./history.ts";
import type { Beyond } from "./beyond.ts";
import { readBody, readPastBody } from "./body.ts";
import { sendContent } from "./content.ts";
import { controlGlass } from "./control.ts";
import { answerListedOrigins, listedOrigins } from "./cors.ts";
import { sendDescription, sendDocumentation } from "./docs.ts";
import { answerFailures } from "./errors.ts";
import { sendIntegrations } from "./info.ts";
import { uploadFile } from "./files.ts";
import { playlistOperations } from "./playlists.ts";
import { askPower } from "./power.ts";
import { changeSettings, readSettings } from "./settings.ts";
import { localChangeOperations } from "./local-changes.ts";
import { listSyncOrigins } from "./sync-origins.ts";
import { syncOperations } from "./sync.ts";
import { syncUpwardsOperations } from "./sync-upwards.ts";
import { waitForDatabase, waitsForDatabase } from "./locked.ts";
import { requireOwnAddress } from "./own-address.ts";

export interface V2Options {
  readonly library: Library;
  readonly assets: Assets;
  readonly playlists: Playlists;
  readonly flush: SharedFlush;
  readonly intake: Intake;
  readonly pieces: Pieces;
  readonly power: Power;
  readonly director: Director;
  readonly store: FileStore;
  readonly database: Sqlite;
  readonly settings: SettingsStore;
  readonly backups: Backups;
  readonly bin: Bin;
  readonly history: History;
  readonly access: Access;
  readonly beyond: Beyond;
  readonly sync: AttachedSync;
  readonly localChanges: LocalChangeStore;
  /** Where the interface listens. */
  readonly apiHost: string;
  readonly log: Log;
  readonly turns: Turns;
  readonly now: () => number;
  readonly monotonic: () => number;
  readonly takePicture: () => Promise<Uint8Array>;
}

export function createV2(options: V2Options): Express {
  const app = express();
  app.disable("x-powered-by");
  // A list that did not change is still sent whole: hashing every answer costs more than it saves on loopback.
  app.disable("etag");
  const { beyond } = options;
  const route = routing(options.turns, waitForDatabase(options.database));
  const isListed = listedOrigins(options.settings);
  app.use(noteRequest(options.log));
  app.use(beyond.note);
  app.use(requireOwnAddress(options.apiHost, isListed));
  app.use(answerListedOrigins(isListed));
  app.use(requireAccess(options));

  const assets = assetOperations(options);
  const backup = backupOperations(options.backups);
  const at = "/api/v2";
  route(app, `${at}/assets`, {
    get: assets.list,
    post: [readBody, assets.create],
  });
  // Before the asset of any id, which would else be taken to be called "order".
  route(app, `${at}/assets/order`, { post: [readBody, assets.order] });
  route(app, `${at}/assets/:id`, {
    get: assets.read,
    patch: [readBody, assets.patch],
    put: [readBody, assets.update],
    delete: [readPastBody, assets.remove],
  });
  route(app, `${at}/assets/:id/content`, {
    get: sendContent(options.library, options.store),
  });
  route(app, `${at}/assets/:id/source`, {
    post: [readBody, assets.replaceSource],
  });
  route(app, `${at}/assets/control/:command`, {
    get: controlGlass(options.director, isListed),
  });
  route(app, `${at}/backup`, { post: [readPastBody, backup.make] });
  route(app, `${at}/backups`, { get: backup.list });
  route(app, `${at}/backups/:name`, {
    get: backup.fetch,
    delete: [readPastBody, backup.remove],
  });
  route(app, "/static_with_mime/:name", { get: backup.fetchAsPeer });
  route(app, `${at}/file_asset`, {
    post: [beyond.admitUpload, uploadFile(options.intake, options.pieces)],
  });
  route(app, `${at}/recover`, {
    post: [beyond.admitUpload, backup.recover],
  });
  route(app, `${at}/reboot`, {
    post: [readPastBody, askPower(options.power, "reboot")],
  });
  route(app, `${at}/shutdown`, {
    post: [readPastBody, askPower(options.power, "shutdown")],
  });
  route(app, `${at}/device_settings`, {
    get: readSettings(options.settings, () => isTokenDemanded(options)),
    patch: [readBody, changeSettings(options.settings)],
  });
  const playlists = playlistOperations(options);
  route(app, `${at}/playlists`, {
    get: playlists.list,
    post: [readBody, playlists.create],
  });
  route(app, `${at}/playlists/:id`, {
    get: playlists.read,
    patch: [readBody, playlists.patch],
    put: [readBody, playlists.update],
    delete: [readPastBody, playlists.remove],
  });
  route(app, `${at}/playlists/:id/items`, {
    post: [readBody, playlists.append],
  });
  const bin = binOperations(options.bin, options.flush);
  route(app, `${at}/bin`, {
    get: bin.list,
    post: [readBody, bin.put],
    delete: [readPastBody, bin.empty],
  });
  route(app, `${at}/bin/restore`, { post: [readBody, bin.restore] });
  route(app, `${at}/bin/:id`, { delete: [readPastBody, bin.drop] });
  const history = historyOperations({
    ...options,
    zone: () => zoneOf(options.settings.all()),
  });
  route(app, `${at}/activity`, { get: history.activity });
  route(app, `${at}/plays`, { get: history.plays });
  route(app, `${at}/plays/report`, { get: history.report });
  route(app, `${at}/screenshot`, { get: sendPicture(options.takePicture) });
  route(app, `${at}/now`, { get: beyond.now });
  route(app, `${at}/why`, { get: beyond.why });
  route(app, `${at}/takeover`, {
    get: beyond.takeover.read,
    post: [readBody, beyond.takeover.begin],
    delete: [readPastBody, beyond.takeover.end],
  });
  route(app, `${at}/pause`, {
    post: [readBody, beyond.pause.begin],
    delete: [readPastBody, beyond.pause.end],
  });
  route(app, `${at}/info`, { get: beyond.info });
  route(app, `${at}/integrations`, { get: sendIntegrations });
  route(app, `${at}/events`, { get: beyond.events });
  route(app, `${at}/metrics`, { get: beyond.metrics });
  route(app, `${at}/tokens`, {
    get: beyond.tokens.list,
    post: [readBody, beyond.tokens.create],
  });
  route(app, `${at}/tokens/:id`, {
    delete: [readPastBody, beyond.tokens.revoke],
  });
  const sync = syncOperations(options.sync);
  route(app, `${at}/sync`, { get: sync.status });
  route(app, `${at}/sync/run`, { post: [readBody, sync.run] });
  route(app, `${at}/sync/plan`, { get: sync.plan });
  route(app, `${at}/sync/apply`, { post: [readBody, sync.apply] });
  route(app, `${at}/sync/hold`, { post: [readBody, sync.hold] });
  route(app, `${at}/sync/back`, { post: [readBody, sync.back] });
  route(app, `${at}/sync/accounts`, {
    get: sync.list,
    post: [readBody, sync.create],
  });
  route(app, `${at}/sync/accounts/:id`, {
    get: sync.read,
    patch: [readBody, sync.change],
    delete: [readPastBody, sync.remove],
  });
  route(app, `${at}/sync/origins`, { get: listSyncOrigins(options.database) });
  const changes = localChangeOperations(options.localChanges, options.flush);
  route(app, `${at}/sync/local-changes`, {
    get: changes.list,
    delete: [readPastBody, changes.giveUpAll],
  });
  route(app, `${at}/sync/local-changes/:id`, {
    delete: [readPastBody, changes.giveUp],
  });
  const upwards = syncUpwardsOperations(options.sync.beside);
  route(app, `${at}/sync/pairing`, {
    get: upwards.pairing,
    post: [readBody, upwards.pair],
    delete: [readPastBody, upwards.endPairing],
  });
  route(app, `${at}/sync/links`, { get: upwards.links });
  route(app, `${at}/sync/accounts/:id/changes`, {
    get: upwards.changes,
    post: [readBody, upwards.addChange],
  });
  route(app, `${at}/sync/accounts/:id/changes/:change`, {
    delete: [readPastBody, upwards.dropChange],
  });
  route(app, `${at}/sync/accounts/:id/changes/:change/retry`, {
    post: [readBody, upwards.retryChange],
  });
  route(app, `${at}/sync/accounts/:id/cloud/:collection`, {
    get: upwards.cloud,
  });
  route(app, `${at}/sync/export`, { post: [readBody, upwards.exportPlan] });
  route(app, `${at}/sync/import`, {
    post: [beyond.admitUpload, upwards.importPlan],
  });
  route(app, `${at}/sync/keys`, { get: upwards.keys });
  route(app, `${at}/sync/keys/:fingerprint`, {
    delete: [readPastBody, upwards.distrust],
  });
  route(app, `${at}/openapi.json`, { get: sendDescription() });
  route(app, "/api/docs", { get: sendDocumentation() });

  app.use((request) => {
    throw new Failure("not-found", `There is nothing at ${request.path}.`);
  });
  app.use(answerFailures(options.log));
  return app;
}

/* A route's own parameters are named in its path; Express types them by that text, which is gone here. */
type Steps = RequestHandler<never> | readonly RequestHandler<never>[];

/** Exactly the paths and methods of the description: one that is missing there does not compile (V2-90). */
type Route = <const Path extends PathV2>(
  app: Express,
  path: Path,
  methods: Readonly<Record<MethodsAtV2<Path>, Steps>>,
) => void;

/** One path with its methods; any other is told which there are. */
function routing(turns: Turns, wait: RequestHandler): Route {
  // What a route does after it has waited for a body is as much work as what came before (V2-71).
  const takeTurn: RequestHandler = (_request, response, next) => {
    if (turns.take(response, next)) return;
    throw new Failure(
      "unavailable",
      "Too many requests of this connection wait already.",
    );
  };
  const before = { takeTurn, wait };
  return (app, path, methods) => addRoute(app, path, methods, before);
}

function addRoute(
  app: Express,
  path: string,
  methods: Readonly<Partial<Record<MethodV2, Steps>>>,
  { takeTurn, wait }: Readonly<Record<"takeTurn" | "wait", RequestHandler>>,
): void {
  const allowed = Object.keys(methods).map((method) => method.toUpperCase());
  if (allowed.includes("GET")) allowed.push("HEAD");
  const allow = [...allowed, "OPTIONS"].join(", ");
  for (const [method, steps] of Object.entries(methods)) {
    const all = [steps].flat() as RequestHandler[];
    const isWaiting = method !== "get" && waitsForDatabase(path);
    app[method as MethodV2](
      path,
      ...all.slice(0, -1),
      ...(isWaiting ? [wait] : []),
      takeTurn,
      ...all.slice(-1),
    );
  }
  app.all(path, (request, response) => {
    response.setHeader("Allow", allow);
    if (request.method === "OPTIONS") {
      response.status(200).json({ methods: [...allowed, "OPTIONS"] });
      return;
    }
    response.status(405).json({
      detail: `${request.method} is not possible here, but ${allow}.`,
    });
  });
}

function noteRequest(log: Log): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    const id = randomUUID();
    response.setHeader("X-Request-Id", id);
    // Edges, not states: what is only read leaves no line, unless somebody looks closely (V2-124).
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (isRead && !log.isDebugging()) {
      next();
      return;
    }
    response.on("close", () => {
      log[isRead ? "debug" : "info"]("v2.request-answered", {
        request: id,
        method: request.method,
        path: request.path,
        status: response.statusCode,
        ms: Math.round(performance.now() - startedAt),
      });
    });
    next();
  };
}

function sendPicture(takePicture: () => Promise<Uint8Array>): RequestHandler {
  return async (_request, response) => {
    const picture = await takePicture();
    response
      .setHeader("Cache-Control", "no-store")
      .type("png")
      .send(Buffer.from(picture));
  };
}
