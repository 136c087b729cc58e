// Serves files to the other players of the site: over TLS with the team's key, on one private address of this PC, by their hash
// alone, and within limits that leave playback alone (V2-822 to V2-825).

import type { IncomingMessage, ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo, Socket } from "node:net";
import {
  maxSiteBodyBytes,
  sitePaths,
  siteQuestion,
  type SiteAnswer,
  type SiteQuestion,
} from "../../../contract/discovery/site.ts";
import { presharedKeyServer } from "../../../platform/http/preshared-key.ts";
import type { Log } from "../../../platform/log.ts";
import { systemCode } from "../../../platform/outside-error.ts";
import type { Rate } from "../../../platform/http/transfer-rate.ts";
import { createClientCounts, siteServerLimits } from "./client-counts.ts";
import { sendGrowingFile, type SentFile } from "./send-growing-file.ts";

export interface SiteServerOptions {
  readonly host: string;
  /** Tried first; another one if it is taken, unless it has to be this one. */
  readonly port: number;
  readonly isOnlyPort?: boolean;
  /** Other addresses are not served, whatever they know. */
  readonly isNear: (address: string) => boolean;
  /** Null for a key that is not accepted. */
  readonly secretOf: (keyId: string) => string | null;
  readonly answer: (
    keyId: string,
    question: SiteQuestion,
    address: string,
  ) => SiteAnswer;
  /** Null: there is no such file for the players with this key. */
  readonly fileOf: (keyId: string, md5: string) => SentFile | null;
  readonly rate: Rate;
  readonly monotonic: () => number;
  readonly log: Log;
}

export interface SiteServer {
  readonly port: number;
  stop(): Promise<void>;
}

const headersMs = 5_000;
/** Nothing moves: the client is gone, or the file does not grow any more. */
const stillMs = 20_000;

/** Throws the system's error if it cannot listen there. */
export async function startSiteServer(
  options: SiteServerOptions,
): Promise<SiteServer> {
  const keyIds = new WeakMap<object, string>();
  const counts = createClientCounts(options.monotonic);
  const { pskCallback, ...tls } = presharedKeyServer(options.secretOf);
  const server = https.createServer(
    {
      ...tls,
      pskCallback: (socket, id) => {
        keyIds.set(socket, id);
        return pskCallback?.(socket, id) ?? null;
      },
      ...{ handshakeTimeout: headersMs, maxHeaderSize: 8 * 1024 },
      ...{ headersTimeout: headersMs, requestTimeout: 2 * headersMs },
      ...{ keepAliveTimeout: 15_000, connectionsCheckingInterval: headersMs },
    },
    (request, response) => {
      respond(request, response).catch((error: unknown) => {
        // The client is gone, or its body is.
        if (systemCode(error) === undefined)
          options.log.error("site.internal-error", { error });
        response.destroy();
      });
    },
  );
  server.maxConnections = siteServerLimits.connections;
  server.setTimeout(stillMs);
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    if (!options.isNear(address) || !counts.connect(address)) {
      socket.destroy();
      return;
    }
    open.add(socket);
    socket.on("close", () => {
      open.delete(socket);
      counts.disconnect(address);
    });
  });
  // Anyone in the network can cause these: none is worth a line in the log.
  server.on("tlsClientError", (_error, socket) => socket.destroy());
  server.on("clientError", (_error, socket) => socket.destroy());

  async function respond(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const address = request.socket.remoteAddress ?? "";
    const keyId = keyIds.get(request.socket);
    if (!counts.request(address)) return refuse(response, 429);
    // The key may have been replaced since the handshake.
    if (keyId === undefined || options.secretOf(keyId) === null)
      return refuse(response, 403);
    const { method, url = "" } = request;
    if (method === "POST" && url === sitePaths.files)
      return respondState(request, response, keyId, address);
    const [, md5] = /^\/site\/v1\/files\/([0-9a-f]{32})$/.exec(url) ?? [];
    const file =
      method === "GET" && md5 !== undefined ? options.fileOf(keyId, md5) : null;
    if (file === null) return refuse(response, 404);
    if (!counts.beginTransfer(address)) return refuse(response, 503);
    try {
      await respondFile(file, request, response);
    } finally {
      counts.endTransfer(address);
    }
  }

  async function respondState(
    request: IncomingMessage,
    response: ServerResponse,
    keyId: string,
    address: string,
  ): Promise<void> {
    const question = siteQuestion.safeParse(await jsonOf(request));
    if (!question.success) return refuse(response, 400);
    const body = JSON.stringify(options.answer(keyId, question.data, address));
    response
      .writeHead(200, {
        "Content-Type": "application/json",
        "Content-Length": Buffer.byteLength(body),
      })
      .end(body);
  }

  async function respondFile(
    file: SentFile,
    { headers }: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const from = offsetIn(headers.range);
    if (from === null || from >= file.totalBytes) return refuse(response, 416);
    const knownValidator = [headers["if-range"] ?? []].flat()[0];
    const { rate } = options;
    const sent = { response, from, knownValidator, rate };
    if (!(await sendGrowingFile(file, sent))) refuse(response, 404);
  }

  const port = await listen(server, options);
  return {
    port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { "Content-Length": 0 }).end();
}

/** Null for anything but all bytes from an offset on. */
function offsetIn(range: string | undefined): number | null {
  if (range === undefined) return 0;
  const [, from] = /^bytes=(\d{1,15})-$/.exec(range) ?? [];
  return from === undefined ? null : Number(from);
}

/** Null for anything but JSON of a reasonable size. */
async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxSiteBodyBytes) return null;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown;
  } catch {
    return null;
  }
}

/** Another program, or another player on this PC, may have the port. */
async function listen(
  server: https.Server,
  { host, port, isOnlyPort }: SiteServerOptions,
): Promise<number> {
  try {
    await listenOn(server, host, port);
  } catch (error) {
    if (systemCode(error) !== "EADDRINUSE" || port === 0 || isOnlyPort)
      throw error;
    await listenOn(server, host, 0);
  }
  return (server.address() as AddressInfo).port;
}

function listenOn(
  server: https.Server,
  host: string,
  port: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      server.on("error", () => undefined);
      resolve();
    });
  });
}
