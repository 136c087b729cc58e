// Routes of versions 4.1 and 4.0, with and without /api, with and without a trailing slash.

import { hash } from "node:crypto";
import express, {
  type Request,
  type RequestHandler,
  type Response,
} from "express";
import { Failure, fieldFailure } from "../../core/failure.ts";
import type { Database } from "../../platform/database/database.ts";
import { limitedTo } from "../access/access.ts";
import { refuseUnclassified } from "../access/operation-roles.ts";
import { mark } from "../files/signed-addresses.ts";
import {
  catalogues,
  type Catalogue,
  type ContentVersion,
  type Table,
} from "../catalogue.ts";
import { inRow } from "../http/middleware-chain.ts";
import { setRoute } from "../http/routes.ts";
import { conditionOf, tagOfRow } from "../http/if-match.ts";
import { createLargeBodies } from "../http/large-bodies.ts";
import { createMemory, type Memory } from "../lru-cache.ts";
import { baseOf } from "../files/resolve-addresses.ts";
import type { ReadsFor } from "../replica/list-reads.ts";
import type { ContentTables } from "../tables.ts";
import { jsonForm, oneAsJson } from "./parse/accept.ts";
import {
  bodyFromJson,
  parseBody,
  readerOfBody,
  type Body,
  type BodyRow,
} from "./parse/body.ts";
import type { ShareFiles } from "./write/copy-assets.ts";
import { describe } from "./respond/docs.ts";
import { limits } from "./parse/request-limits.ts";
import {
  createOperations,
  type Operations,
  type OperationsOptions,
  type WriteResult,
} from "./operations.ts";
import { copyAssetsPath } from "./respond/openapi.ts";
import type { TableRequest } from "./read-list.ts";
import { Refusal } from "../http/v4-errors.ts";
import { parseRequest, type RequestText } from "./parse/request.ts";
import {
  bodyOf,
  contentRange,
  preferenceApplied,
  statusOfRead,
  streamBody,
} from "./respond/response.ts";
import { zoneNamed } from "./parse/zone-name.ts";

export interface V4Options {
  readonly database: Database<ContentTables>;
  /** Where lists are read; the database by default. */
  readonly readsFor?: ReadsFor | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly makeId: () => string;
  /** Converts the secret value of a setting to its stored form; unchanged by default. */
  readonly sealSecret?: OperationsOptions["sealSecret"] | undefined;
  readonly bodyBytes?: number | undefined;
  /** Path for buffering a long list that its client reads slowly; a temporary file of the system by default. */
  readonly newFile?: (() => string) | undefined;
  /** The address at which clients reach the service, where it is configured. */
  readonly publicUrl?: string | undefined;
  /** Without it nothing can be copied, and copy-assets does not exist. */
  readonly shareFiles?: ShareFiles | undefined;
  readonly beforeAssetInsert?:
    | OperationsOptions["beforeAssetInsert"]
    | undefined;
}

/** Players repeat the same requests; this many, a few kilobytes each, are cached in parsed form. */
const maxUnderstood = 500;
const longestUnderstood = 2_000;

/** Expects the team in `response.locals.team`, and the id of an uploaded asset in `response.locals.newAssetId`. */
export function createV4Router(options: V4Options): RequestHandler {
  const operations = createOperations({
    ...{ database: options.database, makeId: options.makeId },
    sealSecret: options.sealSecret ?? ((_settingId, value) => value),
    shareFiles: options.shareFiles ?? (async () => undefined),
    beforeAssetInsert: options.beforeAssetInsert ?? (async () => undefined),
  });
  const understood = createMemory<TableRequest>(
    maxUnderstood,
    longestUnderstood,
  );
  const readBytes = express.raw({
    type: () => true,
    limit: options.bodyBytes ?? limits.bodyBytes,
  });
  const answerAt = inRow(
    readBytesOfWrites(readBytes),
    createLargeBodies(readerOfBody),
    (request, response) =>
      answer({ ...options, operations, understood }, request, response),
  );
  return (request, response, next) => {
    const place = placeOf(request.path);
    if (place === null) {
      next();
      return;
    }
    (response.locals as Locals).place = place;
    void answerAt(request, response, next);
  };
}

