// Two hundred slow and half-open clients of the interface, fifty of each kind.

import type { Socket } from "node:net";
import { openConnection } from "./raw-request.ts";

const at = "/api/v2/assets";

const slowTexts = [
  // Half-open: connected, and nothing more.
  "",
  `GET ${at} HTTP/1.1\r\nHost: localhost\r\nX-Half`,
  `POST ${at} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"name":`,
  // Slow readers: they request more than they ever read.
  `GET ${at} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(5),
];

export interface SlowClients {
  readonly sockets: readonly Socket[];
  /** All at once. */
  send(): void;
}

export async function openSlowClients(address: string): Promise<SlowClients> {
  const clients = await Promise.all(
    slowTexts.flatMap((text) =>
      Array.from({ length: 50 }, async () => {
        const socket = await openConnection(address, "");
        socket.pause();
        return { socket, text };
      }),
    ),
  );
  return {
    sockets: clients.map(({ socket }) => socket),
    send: () => {
      for (const { socket, text } of clients) socket.write(text);
    },
  };
}

/** This many pages that each stay a second. */
export async function addPages(address: string, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1)
    await fetch(`${address}/api/v2/assets`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        ...{ name: `page ${number}`, uri: "https://example.org/" },
        ...{ mimetype: "webpage", skip_asset_check: true, duration: 1 },
        ...{ start_date: "2020-01-01", end_date: "9999-01-01" },
        is_enabled: true,
      }),
    });
}
