// Imports bytes: writes them to a temporary file, detects what they are, stores them, and returns an upload to claim.

import { setImmediate } from "node:timers/promises";
import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { generalSentences } from "../../contract/sentences/general-sentences.ts";
import { Failure, fieldFailure } from "../../core/failure.ts";
import type { AssetFile } from "../../core/asset.ts";
import type { Aside } from "../../platform/files/partial-file.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import type { Log } from "../../platform/log.ts";
import { judgeMedia, mediaOf } from "../../platform/media/media-probe.ts";
import { OutsideError } from "../../platform/outside-error.ts";
import { nameOf, type Place } from "../../platform/files/raw-path.ts";
import type { Apps, ArrivedApp } from "../apps/apps.ts";
import { type Library, uriOfUpload } from "../library/library.ts";

/** Unclaimed uploads and temporary files are swept after an hour (V2-15). */
export const unclaimedUploadMs = 3_600_000;

/** More than any signage clip. */
const defaultMaxUploadBytes = 64 * 1024 ** 3;

/** The largest file accepted. */
export function maxUploadBytesOf(options: {
  readonly maxUploadBytes?: number | undefined;
}): number {
  return options.maxUploadBytes ?? defaultMaxUploadBytes;
}

export interface Upload {
  /** What a client sends when it creates an asset, to claim these bytes. */
  readonly uri: string;
  readonly file: AssetFile;
}

export interface Uploads {
  /** Throws a Failure about `field` and leaves nothing behind, also when the rest of the request body never ends. */
  receive(
    source: Readable,
    field: string,
    arrived?: Promise<void>,
  ): Promise<Upload>;
  receiveFile(
    file: Place,
    onBytes?: (received: number, total: number) => void,
  ): Promise<Upload>;
  /** The same for a resumable upload, under its identifier. */
  upload(aside: Aside, field: string, token: string): Promise<Upload>;
  /** The upload with this token that waits to be claimed. */
  waiting(token: string): Upload | null;
  /** Discards it; false where there is none. */
  cancel(token: string): Promise<boolean>;
  /** Stores bytes that arrived in another way, if they are media; otherwise throws a Failure and discards them. */
  admit(
    aside: Aside,
    field?: string,
    also?: (file: AssetFile) => void | Promise<void>,
  ): Promise<AssetFile>;
  /** Stores bytes of any kind whose meaning the caller knows; `also` runs in the same queue slot. */
  keep(aside: Aside, also: () => void | Promise<void>): Promise<void>;
  /** Deletes uploads that were not claimed within this time, and bytes that no row needs. */
  sweep(olderThanMs: number): Promise<void>;
  /** Deletes the bytes of these hashes where no row needs them any more. */
  forget(hashes: readonly string[]): Promise<void>;
  /** From now on no bytes are deleted until every holder has released its hold. */
  hold(): Promise<() => void>;
}

export interface UploadsOptions {
  readonly store: FileStore;
  readonly library: Library;
  readonly apps: Apps;
  readonly now: () => number;
  readonly makeId: () => string;
  readonly log: Log;
  /** It was judged, and is stored. */
  readonly onJudged: (hash: string) => void;
  /** The largest single file accepted. */
  readonly maxBytes: number;
}

/** About a millisecond of lookups. */
const hashesAtOnce = 100;

