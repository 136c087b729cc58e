// Router of version 2: its routes in the order of the specification.

import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { sendScreenshot } from "./monitoring/screenshot.ts";
import express, {
  type Express,
  type Request,
  type RequestHandler,
} from "express";
import type { OperationV2 } from "../../contract/v2/operations/v2-operation.ts";
import { operationsV2 } from "../../contract/v2/operations/v2-operations.ts";
import { Failure } from "../../core/failure.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import type { Log } from "../../platform/log.ts";
import type { SharedFlush } from "../../platform/sqlite/shared-flush.ts";
import type { Sqlite } from "../../platform/sqlite/sqlite.ts";
import type { RequestScheduler } from "../../platform/request-scheduler.ts";
import type { Access } from "../access-tokens.ts";
import type { Password } from "../access/password.ts";
import type { PhoneCodes } from "../access/phone-codes.ts";
import type { Assets } from "../assets/assets.ts";
import type { Backups } from "../backup/backup.ts";
import type { Trash } from "../assets/trash.ts";
import type { Director } from "../playback/director.ts";
import { actorScope } from "../logs/actor.ts";
import type { History } from "../logs/logs.ts";
import type { Uploads } from "../files/uploads.ts";
import type { Library } from "../library/library.ts";
import { zoneOf } from "../time-zone.ts";
import type { Pieces } from "../files/resumable-uploads.ts";
import type { Playlists } from "../playlists/playlists.ts";
import type { Power } from "../power.ts";
import type { SettingsStore } from "../settings.ts";
import type { AttachedSync } from "../sync/attached-sync.ts";
import type { LocalChangeStore } from "../sync/store/local-changes.ts";
import {
  actorOf,
  isTokenDemanded,
  requireAccess,
} from "./request/authentication.ts";
import { assetOperations } from "./library/assets.ts";
import { backupOperations } from "./administration/backup.ts";
import { passwordOperations } from "./administration/password.ts";
import { sessionOperations } from "./administration/sessions.ts";
import { trashOperations } from "./library/trash.ts";
import { historyOperations } from "./monitoring/logs.ts";
import type { ExtendedOperations } from "./extended-operations.ts";
import { readBody, readPastBody } from "./request/body.ts";
import { sendContent } from "./library/asset-content.ts";
import { controlPlayback, requestPower } from "./playback/control.ts";
import { answerListedOrigins, listedOrigins } from "./request/cors.ts";
import { sendDescription, sendDocumentation } from "./docs.ts";
import { answerFailures } from "./request/errors.ts";
import { uploadFile, uploadOperations } from "./files/files.ts";
import { sendStoredFile } from "./files/stored-file.ts";
import type { Handlers } from "./request/handlers.ts";
import { playlistOperations } from "./library/playlists.ts";
import { changeSettings, readSettings } from "./administration/settings.ts";
import { localChangeOperations } from "./sync/local-changes.ts";
import { listSyncOrigins } from "./sync/sync-origins.ts";
import { syncOperations } from "./sync/sync.ts";
import { syncOutboxOperations } from "./sync/sync-outbox.ts";
import { waitForDatabase, waitsForDatabase } from "./request/database-lock.ts";
import { requireAllowedHost } from "./request/allowed-hosts.ts";
import { isRead, logRequests } from "../../platform/http/request-log.ts";
import { createSessions } from "../sign-in-sessions.ts";
import { serveManager } from "../../platform/http/serve-manager.ts";
import { createInvalidTokenLimit } from "./request/invalid-token-limit.ts";

export interface V2Options {
  readonly library: Library;
  readonly assets: Assets;
  readonly playlists: Playlists;
  readonly flush: SharedFlush;
  readonly uploads: Uploads;
  readonly pieces: Pieces;
  readonly power: Power;
  readonly director: Director;
  readonly store: FileStore;
  readonly database: Sqlite;
  readonly settings: SettingsStore;
  readonly backups: Backups;
  readonly trash: Trash;
  readonly history: History;
  readonly access: Access;
  readonly password: Password;
  readonly phoneCodes: PhoneCodes;
  readonly extended: ExtendedOperations;
  readonly sync: AttachedSync;
  readonly localChanges: LocalChangeStore;
  /** Where the interface listens. */
  readonly apiHost: string;
  readonly log: Log;
  readonly requestScheduler: RequestScheduler;
  readonly now: () => number;
  readonly monotonic: () => number;
  readonly takeScreenshot: () => Promise<Uint8Array>;
  /** Folder of the manager built for browsers. */
  readonly managerDir?: string | undefined;
}