interface V4 extends V4Options {
  readonly operations: Operations;
  readonly understood: Memory<TableRequest>;
}

interface Place {
  readonly prefix: string;
  readonly version: ContentVersion;
  /** The prefix without `/api`. */
  readonly route: string;
  /** The part after the prefix, without slashes at the ends. */
  readonly path: string;
  readonly endsWithSlash: boolean;
}

interface Locals {
  place: Place;
  team?: unknown;
  newAssetId?: unknown;
}

/** Null: not a path of this interface. */
export function placeOf(path: string): Place | null {
  const match = /^((?:\/api)?\/(v4\.1|v4))(?:\/(.*?)\/?)?$/.exec(path);
  if (!match) return null;
  return {
    prefix: match[1] ?? "",
    version: match[2] === "v4" ? "4.0" : "4.1",
    route: `/${match[2] ?? ""}`,
    path: decodedPath(match[3] ?? ""),
    endsWithSlash: path.endsWith("/"),
  };
}

function decodedPath(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    throw new Refusal(400, "PGRST125", "The path is not encoded correctly");
  }
}

function readBytesOfWrites(readBytes: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const isUnread = isWrite(request.method) && request.body === undefined;
    if (isUnread) void readBytes(request, response, next);
    else next();
  };
}

function isWrite(method: string): boolean {
  return method === "POST" || method === "PATCH" || method === "DELETE";
}

async function answer(
  v4: V4,
  request: Request,
  response: Response,
): Promise<void> {
  const { operations } = v4;
  const { place, team } = response.locals as Locals;
  if (typeof team !== "string")
    throw new Failure("unauthorized", "An API key is required.");
  const catalogue = catalogues[place.version];
  if (place.path === "") {
    setRoute(response, place.route);
    describe(request, response, catalogue, place.prefix);
    return;
  }
  const { method } = request;
  const isCopying = place.path === copyAssetsPath && v4.shareFiles;
  if (method === "OPTIONS") {
    const allowed = isCopying
      ? copyMethods
      : methodsOf(tableAt(catalogue, place.path));
    response.status(200).set("Allow", allowed.join(", ")).end();
    return;
  }
  if (isCopying) {
    setRoute(response, `${place.route}/${copyAssetsPath}`);
    requireMethod(method, copyMethods);
    refuseUnclassified(response);
    const base = baseOf(request, v4.publicUrl);
    const context = { catalogue, team, base, now: v4.now, zone: null };
    response.json(await operations.copyAssets(context, bodyFrom(request)));
    return;
  }
  const tableRequest = tableRequestOf(v4, place, team, request);
  refuseUnclassified(response);
  setRoute(response, `${place.route}/${tableRequest.table.path}`);
  if (method === "GET" || method === "HEAD")
    await answerRead(v4, tableRequest, method === "HEAD", response);
  else await answerWrite(operations, tableRequest, place, request, response);
}

const copyMethods = ["OPTIONS", "POST"];

/** Returns the same object for the same request. */
function tableRequestOf(
  { understood, now, publicUrl }: V4,
  { version, path }: Place,
  team: string,
  request: Request,
): TableRequest {
  const { method, url, headers } = request;
  const base = baseOf(request, publicUrl);
  const text: RequestText = {
    method,
    query: url.includes("?") ? url.slice(url.indexOf("?") + 1) : "",
    headers: {
      accept: headers.accept,
      prefer: headerText(headers["prefer"]),
      range: headers.range,
    },
  };
  const { accept = "", prefer = "", range = "" } = text.headers;
  // None of these can contain a line break except the path, which was decoded.
  const key = `${method}\n${version}\n${team}\n${base}\n${accept}\n${prefer}\n${range}\n${text.query}\n${path}`;
  const cached = understood.get(key);
  if (cached) return cached;
  const catalogue = catalogues[version];
  const table = tableAt(catalogue, path);
  requireMethod(method, methodsOf(table));
  const parsed = parseRequest(text);
  const { timezone } = parsed.prefer;
  const zone = timezone === null ? null : zoneNamed(timezone);
  const context = { catalogue, team, base, now, zone };
  const tableRequest = { context, table, request: parsed };
  understood.set(key, tableRequest);
  return tableRequest;
}

