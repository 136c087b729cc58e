// Client of an S3-compatible storage.

import { S3Client, S3ServiceException } from "@aws-sdk/client-s3";
import { Upload, type Options } from "@aws-sdk/lib-storage";
import type { StorageAddress } from "./storage-address.ts";
import { StorageAwayError } from "./storage-away.ts";

/** As much of each upload is in memory; ten thousand of these make 160 GB. */
const partBytes = 16 * 1024 ** 2;
const connectMs = 5_000;
/** Without a byte in either direction. */
const silenceMs = 15_000;

/** Credentials come from where Amazon's tools look for them, such as AWS_ACCESS_KEY_ID. */
export function openStorageClient(
  { region }: Pick<StorageAddress, "region">,
  endpoint: string | undefined,
  maxAttempts = 3,
): S3Client {
  return new S3Client({
    ...{ region, maxAttempts },
    // Others than Amazon rarely have a host name per bucket.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout: silenceMs,
    },
    // Some storages do not know the checksums that are optional.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
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
