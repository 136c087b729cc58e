// A content service to measure against, as a separate process: lists and files that cost it as little as possible.

import { createHash } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Its content is set once over its channel; the requests it received are reported on demand. */
export type CloudContent =
  | { readonly kind: "large"; readonly sizeBytes: number }
  | {
      readonly kind: "small";
      readonly count: number;
      readonly sizeBytes: number;
    }
  | { readonly kind: "pages"; readonly count: number };

export interface CloudCount {
  readonly requests: number;
  readonly bytes: number;
}

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const blocks = new Map<number, Buffer>();

/** Every file is an image followed by a number and zeros. */
function bytesOf(number: number, sizeBytes: number): Buffer {
  const block = blocks.get(sizeBytes) ?? Buffer.alloc(sizeBytes);
  blocks.set(sizeBytes, block);
  png.copy(block);
  block.writeUInt32BE(number, png.length);
  return block;
}

let list = "";
let etag = "";
let sizeBytes = 0;
let requests = 0;
let bytes = 0;

function fill(content: CloudContent): void {
  const count = content.kind === "large" ? 1 : content.count;
  sizeBytes = content.kind === "pages" ? 0 : content.sizeBytes;
  const rows = Array.from({ length: count }, (_, number) => {
    const id = `A${String(number).padStart(6, "0")}`;
    const shared = { id, title: id, status: "finished", metadata: {} };
    if (content.kind === "pages")
      return {
        ...{ ...shared, type: "web", headers: { "X-Number": id } },
        ...{ asset_url: `https://example.org/${id}`, md5: "skip_md5" },
      };
    const md5 = createHash("md5")
      .update(bytesOf(number, sizeBytes))
      .digest("hex");
    return {
      ...{ ...shared, type: "image", md5, source_md5: md5 },
      ...{ source_size: sizeBytes, asset_url: `BASE/files/${number}` },
    };
  });
  const items = rows.map((row, place) => ({
    ...{ id: `I${row.id}`, asset_id: row.id, duration: 10 },
    ...{ position: place, assets: row },
  }));
  const playlist = { id: "P1", title: "All", predicate: "TRUE" };
  const playlists = [{ ...playlist, playlist_items: items }];
  list = JSON.stringify([{ id: "L1", name: "all-screens", playlists }]);
  etag = `"${createHash("md5").update(list).digest("hex")}"`;
}

function sendList(
  response: ServerResponse,
  host: string,
  known: string | undefined,
): void {
  if (known === etag) return void response.writeHead(304).end();
  response
    .setHeader("Content-Type", "application/json")
    .setHeader("ETag", etag)
    .end(list.replaceAll("BASE", `http://${host}`));
}

const server = createServer((request, response) => {
  requests += 1;
  const { url = "/", headers } = request;
  const number = /^\/files\/(\d+)/.exec(url)?.[1];
  if (number === undefined)
    return sendList(response, headers.host ?? "", headers["if-none-match"]);
  const complete = bytesOf(Number(number), sizeBytes);
  const from = Number(/^bytes=(\d+)-/.exec(headers.range ?? "")?.[1] ?? 0);
  bytes += complete.length - from;
  response.setHeader("ETag", `"${number}-${sizeBytes}"`);
  response.setHeader("Accept-Ranges", "bytes");
  if (from > 0)
    response.writeHead(206, {
      "Content-Range": `bytes ${from}-${complete.length - 1}/${complete.length}`,
      "Content-Length": complete.length - from,
    });
  else response.setHeader("Content-Length", complete.length);
  // A block that several responses share is copied for each, where there may be several.
  const part = complete.subarray(from);
  response.end(sizeBytes > 10_000_000 ? part : Buffer.from(part));
});

server.listen(0, "127.0.0.1", () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on("message", (message: CloudContent | "count") => {
  if (message === "count") {
    process.send?.({ requests, bytes });
    requests = 0;
    bytes = 0;
    return;
  }
  fill(message);
  process.send?.("filled");
});
