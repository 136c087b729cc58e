// The routes of version 2, in the order of the specification.

import express, { type Express, type RequestHandler } from "express";
import { randomUUID } from "node:crypto";
import { Failure } from "../../core/failure.ts";
import type { FileStore } from "../../platform/file-store.ts";
import type { Log } from "../../platform/log.ts";
import type { Assets } from "../assets.ts";
import type { Director } from "../director.ts";
import type { Intake } from "../intake.ts";
import type { Library } from "../library.ts";
import type { SettingsStore } from "../settings.ts";
import { assetOperations } from "./assets.ts";
import { readBody } from "./body.ts";
import { sendContent } from "./content.ts";
import { controlGlass } from "./control.ts";
import { answerFailures } from "./errors.ts";
import { uploadFile } from "./files.ts";
import { changeSettings, readSettings } from "./settings.ts";
import { requireOwnAddress } from "./own-address.ts";

export interface V2Options {
  readonly library: Library;
  readonly assets: Assets;
  readonly intake: Intake;
  readonly director: Director;
  readonly store: FileStore;
  readonly settings: SettingsStore;
  readonly log: Log;
  readonly now: () => number;
  readonly takePicture: () => Promise<Uint8Array>;
}

export function createV2(options: V2Options): Express {
  const app = express();
  app.disable("x-powered-by");
  // A list that did not change is still sent whole: hashing every answer costs more than it saves on loopback.
  app.disable("etag");
  app.use(noteRequest(options.log));
  app.use(requireOwnAddress);

  const assets = assetOperations(options);
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
    delete: assets.remove,
  });
  route(app, `${at}/assets/:id/content`, {
    get: sendContent(options.library, options.store),
  });
  route(app, `${at}/assets/control/:command`, {
    get: controlGlass(options.director),
  });
  route(app, `${at}/file_asset`, { post: uploadFile(options.intake) });
  route(app, `${at}/device_settings`, {
    get: readSettings(options.settings),
    patch: [readBody, changeSettings(options.settings)],
  });
  route(app, `${at}/screenshot`, { get: sendPicture(options.takePicture) });

  app.use((request) => {
    throw new Failure("not-found", `There is nothing at ${request.path}.`);
  });
  app.use(answerFailures(options.log));
  return app;
}

type Method = "get" | "post" | "put" | "patch" | "delete";
/* A route's own parameters are named in its path; Express types them by that text, which is gone here. */
type Steps = RequestHandler<never> | readonly RequestHandler<never>[];

/** One path with its methods; any other is told which there are. */
function route(
  app: Express,
  path: string,
  methods: Partial<Record<Method, Steps>>,
): void {
  const allowed = Object.keys(methods).map((method) => method.toUpperCase());
  if (allowed.includes("GET")) allowed.push("HEAD");
  const allow = [...allowed, "OPTIONS"].join(", ");
  for (const [method, steps] of Object.entries(methods))
    app[method as Method](path, ...([steps].flat() as RequestHandler[]));
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
    // Edges, not states: what is only read leaves no line.
    if (request.method === "GET" || request.method === "HEAD") {
      next();
      return;
    }
    response.on("close", () => {
      log.info("v2.request-answered", {
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
