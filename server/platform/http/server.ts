// HTTP server with limits on connections, timeouts and descriptors, and a stop with a deadline.

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
import { slowClientLimits, watchSlowClients } from "./slow-clients.ts";
import type { TlsPair } from "./tls-files.ts";
import {
  answerUpgrades,
  isWebSocketRequest,
  onUpgradeAccepted,
} from "./upgrade.ts";
import type { RequestScheduler } from "../request-scheduler.ts";

export interface HttpServer {
  readonly host: string;
  readonly port: number;
  /** New connections get this certificate. Only for a server that was started with one. */
  replaceCertificate(pair: TlsPair): void;
  /** Closes idle connections immediately and the others after this time. */
  stop(graceMs: number): Promise<void>;
}

export interface HttpServerOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** JSON error body for clients that did not get as far as a request. */
  readonly refusal: (sentence: string) => unknown;
  readonly requestScheduler: RequestScheduler;
  readonly timeouts?: ConnectionTimeouts | undefined;
  readonly linger?: LingerLimits | undefined;
  /** Replaces what the system allows this process. */
  readonly descriptors?: Descriptors | undefined;
  /** With it the server accepts only HTTPS. */
  readonly tls?: TlsPair | undefined;
  /** How many connections may be WebSockets, besides the others; by default the server has none. */
  readonly maxWebSockets?: number | undefined;
  /** When a client that is turned away may come back; by default in a second. */
  readonly retryAfterSeconds?:
    | ((request: IncomingMessage) => number)
    | undefined;
  /** Called once when another program has the port, which is then waited for; without it, that is an error. */
  readonly onPortTaken?: ((message: string) => void) | undefined;
}

/** Timeouts for clients. */
interface ConnectionTimeouts {
  readonly headersMs: number;
  /** Without a byte moving while the client owes a body or does not read its response. */
  readonly stillMs: number;
  readonly checkIntervalMs: number;
}

const defaultTimeouts: ConnectionTimeouts = {
  // A normal client sends its headers within seconds.
  headersMs: 10_000,
  stillMs: slowClientLimits.stillMs,
  checkIntervalMs: slowClientLimits.checkIntervalMs,
};

/** A client that sends a video of 1 GB over a local network and only then reads the response still receives it. */
const defaultLinger: LingerLimits = {
  lingerMs: 30_000,
  silenceMs: 5_000,
  maxBytes: 1024 * 1024 * 1024,
};

/** Several hundred slow clients leave capacity for the others; more than any site has clients. */
const maxConnections = 1000;
/** Descriptors that the program itself needs: its files, its windows, its processes. */
const ownDescriptors = 192;
/** Even when descriptors are scarce: a manager, a phone and a monitoring system have some each. */
const minConnections = 16;
/** Connections beyond the limit that get an error response; those beyond these are closed without one. */
const maxRefused = 32;
/** How long a count is cached. */
const countServesMs = 100;

interface Descriptors {
  readonly limit: () => number | null;
  readonly free: () => number | null;
}

const processDescriptors: Descriptors = {
  limit: descriptorLimit,
  free: freeDescriptors,
};

/** As many as may each have a file open as well (V2-653). */
export function connectionLimit(descriptors: number | null): number {
  const available = ((descriptors ?? Infinity) - ownDescriptors) / 2;
  return Math.min(maxConnections, Math.max(minConnections, available));
}