function requireMethod(method: string, allowed: readonly string[]): void {
  if (allowed.includes(method)) return;
  throw new Refusal(405, "PGRST117", `Unsupported HTTP method: ${method}`, {
    headers: { Allow: allowed.join(", ") },
  });
}

function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(",") : header;
}

function tableAt({ tables }: Catalogue, path: string): Table {
  for (const table of tables.values()) if (table.path === path) return table;
  if (path.includes("/"))
    throw new Refusal(404, "PGRST125", "Invalid path specified in request URL");
  const requestedPath = path.replaceAll("_", "-").toLowerCase();
  const similar = [...tables.values()].find(
    (table) => table.path === requestedPath,
  );
  throw new Refusal(
    404,
    "PGRST205",
    `Could not find the table '${path.slice(0, 200)}' in the schema cache`,
    {
      hint: similar
        ? `Perhaps you meant the table '${similar.path ?? ""}'`
        : null,
    },
  );
}

function methodsOf({ methods }: Table): readonly string[] {
  return [
    "OPTIONS",
    ...methods.flatMap((method) =>
      method === "GET" ? ["GET", "HEAD"] : [method],
    ),
  ];
}

async function answerRead(
  { operations, database, readsFor, newFile }: V4,
  tableRequest: TableRequest,
  isHead: boolean,
  response: Response,
): Promise<void> {
  const { form } = tableRequest.request;
  const { offset, count, total, rows } = await operations.read(
    tableRequest,
    isHead,
    readsFor ? await readsFor(response) : database,
  );
  setHead(response, tableRequest, "GET", contentRange(offset, count, total));
  response
    .status(statusOfRead(count, total))
    .setHeader("Content-Type", form.type);
  response.setHeader("Vary", "Accept, Prefer, Range");
  if (isHead) response.end();
  else if (Array.isArray(rows))
    endUnlessUnchanged(
      response,
      bodyOf(form, rows),
      tagOfWholeRow(tableRequest, rows as readonly string[]) ??
        tagOf(bodyOf(form, rows), tableRequest),
    );
  else
    await streamBody(
      response,
      form,
      rows as AsyncGenerator<readonly string[]>,
      newFile,
    );
}

/** A client that has the current version receives 304 without a body (V4-46). */
function endUnlessUnchanged(
  response: Response,
  body: string,
  tag: string,
): void {
  response.setHeader("ETag", tag);
  const ifNoneMatch = response.req.headers["if-none-match"] ?? "";
  const isUnchanged =
    ifNoneMatch !== "" &&
    ifNoneMatch
      .split(",")
      .some((one) => opaqueOf(one.trim()) === opaqueOf(tag));
  if (isUnchanged && response.statusCode === 200)
    response.status(304).removeHeader("Content-Type");
  response.end(isUnchanged && response.statusCode === 304 ? undefined : body);
}

