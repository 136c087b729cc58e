// The clients of the benchmark, in their own process: send requests as fast as they are answered, and report the rate.

import { connect, type Socket } from "node:net";
import { png } from "../../support/media/media.ts";
import { readAnswers } from "./answers.ts";

export interface RequestSpec {
  readonly method: string;
  readonly path: string;
  /** JSON in which each `{n}` becomes eight digits, different ones each time. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Job =
  | {
      readonly kind: "request";
      readonly port: number;
      readonly clients: number;
      readonly ms: number;
      /** Longer responses are cut off; what arrived of them counts as bytes. The default is a minute. */
      readonly cutMs?: number;
      /** Sent in rotation. */
      readonly requests: readonly RequestSpec[];
    }
  | {
      readonly kind: "upload";
      readonly port: number;
      readonly path: string;
      readonly clients: number;
      /** Of all clients together. */
      readonly bytes: number;
    };

export interface Outcome {
  readonly seconds: number;
  readonly answers: number;
  readonly failed: number;
  /** Received, heads included; for an upload, sent. */
  readonly bytes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

let number = 0;
const defaultCutMs = 60_000;
/** Pause before a request that was rejected for too many at once is repeated. */
const againAfterMs = 500;

process.on("message", (job: Job) => {
  const run = job.kind === "request" ? request(job) : upload(job);
  run.then(
    (outcome) => process.send?.({ outcome }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});

async function request(job: Job & { kind: "request" }): Promise<Outcome> {
  const texts = job.requests.map((one) => textOf(one, job.port));
  const takenMs: number[] = [];
  let failed = 0;
  let bytes = 0;
  let textIndex = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + job.ms;
  const sockets = await Promise.all(
    Array.from({ length: job.clients }, () => open(job.port)),
  );
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve, reject) => {
          let sentAt = 0;
          const send = (): void => {
            sentAt = performance.now();
            const text = texts[textIndex++ % texts.length] ?? "";
            socket.write(text.replaceAll("{n}", nextNumber));
          };
          readAnswers(
            socket,
            ({ isFine }) => {
              const moment = performance.now();
              takenMs.push(moment - sentAt);
              if (!isFine) failed += 1;
              if (moment < endsAt) send();
              else resolve();
            },
            (count) => (bytes += count),
          );
          socket.once("error", reject);
          setTimeout(resolve, job.cutMs ?? defaultCutMs).unref();
          send();
        }),
    ),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  for (const socket of sockets) socket.destroy();
  return outcomeOf(takenMs, { seconds, failed, bytes });
}

function outcomeOf(
  takenMs: number[],
  rest: Pick<Outcome, "seconds" | "failed" | "bytes">,
): Outcome {
  takenMs.sort((a, b) => a - b);
  const at = (share: number): number =>
    takenMs[Math.floor(takenMs.length * share)] ?? NaN;
  return { ...rest, answers: takenMs.length, p50Ms: at(0.5), p99Ms: at(0.99) };
}

function nextNumber(): string {
  number += 1;
  return String(number).padStart(8, "0");
}

function textOf(
  { method, path, body, headers }: RequestSpec,
  port: number,
): string {
  const more = Object.entries(headers ?? {}).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const host = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${more.join("")}`;
  if (body === undefined) return `${host}\r\n`;
  const length = Buffer.byteLength(body.replaceAll("{n}", "00000000"));
  return `${host}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    socket.once("connect", () => resolve(socket)).once("error", reject);
  });
}

async function upload(job: Job & { kind: "upload" }): Promise<Outcome> {
  const each = Math.floor(job.bytes / job.clients);
  const takenMs: number[] = [];
  const startedAt = performance.now();
  const one = async (): Promise<void> => {
    for (;;) {
      const sentAt = performance.now();
      const isTaken = await sendFile(job, each);
      takenMs.push(performance.now() - sentAt);
      if (isTaken) return;
      takenMs.pop();
      await new Promise((resolve) => setTimeout(resolve, againAfterMs));
    }
  };
  await Promise.all(Array.from({ length: job.clients }, one));
  const seconds = (performance.now() - startedAt) / 1000;
  return outcomeOf(takenMs, { seconds, failed: 0, bytes: each * job.clients });
}

const filling = Buffer.alloc(256 * 1024, "Vitrine");

/** Uploads an image followed by this many meaningless bytes; false when the server asked to retry later. */
async function sendFile(
  { port, path }: Job & { kind: "upload" },
  bytes: number,
): Promise<boolean> {
  const socket = await open(port);
  const tail = Buffer.from("\r\n--cut--\r\n");
  number += 1;
  const head = Buffer.concat([
    Buffer.from(
      `--cut\r\nContent-Disposition: form-data; name="file_upload"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`,
    ),
    png([number % 256, number >> 8, 7]),
  ]);
  let isTaken: boolean | null = null;
  const answered = new Promise<void>((resolve) => {
    readAnswers(socket, ({ isFine }) => {
      isTaken = isFine;
      resolve();
    });
    socket.on("error", () => undefined);
    socket.once("close", () => {
      isTaken ??= false;
      resolve();
    });
  });
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: multipart/form-data; boundary=cut\r\nContent-Length: ${head.length + bytes + tail.length}\r\n\r\n`,
  );
  socket.write(head);
  for (let left = bytes; left > 0 && isTaken === null; left -= filling.length)
    if (!socket.write(filling.subarray(0, left)))
      await Promise.race([
        answered,
        new Promise((resolve) => socket.once("drain", resolve)),
      ]);
  socket.write(tail);
  await answered;
  socket.destroy();
  return isTaken ?? false;
}