/** Throws `address-in-use` when another program uses the port and it is not to be waited for; never selects a different one. */
export async function startHttpServer(
  listener: RequestListener,
  options: HttpServerOptions,
): Promise<HttpServer> {
  const { headersMs, stillMs, checkIntervalMs } =
    options.timeouts ?? defaultTimeouts;
  const { tls, maxWebSockets = 0 } = options;
  const scheduled = withScheduler(listener, options, (socket) =>
    crowded.has(socket),
  );
  const open = tls
    ? (limits: ServerOptions, listener: RequestListener) =>
        createTlsServer(
          // The time for the headers begins only after the handshake.
          { ...tls, ...limits, handshakeTimeout: headersMs },
          listener,
        ) as Server
    : createServer;
  const server = open(
    {
      // Request line and headers of a normal client fit into 16 KiB.
      maxHeaderSize: 16 * 1024,
      headersTimeout: headersMs,
      // An upload of 1 GB over a slow link takes its time; a stalled one is closed as a slow client.
      requestTimeout: 0,
      keepAliveTimeout: 5_000,
      // A timer of Node's own, which wakes the process even while there are no connections.
      connectionsCheckingInterval: Math.max(checkIntervalMs, headersMs / 2),
      // The server answers requests without Host itself, with its own error message.
      requireHostHeader: false,
      ...(maxWebSockets > 0 && { shouldUpgradeCallback: isWebSocketRequest }),
    },
    scheduled,
  );
  const crowded = limitConnections(
    server,
    options.descriptors ?? processDescriptors,
    maxWebSockets,
  );
  if (maxWebSockets > 0) answerUpgrades(server, scheduled);
  const refuse = refusing(options.refusal, answersUnderWay(server));
  const stopWatching = watchSlowClients(
    server,
    { ...slowClientLimits, stillMs, checkIntervalMs },
    (socket) => refuse(socket, 408),
  );
  answerUnreadable(server, refuse);
  const stopLingering = lingerBeforeClose(
    server,
    options.linger ?? defaultLinger,
  );
  const unencrypted = socketsBelowTls(server);
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    host: options.host,
    port,
    replaceCertificate: (pair) => {
      if (!(server instanceof TlsServer))
        throw new Error("A server without TLS has no certificate.");
      server.setSecureContext(pair);
    },
    stop: (graceMs) => {
      stopWatching();
      stopLingering();
      return stop(server, graceMs, unencrypted);
    },
  };
}

const againAfterSeconds = 1;

/** Rejects requests that arrive faster than they can be answered, and those of too many connections. */
function withScheduler(
  listener: RequestListener,
  {
    requestScheduler,
    refusal,
    retryAfterSeconds = () => againAfterSeconds,
  }: HttpServerOptions,
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
      ? "Too many connections are open."
      : "Too many requests are waiting on this connection.";
    const body = JSON.stringify(refusal(sentence));
    response
      .writeHead(503, {
        "Content-Type": "application/json; charset=utf-8",
        "Content-Length": Buffer.byteLength(body),
        "Retry-After": retryAfterSeconds(request),
      })
      .end(body);
  };
}

/**
 * Connections that were opened beyond the limit, or when hardly a descriptor was left: their first request gets an error response.
 */
function limitConnections(
  server: Server,
  { limit, free }: Descriptors,
  maxWebSockets: number,
): WeakSet<Socket> {
  const most = connectionLimit(limit());
  // Thousands of players may connect at once: each must get a response that says how long to wait.
  const refused =
    maxWebSockets > 0 ? Math.max(maxRefused, most / 2) : maxRefused;
  server.maxConnections = most + refused + maxWebSockets;
  const crowded = new WeakSet<Socket>();
  const counted = new WeakSet<Socket>();
  let open = 0;
  const leave = (socket: Socket): void => {
    if (counted.delete(socket)) open -= 1;
  };
  function leaveThis(this: Socket): void {
    leave(this);
  }
  let descriptors = { atMs: -Infinity, isShort: false };
  const isShort = (): boolean => {
    const atMs = performance.now();
    if (atMs - descriptors.atMs < countServesMs) return descriptors.isShort;
    const [now, all] = [free(), limit()];
    // The first half of the reserve is for clients: one of them may have a message for the screen.
    const isTooFew =
      now !== null && all !== null && now < Math.floor(minFree(all) / 2);
    descriptors = { atMs, isShort: isTooFew };
    return isTooFew;
  };
  // With TLS, requests arrive on the inner socket.
  const connected =
    server instanceof TlsServer ? "secureConnection" : "connection";
  server.on(connected, (socket: Socket) => {
    if (open >= most + refused) {
      socket.destroy();
      return;
    }
    open += 1;
    counted.add(socket);
    socket.on("close", leaveThis);
    if (open > most || isShort()) crowded.add(socket);
  });
  // Open WebSockets are limited where they are accepted.
  if (maxWebSockets > 0)
    server.on("upgrade", (_request: IncomingMessage, socket: Socket) =>
      leave(socket),
    );
  onUpgradeAccepted(server, (socket) => socket.off("close", leaveThis));
  return crowded;
}

