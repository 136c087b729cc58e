// A multipart body with text fields and one file, streamed from disk: its length is known in advance.

import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { PassThrough, pipeline, Readable } from "node:stream";
import type { SentBody } from "./client.ts";

export interface MultipartFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** Name of its field. */
  readonly field: string;
  readonly fileName: string;
  /** Bytes of it that were sent so far. */
  readonly onSent?: (bytes: number) => void;
}

const chunkBytes = 256 * 1024;

/** Names are the caller's own: they are not escaped. */
export function multipartBody(
  texts: Readonly<Record<string, string>>,
  file: MultipartFile,
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
        `Content-Disposition: form-data; name="${file.field}"; filename="${file.fileName}"\r\nContent-Type: application/octet-stream`,
      ),
  );
  const after = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield before;
    let sent = 0;
    for await (const chunk of createReadStream(file.path, {
      highWaterMark: chunkBytes,
    }) as AsyncIterable<Buffer>) {
      yield chunk;
      sent += chunk.length;
      file.onSent?.(sent);
    }
    yield after;
  }
  const content = new PassThrough({ highWaterMark: chunkBytes });
  pipeline(Readable.from(bytes()), content, () => undefined);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    sizeBytes: before.length + file.sizeBytes + after.length,
    content,
  };
}
