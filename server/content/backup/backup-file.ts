// Where a backup is: a file, or an object in a bucket (V4-351).

import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Failure } from "../../core/failure.ts";
import { putInPlace } from "../../platform/files/replace-file.ts";
import {
  readStorageAddress,
  storageText,
  type StorageAddress,
} from "../files/storage-address.ts";
import { StorageAwayError } from "../files/storage-away.ts";

export interface BackupFile {
  /** For people. */
  readonly text: string;
  /** Throws a Failure when it exists, or cannot be written there. */
  assertNew(): Promise<void>;
  /** Throws a Failure when it does not exist. */
  assertExists(): Promise<void>;
  /** It exists only when all of the content is written. */
  write(content: Readable): Promise<void>;
  /** From its beginning, each time. */
  read(): Promise<Readable>;
}

/** A path, or s3://BUCKET/KEY with the parameters of `--storage`. */
export async function backupFileAt(text: string): Promise<BackupFile> {
  if (!text.startsWith("s3://")) return localFile(path.resolve(text));
  const address = readStorageAddress(text);
  if (!address || address.prefix === "")
    throw new Failure(
      "malformed",
      `${text} is not the address of an object: s3://BUCKET/KEY?endpoint=URL&region=NAME.`,
    );
  return objectFile(address);
}

function localFile(file: string): BackupFile {
  const exists = (kind: "file" | "folder", place: string): Promise<void> => {
    if (existsSync(place)) return Promise.resolve();
    throw new Failure("not-found", `The ${kind} ${place} does not exist.`);
  };
  return {
    text: file,
    assertNew: async () => {
      await exists("folder", path.dirname(file));
      if (existsSync(file)) throw existsAlready(file);
    },
    assertExists: async () => exists("file", file),
    write: async (content) => {
      const part = `${file}.${randomUUID()}.part`;
      try {
        await pipeline(
          content,
          createWriteStream(part, { flags: "wx", mode: 0o600, flush: true }),
        );
        await putInPlace(part, file);
      } finally {
        await rm(part, { force: true });
      }
    },
    read: () => Promise.resolve(createReadStream(file)),
  };
}

async function objectFile(address: StorageAddress): Promise<BackupFile> {
  const { HeadObjectCommand } = await import("@aws-sdk/client-s3");
  const { downloadObject, isMissing, openStorageClient, uploadObject } =
    await import("../files/storage-client.ts");
  const client = openStorageClient(address, address.endpoint);
  const downloader = openStorageClient(address, address.endpoint, {
    isForDownloads: true,
  });
  const text = storageText(address);
  const place = {
    Bucket: address.bucket,
    Key: address.prefix.replace(/\/$/, ""),
  };
  const exists = (): Promise<boolean> =>
    client.send(new HeadObjectCommand(place)).then(
      () => true,
      (error: unknown) => {
        if (isMissing(error)) return false;
        throw new StorageAwayError(error);
      },
    );
  return {
    text,
    assertNew: async () => {
      if (await exists()) throw existsAlready(text);
    },
    assertExists: async () => {
      if (await exists()) return;
      throw new Failure("not-found", `The object ${text} does not exist.`);
    },
    write: (content) =>
      uploadObject(client, {
        params: { ...place, Body: content, ContentType: "application/gzip" },
      }),
    read: () =>
      downloadObject(downloader, place).catch((error: unknown) => {
        throw new StorageAwayError(error);
      }),
  };
}

function existsAlready(text: string): Failure {
  return new Failure("conflict", `${text} already exists.`);
}
