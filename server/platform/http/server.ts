// Listening, with limits, and a stop that waits for nobody for ever.

import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { Server as TlsServer } from "node:tls";
import {
  descriptorLimit,
  freeDescriptors,
  minFree,
} from "../process/descriptors.ts";
import { lingerBeforeClose, type LingerLimits } from "./lingering-close.ts";
import { OutsideError, systemCode } from "../outside-error.ts";
import { watchSlowClients } from "./slow-clients.ts";
import type { RequestScheduler } from "../request-scheduler.ts";

export interface HttpServer {
  readonly host: string;
  readonly port: number;
  /** Ends idle connections at once and the others after this long. */
  stop(graceMs: number): Promise<void>;
}

export interface HttpServerOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** The JSON that says a sentence to whoever did not get as far as a request. */
  readonly refusal: (sentence: string) => unknown;
  readonly requestScheduler: RequestScheduler;
  readonly timeouts?: ConnectionTimeouts | undefined;
  readonly linger?: LingerLimits | undefined;
  /** In place of what the system allows this process. */
  readonly descriptors?: Descriptors | undefined;
  /** Both as PEM; with them it speaks HTTPS alone. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
}

/** How long a client may take. */
interface ConnectionTimeouts {
  readonly headersMs: number;
  /** Without a byte moving while it owes a body or does not take its answer. */
  readonly stillMs: number;
  readonly checkIntervalMs: number;
}

/** Headers of an honest client arrive within seconds; half a minute bridges a network that stumbles. */
const defaultTimeouts: ConnectionTimeouts = {
  headersMs: 10_000,
  stillMs: 30_000,
  checkIntervalMs: 2_000,
};

/** Who sends a film of 1 GB over a local network and looks for the answer behind it still finds it. */
const defaultLinger: LingerLimits = {
  lingerMs: 30_000,
  silenceMs: 5_000,
  maxBytes: 1024 * 1024 * 1024,
};

/** Several hundred slow ones leave room for the honest; more than any site has clients. */
const maxConnections = 1000;
/** What the program itself has open: its files, its windows, its processes. */
const ownDescriptors = 192;
/** Even where descriptors are scarce: a manager, a phone and a monitoring system have some each. */
const minConnections = 16;
/** Connections beyond the limit that are told so; those beyond these are closed without a word. */
const maxRefused = 32;
/** How long a count serves. */
const countServesMs = 100;

interface Descriptors {
  readonly limit: () => number | null;
  readonly free: () => number | null;
}

const processDescriptors: Descriptors = {
  limit: descriptorLimit,
  free: freeDescriptors,
};

/** So many that each may have a file open as well (V2-653). */
export function connectionLimit(descriptors: number | null): number {
  const available = ((descriptors ?? Infinity) - ownDescriptors) / 2;
  return Math.min(maxConnections, Math.max(minConnections, available));
}

/** Throws `address-in-use` when another program has the port; never takes a different one. */
export async function startHttpServer(
  listener: RequestListener,
  options: HttpServerOptions,
): Promise<HttpServer> {
  const { headersMs, stillMs, checkIntervalMs } =
    options.timeouts ?? defaultTimeouts;
  const { tls } = options;
  const open = tls
    ? (limits: ServerOptions, listener: RequestListener) =>
        createTlsServer({ ...tls, ...limits }, listener) as Server
    : createServer;
  const server = open(
    {
      // A request line and headers of an honest client fit into 16 KiB.
      maxHeaderSize: 16 * 1024,
      headersTimeout: headersMs,
      // An upload of 1 GB over a slow link takes its time; a stalled one is cut as a slow client.
      requestTimeout: 0,
      keepAliveTimeout: 5_000,
      // A timer of Node's own, which wakes the process even while nobody is connected.
      connectionsCheckingInterval: Math.max(checkIntervalMs, headersMs / 2),
      // The listener speaks to those without Host too, in its own words.
      requireHostHeader: false,
    },
    withScheduler(listener, options, (socket) => crowded.has(socket)),
  );
  const crowded = limitConnections(
    server,
    options.descriptors ?? processDescriptors,
  );
  const refuse = refusing(options.refusal, answersUnderWay(server));
  const stopWatching = watchSlowClients(
    server,
    {
      stillMs,
      checkIntervalMs,
      // 500 bytes a second: slower than any modem that still carries a browser.
      minBodyBytes: 16 * 1024,
      maxBacklogBytes: 256 * 1024 * 1024,
    },
    (socket) => refuse(socket, 408),
  );
  answerUnreadable(server, refuse);
  const stopLingering = lingerBeforeClose(
    server,
    options.linger ?? defaultLinger,
  );
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    host: options.host,
    port,
    stop: (graceMs) => {
      stopWatching();
      stopLingering();
      return stop(server, graceMs);
    },
  };
}

const againAfterSeconds = 1;

