// Blanks a screen by its X server, at once or after a while without input.

import {
  connectX11,
  getInputFocus,
  queryExtension,
  request,
} from "../../../electron/x11/x11-connection.ts";
import { afterThisTest } from "../after-this-test.ts";

export interface ScreenServer {
  readonly xDisplay: string;
  readonly xAuthority: undefined;
}

export interface SaverState {
  readonly isBlanked: boolean;
  /** Milliseconds since the last input. */
  readonly idleMs: number;
}

/** ForceScreenSaver, active. */
export async function blankScreen(place: ScreenServer): Promise<void> {
  await waitForReply(place, request(115, 1));
}

/** SetScreenSaver: blanks by itself after this many seconds. */
export async function blankAfter(
  place: ScreenServer,
  seconds: number,
): Promise<void> {
  const requestBytes = Buffer.alloc(8);
  requestBytes.writeInt16LE(seconds, 0);
  requestBytes.writeUInt8(1, 4);
  requestBytes.writeUInt8(1, 5);
  await waitForReply(place, request(107, 0, requestBytes));
}

export async function saverState(place: ScreenServer): Promise<SaverState> {
  const server = await connectX11(place);
  try {
    const [extension] = await server.send(
      [queryExtension("MIT-SCREEN-SAVER")],
      1,
    );
    const root = Buffer.alloc(4);
    root.writeUInt32LE(server.setup.root);
    const [info] = await server.send(
      [request(extension?.[9] ?? 0, 1, root)],
      1,
    );
    return {
      isBlanked: info?.[1] === 1,
      idleMs: info?.readUInt32LE(16) ?? 0,
    };
  } finally {
    server.close();
  }
}

async function waitForReply(
  place: ScreenServer,
  requestBytes: Buffer,
): Promise<void> {
  const server = await connectX11(place);
  // A server whose last client disconnects loses its settings.
  afterThisTest(() => Promise.resolve(server.close()));
  await server.send([requestBytes, request(getInputFocus, 0)], 1);
}
