// A cloud that is written to, whichever version it speaks: rows in one set of words, and steps that may be taken twice.

import { createReadStream } from "node:fs";
import { randomBytes } from "node:crypto";
import { PassThrough, Readable, pipeline } from "node:stream";
import type {
  CloudFields,
  ReadCollection,
  WrittenCollection,
} from "../../../core/sync-plan/outbox.ts";
import type { SentBody } from "../../../platform/http/client.ts";
import { reasonIn, type SentAnswer } from "../remote/send-http.ts";
import { RemoteError } from "../remote/remote-error.ts";

/** Rows of the cloud, the same whichever version it speaks. */
export interface CloudPage {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** What to ask for the rows behind these; null at the end. */
  readonly next: string | null;
}

export interface CloudPageQuery {
  readonly after: string | null;
  readonly limit: number;
}

export interface CloudFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly onSent: (sentBytes: number) => void;
}

export interface Created {
  readonly id: string;
  readonly left: CloudFields;
}

export interface CloudWriter {
  read(collection: ReadCollection, query: CloudPageQuery): Promise<CloudPage>;
  /** As this version can keep it: what was read and what is wanted are compared as such (V2-354). */
  asKept(fields: CloudFields): CloudFields;
  /** How many seconds each of these plays by itself; what is missing plays no time of its own. */
  mediaSeconds(
    assetIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
  /** Null where it is not there. */
  one(collection: WrittenCollection, id: string): Promise<CloudFields | null>;
  /** Identifiers of what a creation with these fields may have made. */
  alike(
    collection: WrittenCollection,
    fields: CloudFields,
  ): Promise<readonly string[]>;
  /** One step; answers the identifier, and what it could not say: `write` says it afterwards. */
  create(
    collection: WrittenCollection,
    fields: CloudFields,
    file: CloudFile | null,
  ): Promise<Created>;
  /** Makes it so, however often it is called. */
  write(
    collection: WrittenCollection,
    id: string,
    fields: CloudFields,
  ): Promise<void>;
  /** What is gone is gone. */
  remove(collection: WrittenCollection, id: string): Promise<void>;
}

/** The cloud says no, and would say so again. */
export class RemoteRejection extends Error {}

/** It made something, and does not say what it calls it. */
export class Unnamed extends RemoteRejection {}

/** Throws RemoteRejection, or a RemoteError for what another time may bring. */
export function assertTaken(answer: SentAnswer): SentAnswer {
  if (answer.status < 300) return answer;
  if (answer.status === 401)
    throw new RemoteError(
      "unauthorized",
      "The cloud does not accept this token. Give the account another one.",
    );
  throw new RemoteRejection(reasonIn(answer));
}

/** Of one kind of rows only those that fit: a version without the field says so before anything is sent. */
export function assertSupported(
  fields: CloudFields,
  supported: ReadonlySet<string>,
  version: string,
): void {
  for (const name of Object.keys(fields))
    if (!supported.has(name))
      throw new RemoteRejection(
        `Version ${version} of this cloud has no ${name}.`,
      );
}

/** Text fields and one file, streamed: the length is known before. */
export function multipartOf(
  texts: Readonly<Record<string, string>>,
  file: CloudFile,
): SentBody {
  const boundary = `vitrine-${randomBytes(16).toString("hex")}`;
  const part = (head: string): string => `--${boundary}\r\n${head}\r\n\r\n`;
  const before = Buffer.from(
    Object.entries(texts)
      .map(
        ([name, value]) =>
          `${part(`Content-Disposition: form-data; name="${name}"`)}${value}\r\n`,
      )
      .join("") +
      part(
        `Content-Disposition: form-data; name="file"; filename="file"\r\nContent-Type: application/octet-stream`,
      ),
  );
  const after = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield before;
    let sent = 0;
    for await (const chunk of createReadStream(file.path, {
      highWaterMark: 256 * 1024,
    }) as AsyncIterable<Buffer>) {
      yield chunk;
      sent += chunk.length;
      file.onSent(sent);
    }
    yield after;
  }
  const content = new PassThrough({ highWaterMark: 256 * 1024 });
  pipeline(Readable.from(bytes()), content, () => undefined);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    sizeBytes: before.length + file.sizeBytes + after.length,
    content,
  };
}
