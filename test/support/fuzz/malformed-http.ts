// Fuzzing: random paths, methods, queries and headers, and bytes that may not be HTTP at all.

import fc from "fast-check";
import { gzipSync } from "node:zlib";
import { operationsV2 } from "../../../server/contract/v2/operations/v2-operations.ts";
import { request } from "./request.ts";
import { text } from "./text.ts";

const one = fc.constantFrom;

const encoded = text.map((value) =>
  [...Buffer.from(value)]
    .map((byte) => `%${byte.toString(16).padStart(2, "0")}`)
    .join(""),
);
const segment = fc.oneof(
  encoded,
  // prettier-ignore
  one(
    "KNOWN", "%00", "..", "%2e%2e", "..%2f..%2fetc%2fpasswd", "%2F", "%5c..%5c",
  ),
  one("%", "%zz", "%E0%A4%A", "%ff%fe", ";a=b", "*", "asset&", "asset&KNOWN"),
  // prettier-ignore
  one(
    "asset%26KNOWN", "next", "__proto__", "constructor", ".", "x".repeat(9000),
  ),
  // prettier-ignore
  one(
    "a-backup-2026-01-31T09-30-00.tar.gz", "..%2Fvitrine.db", "order", "\x80\xff",
  ),
);
const path = fc
  .tuple(
    one(...operationsV2.map((operation) => operation.path)),
    fc.infiniteStream(segment),
  )
  .map(([known, stream]) =>
    known.replace(/:\w+/g, () => stream.next().value as string),
  );
const target = fc
  .tuple(
    fc.oneof(
      { weight: 8, arbitrary: path },
      fc
        .array(segment, { maxLength: 5 })
        .map((segments) => `/${segments.join("/")}`),
      // prettier-ignore
      one(
        "*", "//", "/api//v2/assets", "http://127.0.0.1:1/api/v2/assets", "/API/V2/ASSETS", "?",
      ),
    ),
    fc.oneof(
      { weight: 3, arbitrary: one("", "/") },
      // prettier-ignore
      one(
        "?", "?a=%", "?stream=maybe", "?stream[]=1&stream=2", "?__proto__=1", "#x",
      ),
      encoded.map((value) => `?${value}=${value}`),
    ),
  )
  .map(([before, after]) => before + after);

const headerValue = fc.oneof(
  text.map((value) =>
    Buffer.from(value.replace(/[\r\n\0]/g, "")).toString("latin1"),
  ),
  // prettier-ignore
  one(
    "gzip", "br", "chunked", "bytes=0-", "bytes=9-1,0-0", "bytes=99999-", "100-continue",
    "websocket", "a-1", "-1", "x".repeat(4000), "application/json", 'W/"x"',
  ),
);
// prettier-ignore
const headerName = one(
  "Accept", "Accept-Encoding", "Authorization", "Content-Encoding", "Content-Type", "Cookie",
  "Expect", "If-Match", "If-Modified-Since", "If-Range", "Last-Event-ID", "Origin", "Range",
  "Sec-Fetch-Site", "TE", "Trailer", "Upgrade", "X-Forwarded-Host", "X-HTTP-Method-Override",
  "X-Upload-Id", "__proto__",
);

const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024, "["));

export const oddRequest = request(
  fc.tuple(
    one(
      ...["GET", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
      ...["OPTIONS", "TRACE", "PROPFIND", "PURGE", "QUERY", "M-SEARCH"],
    ),
    target,
  ),
  fc.array(fc.tuple(headerName, headerValue), { maxLength: 5 }),
  fc.oneof(
    one(Buffer.alloc(0), Buffer.from("{}"), bomb),
    fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
  ),
);

const nearlyHttp = fc.array(
  fc.oneof(
    // prettier-ignore
    one(
      "GET /api/v2/assets HTTP/1.1\r\n", "POST /api/v2/assets HTTP/1.1\r\n", "GET / HTTP/9.9\r\n",
      "GET  /api/v2/info\r\n", "CONNECT x:1 HTTP/1.1\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ),
    // prettier-ignore
    one(
      "Host: localhost\r\n", "Host: localhost\r\nHost: evil.example\r\n", "Host:\r\n",
      "Host localhost\r\n",
    ),
    // prettier-ignore
    one(
      "Content-Length: -1\r\n", "Content-Length: 5\r\nContent-Length: 6\r\n",
      "Content-Length: 99999999999999999999\r\n", "Content-Length: 0x5\r\n",
      "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n",
      "Transfer-Encoding: gzip, chunked\r\n", "Transfer-Encoding: chunked\r\n",
    ),
    // prettier-ignore
    one(
      "Content-Type: application/json\r\n", "Expect: 100-continue\r\n", "Expect: what\r\n",
      "Connection: close\r\n", "Connection: upgrade\r\nUpgrade: h2c\r\n", " folded\r\n",
      ": no name\r\n", "a\0b: c\r\n", `X: ${"y".repeat(17_000)}\r\n`,
    ),
    // prettier-ignore
    one(
      "\r\n", "\n", "\r", "\r\n\r\n", "0\r\n\r\n", "5\r\nhello\r\n", "FFFFFFFFFFFFFFFFF\r\n",
      "-1\r\n", "3;ext=1\r\n{} \r\n0\r\nTrailer: x\r\n\r\n",
    ),
    one("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "\0\0\0\0", "{}"),
    fc
      .uint8Array({ maxLength: 40 })
      .map((bytes) => Buffer.from(bytes).toString("latin1")),
  ),
  { minLength: 1, maxLength: 9 },
);

/** What may not be HTTP at all, as it is sent. */
export const bareBytes = nearlyHttp.map((pieces) =>
  Buffer.from(pieces.join(""), "latin1"),
);
