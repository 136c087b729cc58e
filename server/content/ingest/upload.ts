// Receives a multipart body: streams its file to disk and collects the fields around it (V4-219).

import busboy from "busboy";
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { Failure, fieldFailure } from "../../core/failure.ts";
import type { Aside } from "../../platform/files/partial-file.ts";
import { readableLetters } from "../../platform/text/readable-text.ts";
import type { StoredFiles } from "../files/stored-files.ts";

/** A received upload that is not stored yet. */
export interface Upload {
  readonly fields: Readonly<Record<string, string>>;
  /** The client's name for it; null for a generic name that only says it is a file. */
  readonly fileName: string | null;
  /** Null when the body contained no file. */
  readonly file: Aside | null;
}

export interface ReceiveOptions {
  readonly store: StoredFiles;
  readonly maxBytes: number;
}

const maxFields = 100;
/** Fits the longest script. */
const maxFieldBytes = 1_100_000;
/** How long to drain the body of a rejected client, so that it receives the error. */
const readPastMs = 2_000;

/** Throws a Failure or an OutsideError, and then leaves no file behind. */
export async function receiveUpload(
  request: IncomingMessage,
  { store, maxBytes }: ReceiveOptions,
): Promise<Upload> {
  const file: { receiving: Promise<Aside> | null; name: string | null } = {
    ...{ receiving: null, name: null },
  };
  try {
    assertUncompressed(request);
    const fields = await readParts(request, (stream, name) => {
      file.name = name && name !== "file" ? name : null;
      file.receiving = store.receive(stream, maxBytes);
      return file.receiving;
    });
    return { fields, fileName: file.name, file: await file.receiving };
  } catch (error) {
    const aside = await file.receiving?.catch(() => null);
    if (aside) await store.discard(aside);
    await readPast(request);
    throw error;
  }
}

/** Returns the text fields; passes on the file as a stream that must be consumed before the end. */
function readParts(
  request: IncomingMessage,
  take: (stream: Readable, fileName: string | undefined) => Promise<unknown>,
): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    const parser = openParser(request);
    // Field names from clients are plain data.
    const fields = Object.create(null) as Record<string, string>;
    let taking: Promise<unknown> | null = null;
    let hasFailed = false;
    const fail = (error: Error): void => {
      hasFailed = true;
      request.unpipe(parser);
      reject(error);
    };
    parser.on("field", (rawName, value, info) => {
      const name = readableLetters(rawName);
      if (info.valueTruncated)
        fail(
          new Failure(
            "too-large",
            `The field ${name.slice(0, 100)} is too large.`,
          ),
        );
      else fields[name] = value;
    });
    parser.on("file", (name, stream: Readable, info) => {
      // An abort before anybody reads the stream would otherwise be an unhandled error.
      stream.on("error", () => undefined);
      // The rest of a rejected body may never arrive.
      if (hasFailed || name !== "file" || taking !== null) {
        stream.resume();
        if (!hasFailed) fail(unexpectedFile(readableLetters(name)));
        return;
      }
      const fileName = info.filename;
      taking = take(stream, fileName && readableLetters(fileName));
      taking.catch(fail);
    });
    const tooMany = (): void =>
      fail(new Failure("too-large", "The body has too many parts."));
    parser.on("fieldsLimit", tooMany).on("partsLimit", tooMany);
    parser.on("error", () => fail(brokenBody()));
    request.once("aborted", () => parser.destroy(brokenBody()));
    parser.on("close", () => resolve(fields));
    request.pipe(parser);
  });
}

/** Media are compressed already: decompressing whole files would only offer a way to fill the disk (V4-338). */
function assertUncompressed({ headers }: IncomingMessage): void {
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding.trim().toLowerCase() !== "identity")
    throw new Failure(
      "unsupported",
      `A multipart body must not have a Content-Encoding; got "${encoding.slice(0, 100)}".`,
    );
}

function openParser(request: IncomingMessage): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      // Names are decoded here from their bytes: not all clients send UTF-8 (V4-219).
      defParamCharset: "latin1",
      limits: {
        ...{ fields: maxFields, parts: maxFields + 10 },
        fieldSize: maxFieldBytes,
      },
    });
  } catch {
    throw brokenBody();
  }
}

/** A file that is not stored must not look accepted (V4-340). */
function unexpectedFile(partName: string): Failure {
  return fieldFailure(
    "file",
    partName === "file"
      ? 'Only one file can be sent at a time; the body has a second part "file".'
      : `The file must be sent in the part "file"; got one in the part "${partName.slice(0, 100)}".`,
  );
}

function brokenBody(): Failure {
  return new Failure("malformed", serviceSentences["upload-parts"]);
}

function readPast(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const late = setTimeout(resolve, readPastMs);
    request
      .once("close", resolve)
      .once("end", resolve)
      .once("end", () => clearTimeout(late))
      .resume();
  });
}
