// A faulty content service whose failures a test controls: one list of labels over version 4.1, the files behind it, and errors
// in either.

import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  createServer as createTlsServer,
  type Server as TlsServer,
} from "node:https";
import { createServer, type Server } from "node:http";
import { afterThisTest } from "../after-this-test.ts";
import { testCertificate, testKey } from "../http/certificate.ts";
import {
  appRows,
  installedIn,
  partsOf,
  type CloudApp,
} from "./faulty-service-apps.ts";
import { holdPort } from "../machine/reserved-port.ts";
import { png } from "../media/media.ts";

export interface CloudAsset {
  readonly id: string;
  readonly bytes?: Buffer;
  /** An app instead, with these files. */
  readonly app?: CloudApp;
  /** Overrides fields of the row. */
  readonly row?: Readonly<Record<string, unknown>>;
}

export interface CloudPlaylist {
  readonly id: string;
  readonly assets: readonly CloudAsset[];
  readonly row?: Readonly<Record<string, unknown>>;
}

export type Answer = (
  request: IncomingMessage,
  response: ServerResponse,
  /** Sends the usual response. */
  usual: () => void,
) => void;

export interface FaultyCloud {
  readonly address: string;
  readonly port: number;
  /** Its playlists from now on. */
  playlists: readonly CloudPlaylist[];
  /** Replaces the response that reveals its version; null: as usual. */
  opening: Answer | null;
  /** Replaces the list; null: as usual. */
  list: Answer | null;
  /** Replaces a file, by its asset; as usual where there is none. */
  readonly files: Map<string, Answer>;
  /** Paths and headers of all requests. */
  readonly requests: IncomingMessage[];
  fileRequests(id: string): readonly IncomingMessage[];
  /** Cuts every connection and stops listening. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
}

const labelsPath = "/v4.1/labels";
const appsPath = "/v4.1/edge-apps/";
const assetsPath = "/v4.1/assets";

/** An image of its own colour and of this size. */
export function cloudImage(
  id: string,
  colour: readonly [number, number, number] = [1, 2, 3],
  sizeBytes = 0,
): CloudAsset {
  const head = png(colour);
  const rest = Buffer.alloc(Math.max(0, sizeBytes - head.length), id);
  return { id, bytes: Buffer.concat([head, rest]) };
}

export async function serveFaultyCloud({
  isSecure = false,
} = {}): Promise<FaultyCloud> {
  const files = new Map<string, Answer>();
  const requests: IncomingMessage[] = [];
  let server: Server | TlsServer | null = null;
  // After `goAway` it comes back at the same port.
  const port = await holdPort();

  const cloud: FaultyCloud = {
    get address() {
      return `${isSecure ? "https" : "http"}://127.0.0.1:${port}`;
    },
    get port() {
      return port;
    },
    playlists: [],
    ...{ opening: null, list: null },
    ...{ files, requests },
    fileRequests: (id) =>
      requests.filter(({ url }) => url?.startsWith(`/files/${id}`)),
    goAway: () =>
      new Promise((resolve) => {
        const gone = server;
        server = null;
        if (!gone) return resolve();
        gone.close(() => resolve());
        gone.closeAllConnections();
      }),
    comeBack: open,
  };

  function open(): Promise<void> {
    const answer = (
      request: IncomingMessage,
      response: ServerResponse,
    ): void => {
      requests.push(request);
      respond(request, response);
    };
    server = isSecure
      ? createTlsServer({ cert: testCertificate, key: testKey }, answer)
      : createServer(answer);
    const opened = server;
    return new Promise((resolve) => opened.listen(port, "127.0.0.1", resolve));
  }

  function respond(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url?.split("?")[0] ?? "";
    if (path === labelsPath) {
      const usual = (): void => sendJson(response, labels());
      const isOpening = request.url?.includes("select=id&");
      const answer = isOpening ? cloud.opening : cloud.list;
      if (answer) answer(request, response, usual);
      else usual();
      return;
    }
    const assets = cloud.playlists.flatMap((playlist) => playlist.assets);
    const apps = installedIn(assets);
    const rows = path.startsWith(appsPath)
      ? appRows(path.slice(appsPath.length), apps)
      : null;
    if (rows) return sendJson(response, rows);
    if (path === assetsPath) return sendJson(response, apps.flatMap(partRows));
    const id = /^\/files\/([\w-]+)/.exec(path)?.[1];
    const asset = [...assets, ...apps.flatMap(partsOf)].find(
      (one) => one.id === id,
    );
    if (id === undefined) return sendJson(response, { detail: "no" }, 404);
    const usual = (): void =>
      asset?.bytes
        ? sendFile(request, response, asset.bytes)
        : sendJson(response, { detail: "no" }, 404);
    const faulty = files.get(id);
    if (faulty) faulty(request, response, usual);
    else usual();
  }

  function labels(): unknown {
    const playlists = cloud.playlists.map(({ id, assets, row }) => ({
      ...{ id, title: id, predicate: "TRUE", is_enabled: true },
      ...{ priority: false, transitions: false },
      created_at: "2026-01-01T00:00:00Z",
      playlist_items: assets.map((asset, place) => ({
        ...{ id: `${id}-${place}`, asset_id: asset.id, duration: 600 },
        ...{ position: place, assets: rowOf(asset) },
      })),
      ...row,
    }));
    return [{ id: "L1", type: "all-screens", name: "all-screens", playlists }];
  }

  function partRows(
    installed: ReturnType<typeof installedIn>[number],
  ): readonly unknown[] {
    return partsOf(installed).map(({ id, path, bytes }) => ({
      ...{ id, title: path, md5: md5Of(bytes) },
      asset_url: `${cloud.address}/files/${id}`,
      ...{ source_md5: md5Of(bytes), source_size: bytes.length },
    }));
  }

  function rowOf({ id, bytes, app, row }: CloudAsset): unknown {
    const isFile = bytes !== undefined;
    if (app)
      return {
        ...{ id, title: id, type: "edge-app", status: "finished" },
        ...{ app_installation_id: `i-${id}`, ...row },
      };
    return {
      ...{ id, title: id, status: "finished", headers: {}, metadata: {} },
      type: isFile ? "image" : "web",
      md5: isFile ? md5Of(bytes) : "skip_md5",
      asset_url: isFile
        ? `${cloud.address}/files/${id}`
        : "https://example.org/",
      ...(isFile && { source_md5: md5Of(bytes), source_size: bytes.length }),
      ...row,
    };
  }

  await open();
  afterThisTest(() => cloud.goAway());
  return cloud;
}

export function md5Of(bytes: Buffer): string {
  return createHash("md5").update(bytes).digest("hex");
}

export function sendJson(
  response: ServerResponse,
  body: unknown,
  status = 200,
): void {
  response
    .writeHead(status, { "Content-Type": "application/json" })
    .end(JSON.stringify(body));
}

/** With an entity tag and ranges, as any good server. */
export function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
  tag = `"${md5Of(bytes)}"`,
): void {
  const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? "");
  const isSame = request.headers["if-range"] === tag;
  response.setHeader("ETag", tag).setHeader("Content-Type", "image/png");
  if (!range || !isSame) {
    response.setHeader("Content-Length", bytes.length).end(bytes);
    return;
  }
  const from = Number(range[1]);
  response.writeHead(206, {
    "Content-Range": `bytes ${from}-${bytes.length - 1}/${bytes.length}`,
    "Content-Length": bytes.length - from,
  });
  response.end(bytes.subarray(from));
}

/** The first bytes up to a limit, and then nothing more: cut off, or silent for ever. */
export function sendBeginning(
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
  upTo: number,
  then: "cut" | "silence",
): void {
  const from = Number(
    /^bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0,
  );
  const tag = `"${md5Of(bytes)}"`;
  response.writeHead(from > 0 ? 206 : 200, {
    ...{ ETag: tag, "Content-Length": bytes.length - from },
    ...(from > 0 && {
      "Content-Range": `bytes ${from}-${bytes.length - 1}/${bytes.length}`,
    }),
  });
  response.write(bytes.subarray(from, upTo), () => {
    if (then === "cut") setImmediate(() => response.destroy());
  });
}
