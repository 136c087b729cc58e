// Asking for bytes that go from the connection straight into the memory of whoever asks: many of them are not copied on the way.

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { OnReadOpts, Socket } from "node:net";
import { addAbortSignal } from "node:stream";
import {
  following,
  openRequest,
  send,
  SilenceError,
  type AskOptions,
} from "./http-client.ts";

/** Takes bytes as they come. What it throws ends the transfer. */
export interface ByteSink {
  /** Where the next ones go; never empty. */
  room(): Uint8Array;
  /** So many came; what it answers settles when more may come. */
  took(bytes: number): Promise<void> | null;
}

export interface BytesAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Of what is given. Answers when all have come; throws what breaks it off. */
  pourInto(sink: ByteSink): Promise<void>;
  destroy(): void;
}

export interface AskBytesOptions extends Omit<AskOptions, "method" | "body"> {
  /** So many that a connection of their own is worth while. */
  readonly areMany: boolean;
}

/** Throws what the connection throws; see `reasonOfConnection` for words. */
export async function askForBytes(
  address: URL,
  options: AskBytesOptions,
): Promise<BytesAnswer> {
  const isBareWorthIt = options.areMany && !options.proxy;
  const answer = await following(address, options, (at, asked) =>
    // Behind TLS they are copied anyway.
    isBareWorthIt && at.protocol === "http:"
      ? sendBare(at, asked)
      : send(at, asked).then(ofStream),
  );
  if (answer.isPlain) return answer;
  // Its bytes have something between them, which the parser knows how to take out.
  answer.destroy();
  return following(address, options, (at, asked) =>
    send(at, asked).then(ofStream),
  );
}

interface Answer extends BytesAnswer {
  readonly statusCode: number;
  /** Its bytes come as they are, and as many as it says. */
  readonly isPlain: boolean;
}

function ofStream(body: IncomingMessage): Answer {
  const { statusCode = 0, headers } = body;
  return {
    ...{ statusCode, status: statusCode, headers, isPlain: true },
    pourInto: async (sink) => {
      // What has ended has given its connection to others.
      const socket = () => (body.readableEnded ? null : body.socket);
      for await (const chunk of body as AsyncIterable<Buffer>)
        await copy(chunk, sink, socket);
    },
    destroy: () => void body.destroy(),
  };
}

async function copy(
  chunk: Uint8Array,
  sink: ByteSink,
  socket: () => Socket | null,
): Promise<void> {
  for (let done = 0; done < chunk.length;) {
    const room = sink.room();
    const piece = chunk.subarray(done, done + room.length);
    room.set(piece);
    done += piece.length;
    const wait = sink.took(piece.length);
    if (wait !== null) await unhurried(wait, socket);
  }
}

/** While we ourselves wait nobody reads: a connection is not silent for that. */
async function unhurried(
  wait: Promise<void>,
  socket: () => Socket | null,
): Promise<void> {
  const silenceMs = socket()?.timeout ?? 0;
  socket()?.setTimeout(0);
  try {
    await wait;
  } finally {
    socket()?.setTimeout(silenceMs);
  }
}

/** Larger than any head. */
const headBytes = 64 * 1024;

/**
 * Node reads a socket into memory of ours when asked to, but hands on what its parser saw only as copies, and those
 * cost more to clear away than to hash. So the parser gets the head alone: it lets go of the connection behind the
 * head of the answer to a CONNECT, which this request becomes once it is written down as what it is.
 */
function sendBare(address: URL, options: AskOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const tap = createTap();
    const request = openRequest(address, options, reject, {
      agent: false,
      ...{ onread: tap.onread },
    });
    request.on("socket", tap.attach);
    // A Node whose parser does not let go hands its bytes on as ever.
    request.on("response", (body) => resolve(ofStream(body)));
    request.on("connect", ({ statusCode = 0, headers }, socket, first) => {
      const { signal, silenceMs } = options;
      if (signal) addAbortSignal(signal, socket);
      socket.setTimeout(silenceMs, () => socket.destroy(new SilenceError()));
      const length = Number(headers["content-length"] ?? NaN);
      tap.letGo(first);
      resolve({
        ...{ statusCode, status: statusCode, headers },
        // Of a refusal nobody wants more than its head.
        isPlain:
          statusCode >= 300 ||
          (statusCode >= 200 &&
            headers["transfer-encoding"] === undefined &&
            Number.isSafeInteger(length)),
        pourInto: (sink) => tap.pour(sink, length),
        destroy: () => void socket.destroy(),
      });
    });
    request.end();
    request.method = "CONNECT";
  });
}

/** Where the bytes of a socket go: to its parser, and then into a sink. */
function createTap() {
  const head = Buffer.allocUnsafeSlow(headBytes);
  /** Where a socket reads to is said one read before: there it waits for its sink. */
  const bridge = Buffer.allocUnsafeSlow(1);
  let first: Buffer | null = null;
  let sink: ByteSink | null = null;
  let left = 0;
  let socket: Socket | null = null;
  let failure: Error | null = null;
  let end = (_error?: Error): void => undefined;

  /** Answers whether the next ones may come at once. */
  function count(bytes: number): boolean {
    const taken = Math.min(bytes, left);
    left -= taken;
    const wait = sink?.took(taken) ?? null;
    if (left > 0 && wait === null) return true;
    void unhurried(wait ?? Promise.resolve(), () => socket).then(
      () => (left > 0 ? socket?.resume() : end()),
      end,
    );
    return false;
  }

  function onBytes(bytes: number, memory: Uint8Array): boolean {
    if (memory.buffer === head.buffer) {
      socket?.emit("data", Buffer.from(head.subarray(0, bytes)));
      return first === null;
    }
    try {
      if (memory.buffer === bridge.buffer) sink?.room().set(bridge);
      return count(bytes);
    } catch (error) {
      end(error as Error);
      return false;
    }
  }

  async function begin(into: ByteSink, chunk: Buffer): Promise<void> {
    const taken = chunk.subarray(0, left);
    left -= taken.length;
    await copy(taken, into, () => socket);
    sink = into;
    if (left > 0) socket?.resume();
    else end();
  }

  const onread: OnReadOpts = {
    buffer: () => sink?.room() ?? (first === null ? head : bridge),
    callback: onBytes,
  };
  return {
    onread,
    attach: (opened: Socket): void => {
      socket = opened;
    },
    /** The parser gets nothing more; this came in with the head. Nothing else is read before it is asked for. */
    letGo: (behind: Buffer): void => {
      first = behind;
      socket?.on("error", (error) => {
        failure = error;
      });
    },
    pour: (into: ByteSink, length: number): Promise<void> =>
      new Promise((resolve, reject) => {
        let isOver = false;
        end = (error) => {
          if (isOver) return;
          isOver = true;
          socket?.destroy();
          if (error === undefined) resolve();
          else reject(error);
        };
        left = length;
        const brokenOff = (): void => end(failure ?? new BrokenOff());
        if (socket?.destroyed !== false) return brokenOff();
        socket.on("close", brokenOff);
        begin(into, first ?? Buffer.alloc(0)).catch(end);
      }),
  };
}

/** Named as Node names it where its parser sees it. */
class BrokenOff extends Error {
  readonly code = "ECONNRESET";

  constructor() {
    super("aborted");
  }
}
