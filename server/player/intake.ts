// Bytes on their way in: received aside, told by what they are, kept, and handed out as an upload to claim.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { Failure, fieldFailure } from "../core/failure.ts";
import type { AssetFile } from "../core/asset.ts";
import type { FileStore } from "../platform/file-store.ts";
import { probeMedia } from "../platform/media-probe.ts";
import { OutsideError } from "../platform/outside-error.ts";
import { type Library, uriOfUpload } from "./library.ts";

export interface Upload {
  /** What a creation hands back to claim these bytes. */
  readonly uri: string;
  readonly file: AssetFile;
}

export interface Intake {
  /** Throws a Failure about `field` and leaves nothing behind. */
  receive(source: Readable, field: string): Promise<Upload>;
  receiveFile(file: string): Promise<Upload>;
  /** Forgets what nobody claimed within this time, and removes bytes that no row needs. */
  sweep(olderThanMs: number): Promise<void>;
  /** Removes the bytes behind hashes that no row needs any more. */
  forget(hashes: readonly string[]): Promise<void>;
}

export interface IntakeOptions {
  readonly store: FileStore;
  readonly library: Library;
  readonly now: () => number;
  readonly makeId: () => string;
  /** The largest single file taken. */
  readonly mostBytes: number;
}

export function createIntake(options: IntakeOptions): Intake {
  const { store, library, now, makeId, mostBytes } = options;
  // Keeping bytes with their row, and removing bytes without one, must not cross.
  let turn: Promise<unknown> = Promise.resolve();
  function inTurn<T>(act: () => Promise<T>): Promise<T> {
    const done = turn.then(act);
    turn = done.catch(() => undefined);
    return done;
  }

  async function receive(source: Readable, field: string): Promise<Upload> {
    const aside = await store.receive(source, mostBytes).catch((error) => {
      throw asFailure(error);
    });
    try {
      if (aside.sizeBytes === 0)
        throw fieldFailure(field, "The file is empty.");
      const media = await probeMedia(aside.path);
      if (!media || media.type.startsWith("audio/"))
        throw fieldFailure(
          field,
          "This is no picture or video that can be told by its content.",
        );
      const file = { ...media, hash: aside.hash, sizeBytes: aside.sizeBytes };
      const token = makeId();
      await inTurn(async () => {
        await store.keep(aside);
        library.addUpload(token, file);
      });
      return { uri: uriOfUpload(token), file };
    } catch (error) {
      await store.discard(aside);
      throw error;
    }
  }

  const forget = (hashes: readonly string[]): Promise<void> =>
    inTurn(async () => {
      for (const hash of hashes)
        // Windows keeps a file that is still being shown: the next sweep takes it.
        if (library.file(hash) === null)
          await store.remove(hash).catch(() => undefined);
    });

  return {
    receive,
    receiveFile: async (file) => {
      const isFile = await stat(file).then(
        (entry) => entry.isFile(),
        () => false,
      );
      if (!isFile)
        throw new Failure(
          "not-found",
          `There is no file ${path.basename(file)}.`,
        );
      return receive(createReadStream(file), "file");
    },
    sweep: async (olderThanMs) => {
      await store.sweepAside(olderThanMs);
      await forget(library.dropUploads(now() - olderThanMs));
      // Bytes whose row was never written, as a power cut may leave them.
      await forget(await store.list());
    },
    forget,
  };
}

function asFailure(error: unknown): unknown {
  if (!(error instanceof OutsideError)) return error;
  switch (error.kind) {
    case "no-space":
      return new Failure("no-space", error.message);
    case "too-large":
      return new Failure("too-large", error.message);
    case "broken-off":
    case "corrupt":
      return new Failure("malformed", error.message);
    case "address-in-use":
      return error;
  }
}
