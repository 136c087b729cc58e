// Middleware chain of the content service: metrics, allowed hosts, authentication, concurrency limit; then the interface.

import express, {
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from "express";
import { serviceSentences } from "../contract/sentences/service-sentences.ts";
import { Failure } from "../core/failure.ts";
import type { DatabaseClock } from "../platform/database/database-clock.ts";
import type { Database } from "../platform/database/database.ts";
import type { Log } from "../platform/log.ts";
import {
  createAllowedHosts,
  hasSeveralHosts,
  isHost,
  isOfOtherSite,
} from "../platform/http/allowed-hosts.ts";
import { opensManager, serveManager } from "../platform/http/serve-manager.ts";
import { hostInAddress } from "../platform/http/machine-addresses.ts";
import { noteAuthors } from "./access/note-authors.ts";
import { requireKey } from "./access/access.ts";
import type { Adopted } from "./adopted/adopted.ts";
import type { Alerts } from "./alerts/alerts.ts";
import type { Mailer } from "./alerts/mailer.ts";
import type { Addresses } from "./files/signed-addresses.ts";
import type { AppTokens } from "./access/app-tokens.ts";
import { isForThisMachineAlone, type ContentConfig } from "./config.ts";
import { answerFailures } from "./errors.ts";
import { createFiles } from "./files/files.ts";
import { createHealth } from "./health.ts";
import { inRow } from "./http/middleware-chain.ts";
import type { Ingest } from "./ingest/ingest.ts";
import { takeUploads } from "./ingest/new-upload.ts";
import { assertReachable } from "./ingest/page-reachability.ts";
import { createShareFiles } from "./ingest/share-files.ts";
import type { FileRetention } from "./ingest/file-retention.ts";
import type { Keys } from "./access/keys.ts";
import type { Link } from "./link/link.ts";
import { isLinkRequest } from "./link/retry-queue.ts";
import {
  allRequests,
  createRequestLimit,
  uploadRequests,
} from "./access/concurrent-requests.ts";
import { createContentMetrics } from "./metrics.ts";
import { baseOf, presentAddresses } from "./files/resolve-addresses.ts";
import { createListReads } from "./replica/list-reads.ts";
import type { ReadReplica } from "./replica/read-replica.ts";
import type { Sealer } from "./access/secret-encryption.ts";
import type { ContentTables } from "./tables.ts";
import type { Geocode } from "./v3/places/geocode.ts";
import { requireRoles } from "./access/operation-roles.ts";
import { findAccessV3 } from "./v3/operation-roles.ts";
import { findAccessV4 } from "./v4/operation-roles.ts";
import {
  admitInstallations,
  isAppRequest,
  letAppsRead,
} from "./v3/edge-apps/oauth-tokens.ts";
import { createV3Router } from "./v3/router.ts";
import { createV3, type TakeScreenshot } from "./v3/operation/v3.ts";
import { isOpenidCallback } from "./v3/people/openid-callback.ts";
import { createSignInRouter } from "./v3/people/sign-in.ts";
import type { Openid } from "./people/openid/openid.ts";
import type { Passkeys } from "./people/passkeys/passkeys.ts";
import type { PasswordLinks } from "./people/password-links.ts";
import type { PasswordMail } from "./people/password-mail.ts";
import type { People } from "./people/people.ts";
import type { Sessions } from "./people/sessions.ts";
import type { SignInFlows } from "./people/sign-in-flows.ts";
import type { SignInLimit } from "./people/sign-in-limit.ts";
import { createV4Router } from "./v4/router.ts";
import { holdBackWrites } from "./what-if/held-back.ts";
import type { WhatIf } from "./what-if/what-if.ts";
import { isRead, logRequests } from "../platform/http/request-log.ts";
import type { StoredFiles } from "./files/stored-files.ts";
import { traceFieldOf, traceRequests } from "./traces/trace-requests.ts";
import type { Traces } from "./traces/traces.ts";

export interface AppOptions {
  readonly config: ContentConfig;
  readonly version: string;
  readonly database: Database<ContentTables>;
  readonly replica: ReadReplica | null;
  readonly store: StoredFiles;
  readonly keys: Keys;
  readonly people: People;
  readonly sessions: Sessions;
  readonly signInLimit: SignInLimit;
  readonly openid: Openid | null;
  readonly signInFlows: SignInFlows;
  readonly passkeys: Passkeys;
  readonly passwordLinks: PasswordLinks;
  readonly passwordMail: PasswordMail | null;
  readonly link: Link;
  readonly adopted: Adopted;
  readonly alerts: Alerts;
  readonly mailer: Mailer | null;
  readonly whatIf: WhatIf;
  readonly appTokens: AppTokens;
  readonly geocode: Geocode;
  readonly clock: DatabaseClock;
  /** Whether the database file is where the next start will look for it. */
  readonly whyReopen: () => string | null;
  /** Reports on the database: restored from a backup, or not backed up. */
  readonly storeHealth: () => Readonly<Record<string, string | null>>;
  /** Present where a browser is available. */
  readonly takeScreenshot: TakeScreenshot | undefined;
  readonly fileRetention: FileRetention;
  readonly ingest: Ingest;
  readonly addresses: Addresses;
  readonly log: Log;
  readonly makeId: () => string;
  readonly maxBytes: number;
  readonly mayConnect: (address: string) => boolean;
  readonly sealSecret: Sealer["seal"];
  /** Called after a request that wrote something. */
  readonly afterWrite: (write: Write) => void;
  /** When a client that is turned away may come back. */
  readonly retryAfterSeconds: (request: Request) => number;
  /** Called when stored files may have become unneeded. */
  readonly onLeftOver: () => void;
  readonly onMissingFile: (hash: string) => void;
  /** Null while traces are off. */
  readonly traces: Traces | null;
  /** The built manager for browsers (V3-140); without it, there is none. */
  readonly managerDir?: string | undefined;
}

export interface Write {
  /** An asset may be waiting for ingest. */
  readonly isAdding: boolean;
  /** A file may have become unneeded. */
  readonly isDropping: boolean;
}

export function createApp(options: AppOptions): Express {
  const { config, log, traces } = options;
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", "simple");
  // An operator who declares a proxy vouches for what the proxy states about its clients.
  app.set("trust proxy", config.behindProxy ? 1 : false);
  const admitKey = requireKey({
    ...options,
    monotonic: () => performance.now(),
    screenOfPlayer: options.link.players.screenOf,
  });
  const requests = createRequestLimit({
    ...allRequests,
    retryAfterSeconds: options.retryAfterSeconds,
    canWait: isLinkRequest,
  });
  const uploads = createRequestLimit(uploadRequests);
  const metrics = createContentMetrics({
    ...options,
    activeIngests: options.ingest.underWay,
    uploadsUnderWay: uploads.underWay,
    requestsUnderWay: requests.underWay,
  });

  const allowedHosts = requireAllowedHost(config);
  const heldBack = holdBackWrites(options.database, options.whatIf);
  const { database } = heldBack;
  const { readsFor, noteWrites } = createListReads(database, options.replica);
  const v3Options = {
    ...{ ...options, database, readsFor },
    now: options.clock.now,
    oauthTokens: config.oauthTokens,
    onChanged: options.link.changes.announceSoon,
  };
  const addressOf = (request: Request): string | null =>
    ownAddress(request, config);
  const content = inRow(
    allowedHosts,
    noteAuthors(),
    createSignInRouter(createV3(v3Options), addressOf),
    letAppsRead(),
    admitInstallations(options, admitKey),
    requireRoles(findAccessV3, findAccessV4),
    requests.admit,
    noteWrites,
    notifyWrites(options.afterWrite),
    presentAddresses(options.addresses, config.publicUrl),
    takeUploads({
      ...options,
      admit: uploads.admit,
      onLeftOver: options.onLeftOver,
    }),
    heldBack.note,
    createV3Router({
      ...{ ...v3Options, publicUrl: config.publicUrl },
      ownAddress: addressOf,
    }),
    createV4Router({
      ...{ database, readsFor, makeId: options.makeId },
      now: options.clock.now,
      sealSecret: options.sealSecret,
      newFile: options.store.newAside,
      publicUrl: config.publicUrl,
      shareFiles: createShareFiles(options.database.kind),
      beforeAssetInsert: (rows) => assertReachable(rows, options.mayConnect),
    }),
  );
  // Most requests are about content: they skip the middleware of everything else.
  app.use(
    inRow(
      logRequests({
        ...{ log, event: "content.request-answered", levelOf },
        fieldsOf: traces ? traceFieldOf : undefined,
      }),
      ...(traces ? [traceRequests(traces)] : []),
      metrics.note,
      (request, response, next) => {
        if (isOfContent.test(request.path))
          void content(request, response, next);
        else next();
      },
    ),
  );
  const health = createHealth({
    ...options,
    monotonic: () => performance.now(),
  });
  app.get("/health", health.ready);
  app.get("/health/live", health.live);
  app.use(allowedHosts);
  if (options.managerDir !== undefined)
    app.use(serveManager(options.managerDir));
  app.get(
    "/metrics",
    ...(isForThisMachineAlone(config) ? [] : [admitKey]),
    metrics.send,
  );
  app.use("/files", createFiles({ ...options, requireKey: admitKey }));
  app.use(admitLink(requests.admit), options.link.router);
  // A client without a key does not learn that a path does not exist either.
  app.use(admitKey, (request) => {
    throw new Failure("not-found", `There is nothing at ${request.path}.`);
  });
  app.use(answerFailures(log));
  return app;
}

const isOfContent = /^(?:\/api)?\/v[34]/;

/** Rejects DNS rebinding and pages of other sites; browser extensions do not count as pages (V4-202). */
function requireAllowedHost({
  host,
  publicUrl,
  behindProxy,
}: ContentConfig): RequestHandler {
  const known = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
  const allowedHosts = createAllowedHosts(host, known);
  return (request, _response, next) => {
    if (hasSeveralHosts(request))
      throw new Failure(
        "malformed",
        "The request has more than one Host header.",
      );
    const { host: named } = request.headers;
    // As sent, or as a declared proxy states it (V4-287).
    if (!isHost(named ?? "") || !isHost(request.host))
      throw new Failure(
        "malformed",
        "The Host header of the request is not valid.",
      );
    const isAllowed = allowedHosts.isAllowed(named);
    // The proxy decides which names lead here.
    if (!behindProxy && !isAllowed)
      throw new Failure("forbidden", serviceSentences["host-forbidden"]);
    const { origin } = request.headers;
    const expectedOrigin = origin && `${request.protocol}://${request.host}`;
    const isExtension =
      origin !== undefined && /^[a-z]+-extension:/.test(origin);
    const isTrusted =
      isExtension ||
      isAppRequest(request) ||
      opensManager(request) ||
      isOpenidCallback(request);
    if (!isTrusted && isOfOtherSite(request.headers, expectedOrigin ?? ""))
      throw new Failure(
        "forbidden",
        "Web pages from other sites cannot use this service.",
      );
    // A host that is not listed and not stated by the proxy must not become the base of any address.
    if (!isAllowed && request.headers["x-forwarded-host"] === undefined)
      request.headers.host = socketHost(request);
    next();
  };
}

/**
 * Where a link leads that anyone may request: what Host states is not trusted, except on this machine, where only its names are
 * allowed. Null: the operator has to state it.
 */
function ownAddress(request: Request, config: ContentConfig): string | null {
  return isForThisMachineAlone(config)
    ? baseOf(request, config.publicUrl)
    : (config.publicUrl ?? null);
}

/** Host and port on which this request arrived. */
function socketHost({ socket }: Request): string {
  return `${hostInAddress(socket.localAddress ?? "")}:${socket.localPort ?? 0}`;
}

/** Requests that wait for news take no slot from those that do work. */
function admitLink(admit: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const [, name] = /^(?:\/api)?\/link\/v1\/(\w+)/.exec(request.path) ?? [];
    if (name === undefined || name === "news" || name === "player") next();
    else void admit(request, response, next);
  };
}

/** POST requests that change no content (L-10). */
const changesNothing =
  /\/v3\/((account|invitations|keys|people)\b|alerts\b|assertions\b|predicate\b|what-if\b|screens\/([^/]+\/)?commands)/;

/** May replace files of an app. */
const deploys = /\/deploy\/?$/;

/**
 * Triggered when the response is produced, not when it arrives: a client that disconnected has changed content all the
 * same (L-10).
 */
function notifyWrites(afterWrite: AppOptions["afterWrite"]): RequestHandler {
  return (request, response, next) => {
    const { method, path } = request;
    if (method === "GET" || method === "HEAD" || changesNothing.test(path)) {
      next();
      return;
    }
    const end = response.end as (...all: unknown[]) => Response;
    response.end = ((...all: unknown[]) => {
      if (response.statusCode < 300)
        afterWrite({
          isAdding: method === "POST",
          isDropping: method === "DELETE" || deploys.test(path),
        });
      return end.apply(response, all);
    }) as Response["end"];
    next();
  };
}

/** Edges, not states: reads are not logged, nor is a screen that is still online. */
function levelOf(request: Request): "info" | null {
  return isRead(request) || /\/link\/v1\/heartbeat\/?$/.test(request.path)
    ? null
    : "info";
}
