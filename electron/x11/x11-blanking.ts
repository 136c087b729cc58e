// Detects whether the X server has blanked its screen, and wakes it: Chromium's power block neither reports nor undoes that.

import type { Config } from "../config.ts";
import {
  connectX11,
  getInputFocus,
  opcodeOf,
  request,
  type X11Connection,
} from "./x11-connection.ts";

const isOn = 1;
const forceScreenSaver = 115;

export interface X11Waker {
  /** Wakes a blanked screen; resolves with whether it was blanked. Rejects where there is no X server on this machine. */
  wake(): Promise<boolean>;
  close(): void;
}

interface Blanker {
  readonly server: X11Connection;
  /** Major opcodes of these extensions; null where the server does not have them. */
  readonly saver: number | null;
  readonly dpms: number | null;
}

/** Keeps its connection: opening one costs far more than a request. */
export function createX11Waker(
  config: Pick<Config, "xDisplay" | "xAuthority">,
): X11Waker {
  let connecting: Promise<Blanker> | null = null;
  let isClosed = false;

  async function open(): Promise<Blanker> {
    const server = await connectX11(config);
    try {
      if (isClosed) throw new Error("no longer needed");
      const saver = await opcodeOf(server, "MIT-SCREEN-SAVER");
      return { server, saver, dpms: await opcodeOf(server, "DPMS") };
    } catch (error) {
      server.close();
      throw error;
    }
  }

  function drop(): void {
    const lost = connecting;
    connecting = null;
    lost?.then(({ server }) => server.close()).catch(() => undefined);
  }

  return {
    wake: async () => {
      connecting ??= open();
      try {
        return await wakeBy(await connecting);
      } catch (error) {
        // The server was restarted: the next request connects again.
        drop();
        throw error;
      }
    },
    close: () => {
      isClosed = true;
      drop();
    },
  };
}

async function wakeBy({ server, saver, dpms }: Blanker): Promise<boolean> {
  const root = Buffer.alloc(4);
  root.writeUInt32LE(server.setup.root);
  const questions = [
    ...(saver === null ? [] : [request(saver, 1, root)]),
    ...(dpms === null ? [] : [request(dpms, 7)]),
  ];
  const answers = await server.send(questions, questions.length);
  const isSaved = saver !== null && answers[0]?.[1] === isOn;
  const isDark = dpms !== null && isPutOut(answers.at(-1));
  if (!isSaved && !isDark) return false;
  const wakes = [request(forceScreenSaver, 0)];
  if (isDark) wakes.push(request(dpms, 6, Buffer.alloc(4)));
  await server.send([...wakes, request(getInputFocus, 0)], 1);
  return true;
}

/** By power management, which may also be disabled. */
function isPutOut(info: Buffer | undefined): boolean {
  const level = info?.readUInt16LE(8) ?? 0;
  return info?.[10] === 1 && level > 0;
}