type Refuse = (socket: Socket, status: number) => void;

const sentences: Readonly<Record<number, string>> = {
  405: "This method is not supported here.",
  408: "The request did not arrive in time.",
  413: "The body is too large.",
  417: "This expectation is not supported.",
  431: "The headers are larger than the limit of 16 KiB.",
};

/** How long the client may read the error response; unread bytes that it still sends would otherwise discard it. */
const lingerMs = 500;

/** Whether a response has begun on this connection: nothing may be written into the middle of it. */
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

/** Sends an error response on the bare connection and closes it; if a response has already begun, only closes it. */
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
      refusal(sentences[status] ?? "The request is not valid HTTP."),
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

/** Answers what never becomes a request: headers too large or too late, invalid HTTP, tunnels, unknown expectations. */
function answerUnreadable(server: Server, refuse: Refuse): void {
  const statuses: Readonly<Record<string, number>> = {
    HPE_HEADER_OVERFLOW: 431,
    HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
    ERR_HTTP_REQUEST_TIMEOUT: 408,
  };
  const encrypted = new WeakSet<object>();
  server.on("secureConnection", (socket: Socket) => {
    encrypted.add(socket);
  });
  server.on("clientError", (error, socket) => {
    const isReadable = !(server instanceof TlsServer) || encrypted.has(socket);
    // Before the handshake is complete nothing can be sent, and so the connection would never end.
    if (isReadable)
      refuse(socket as Socket, statuses[systemCode(error) ?? ""] ?? 400);
    else socket.destroy();
  });
  server.on("connect", (_request: IncomingMessage, socket) =>
    refuse(socket as Socket, 405),
  );
  server.on("checkExpectation", (request: IncomingMessage) =>
    refuse(request.socket, 417),
  );
}

/** How often a port that another program has is tried again. */
const portRetryMs = 2000;

async function listen(
  server: Server,
  options: HttpServerOptions,
): Promise<void> {
  const { host, port, onPortTaken } = options;
  for (let isReported = false; ; isReported = true) {
    const taken = await listenOnce(server, options);
    if (taken === null) return;
    const message = `Port ${port} on ${host} is already in use by another program.`;
    if (!onPortTaken) throw new OutsideError("address-in-use", message, taken);
    if (!isReported) onPortTaken(message);
    await new Promise((resolve) => setTimeout(resolve, portRetryMs));
  }
}

/** Resolves to why it does not listen where another program has the port. */
function listenOnce(
  server: Server,
  { host, port }: HttpServerOptions,
): Promise<Error | null> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      if (systemCode(error) === "EADDRINUSE") resolve(error);
      else reject(error);
    });
    server.listen(port, host, () => resolve(null));
  });
}

/** With TLS, the server itself closes only connections whose handshake is complete. */
function socketsBelowTls(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  if (server instanceof TlsServer)
    server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
  return sockets;
}

function stop(
  server: Server,
  graceMs: number,
  unencrypted: ReadonlySet<Socket>,
): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => {
      server.closeAllConnections();
      for (const socket of unencrypted) socket.destroy();
    }, graceMs);
    server.close(() => {
      clearTimeout(late);
      resolve();
    });
    server.closeIdleConnections();
  });
}
