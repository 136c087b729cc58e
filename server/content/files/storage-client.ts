// Client of an S3-compatible storage.

import { addAbortSignal, Readable } from "node:stream";
import {
  GetObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { Upload, type Options } from "@aws-sdk/lib-storage";
import { traceStorage } from "../traces/trace-storage.ts";
import type { Traces } from "../traces/traces.ts";
import type { StorageAddress } from "./storage-address.ts";
import { StorageAwayError } from "./storage-away.ts";

/** As much of each upload is in memory; ten thousand of these make 160 GB. */
const partBytes = 16 * 1024 ** 2;
const connectMs = 5_000;
/** Without a byte in either direction. */
const silenceMs = 15_000;

interface StorageClientOptions {
  readonly maxAttempts?: number;
  readonly isForDownloads?: boolean;
  readonly traces?: Traces | null;
}

/** Credentials come from where Amazon's tools look for them, such as AWS_ACCESS_KEY_ID. */
export function openStorageClient(
  { region, bucket }: Pick<StorageAddress, "region" | "bucket">,
  endpoint: string | undefined,
  {
    maxAttempts = 3,
    isForDownloads = false,
    traces = null,
  }: StorageClientOptions = {},
): S3Client {
  const client = new S3Client({
    ...{ region, maxAttempts },
    // Others than Amazon rarely have a host name per bucket.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    requestHandler: {
      connectionTimeout: connectMs,
      // It would also end a download whose reader takes its time.
      ...(!isForDownloads && { socketTimeout: silenceMs }),
    },
    // Some storages do not know the checksums that are optional.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  if (traces) traceStorage(client, bucket, traces);
  return client;
}

export interface UploadOptions {
  readonly params: Options["params"];
  /** Ends it early. */
  readonly stopped?: AbortSignal | undefined;
  readonly withinMs?: number | undefined;
}

/** The object exists when it is complete, and not before; the storage verifies the checksum of each part. */
export async function uploadObject(
  client: S3Client,
  { params, stopped, withinMs }: UploadOptions,
): Promise<void> {
  const upload = new Upload({
    client,
    params: { ...params, ChecksumAlgorithm: "SHA256" },
    ...{ partSize: partBytes, queueSize: 1 },
  });
  const abort = (): void => {
    // `done` rejects.
    upload.abort().catch(() => undefined);
  };
  const signals = [
    ...(stopped ? [stopped] : []),
    ...(withinMs === undefined ? [] : [AbortSignal.timeout(withinMs)]),
  ];
  const signal = AbortSignal.any(signals);
  signal.addEventListener("abort", abort, { once: true });
  try {
    signal.throwIfAborted();
    await upload.done();
  } catch (error) {
    throw new StorageAwayError(error);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/**
 * All bytes of an object; every error on the way is a StorageAwayError. It ends when the storage is silent while it is read from,
 * and when the signal is aborted. The client must be one for downloads.
 */
export async function downloadObject(
  client: S3Client,
  place: { readonly Bucket: string; readonly Key: string },
  signal?: AbortSignal,
): Promise<Readable> {
  const head = new AbortController();
  const late = setTimeout(() => head.abort(), silenceMs);
  const signals = [head.signal, ...(signal ? [signal] : [])];
  try {
    const { Body } = await client.send(new GetObjectCommand(place), {
      abortSignal: AbortSignal.any(signals),
    });
    const body = Body as Readable;
    if (signal) addAbortSignal(signal, body);
    const read = Readable.from(watched(body), { objectMode: false });
    // Also if nothing was read from it.
    read.once("close", () => body.destroy());
    return read;
  } finally {
    clearTimeout(late);
  }
}

async function* watched(body: Readable): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const late = setTimeout(() => {
        body.destroy(new Error("The storage is silent."));
      }, silenceMs);
      const next: IteratorResult<Buffer, unknown> = await chunks
        .next()
        .finally(() => clearTimeout(late));
      if (next.done === true) return;
      yield next.value;
    }
  } catch (error) {
    throw new StorageAwayError(error);
  }
}

export function isMissing(error: unknown): boolean {
  return (
    error instanceof S3ServiceException &&
    (error.name === "NotFound" || error.name === "NoSuchKey")
  );
}

/** Nothing but another configuration will help. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof Error && error.name === "CredentialsProviderError")
    return true;
  const status =
    error instanceof S3ServiceException
      ? error.$metadata.httpStatusCode
      : undefined;
  return (
    status !== undefined && status >= 300 && status < 500 && status !== 429
  );
}
