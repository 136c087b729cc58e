// Every rejection of an upload is a response that the client can read while it is still sending, and after which it can send
// another request.

import { describe, expect, it } from "vitest";
import type { PlayerOptions } from "../../../../../server/player/player.ts";
import { startPlayer } from "../../../../support/player/start-player.ts";

const boundary = "b";
const head = `--${boundary}\r\nContent-Disposition: form-data; name="file_upload"; filename="a.png"\r\n\r\n`;
const tail = `\r\n--${boundary}--\r\n`;
const pieceBytes = 64 * 1024;

/** An upload in this many chunks, each sent only when the one before was received. */
function uploadOf(pieces: number): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    pull: async (controller) => {
      await new Promise(setImmediate);
      sent += 1;
      if (sent === 1) controller.enqueue(new TextEncoder().encode(head));
      else if (sent <= pieces) controller.enqueue(new Uint8Array(pieceBytes));
      else if (sent === pieces + 1)
        controller.enqueue(new TextEncoder().encode(tail));
      else controller.close();
    },
  });
}

function uploadAtOnce(bytes: number): Uint8Array {
  return Buffer.concat([
    Buffer.from(head),
    Buffer.alloc(bytes),
    Buffer.from(tail),
  ]);
}

interface Refusal {
  readonly options?: Partial<PlayerOptions>;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Requests need a token. */
  readonly isGuarded?: boolean;
}

const refusals: readonly (readonly [string, number, Refusal])[] = [
  ["an invalid range", 400, { headers: { "Content-Range": "banana" } }],
  [
    ...(["an invalid identifier", 400] as const),
    { headers: { "Content-Range": "bytes 0-1/2", "X-Upload-Id": "x" } },
  ],
  ["a file above the size limit", 413, { options: { maxUploadBytes: 1000 } }],
  ["a full disk", 507, { options: { reserveBytes: 2 ** 60 } }],
  ["not multipart", 415, { headers: { "Content-Type": "image/png" } }],
  [
    ...(["no boundary", 400] as const),
    { headers: { "Content-Type": "multipart/form-data" } },
  ],
  ["an unknown path", 404, { path: "/file_assets" }],
  ["an unsupported method", 405, { method: "PUT" }],
  ["another site's page", 403, { headers: { Origin: "https://a.example" } }],
  ["no token", 401, { isGuarded: true }],
];

describe("a rejected upload", () => {
  it.each(refusals)(
    "[V2-401] gets the reason while it is being sent: %s",
    async (_what, status, refusal) => {
      const { options, path, method, headers, isGuarded = false } = refusal;
      const { request, send } = await startPlayer(options);
      await send("PATCH", "/device_settings", {
        api_token_required: isGuarded,
      });
      const { body } = await send("POST", "/tokens", { name: "A" });
      // Not always, but in about every second try the socket was closed before its response.
      for (const body of [
        ...[uploadAtOnce(4 * 1024 * 1024), uploadOf(100)],
        ...[uploadAtOnce(1024 * 1024), uploadOf(3), uploadOf(500)],
      ]) {
        const answer = await request(path ?? "/file_asset", {
          ...{ method: method ?? "POST", body, duplex: "half" },
          headers: {
            "Content-Type": `multipart/form-data; boundary=${boundary}`,
            ...headers,
          },
        } as RequestInit);
        const reported = (await answer.json()) as object;
        expect([answer.status, Object.keys(reported).length]).toEqual([
          status,
          1,
        ]);
      }
      const mine = { Authorization: `Bearer ${body.token}` };
      expect((await request("/assets", { headers: mine })).status).toBe(200);
    },
  );
});
