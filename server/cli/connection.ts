// The content service or the player that a command is about, and its answers as values or failures.

import { codeOfStatus } from "../contract/code-of-status.ts";
import { Failure, type FailureCode } from "../core/failure.ts";
import {
  createClientV2,
  createClientV3,
  type ClientOptions,
  type ClientV2,
  type ClientV3,
} from "../client/client.ts";

export interface DownloadedFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

interface Common {
  /** As it was given, without a slash at its end. */
  readonly address: string;
  /** Whether files of this PC may be read and sent. */
  readonly mayReadFiles: boolean;
  /** Milliseconds since 1970, by the clock of this PC. */
  readonly now: () => number;
}

interface Connected extends Common {
  /** The same by the clock of what it leads to, as of its last response; by this PC's before one. */
  readonly serverNow: () => number;
  /** What is at this address, which it has named. Throws a Failure, also for one that is larger. */
  readonly download: (url: string, maxBytes: number) => Promise<DownloadedFile>;
}

export interface ServiceConnection extends Connected {
  readonly kind: "service";
  readonly client: ClientV3;
}

export interface PlayerConnection extends Connected {
  readonly kind: "player";
  readonly client: ClientV2;
}

export type Connection = ServiceConnection | PlayerConnection;

export interface ConnectionOptions extends Common {
  readonly kind: Connection["kind"];
  readonly key: string | undefined;
}

/** Long enough for a list of ten thousand screens. */
const answerMs = 60_000;
/** A file of a gigabyte over a slow uplink. */
const uploadMs = 3_600_000;

export function connect({ key, ...options }: ConnectionOptions): Connection {
  const { kind, address, mayReadFiles, now } = options;
  let aheadMs = 0;
  const request = fetchFrom(address);
  const common = {
    ...{ address, mayReadFiles, now, download },
    serverNow: () => now() + aheadMs,
  };
  const client: ClientOptions = {
    ...{ address, key },
    fetch: async (sent) => {
      const response = await request(sent);
      const date = Date.parse(response.headers.get("date") ?? "");
      if (!Number.isNaN(date)) aheadMs = date - now();
      return response;
    },
  };
  return kind === "service"
    ? { ...common, kind, client: createClientV3(client) }
    : { ...common, kind, client: createClientV2(client) };
}

async function download(
  url: string,
  maxBytes: number,
): Promise<DownloadedFile> {
  // Perhaps a storage of its own.
  const { origin } = new URL(url);
  const response = await fetchFrom(origin)(new Request(url));
  const { status, headers } = response;
  if (!response.ok) {
    await response.body?.cancel();
    throw new Failure(
      codeOf(status),
      `Cannot download the file from ${origin} (status ${status}). Try again later.`,
    );
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const body: AsyncIterable<Uint8Array> | null = response.body;
    for await (const chunk of body ?? []) {
      size += chunk.length;
      if (size > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw unreachable(origin, error);
  }
  if (size > maxBytes)
    throw new Failure(
      "too-large",
      `The file at ${origin} is larger than ${maxBytes} bytes.`,
    );
  return {
    bytes: Buffer.concat(chunks),
    mediaType: headers.get("content-type") ?? "",
  };
}

function fetchFrom(address: string) {
  return async (request: Request): Promise<Response> => {
    const isUpload = /\/(upload|file_asset)\/?$/.test(request.url);
    const signal = AbortSignal.timeout(isUpload ? uploadMs : answerMs);
    try {
      return await fetch(request, { signal });
    } catch (error) {
      throw unreachable(address, error);
    }
  };
}

function unreachable(address: string, error: unknown): Failure {
  const { cause } = error as { readonly cause?: unknown };
  const reason =
    error instanceof DOMException && error.name === "TimeoutError"
      ? "it did not respond in time"
      : ((cause as Partial<Error> | undefined)?.message ??
        (error as Error).message);
  return new Failure(
    "unavailable",
    `Cannot reach ${address}: ${reason || "no connection"}. Check the address, and make sure that a service or player is running there.`,
  );
}

interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** The data of a successful answer; throws the failure that any other one stands for. */
export async function dataOf<Data>(
  connection: Connection,
  request: Promise<Answer<Data>>,
): Promise<Data> {
  return (await taggedDataOf(connection, request)).data;
}

/** The same with the tag under which a change can require that nobody else has changed it (V3-150). */
export async function taggedDataOf<Data>(
  connection: Connection,
  request: Promise<Answer<Data>>,
): Promise<{ readonly data: Data; readonly tag: string | null }> {
  const { data, error, response } = await request.catch((reason: unknown) => {
    if (reason instanceof SyntaxError) throw noVitrine(connection);
    // The connection was lost, or the time was over, while the body was read.
    if (reason instanceof TypeError || reason instanceof DOMException)
      throw unreachable(connection.address, reason);
    throw reason;
  });
  if (!response.ok) throw failureFrom(connection, response.status, error);
  return { data: data as Data, tag: response.headers.get("etag") };
}

/** Null if there is nothing with this identifier. */
export async function dataOrNull<Data>(
  connection: Connection,
  request: Promise<Answer<Data>>,
): Promise<Data | null> {
  try {
    return await dataOf(connection, request);
  } catch (error) {
    if (error instanceof Failure && error.code === "not-found") return null;
    throw error;
  }
}

function noVitrine({ address, kind }: Connection): Failure {
  const what = kind === "service" ? "a content service" : "a player";
  return new Failure(
    "corrupt",
    `Unexpected response from ${address}. Check that it is the address of ${what}.`,
  );
}

function codeOf(status: number): FailureCode {
  return codeOfStatus[status] ?? (status >= 500 ? "unavailable" : "corrupt");
}

function failureFrom(
  connection: Connection,
  status: number,
  body: unknown,
): Failure {
  const code = codeOf(status);
  if (status === 401) return new Failure(code, unauthorized(connection));
  const sentence = sentenceIn(body);
  if (sentence !== null) return new Failure(code, sentence);
  return status >= 500
    ? new Failure(
        "unavailable",
        `${connection.address} is not available (status ${status}). Try again later.`,
      )
    : noVitrine(connection);
}

function unauthorized({ address, kind }: Connection): string {
  return kind === "service"
    ? `${address} does not accept the key. Set VITRINE_KEY, --key-file or --key to an API key of this service.`
    : `${address} needs an access token. Set VITRINE_PLAYER_KEY, --key-file or --key to one of this player.`;
}

const maxSentenceLength = 1000;

/** `{"detail": "sentence"}`, or sentences by field; null for anything else. */
function sentenceIn(body: unknown): string | null {
  if (typeof body !== "object" || body === null) return null;
  const { detail } = body as { readonly detail?: unknown };
  const sentences: unknown[] =
    detail === undefined ? Object.values(body).flat() : [detail];
  return sentences.length > 0 &&
    sentences.every((each) => typeof each === "string")
    ? sentences.join(" ").slice(0, maxSentenceLength)
    : null;
}
