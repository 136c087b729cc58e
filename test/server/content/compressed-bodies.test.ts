// Bodies with a Content-Encoding, on every interface of the content service: decompressed, or rejected in the interface's own
// shape.

import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  oneService,
  type TeamsService,
} from "../../support/content/one-service.ts";

const v3 = [["non_field_errors"], ["detail"]];
const v4 = [["code", "message", "details", "hint"]];

type Write = readonly [
  method: string,
  path: string,
  shapes: readonly (readonly string[])[],
];

const writes: readonly Write[] = [
  ...[
    ...["assets/", "groups/", "playlists/", "screens/"],
    ...["predicate-validation", "predicate/evaluate"],
  ].map((path) => ["POST", `/api/v3/${path}`, v3] as const),
  ["PATCH", "/api/v3/assets/A/", v3],
  ["PUT", "/api/v3/playlists/A/", v3],
  ...["assets", "asset-groups", "labels", "playlists"].flatMap((path) => [
    ["POST", `/api/v4/${path}`, v4] as const,
    ["POST", `/api/v4.1/${path}`, v4] as const,
  ]),
  ["PATCH", "/api/v4/assets?id=eq.A", v4],
  ["DELETE", "/api/v4/assets?id=eq.A", v4],
  // Read before a key is checked.
  ["POST", "/api/link/v1/players", v3],
  ["POST", "/api/link/v1/heartbeat", v3],
  ["POST", "/api/link/v1/playbacks", v3],
];

const plain = Buffer.from('{"title": "Packed"}');
const long = Buffer.from(
  JSON.stringify({ title: Array.from({ length: 4096 }, (_, n) => n * n) }),
);
const packers = [
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
] as const;

/** More than the largest body of any interface, from a few kilobytes. */
const bombBytes = 64 * 1024 * 1024;
const bombs = packers.map(
  ([encoding, pack]) => [encoding, pack(Buffer.alloc(bombBytes))] as const,
);

describe("a compressed body", () => {
  const service = oneService();

  async function send(
    client: TeamsService,
    [method, path, shapes]: Write,
    encoding: string,
    body: Uint8Array,
  ): Promise<string> {
    const answer = await client.request(path, {
      ...{ method, body: new Uint8Array(body) },
      headers: {
        "Content-Type": "application/json",
        "Content-Encoding": encoding,
      },
    });
    const json = (await answer.json()) as object;
    const keys = Object.keys(json).join();
    const isInShape = shapes.some((shape) => shape.join() === keys);
    return isInShape ? `${answer.status}` : `${answer.status} ${keys}`;
  }

  it.each(writes)(
    "[V4-240] %s %s rejects what cannot be decompressed, and unknown encodings",
    async (...write) => {
      const client = await service();
      for (const [encoding, pack] of packers) {
        const reported = await Promise.all([
          send(client, write, encoding, plain),
          send(client, write, encoding, Buffer.from("x")),
          send(client, write, encoding, pack(long).subarray(0, -20)),
          send(client, write, encoding.toUpperCase(), plain),
        ]);
        expect([encoding, ...reported]).toEqual([
          ...[encoding, "400", "400", "400", "400"],
        ]);
      }
      for (const encoding of ["rot13", "gzip, gzip", "x-gzip", "__proto__"])
        expect(await send(client, write, encoding, plain)).toBe("415");
    },
  );

  it.each(
    writes.filter(([, path]) => /v3\/assets\/$|v4\/labels|players/.test(path)),
  )(
    "[V4-240] %s %s rejects what becomes too large, without ever having it in memory",
    async (...write) => {
      const client = await service();
      for (const [encoding, packed] of bombs) {
        const before = process.memoryUsage().arrayBuffers;
        expect(await send(client, write, encoding, packed)).toBe("413");
        const grown = process.memoryUsage().arrayBuffers - before;
        expect(grown).toBeLessThan(bombBytes / 2);
      }
    },
  );

  it.each(packers)(
    "[V4-240] is accepted when it is compressed as %s",
    async (encoding, pack) => {
      const client = await service();
      const post = async (path: string, body: unknown): Promise<number> => {
        const answer = await client.request(path, {
          method: "POST",
          body: new Uint8Array(pack(Buffer.from(JSON.stringify(body)))),
          headers: {
            "Content-Type": "application/json",
            "Content-Encoding": encoding,
          },
        });
        await answer.body?.cancel();
        return answer.status;
      };
      expect(await post("/api/v3/groups/", { name: "Packed" })).toBe(201);
      expect(await post("/api/v4/labels", { name: "Packed too" })).toBe(201);
      expect(await post("/api/link/v1/players", {})).toBe(201);
    },
  );

  it.each([
    ["/api/v3/assets/upload/", [["detail"]]],
    ["/api/v4/assets", v4],
    ["/api/v4.1/assets/", v4],
  ] as const)(
    "[V4-338] is rejected as an upload to %s, compressed or not",
    async (path, shapes) => {
      const client = await service();
      const form = new FormData();
      form.set("file", new Blob(["file"]), "a.txt");
      const built = new Response(form);
      const type = built.headers.get("Content-Type") ?? "";
      const body = Buffer.from(await built.arrayBuffer());
      for (const [encoding, pack] of packers)
        for (const sent of [body, pack(body)]) {
          const answer = await client.request(path, {
            ...{ method: "POST", body: new Uint8Array(sent) },
            headers: { "Content-Type": type, "Content-Encoding": encoding },
          });
          const json = (await answer.json()) as object;
          expect([answer.status, Object.keys(json).join()]).toEqual([
            ...[415, shapes[0]?.join()],
          ]);
        }
      const rows = await client.request("/api/v4/assets?title=eq.a.txt");
      expect(await rows.json()).toEqual([]);
    },
  );
});
