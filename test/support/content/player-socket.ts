// A socket of a claimed player as its content service sees it, with what arrives on it.

import { once } from "node:events";
import { vi } from "vitest";
import { WebSocket } from "ws";
import {
  pushedNewsLink,
  type PushedNewsLink,
} from "../../../server/contract/link/link.ts";
import { afterThisTest } from "../after-this-test.ts";
import type { ClaimedPlayer } from "./linked-player.ts";

export const socketPath = "/link/v1/socket";

/** As the player opens it; it answers pings unless told otherwise. */
export async function openSocket(
  address: string,
  { credential }: Pick<ClaimedPlayer, "credential">,
  options: { readonly autoPong?: boolean } = {},
) {
  const socket = new WebSocket(`${address}${socketPath}`, {
    headers: { Authorization: `Bearer ${credential}` },
    ...options,
  });
  afterThisTest(async () => socket.terminate());
  const received: PushedNewsLink[] = [];
  socket.on("message", (data: Buffer) => {
    received.push(pushedNewsLink.parse(JSON.parse(data.toString())));
  });
  const closed = once(socket, "close").then(([code]) => code as number);
  await once(socket, "open");
  await vi.waitUntil(() => received.length > 0);
  return { socket, received, closed };
}
