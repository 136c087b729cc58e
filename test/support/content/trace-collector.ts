// A collector of traces on loopback: receives spans over OTLP (HTTP, protobuf), and can be slow, refuse them, or be away.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterThisTest } from "../after-this-test.ts";

export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** "" for the first span of a trace. */
  readonly parentId: string;
  readonly kind: "internal" | "server" | "client";
  readonly isFailed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
}

export interface TraceCollector {
  /** e.g. `http://127.0.0.1:40123` */
  readonly address: string;
  /** In the order of their arrival. */
  readonly spans: readonly CollectedSpan[];
  /** `METHOD path`, with the headers. */
  readonly requests: readonly {
    readonly line: string;
    readonly headers: Readonly<Record<string, unknown>>;
  }[];
  /** Silent ones are never answered; refused ones with this status. */
  set(state: "open" | "silent" | number): void;
}

/** Closed with the test. */
export async function startCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const requests: { line: string; headers: Record<string, unknown> }[] = [];
  let state: "open" | "silent" | number = "open";
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      requests.push({ line: `${method} ${url}`, headers });
      if (state === "silent") return;
      if (state === "open") spans.push(...spansOf(Buffer.concat(chunks)));
      response.writeHead(state === "open" ? 200 : state).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(async () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ spans, requests },
    set: (next) => {
      state = next;
    },
  };
}

/** Values by number of field; what is repeated, in order. */
type Message = ReadonlyMap<number, readonly (Buffer | bigint)[]>;

/** The wire format of protocol buffers. */
function messageOf(bytes: Buffer): Message {
  const fields = new Map<number, (Buffer | bigint)[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error("cut off");
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error("cut off");
    return bytes.subarray(at, (at += length));
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const value = {
      0: varint,
      1: () => take(8),
      2: () => take(Number(varint())),
      5: () => take(4),
    }[tag & 7];
    if (!value) throw new Error(`unknown wire type ${tag & 7}`);
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value()]);
  }
  return fields;
}

const bytesIn = (message: Message, field: number): readonly Buffer[] =>
  (message.get(field) ?? []) as readonly Buffer[];
const messagesIn = (message: Message, field: number): readonly Message[] =>
  bytesIn(message, field).map(messageOf);
const textIn = (message: Message, field: number): string =>
  bytesIn(message, field)[0]?.toString() ?? "";
const hexIn = (message: Message, field: number): string =>
  bytesIn(message, field)[0]?.toString("hex") ?? "";

/** By the definitions of opentelemetry-proto: trace.proto, resource.proto and common.proto. */
function spansOf(body: Buffer): readonly CollectedSpan[] {
  return messagesIn(messageOf(body), 1).flatMap((ofResource) => {
    const [about] = messagesIn(ofResource, 1);
    const resource = about ? attributesIn(about, 1) : {};
    return messagesIn(ofResource, 2).flatMap((ofScope) =>
      messagesIn(ofScope, 2).map((span) => ({
        ...{ name: textIn(span, 5), resource },
        ...{ traceId: hexIn(span, 1), spanId: hexIn(span, 2) },
        parentId: hexIn(span, 4),
        kind: kindOf(span.get(6)?.[0]),
        isFailed: messagesIn(span, 15)[0]?.get(3)?.[0] === 2n,
        attributes: attributesIn(span, 9),
      })),
    );
  });
}

function kindOf(value: unknown): CollectedSpan["kind"] {
  const kinds = { 1: "internal", 2: "server", 3: "client" } as const;
  const kind = kinds[Number(value) as keyof typeof kinds];
  if (!kind) throw new Error(`unknown kind ${String(value)}`);
  return kind;
}

function attributesIn(
  message: Message,
  field: number,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    messagesIn(message, field).map((pair) => [
      textIn(pair, 1),
      valueOf(messagesIn(pair, 2)[0]),
    ]),
  );
}

function valueOf(value: Message | undefined): unknown {
  if (value?.has(1)) return textIn(value, 1);
  if (value?.has(2)) return value.get(2)?.[0] === 1n;
  if (value?.has(3)) return Number(value.get(3)?.[0]);
  if (value?.has(4)) return bytesIn(value, 4)[0]?.readDoubleLE();
  const [list] = value ? messagesIn(value, 5) : [];
  return list ? messagesIn(list, 1).map(valueOf) : null;
}