/** The comparison of If-None-Match is the weak one. */
function opaqueOf(tag: string): string {
  return tag.replace(/^W\//, "");
}

/** The strong tag that If-Match takes, of one row that was read whole and as an object (V4-390). */
function tagOfWholeRow(
  { context, request }: TableRequest,
  rows: readonly string[],
): string | null {
  const [row] = rows;
  const isWhole =
    request.select.every(({ kind }) => kind === "every") &&
    context.zone === null;
  if (request.form.kind !== "object" || !isWhole) return null;
  return row === undefined ? null : tagOfRow(row);
}

interface Tagged {
  readonly hour: number;
  readonly body: string;
  readonly tag: string;
}

/** The last answer to each request: most often it is still current. */
const lastTagged = new WeakMap<TableRequest, Tagged>();
/** A page of fifty; all of them together take some megabytes. */
const longestTagged = 40_000;

function tagOf(body: string, tableRequest: TableRequest): string {
  // File addresses are resolved in the response, and change every hour.
  const hour = Math.floor(tableRequest.context.now() / 3_600_000);
  const last = lastTagged.get(tableRequest);
  if (last?.hour === hour && last.body === body) return last.tag;
  // The mark differs in every process, while the same list must have the same tag in all of them.
  const plain = body.replaceAll(mark, "");
  const tag = `W/"${hour.toString(36)}-${hash("sha256", plain, "base64url")}"`;
  if (body.length <= longestTagged)
    lastTagged.set(tableRequest, { hour, body, tag });
  return tag;
}

async function answerWrite(
  operations: Operations,
  tableRequest: TableRequest,
  place: Place,
  request: Request,
  response: Response,
): Promise<void> {
  const method = request.method as "POST" | "PATCH" | "DELETE";
  const body = method === "DELETE" ? null : bodyFrom(request);
  const result = await written(operations, tableRequest, body, response);
  const { prefer } = tableRequest.request;
  const { count, rows } = result;
  const total = prefer.count !== null && prefer.count !== "none" ? count : null;
  const range = contentRange(0, method === "PATCH" ? count : 0, total);
  setHead(response, tableRequest, method, range);
  if (method === "POST" && prefer.return === "headers-only")
    setLocation(response, tableRequest, place, result);
  if (rows === null) {
    response.status(method === "POST" ? (result.isNew ? 201 : 200) : 204);
    if (method === "POST") response.setHeader("Content-Length", 0);
    response.end();
    return;
  }
  const form = isSingleLabel(method, tableRequest, place, body, rows)
    ? oneAsJson
    : tableRequest.request.form;
  response
    .status(method === "POST" && result.isNew ? 201 : 200)
    .setHeader("Content-Type", form.type)
    .end(bodyOf(form, rows));
}

/**
 * One label posted to the address with a trailing slash is answered as the object itself (V4-281): a client of the
 * vendor reads its id there. Clients that follow the convention send no slash, and get a list as everywhere.
 */
function isSingleLabel(
  method: string,
  { table, request: { form } }: TableRequest,
  { endsWithSlash }: Place,
  body: Body | null,
  rows: readonly string[],
): boolean {
  return (
    method === "POST" &&
    table.name === "labels" &&
    endsWithSlash &&
    form === jsonForm &&
    body?.isList === false &&
    rows.length === 1
  );
}

function setHead(
  response: Response,
  { request }: TableRequest,
  method: "GET" | "POST" | "PATCH" | "DELETE",
  range: string,
): void {
  response.setHeader("Content-Range", range);
  const applied = preferenceApplied(request.prefer, method);
  if (applied !== "") response.setHeader("Preference-Applied", applied);
}

async function written(
  operations: Operations,
  tableRequest: TableRequest,
  body: Body | null,
  response: Response,
): Promise<WriteResult> {
  const condition = conditionOf(headerText(response.req.headers["if-match"]));
  const limits = { condition, limitedTo: limitedTo(response) };
  if (body === null) return operations.remove(tableRequest, limits);
  const { newAssetId } = response.locals as Locals;
  const id = typeof newAssetId === "string" ? newAssetId : undefined;
  if (response.req.method !== "POST")
    return operations.update(tableRequest, body, limits);
  if (condition !== null)
    throw fieldFailure(
      "If-Match",
      "If-Match applies to PATCH and DELETE; POST has no row to compare.",
    );
  return operations.insert(tableRequest, body, {
    ...{ id, limitedTo: limits.limitedTo },
  });
}

/** The fields around a file were parsed by an earlier handler. */
function bodyFrom(request: Request): Body {
  const body: unknown = request.body;
  if (body instanceof Uint8Array)
    return parseBody(request.headers["content-type"], body);
  if (body instanceof Map) return bodyFromJson(body as BodyRow);
  return parseBody(request.headers["content-type"], new Uint8Array());
}

/** The address of the one new row. */
function setLocation(
  response: Response,
  { table }: TableRequest,
  { prefix }: Place,
  { keys }: WriteResult,
): void {
  if (keys.length !== 1 || table.key !== "id") return;
  response.setHeader(
    "Location",
    `${prefix}/${table.path ?? ""}?id=eq.${keys[0] ?? ""}`,
  );
}
