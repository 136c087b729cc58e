// Hides the pointer on an unattended screen: over scroll bars, and in frames within a page, Chromium shows one whatever our style
// sheets say.

import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../../server/platform/log.ts";
import type { Config } from "../config.ts";
import {
  connectX11,
  getInputFocus,
  opcodeOf,
  request,
  type X11Connection,
} from "./x11-connection.ts";

export interface X11Pointer {
  hide(isHidden: boolean): void;
}

/** The first version of XFixes that can hide it. */
const hidingVersion = 4;
const hideCursor = 29;
/** While a machine starts, its server or this process may be too busy to answer in time. */
const maxTries = 5;
const againMs = 5000;

/** The server hides it as long as the client that requested it is connected: however this process ends, the pointer returns. */
export function createX11Pointer(
  config: Pick<Config, "xDisplay" | "xAuthority">,
  log: Log,
): X11Pointer {
  let hideRequest: { server: X11Connection | null } | null = null;

  return {
    hide: (isHidden) => {
      if (isHidden === (hideRequest !== null)) return;
      hideRequest?.server?.close();
      hideRequest = isHidden ? { server: null } : null;
      if (hideRequest)
        fulfil(hideRequest).catch((error: unknown) =>
          log.error("app.internal-error", { error }),
        );
    },
  };

  async function fulfil(mine: NonNullable<typeof hideRequest>): Promise<void> {
    for (let tries = 1; hideRequest === mine; tries += 1) {
      try {
        const server = await connectX11(config);
        mine.server = server;
        await hideBy(server);
        if (hideRequest !== mine) server.close();
        return;
      } catch (error) {
        mine.server?.close();
        // No X server here, as on Windows, or none that accepts this user: the style sheets alone have to do.
        if (tries === maxTries)
          return log.info("pointer.not-hidden", { error });
        await pause(againMs);
      }
    }
  }
}

async function hideBy(server: X11Connection): Promise<void> {
  const fixes = await opcodeOf(server, "XFIXES");
  if (fixes === null) throw new Error("the X server has no XFixes");
  const version = Buffer.alloc(8);
  version.writeUInt32LE(hidingVersion, 0);
  await server.send([request(fixes, 0, version)], 1);
  const root = Buffer.alloc(4);
  root.writeUInt32LE(server.setup.root);
  await server.send(
    [request(fixes, hideCursor, root), request(getInputFocus, 0)],
    1,
  );
}