/** Who sends faster than anybody could answer is told to wait, and who comes while too many are connected. */
function withScheduler(
  listener: RequestListener,
  { requestScheduler, refusal }: HttpServerOptions,
  isCrowded: (socket: Socket) => boolean,
): RequestListener {
  return (request, response) => {
    const isOneTooMany = isCrowded(request.socket);
    if (
      !isOneTooMany &&
      requestScheduler.take(response, () => listener(request, response))
    )
      return;
    if (isOneTooMany) response.setHeader("Connection", "close");
    const sentence = isOneTooMany
      ? "Too many connections are open already."
      : "Too many requests of this connection wait already.";
    const body = JSON.stringify(refusal(sentence));
    response
      .writeHead(503, {
        "Content-Type": "application/json; charset=utf-8",
        "Content-Length": Buffer.byteLength(body),
        "Retry-After": againAfterSeconds,
      })
      .end(body);
  };
}

/** Those that came when there were too many, or hardly a descriptor was left: they are told so with their first request. */
function limitConnections(
  server: Server,
  { limit, free }: Descriptors,
): WeakSet<Socket> {
  const most = connectionLimit(limit());
  server.maxConnections = most + maxRefused;
  const crowded = new WeakSet<Socket>();
  let open = 0;
  let counted = { atMs: -Infinity, isShort: false };
  const isShort = (): boolean => {
    const atMs = performance.now();
    if (atMs - counted.atMs < countServesMs) return counted.isShort;
    const [now, all] = [free(), limit()];
    // The first half of what is kept back is for clients: somebody may have a message for the screen.
    const isTooFew =
      now !== null && all !== null && now < Math.floor(minFree(all) / 2);
    counted = { atMs, isShort: isTooFew };
    return isTooFew;
  };
  // Under TLS requests come on the socket inside.
  const connected =
    server instanceof TlsServer ? "secureConnection" : "connection";
  server.on(connected, (socket: Socket) => {
    open += 1;
    socket.once("close", () => (open -= 1));
    if (open > most || isShort()) crowded.add(socket);
  });
  return crowded;
}

type Refuse = (socket: Socket, status: number) => void;

const sentences: Readonly<Record<number, string>> = {
  405: "This method is not possible here.",
  408: "The request did not arrive in time.",
  413: "The body is larger than allowed.",
  417: "This expectation cannot be met.",
  431: "The headers are larger than the 16 KiB allowed.",
};

/** After the sentence the other side may read it for so long; what it still sends would else wipe it out. */
const lingerMs = 500;

/** Whether an answer has begun on this connection: nothing may be said into the middle of it. */
function answersUnderWay(server: Server): (socket: Socket) => boolean {
  const underWay = new WeakMap<Socket, readonly ServerResponse[]>();
  const of = (socket: Socket): readonly ServerResponse[] =>
    underWay.get(socket)?.filter(({ closed }) => !closed) ?? [];
  server.on(
    "request",
    ({ socket }: IncomingMessage, response: ServerResponse) => {
      underWay.set(socket, [...of(socket), response]);
    },
  );
  return (socket) => of(socket).some((answer) => answer.headersSent);
}

/** Says a sentence on the bare connection and ends it; on one that is already being answered it only ends it. */
function refusing(
  refusal: (sentence: string) => unknown,
  isAnswering: (socket: Socket) => boolean,
): Refuse {
  return (socket, status) => {
    if (!socket.writable || isAnswering(socket)) {
      socket.destroy();
      return;
    }
    const body = JSON.stringify(
      refusal(sentences[status] ?? "The request is no valid HTTP."),
    );
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        "Content-Type: application/json; charset=utf-8",
        `Content-Length: ${Buffer.byteLength(body)}`,
        "Connection: close",
        "",
        body,
      ].join("\r\n"),
      () => setTimeout(() => socket.destroy(), lingerMs).unref(),
    );
  };
}

/** What never becomes a request: headers too large or too late, no HTTP at all, tunnels, odd expectations. */
function answerUnreadable(server: Server, refuse: Refuse): void {
  const statuses: Readonly<Record<string, number>> = {
    HPE_HEADER_OVERFLOW: 431,
    HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
    ERR_HTTP_REQUEST_TIMEOUT: 408,
  };
  server.on("clientError", (error, socket) => {
    refuse(socket as Socket, statuses[systemCode(error) ?? ""] ?? 400);
  });
  server.on("connect", (_request: IncomingMessage, socket) =>
    refuse(socket as Socket, 405),
  );
  server.on("checkExpectation", (request: IncomingMessage) =>
    refuse(request.socket, 417),
  );
}

function listen(server: Server, options: HttpServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const taken = systemCode(error) === "EADDRINUSE";
      reject(
        taken
          ? new OutsideError(
              "address-in-use",
              `Port ${options.port} of ${options.host} is used by another program.`,
              error,
            )
          : error,
      );
    });
    server.listen(options.port, options.host, resolve);
  });
}

function stop(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(late);
      resolve();
    });
    server.closeIdleConnections();
  });
}