export function createV2(options: V2Options): Express {
  const app = express();
  app.disable("x-powered-by");
  // An unchanged list is sent whole again: hashing every response costs more than it saves on loopback.
  app.disable("etag");
  const { extended } = options;
  const isListed = listedOrigins(options.settings);
  const { log } = options;
  app.use(
    logRequests({
      ...{ log, event: "v2.request-answered" },
      levelOf: (request) => levelOf(request, log),
    }),
  );
  app.use(extended.note);
  app.use(requireAllowedHost(options.apiHost, isListed));
  app.use(neverAnotherType);
  app.use(answerListedOrigins(isListed));
  if (options.managerDir !== undefined)
    app.use(serveManager(options.managerDir));
  const { access, password, phoneCodes, monotonic } = options;
  const signIn = {
    ...options,
    sessions: createSessions({
      monotonic,
      hasCredential: (id) =>
        access.has(id) ||
        [password.id(), phoneCodes.credentialId()].includes(id),
      passwordId: password.id,
    }),
    invalidTokens: createInvalidTokenLimit(options),
  };
  app.use(requireAccess(signIn));

  const handlers: Handlers = {
    ...extended.handlers,
    ...assetOperations(options),
    readContent: sendContent(options.library, options.store),
    controlPlayback: controlPlayback(options.director, isListed),
    uploadFile: uploadFile(options.uploads, options.pieces),
    ...uploadOperations(options.pieces),
    readFile: sendStoredFile(options),
    ...playlistOperations(options),
    ...backupOperations(options.backups),
    reboot: requestPower(options.power, "reboot"),
    shutdown: requestPower(options.power, "shutdown"),
    readSettings: readSettings(options.settings, () =>
      isTokenDemanded(options),
    ),
    changeSettings: changeSettings(options.settings),
    readScreenshot: sendScreenshot(options.takeScreenshot),
    ...trashOperations(options.trash, options.flush),
    ...historyOperations({
      ...options,
      zone: () => zoneOf(options.settings.all()),
    }),
    ...syncOperations(options.sync),
    ...syncOutboxOperations(options.sync.extensions),
    ...localChangeOperations(options.localChanges, options.flush),
    listSyncOrigins: listSyncOrigins(options.database),
    ...sessionOperations(signIn),
    ...passwordOperations(signIn),
    readDescription: sendDescription(),
    readDocumentation: sendDocumentation(),
  };
  const before = {
    scheduleRequest: scheduleBy(options.requestScheduler),
    wait: waitForDatabase(options.database),
    admitUpload: extended.admitUpload as RequestHandler,
  };
  for (const path of pathsInOrder()) addRoute(app, path, handlers, before);

  app.use((request) => {
    throw new Failure("not-found", `There is nothing at ${request.path}.`);
  });
  app.use(answerFailures(options.log));
  return app;
}

/**
 * In the order of the table, except that a path ending in a parameter would match `order` as an asset's id, and comes last in its
 * resource.
 */
function pathsInOrder(): readonly string[] {
  const paths = [...new Set(operationsV2.map(({ path }) => path))];
  const resourceOf = (path: string): string => path.split("/", 4).join("/");
  const isOpen = (path: string): boolean => /:\w+$/.test(path);
  return [...new Set(paths.map(resourceOf))].flatMap((resource) => {
    const pathsOfResource = paths.filter(
      (path) => resourceOf(path) === resource,
    );
    return [
      ...pathsOfResource.filter((path) => !isOpen(path)),
      ...pathsOfResource.filter(isOpen),
    ];
  });
}

/** What a route does after waiting for a body is as much work as what came before (V2-71). */
function scheduleBy(requestScheduler: RequestScheduler): RequestHandler {
  return (_request, response, next) => {
    if (requestScheduler.take(response, next)) return;
    throw new Failure("unavailable", playerSentences["requests-waiting"]);
  };
}

type Before = Readonly<
  Record<"scheduleRequest" | "wait" | "admitUpload", RequestHandler>
>;

/** How the body is handled before the operation. */
function bodyStepOf({ body }: OperationV2, before: Before): RequestHandler {
  if (!body) return readPastBody;
  return "field" in body ? before.admitUpload : readBody;
}

/** One path with its methods; any other method is answered with the list of those allowed. */
function addRoute(
  app: Express,
  path: string,
  handlers: Handlers,
  before: Before,
): void {
  const operations = operationsV2.filter((one) => one.path === path);
  const allowed = operations.map(({ method }) => method.toUpperCase());
  if (allowed.includes("GET")) allowed.push("HEAD");
  const allow = [...allowed, "OPTIONS"].join(", ");
  // One for all its methods: every request is held against each of them until one fits.
  const route = app.route(path);
  for (const operation of operations) {
    const { method, id } = operation;
    const isRead = method === "get";
    route[method](
      ...(isRead ? [] : [bodyStepOf(operation, before)]),
      ...(!isRead && waitsForDatabase(id) ? [before.wait] : []),
      before.scheduleRequest,
      ...(isRead ? [] : [noteActor]),
      // A route's parameters are named in its path; Express derives their types from the literal text, which is lost here.
      handlers[id] as RequestHandler,
    );
  }
  route.all((request, response) => {
    response.setHeader("Allow", allow);
    if (request.method === "OPTIONS") {
      response.status(200).json({ methods: [...allowed, "OPTIONS"] });
      return;
    }
    response.status(405).json({
      detail: `${request.method} is not allowed here; use ${allow}.`,
    });
  });
}

/** Its changes are recorded as those of who sent it. */
const noteActor: RequestHandler = (request, response, next) => {
  const actor = actorOf(request, response);
  if (actor) actorScope.during(actor, response, next);
  else next();
};

/** Text of a client, such as a name in an error, is never taken for a page of this origin. */
const neverAnotherType: RequestHandler = (_request, response, next) => {
  response.setHeader("X-Content-Type-Options", "nosniff");
  next();
};

/** Changes, not reads: a request that only reads writes no line, unless debug logging is on (V2-124). */
function levelOf(request: Request, log: Log): "debug" | "info" | null {
  if (!isRead(request)) return "info";
  return log.isDebugging() ? "debug" : null;
}
