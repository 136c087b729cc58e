// An X server whose displays, side by side, are connected and disconnected on request, and what is visible on each.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { afterThisTest } from "../after-this-test.ts";
import { temporaryFolder } from "../folder.ts";
import type { Colour } from "../media/media.ts";
import type { VirtualScreen } from "./screen.ts";

const run = promisify(execFile);
const width = 1280;
const height = 720;

export interface Displays {
  /** In its initial state. */
  readonly screen: VirtualScreen;
  /** This many from now on, from left to right, each of this size. */
  plug(count: number, size?: DisplaySize): Promise<void>;
  /** The mean colour of one of them. */
  colourOf(index: number): Promise<Colour>;
}

export interface DisplaySize {
  readonly width: number;
  readonly height: number;
}

export async function openDisplays(count: number): Promise<Displays> {
  const socket = path.join(await temporaryFolder(), "remote");
  const server = spawn(
    "Xvnc",
    [
      ...["-displayfd", "3", "-geometry", `${width}x${height}`, "-depth", "24"],
      ...["-SecurityTypes", "None", "-AcceptSetDesktopSize"],
      ...["-rfbport", "-1", "-rfbunixpath", socket],
    ],
    { stdio: ["ignore", "ignore", "ignore", "pipe"] },
  );
  const ended = once(server, "exit");
  const close = async (): Promise<void> => {
    server.kill();
    await ended;
  };
  afterThisTest(close);
  const ready = server.stdio[3] as NodeJS.ReadableStream;
  const [number] = (await once(ready, "data")) as [Buffer];
  const display = `:${number.toString().trim()}`;
  const send = await connect(socket);
  let size: DisplaySize = { width, height };
  const plug: Displays["plug"] = async (now, of = { width, height }) => {
    await send(now, of);
    size = of;
  };
  await plug(count);

  return {
    screen: { display, width: count * width, height, close },
    plug,
    colourOf: async (index) => {
      const { stdout } = await run(
        "ffmpeg",
        [
          ...["-v", "error", "-f", "x11grab", "-draw_mouse", "0"],
          ...["-grab_x", String(index * size.width), "-video_size"],
          ...[`${size.width}x${size.height}`, "-i", display],
          ...["-frames:v", "1"],
          ...["-vf", "scale=1:1:flags=area", "-pix_fmt", "rgb24"],
          ...["-f", "rawvideo", "pipe:1"],
        ],
        { encoding: "buffer" },
      );
      return [stdout[0] ?? 0, stdout[1] ?? 0, stdout[2] ?? 0];
    },
  };
}

/** A remote viewer sets the layout of the server's displays (RFB 3.8, its extended desktop size). */
async function connect(
  address: string,
): Promise<(count: number, size: DisplaySize) => Promise<void>> {
  const wire = net.connect(address);
  afterThisTest(() => Promise.resolve(wire.destroy()));
  const read = (length: number): Promise<Buffer> =>
    new Promise((resolve) => {
      const tryRead = (): void => {
        const bytes = wire.read(length) as Buffer | null;
        if (bytes) resolve(bytes);
        else wire.once("readable", tryRead);
      };
      tryRead();
    });
  await read(12);
  wire.write("RFB 003.008\n");
  const [kinds = 0] = await read(1);
  await read(kinds);
  wire.write(Uint8Array.of(1)); // no authentication
  await read(4);
  wire.write(Uint8Array.of(1)); // shared with other clients
  await read(20);
  await read((await read(4)).readUInt32BE());
  const encodings = Buffer.from([2, 0, 0, 1, 0, 0, 0, 0]);
  encodings.writeInt32BE(extendedDesktopSize, 4);
  wire.write(encodings);
  return async (count, size) => {
    wire.write(layoutOf(count, size));
    for (;;) {
      wire.write(oneDot);
      const status = await layoutNotified(read);
      if (status === 0) return;
      if (status !== null)
        throw new Error(`The layout was refused (${status}).`);
    }
  };
}

const extendedDesktopSize = -308;
/** A request for one pixel also returns a new layout. */
const oneDot = Buffer.from([3, 0, 0, 0, 0, 0, 0, 1, 0, 1]);
const byThisClient = 1;

/** The status in the next update of this client's request, 0 when it was carried out; null when the update contains none. */
async function layoutNotified(
  read: (length: number) => Promise<Buffer>,
): Promise<number | null> {
  let status: number | null = null;
  const rectangles = (await read(4)).readUInt16BE(2);
  for (let index = 0; index < rectangles; index += 1) {
    const head = await read(12);
    if (head.readInt32BE(8) !== extendedDesktopSize) {
      await read(4 * head.readUInt16BE(4) * head.readUInt16BE(6));
      continue;
    }
    const [displays = 0] = await read(4);
    await read(16 * displays);
    if (head.readUInt16BE(0) === byThisClient) status = head.readUInt16BE(2);
  }
  return status;
}

function layoutOf(count: number, { width, height }: DisplaySize): Buffer {
  const message = Buffer.alloc(8 + 16 * count);
  message.writeUInt8(251, 0);
  message.writeUInt16BE(count * width, 2);
  message.writeUInt16BE(height, 4);
  message.writeUInt8(count, 6);
  for (let index = 0; index < count; index += 1) {
    const at = 8 + 16 * index;
    message.writeUInt32BE(index, at);
    message.writeUInt16BE(index * width, at + 4);
    message.writeUInt16BE(width, at + 8);
    message.writeUInt16BE(height, at + 10);
  }
  return message;
}
