// Files of the service in S3-compatible object storage: uploaded once they are complete, downloaded by clients at signed addresses
// (V4-354).

import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { Failure } from "../../core/failure.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import type { Aside } from "../../platform/files/partial-file.ts";
import type { Log } from "../../platform/log.ts";
import { OutsideError } from "../../platform/outside-error.ts";
import type { Traces } from "../traces/traces.ts";
import type { Cdn } from "./cdn.ts";
import type { StorageAddress } from "./storage-address.ts";
import { StorageAwayError } from "./storage-away.ts";
import {
  downloadObject,
  isMissing,
  isRefusal,
  openStorageClient,
  uploadObject,
} from "./storage-client.ts";
import type { StoredFiles } from "./stored-files.ts";

export interface ObjectStorageOptions {
  readonly address: StorageAddress;
  /** Where clients download; the default is the storage itself. */
  readonly cdn?: Cdn | undefined;
  /** Where files are received, and copied to when they are read here. */
  readonly working: FileStore;
  readonly log: Pick<Log, "warn">;
  readonly now: () => number;
  readonly monotonic: () => number;
  readonly traces: Traces | null;
}

/** For all attempts at a request without a body: a client is waiting. */
const answerMs = 10_000;
const removeMs = 5_000;
/** For a whole file: temporary files and holds are kept for an hour. */
const transferMs = 45 * 60_000;
/** An address stays the same for this long, so that browsers need not download a file again. */
const windowMs = 3_600_000;
/** A check of the service's health waits for it. */
const checkMs = 3_000;
/** Each check is a request that costs money. */
const checkEveryMs = 30_000;

