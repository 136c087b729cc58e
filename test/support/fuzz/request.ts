// Fuzzing: one malformed or hostile request, and how it is sent.

import fc from "fast-check";

export interface HostileRequest {
  readonly method: string;
  /** As in the request line; `KNOWN` is replaced by an existing asset, `LISTED` by an existing playlist. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** How the end of the body is marked; `lie` announces more than is sent. */
  readonly framing: "length" | "chunked" | "lie";
}

const one = fc.constantFrom;

const framing: fc.Arbitrary<HostileRequest["framing"]> = one(
  ...(["length", "length", "length", "chunked", "lie"] as const),
);

export function request(
  place: fc.Arbitrary<readonly string[]>,
  headers: fc.Arbitrary<HostileRequest["headers"]>,
  body: fc.Arbitrary<Buffer>,
): fc.Arbitrary<HostileRequest> {
  return fc
    .record({ place, headers, body, framing })
    .map(({ place: [method = "", target = ""], ...rest }) => ({
      ...{ method, target, ...rest },
    }));
}

export function typed(
  ...types: string[]
): fc.Arbitrary<HostileRequest["headers"]> {
  return one(...types).map((type) => [["Content-Type", type]]);
}

/** Identifiers of what exists. */
export interface KnownIds {
  readonly asset: string;
  readonly playlist: string;
}

/** `token` grants access in case anything has locked it. */
export function toWire(
  { method, target, headers, body, framing }: HostileRequest,
  known: KnownIds,
  token: string,
): Buffer {
  const named = (text: string): string =>
    text.replaceAll("KNOWN", known.asset).replaceAll("LISTED", known.playlist);
  const sent = Buffer.from(named(body.toString("latin1")), "latin1");
  const length = sent.length + (framing === "lie" ? 7 : 0);
  const end = sent.length === 0 ? "0\r\n\r\n" : "\r\n0\r\n\r\n";
  const lines = [
    `${method} ${named(target)} HTTP/1.1`,
    "Host: localhost",
    "Connection: close",
    `Authorization: Bearer ${token}`,
    framing === "chunked"
      ? "Transfer-Encoding: chunked"
      : `Content-Length: ${length}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  if (framing !== "chunked") return Buffer.concat([head, sent]);
  const size = sent.length === 0 ? "" : `${sent.length.toString(16)}\r\n`;
  return Buffer.concat([head, Buffer.from(size), sent, Buffer.from(end)]);
}
