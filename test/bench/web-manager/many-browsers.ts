// What browsers with the manager open request of a player: the page and its files, its lists, its events, and what these change.

import {
  readEvents,
  type EventReader,
} from "../../support/http/event-reader.ts";

export interface ManyBrowsers {
  close(): Promise<void>;
}

/** What the first page asks for once. */
const once = ["now", "assets", "playlists", "takeover", "settings"];
/** And again and again while it is open. */
const repeated = [
  { path: "screenshot", everyMs: 1800 },
  { path: "info", everyMs: 5000 },
  { path: "sync", everyMs: 5000 },
];

export async function openManyBrowsers(
  address: string,
  count: number,
): Promise<ManyBrowsers> {
  const isClosed = new AbortController();
  const readers: EventReader[] = [];
  const running: Promise<void>[] = [];
  for (let index = 0; index < count; index++) {
    await loadOnce(address);
    readers.push(await readEvents(fetch(`${address}/api/v2/events`)));
    for (const one of repeated)
      running.push(keepAsking(address, one, isClosed.signal));
  }
  return {
    close: async () => {
      isClosed.abort();
      await Promise.all(readers.map((reader) => reader.close()));
      await Promise.all(running);
    },
  };
}

async function loadOnce(address: string): Promise<void> {
  const html = await (await fetch(address)).text();
  const files = [...html.matchAll(/(?:src|href)="(\/manager\/[^"]+)"/g)];
  for (const [, file] of files)
    await (await fetch(`${address}${file}`)).arrayBuffer();
  for (const list of once)
    await (await fetch(`${address}/api/v2/${list}`)).arrayBuffer();
}

async function keepAsking(
  address: string,
  { path, everyMs }: (typeof repeated)[number],
  closed: AbortSignal,
): Promise<void> {
  while (!closed.aborted) {
    await (await fetch(`${address}/api/v2/${path}`)).arrayBuffer();
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
