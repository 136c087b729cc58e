// The last frame of the playback window, kept by the X server: it fills the window while the graphics process restarts, which takes
// its drawing with it and would leave the window black.

import type { Config } from "../config.ts";
import {
  connectX11,
  getInputFocus,
  request,
  type X11Connection,
} from "./x11-connection.ts";

export interface LastFrame {
  /** Copies what the window shows now, and makes it the window's background. */
  keep(): Promise<void>;
  /** The kept frame is no longer what should be on the screen: the background is black again. */
  forget(): Promise<void>;
  /** Lays the kept frame over everything in the window; resolves with false where there is none. */
  cover(): Promise<boolean>;
  uncover(): Promise<void>;
  close(): void;
}

const opcodes = {
  createWindow: 1,
  changeWindowAttributes: 2,
  destroyWindow: 4,
  mapWindow: 8,
  getGeometry: 14,
  createPixmap: 53,
  freePixmap: 54,
  createGraphicsContext: 55,
  freeGraphicsContext: 60,
  copyArea: 62,
  fillRectangle: 70,
} as const;

/** Attributes of windows: the background, as a pixmap or as a pixel. */
const [byPixmap, byPixel] = [1, 2];
/** Class of a window that can be drawn to, above its border width of 0. */
const inputOutput = 1 << 16;
const black = 0;
/** Black, including what child windows show, without events for what other windows hide. */
const copying = [(1 << 2) | (1 << 15) | (1 << 16), 0, 1, 0] as const;

/** On another system, or where the server refuses it, nothing is kept, and every call resolves. */
export function createX11LastFrame(
  config: Pick<Config, "xDisplay" | "xAuthority">,
  windowId: () => number,
): LastFrame {
  let connecting: Promise<X11Connection> | null = null;
  let isClosed = false;
  let lastId = 0;
  let kept: { readonly pixmap: number; readonly size: number } | null = null;
  let coverId: number | null = null;
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other. What the server held for a lost connection went with it. */
  function queued<T>(
    otherwise: T,
    act: (server: X11Connection) => Promise<T>,
  ): Promise<T> {
    const mine = last.then(async () => {
      if (isClosed) return otherwise;
      connecting ??= connectX11(config);
      try {
        return await act(await connecting);
      } catch {
        connecting?.then((server) => server.close()).catch(() => undefined);
        connecting = null;
        kept = coverId = null;
        return otherwise;
      }
    });
    last = mine;
    return mine;
  }

  function newId({ setup }: X11Connection): number {
    lastId = (lastId % setup.idMask) + 1;
    return setup.idBase + lastId;
  }

  async function copyWindow(server: X11Connection): Promise<void> {
    const window = windowId();
    const [answer] = await server.send([about(opcodes.getGeometry, window)], 1);
    if (!answer) return;
    const depth = answer.readUInt8(1);
    /** Width and height, two bytes each. */
    const size = answer.readUInt32LE(16);
    const [pixmap, context] = [newId(server), newId(server)];
    const before = kept;
    const origin = 0;
    await done(server, [
      request(opcodes.createPixmap, depth, words(pixmap, window, size)),
      about(opcodes.createGraphicsContext, context, window, ...copying),
      // What other windows hide cannot be copied.
      about(opcodes.fillRectangle, pixmap, context, origin, size),
      about(opcodes.copyArea, window, pixmap, context, origin, origin, size),
      about(opcodes.freeGraphicsContext, context),
      about(opcodes.changeWindowAttributes, window, byPixmap, pixmap),
      ...(before ? [about(opcodes.freePixmap, before.pixmap)] : []),
    ]);
    kept = { pixmap, size };
  }

  return {
    keep: () => queued(undefined, copyWindow),
    forget: () =>
      queued(undefined, async (server) => {
        if (!kept) return;
        const { pixmap } = kept;
        kept = null;
        await done(server, [
          about(opcodes.changeWindowAttributes, windowId(), byPixel, black),
          about(opcodes.freePixmap, pixmap),
        ]);
      }),
    cover: () =>
      queued(false, async (server) => {
        if (!kept || coverId !== null) return kept !== null;
        coverId = newId(server);
        const { pixmap, size } = kept;
        const [origin, visualOfWindow] = [0, 0];
        const place = [coverId, windowId(), origin, size, inputOutput] as const;
        await done(server, [
          about(
            opcodes.createWindow,
            ...place,
            ...[visualOfWindow, byPixmap, pixmap],
          ),
          about(opcodes.mapWindow, coverId),
        ]);
        return true;
      }),
    uncover: () =>
      queued(undefined, async (server) => {
        if (coverId === null) return;
        const gone = coverId;
        coverId = null;
        await done(server, [about(opcodes.destroyWindow, gone)]);
      }),
    close: () => {
      isClosed = true;
      connecting?.then((server) => server.close()).catch(() => undefined);
    },
  };
}

/** Sends them and waits until the server has carried them out, or refused one. */
async function done(
  server: X11Connection,
  requests: readonly Buffer[],
): Promise<void> {
  await server.send([...requests, request(getInputFocus, 0)], 1);
}

/** A request about these resources, with a detail of 0. */
const about = (opcode: number, ...values: readonly number[]): Buffer =>
  request(opcode, 0, words(...values));

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, at) => bytes.writeUInt32LE(value >>> 0, 4 * at));
  return bytes;
}
