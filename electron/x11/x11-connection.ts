// A connection to the X server besides Chromium's own: just enough of protocol 11 for what Electron cannot do.

import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Config } from "../config.ts";

export interface X11Connection {
  readonly setup: X11Setup;
  /** Sends requests and resolves with the replies of those that have one, in order; rejects when the server returns an error. */
  send(
    requests: readonly Buffer[],
    replies: number,
  ): Promise<readonly Buffer[]>;
  close(): void;
}

/** From the server's connection setup; of the first screen only. */
export interface X11Setup {
  readonly root: number;
  /** Identifiers of this client's own resources are this number plus 1 to `idMask`. */
  readonly idBase: number;
  readonly idMask: number;
  /** Whether pixels are blue, green, red and one unused byte. */
  readonly isPlainColour: boolean;
}

/** A local server answers at once; one that does not is of no use. */
const timeoutMs = 2000;
const cookieName = "MIT-MAGIC-COOKIE-1";
const headBytes = 32;

/** Rejects where there is no X server on this machine, or none that accepts this user. */
export async function connectX11(
  { xDisplay, xAuthority }: Pick<Config, "xDisplay" | "xAuthority">,
  responseTimeoutMs = timeoutMs,
): Promise<X11Connection> {
  const number = /^(?:unix)?:(\d+)/.exec(xDisplay ?? "")?.[1];
  if (process.platform !== "linux" || number === undefined)
    throw new Error("there is no X server on this PC");
  const socket = connect(`/tmp/.X11-unix/X${number}`);
  const input = readInput(socket);
  try {
    socket.write(greeting(cookieFor(number, xAuthority)));
    const setup = setupOf(await input.welcome(responseTimeoutMs));
    const exchange = async (
      requests: readonly Buffer[],
      replies: number,
    ): Promise<readonly Buffer[]> => {
      socket.write(Buffer.concat(requests));
      const received: Buffer[] = [];
      try {
        while (received.length < replies)
          received.push(await input.reply(responseTimeoutMs));
      } catch (error) {
        // A late reply would be taken for that of the next request.
        socket.destroy();
        throw error;
      }
      return received;
    };
    let last: Promise<unknown> = Promise.resolve();
    return {
      setup,
      // One after the other: replies are matched by their order.
      send: (requests, replies) => {
        const mine = last.then(() => exchange(requests, replies));
        last = mine.catch(() => undefined);
        return mine;
      },
      close: () => socket.destroy(),
    };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Splits the server's stream into replies; events are ignored. */
function readInput(socket: Socket) {
  let chunks: Buffer[] = [];
  let length = 0;
  let notify = (): void => undefined;
  let lostError: Error | null = null;
  socket.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    notify();
  });
  const fail = (error: Error): void => {
    lostError = error;
    notify();
  };
  socket.on("error", fail);
  socket.on("close", () =>
    fail(new Error("the X server closed the connection")),
  );

  function peek(bytes: number): Buffer {
    if (chunks.length > 1 && (chunks[0]?.length ?? 0) < bytes)
      chunks = [Buffer.concat(chunks)];
    return chunks[0] ?? Buffer.alloc(0);
  }

  /** Waits until this many bytes have arrived, and takes them. */
  async function take(
    bytesIn: (head: Buffer) => number,
    headLength: number,
    withinMs: number,
  ): Promise<Buffer> {
    const until = performance.now() + withinMs;
    for (;;) {
      const expectedLength =
        length < headLength ? headLength : bytesIn(peek(headLength));
      if (length >= headLength && length >= expectedLength) {
        const all = peek(length);
        chunks = [all.subarray(expectedLength)];
        length -= expectedLength;
        return all.subarray(0, expectedLength);
      }
      if (lostError) throw lostError;
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(
          () => reject(new Error("the X server does not respond")),
          Math.max(0, until - performance.now()),
        );
        notify = () => {
          clearTimeout(late);
          resolve();
        };
      });
    }
  }

  return {
    welcome: async (withinMs: number): Promise<Buffer> => {
      const answer = await take(
        (head) => 8 + head.readUInt16LE(6) * 4,
        8,
        withinMs,
      );
      if (answer[0] !== 1)
        throw new Error("the X server refused the connection");
      return answer;
    },
    reply: async (withinMs: number): Promise<Buffer> => {
      for (;;) {
        const answer = await take(
          (head) => headBytes + (head[0] === 1 ? head.readUInt32LE(4) * 4 : 0),
          headBytes,
          withinMs,
        );
        if (answer[0] === 0) throw new Error("the X server rejected a request");
        if (answer[0] === 1) return answer;
      }
    },
  };
}

/** The connection setup of protocol 11.0, little-endian. */
function greeting(cookie: Buffer): Buffer {
  const name = Buffer.from(cookie.length > 0 ? cookieName : "");
  const head = Buffer.alloc(12);
  head.write("l");
  head.writeUInt16LE(11, 2);
  head.writeUInt16LE(name.length, 6);
  head.writeUInt16LE(cookie.length, 8);
  return Buffer.concat([head, padded(name), padded(cookie)]);
}

function setupOf(welcome: Buffer): X11Setup {
  const vendorBytes = welcome.readUInt16LE(24);
  const formats = welcome[29] ?? 0;
  const formatsAt = 40 + vendorBytes + ((4 - (vendorBytes % 4)) % 4);
  const screenAt = formatsAt + 8 * formats;
  const depth = welcome[screenAt + 38] ?? 0;
  let bits = 0;
  for (let at = formatsAt; at < screenAt; at += 8)
    if (welcome[at] === depth) bits = welcome[at + 1] ?? 0;
  const isLittleEndian = welcome[30] === 0;
  return {
    root: welcome.readUInt32LE(screenAt),
    idBase: welcome.readUInt32LE(12),
    idMask: welcome.readUInt32LE(16),
    isPlainColour: isLittleEndian && bits === 32 && depth >= 24,
  };
}

/** This user's authorization cookie; empty where the server requires none. */
function cookieFor(number: string, file: string | undefined): Buffer {
  let rest: Buffer;
  try {
    rest = readFileSync(file ?? join(homedir(), ".Xauthority"));
  } catch {
    return Buffer.alloc(0);
  }
  const take = (): Buffer => {
    const length = rest.readUInt16BE(0);
    const field = rest.subarray(2, 2 + length);
    rest = rest.subarray(2 + length);
    return field;
  };
  while (rest.length > 10) {
    rest = rest.subarray(2);
    const [, display, name, cookie] = [take(), take(), take(), take()];
    const isFor = display.length === 0 || display.toString() === number;
    if (isFor && name.toString() === cookieName) return cookie;
  }
  return Buffer.alloc(0);
}

/** A request without effect whose reply comes after everything before it is done. */
export const getInputFocus = 43;

/** A request: its opcode, its detail byte, and the rest in multiples of four bytes. */
export function request(
  opcode: number,
  detail: number,
  rest: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt8(opcode, 0);
  head.writeUInt8(detail, 1);
  head.writeUInt16LE(1 + rest.length / 4, 2);
  return Buffer.concat([head, rest]);
}

export function queryExtension(name: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt16LE(name.length, 0);
  return request(98, 0, Buffer.concat([length, padded(Buffer.from(name))]));
}

/** Major opcode of an extension; null where the server has none of that name. */
export async function opcodeOf(
  server: X11Connection,
  name: string,
): Promise<number | null> {
  const [answer] = await server.send([queryExtension(name)], 1);
  return answer?.[8] === 1 ? (answer[9] ?? null) : null;
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}