/** Throws a Failure when the storage rejects the bucket or the credentials; if it is unavailable, the service starts without it. */
export async function openObjectStorage(
  options: ObjectStorageOptions,
): Promise<StoredFiles> {
  const { address, cdn, working, log, now, monotonic, traces } = options;
  const { bucket: Bucket, prefix } = address;
  const client = openStorageClient(address, address.endpoint, { traces });
  // A second attempt might overlap with the first.
  const deleter = openStorageClient(address, address.endpoint, {
    ...{ maxAttempts: 1, traces },
  });
  const downloader = openStorageClient(address, address.endpoint, {
    ...{ isForDownloads: true, traces },
  });
  const stopped = new AbortController();
  const within = (ms: number) => ({
    abortSignal: AbortSignal.any([stopped.signal, AbortSignal.timeout(ms)]),
  });
  const inTime = () => within(answerMs);
  // An address that it signs has no trace.
  const signer = openStorageClient(
    address,
    address.publicEndpoint ?? address.endpoint,
  );

  const placeOf = (hash: string) => {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error("not a content hash");
    return { Bucket, Key: `${prefix}${hash.slice(0, 2)}/${hash}` };
  };
  const hashOf = (key: string): string | null =>
    /^([0-9a-f]{2})\/(\1[0-9a-f]{62})$/.exec(key.slice(prefix.length))?.[2] ??
    null;

  async function sizeOf(hash: string): Promise<number | null> {
    try {
      const head = await client.send(
        new HeadObjectCommand(placeOf(hash)),
        inTime(),
      );
      return head.ContentLength ?? 0;
    } catch (error) {
      if (!isMissing(error)) throw new StorageAwayError(error);
    }
    // A bucket that does not exist is answered in the same way.
    await requestBucket().catch((error: unknown) => {
      throw new StorageAwayError(error);
    });
    return null;
  }

  async function open(hash: string): Promise<Readable> {
    const { signal } = stopped;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(transferMs)]);
    try {
      return await downloadObject(downloader, placeOf(hash), limited);
    } catch (error) {
      throw isMissing(error)
        ? missingObject(hash)
        : new StorageAwayError(error);
    }
  }

  async function keep(aside: Aside): Promise<void> {
    const { hash, path: file, sizeBytes } = aside;
    await add(hash, file, sizeBytes);
    await rm(file, { force: true }).catch((error: unknown) => {
      // The sweep removes it.
      log.warn("storage.part-left", { error });
    });
  }

  async function add(
    hash: string,
    file: string,
    sizeBytes: number,
  ): Promise<void> {
    if ((await sizeOf(hash)) === sizeBytes) return;
    await uploadObject(client, {
      ...{ stopped: stopped.signal, withinMs: transferMs },
      params: {
        ...placeOf(hash),
        Body: createReadStream(file),
        // No page of it may act, wherever it is opened.
        ContentType: "application/octet-stream",
      },
    });
  }

  async function withFile<T>(
    hash: string,
    act: (file: string) => Promise<T>,
  ): Promise<T> {
    const sizeBytes = await sizeOf(hash);
    if (sizeBytes === null) throw missingObject(hash);
    const body = await open(hash);
    const aside = await working
      .receive(body, sizeBytes)
      .finally(() => body.destroy());
    try {
      if (aside.hash !== hash)
        throw new OutsideError("corrupt", `The object ${hash} is damaged.`);
      return await act(aside.path);
    } finally {
      // Otherwise the sweep removes it.
      await working.discard(aside).catch(() => undefined);
    }
  }

  async function* list(): AsyncGenerator<string> {
    let after: string | undefined;
    do {
      const page = await client
        .send(
          new ListObjectsV2Command({
            ...{ Bucket, Prefix: prefix },
            ...(after !== undefined && { StartAfter: after }),
          }),
          inTime(),
        )
        .catch((error: unknown) => {
          throw new StorageAwayError(error);
        });
      const keys = (page.Contents ?? []).flatMap(({ Key }) => Key ?? []);
      for (const key of keys) {
        const hash = hashOf(key);
        if (hash !== null) yield hash;
      }
      after = page.IsTruncated ? keys.at(-1) : undefined;
    } while (after !== undefined);
  }

  /** Throws the storage's own error. */
  const requestBucket = (withinMs = answerMs) =>
    client.send(new HeadBucketCommand({ Bucket }), within(withinMs));

  let lastCheck = { canRead: false, at: -Infinity };

  async function canRead(): Promise<boolean> {
    if (lastCheck.canRead && monotonic() - lastCheck.at < checkEveryMs)
      return true;
    const isReadable = await requestBucket(checkMs).then(
      () => true,
      () => false,
    );
    lastCheck = { canRead: isReadable, at: monotonic() };
    return isReadable;
  }

  await requestBucket().catch((error: unknown) => {
    if (isRefusal(error))
      throw new Failure(
        "unavailable",
        isMissing(error)
          ? `The bucket ${Bucket} does not exist.`
          : `The object storage rejects the credentials for the bucket ${Bucket}.`,
      );
    log.warn("storage.unavailable", { error });
  });

  return {
    ...pickWorking(working),
    ...{ keep, add, sizeOf, withFile, list, folder: null, isLocal: false },
    read: open,
    stop: () => stopped.abort(),
    remove: async (hash) => {
      await deleter
        .send(new DeleteObjectCommand(placeOf(hash)), within(removeMs))
        .catch((error: unknown) => {
          throw new StorageAwayError(error, isRefusal(error));
        });
    },
    locate: async (hash, mimetype) => {
      const sizeBytes = await sizeOf(hash);
      if (sizeBytes === null) return null;
      // Uploaded content must not act as a page of the storage.
      const isMedia = /^(audio|image|video)\/(?!svg)/.test(mimetype);
      const disposition = isMedia ? "inline" : "attachment";
      const from = Math.floor(now() / windowMs) * windowMs;
      if (cdn)
        return {
          ...{ kind: "address", sizeBytes },
          address: cdn.addressOf(
            placeOf(hash).Key,
            {
              "response-content-type": mimetype,
              "response-content-disposition": disposition,
              "response-cache-control": "public, max-age=86400",
            },
            from + 2 * windowMs,
          ),
        };
      const command = new GetObjectCommand({
        ...placeOf(hash),
        ResponseContentType: mimetype,
        ResponseContentDisposition: disposition,
        ResponseCacheControl: "private, max-age=3600",
      });
      return {
        ...{ kind: "address", sizeBytes },
        address: await getSignedUrl(signer, command, {
          signingDate: new Date(from),
          expiresIn: (2 * windowMs) / 1000,
        }),
      };
    },
    isEmpty: async () => (await list().next()).done === true,
    check: async () => {
      const [here, isReadable] = await Promise.all([
        working.check(),
        canRead(),
      ]);
      return { canRead: isReadable, canWrite: here.canWrite };
    },
  };
}

function pickWorking({
  receive,
  part,
  newAside,
  discard,
  sweepStill,
}: FileStore) {
  return { receive, part, newAside, discard, sweepStill };
}

/** As the file system says it. */
function missingObject(hash: string): Error {
  return Object.assign(new Error(`The object ${hash} is missing.`), {
    code: "ENOENT",
  });
}
