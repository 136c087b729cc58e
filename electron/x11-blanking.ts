// Whether the X server has blanked its screen, and the waking of it: what Chromium's block neither tells nor undoes.

import type { Config } from "./config.ts";
import {
  connectX11,
  getInputFocus,
  opcodeOf,
  request,
  type X11Connection,
} from "./x11-connection.ts";

const isOn = 1;
const forceScreenSaver = 115;

/** Wakes a blanked screen; whether there was one to wake. Rejects where there is no X server of this machine. */
export async function wakeX11(
  config: Pick<Config, "xDisplay" | "xAuthority">,
): Promise<boolean> {
  const server = await connectX11(config);
  try {
    const isSaved = await isScreenSaved(server);
    const dpms = await darkDisplay(server);
    if (!isSaved && dpms === null) return false;
    const wakes = [request(forceScreenSaver, 0)];
    if (dpms !== null) wakes.push(request(dpms, 6, Buffer.alloc(4)));
    await server.ask([...wakes, request(getInputFocus, 0)], 1);
    return true;
  } finally {
    server.close();
  }
}

async function isScreenSaved(server: X11Connection): Promise<boolean> {
  const saver = await opcodeOf(server, "MIT-SCREEN-SAVER");
  if (saver === null) return false;
  const root = Buffer.alloc(4);
  root.writeUInt32LE(server.setup.root);
  const [info] = await server.ask([request(saver, 1, root)], 1);
  return info?.[1] === isOn;
}

/** The opcode to light it by, when power management has put the display out. */
async function darkDisplay(server: X11Connection): Promise<number | null> {
  const dpms = await opcodeOf(server, "DPMS");
  if (dpms === null) return null;
  const [info] = await server.ask([request(dpms, 7)], 1);
  const level = info?.readUInt16LE(8) ?? 0;
  const isManaged = info?.[10] === 1;
  return isManaged && level > 0 ? dpms : null;
}