export function createUploads(options: UploadsOptions): Uploads {
  const { store, library, apps, now, makeId, log, maxBytes, onJudged } =
    options;
  // Storing bytes with their row and deleting bytes without one must not overlap.
  let lastTask: Promise<unknown> = Promise.resolve();
  function runInOrder<T>(act: () => Promise<T>): Promise<T> {
    const done = lastTask.then(act);
    lastTask = done.catch(() => undefined);
    return done;
  }

  /** Type of the bytes if they are intact media (V2-420), and the rendition that is shown in their place (V2-421). */
  async function inspect(
    aside: Aside,
    field: string,
  ): Promise<{ readonly file: AssetFile; readonly aside: Aside }> {
    if (aside.sizeBytes === 0)
      throw fieldFailure(field, generalSentences["file-empty"]);
    const shownPath = `${aside.path}.shown`;
    try {
      const media = await judgeMedia({
        file: aside.path,
        shownFile: shownPath,
      });
      if (!media)
        throw fieldFailure(field, generalSentences["file-unsupported"]);
      if (media.problem !== null) throw fieldFailure(field, media.problem);
      const { hash, sizeBytes } = aside;
      return {
        file: { ...mediaOf(media), hash, sizeBytes },
        aside: media.hasShownFile ? { ...aside, shownPath } : aside,
      };
    } catch (error) {
      await rm(shownPath, { force: true });
      throw error;
    }
  }

  async function keepApp(
    app: ArrivedApp,
    aside: Aside,
    also: () => void | Promise<void>,
  ): Promise<void> {
    await app.keep();
    await store.keep(aside);
    app.note();
    await also();
  }

  interface Keeping {
    readonly aside: Aside;
    readonly also: () => void | Promise<void>;
    readonly done: () => void;
    readonly fail: (error: unknown) => void;
  }

  let waiting: Keeping[] = [];
  /**
   * Imports that wait in the queue are stored together: their folders are flushed at once, and their rows are written in one
   * transaction where the caller supports that.
   */
  function keepTogether(
    aside: Aside,
    also: () => void | Promise<void>,
  ): Promise<void> {
    return new Promise((done, fail) => {
      waiting.push({ aside, also, done, fail });
      if (waiting.length > 1) return;
      runInOrder(async () => {
        const together = waiting;
        waiting = [];
        const results = await Promise.allSettled(
          together.map((one) => store.keep(one.aside)),
        );
        await Promise.all(
          together.map(async (one, index) => {
            try {
              const outcome = results[index];
              if (outcome?.status === "rejected") throw outcome.reason;
              await one.also();
              one.done();
            } catch (error) {
              one.fail(error);
            }
          }),
        );
      }).catch(fail);
    });
  }

  /** Detects the type, then stores; `also` runs in the same queue slot. */
  async function admit(
    aside: Aside,
    field = "file",
    also: (file: AssetFile) => void | Promise<void> = () => undefined,
  ): Promise<AssetFile> {
    let app: ArrivedApp | null = null;
    let judged = aside;
    try {
      app = await apps.arrive(aside, field).catch((error: unknown) => {
        throw asFailure(error);
      });
      const arrived = app;
      if (arrived) {
        const { file } = arrived;
        await runInOrder(() => keepApp(arrived, aside, () => also(file)));
        return file;
      }
      const inspected = await inspect(aside, field);
      judged = inspected.aside;
      await keepTogether(judged, () => also(inspected.file));
      onJudged(inspected.file.hash);
      return inspected.file;
    } catch (error) {
      await store.discard(judged);
      await app?.discard();
      throw error;
    }
  }

  async function upload(
    aside: Aside,
    field: string,
    token: string,
  ): Promise<Upload> {
    const file = await admit(aside, field, (stored) => {
      library.addUpload(token, stored);
    });
    return { uri: uriOfUpload(token), file };
  }

  async function receive(
    source: Readable,
    field: string,
    arrived?: Promise<void>,
  ): Promise<Upload> {
    const aside = await store.receive(source, maxBytes).catch((error) => {
      throw asFailure(error);
    });
    await arrived?.catch(async (error: unknown) => {
      await store.discard(aside);
      throw error;
    });
    return upload(aside, field, makeId());
  }

  let holds = 0;
  /** Windows keeps a file that another program has open: it is deleted with the next ones, or by the next sweep. */
  const undeleted = new Set<string>();
  async function remove(hash: string): Promise<void> {
    try {
      await store.remove(hash);
      undeleted.delete(hash);
    } catch (error) {
      undeleted.add(hash);
      log.warn("store.file-not-deleted", { hash, error });
    }
  }

  const forget = (hashes: readonly string[]): Promise<void> =>
    runInOrder(async () => {
      if (holds > 0) return;
      const due = [...new Set([...undeleted, ...hashes])];
      for (const [index, hash] of due.entries()) {
        // With very many files, one batch at a time: other tasks run in between.
        if (index % hashesAtOnce === 0) await setImmediate();
        if (library.file(hash) === null) await remove(hash);
        else undeleted.delete(hash);
      }
    });

  return {
    receive,
    upload,
    waiting: (token) => {
      const file = library.waitingUpload(token);
      return file && { uri: uriOfUpload(token), file };
    },
    cancel: async (token) => {
      const unneeded = library.dropUpload(token);
      if (unneeded) await forget(unneeded);
      return unneeded !== null;
    },
    admit,
    keep: async (aside, also) => {
      try {
        await keepTogether(aside, also);
      } catch (error) {
        await store.discard(aside);
        throw error;
      }
    },
    receiveFile: async (file, onBytes) => {
      const entry = await stat(file).catch(() => null);
      if (!entry?.isFile())
        throw new Failure(
          "not-found",
          composeSentence(playerSentences["file-unknown"], {
            file: nameOf(file),
          }),
        );
      const source = createReadStream(file);
      if (onBytes)
        source.on("data", () => onBytes(source.bytesRead, entry.size));
      // A listener alone would start the stream before anything reads its bytes.
      source.pause();
      return receive(source, "file");
    },
    sweep: async (olderThanMs) => {
      await store.sweepAside(olderThanMs);
      await forget(library.dropUploads(now() - olderThanMs));
      // Bytes whose row was never written, as a power cut may leave them.
      await forget(await store.list());
    },
    forget,
    hold: () =>
      runInOrder(async () => {
        holds += 1;
        let isHeld = true;
        return () => {
          if (isHeld) holds -= 1;
          isHeld = false;
          // Bytes that became unneeded in the meantime; if this fails, the next sweep deletes them.
          store
            .list()
            .then(forget)
            .catch(() => undefined);
        };
      }),
  };
}

export function asFailure(error: unknown): unknown {
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
