// Resumable uploads: pieces in any order, until every byte is there (V2-31), also across a restart (V2-800).

import type { Readable } from "node:stream";
import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { fieldFailure, Failure } from "../../core/failure.ts";
import type { FilePart } from "../../platform/files/partial-file.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import { createAnnouncement } from "../event-emitter.ts";
import { noProgress, type Progress } from "./transfer-progress.ts";
import {
  dropRecord,
  keepRecord,
  renew,
  unfinishedUploads,
  type Ranges,
} from "./unfinished-uploads.ts";
import { asFailure, type Uploads, type Upload } from "./uploads.ts";

/** One piece: bytes `from` to `to`, both inclusive, of `total`. */
export interface Piece {
  readonly uploadId: string | null;
  readonly from: number;
  readonly to: number;
  readonly total: number;
}

export interface PieceOutcome {
  readonly uploadId: string;
  /** Null while pieces are missing. */
  readonly upload: Upload | null;
  readonly receivedBytes: number;
}

export interface UploadState {
  readonly totalBytes: number;
  readonly receivedBytes: number;
  /** Both ends inclusive, in order; the first of them where there are very many. */
  readonly missing: Ranges;
  /** Null while pieces are missing. */
  readonly upload: Upload | null;
}

export interface Pieces {
  /** Begins an upload under this identifier; if it has begun, returns its state. Throws `conflict` for another size. */
  begin(uploadId: string, totalBytes: number): Promise<UploadState>;
  /** Throws a Failure on `Content-Range` or `X-Upload-Id`; a piece that failed may be sent again. */
  receive(
    source: Readable,
    piece: Piece,
    field: string,
    arrived?: Promise<void>,
  ): Promise<PieceOutcome>;
  /** An upload in pieces, or any that waits to be claimed; null where there is none. */
  state(uploadId: string): Promise<UploadState | null>;
  /** Discards it with all its bytes, also while a piece arrives; false where there is none. */
  cancel(uploadId: string): Promise<boolean>;
  /** After each piece, for the upload as a whole (V2-128). */
  onProgress(listener: (progress: Progress) => void): () => void;
  /** Deletes uploads that have not grown for this long. */
  sweep(olderThanMs: number): Promise<void>;
}

export interface PiecesOptions {
  readonly store: FileStore;
  readonly uploads: Uploads;
  readonly now: () => number;
  readonly makeId: () => string;
  readonly maxBytes: number;
}

interface Growing {
  readonly part: FilePart;
  readonly total: number;
  ranges: Ranges;
  touchedAt: number;
  /** The piece that is being received. */
  underWay: { readonly source: Readable; readonly done: Promise<void> } | null;
  isCancelled: boolean;
}

/** A client reads the state again when it has sent these. */
const maxMissing = 100;
/** A client that starts over each time must not fill the disk with partial uploads. */
const maxGrowing = 32;

export function createPieces(options: PiecesOptions): Pieces {
  const { store, uploads, now, makeId, maxBytes } = options;
  const growing = new Map<string, Growing>();
  const progress = createAnnouncement<Progress>();
  let loading: Promise<void> | null = null;

  /** Those of the previous run, once. */
  function loaded(): Promise<void> {
    loading ??= unfinishedUploads(store).then(
      (found) => {
        for (const [id, { total, ranges }] of found)
          growing.set(id, newUpload(id, total, ranges));
      },
      (error: unknown) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  }

  function newUpload(id: string, total: number, ranges: Ranges): Growing {
    return {
      ...{ part: store.part(id), total, ranges, touchedAt: now() },
      ...{ underWay: null, isCancelled: false },
    };
  }

  function emit(uploadId: string, receivedBytes: number, of: Growing): void {
    const { total: totalBytes } = of;
    const isDone = receivedBytes === totalBytes;
    progress.emit({
      ...{ ...noProgress, uploadId, receivedBytes, totalBytes, isDone },
    });
  }

  function add(id: string, total: number): void {
    assertSize(total);
    if (growing.size >= maxGrowing)
      throw new Failure("too-many", playerSentences["upload-limit"]);
    growing.set(id, newUpload(id, total, []));
  }

  function assertSize(total: number): void {
    if (total <= maxBytes) return;
    throw new Failure(
      "too-large",
      `The file is larger than the limit of ${maxBytes} bytes.`,
    );
  }

  async function begin(id: string, total: number): Promise<UploadState> {
    let begun = await state(id);
    if (begun === null) {
      add(id, total);
      begun = await state(id);
    }
    if (begun?.totalBytes !== total)
      throw new Failure("conflict", playerSentences["upload-size-differs"]);
    return begun;
  }

  function find(id: string, piece: Piece): Growing {
    const upload = growing.get(id);
    if (!upload)
      throw fieldFailure("X-Upload-Id", playerSentences["upload-unknown"]);
    if (upload.total !== piece.total)
      throw fieldFailure(
        "Content-Range",
        "Content-Range must give the same total size for every piece.",
      );
    if (upload.underWay)
      throw new Failure("conflict", playerSentences["upload-busy"]);
    return upload;
  }

  async function receive(
    source: Readable,
    piece: Piece,
    field: string,
    arrived?: Promise<void>,
  ): Promise<PieceOutcome> {
    assertSize(piece.total);
    await loaded();
    const id = piece.uploadId ?? makeId();
    if (piece.uploadId === null) add(id, piece.total);
    const upload = find(id, piece);
    let settle = (): void => undefined;
    const done = new Promise<void>((resolve) => (settle = resolve));
    upload.underWay = { source, done };
    upload.touchedAt = now();
    try {
      const expectedBytes = piece.to - piece.from + 1;
      // If writing fails, bytes that were there before may have been overwritten.
      const others = withoutRange(upload.ranges, [piece.from, piece.to]);
      const isOverwriting = sizeOf(others) < sizeOf(upload.ranges);
      upload.ranges = others;
      if (isOverwriting) await keepRecord(upload.part, upload);
      const { bytes, isOver } = await upload.part.write(
        source,
        piece.from,
        expectedBytes,
      );
      if (isOver || bytes !== expectedBytes)
        throw fieldFailure(
          "Content-Range",
          composeSentence(playerSentences["upload-piece-size"], {
            announced: expectedBytes,
            sent: isOver ? "more" : bytes,
          }),
        );
      await arrived;
      const ranges = withRange(upload.ranges, [piece.from, piece.to]);
      const receivedBytes = sizeOf(ranges);
      if (receivedBytes < upload.total) {
        await upload.part.flush();
        await keepRecord(upload.part, { ...upload, ranges });
      }
      if (upload.isCancelled) throw cancelled();
      upload.ranges = ranges;
      emit(id, receivedBytes, upload);
      if (receivedBytes < upload.total)
        return { uploadId: id, upload: null, receivedBytes };
      const stored = await finish(id, upload, field);
      return { uploadId: id, upload: stored, receivedBytes };
    } catch (error) {
      const failure = asFailure(upload.isCancelled ? cancelled() : error);
      // No client knows the id of an upload whose first piece failed.
      const isUnknown = piece.uploadId === null && upload.ranges.length === 0;
      // What has arrived would keep the disk full (V2-18).
      const isOutOfSpace =
        failure instanceof Failure && failure.code === "no-space";
      if (isUnknown || isOutOfSpace || upload.isCancelled)
        await discard(id, upload);
      throw failure;
    } finally {
      upload.underWay = null;
      settle();
    }
  }

  /** Until it is stored, it is in progress: its state can be read, and it can be cancelled. */
  async function finish(
    id: string,
    upload: Growing,
    field: string,
  ): Promise<Upload> {
    try {
      const aside = await upload.part.finish();
      const stored = await uploads.upload(aside, field, id);
      if (!upload.isCancelled) return stored;
      await uploads.cancel(id);
      throw cancelled();
    } finally {
      growing.delete(id);
      await dropRecord(upload.part);
    }
  }

  async function discard(id: string, { part }: Growing): Promise<void> {
    growing.delete(id);
    await part.discard();
    await dropRecord(part);
  }

  async function cancel(id: string): Promise<boolean> {
    await loaded();
    const upload = growing.get(id);
    if (!upload) return uploads.cancel(id);
    upload.isCancelled = true;
    if (upload.underWay) {
      upload.underWay.source.destroy();
      await upload.underWay.done;
    } else await discard(id, upload);
    return true;
  }

  async function state(id: string): Promise<UploadState | null> {
    await loaded();
    const upload = growing.get(id);
    if (upload) {
      const { total, ranges } = upload;
      const missing = withoutRanges(total, ranges).slice(0, maxMissing);
      const receivedBytes = sizeOf(ranges);
      return { totalBytes: total, receivedBytes, missing, upload: null };
    }
    const stored = uploads.waiting(id);
    if (!stored) return null;
    const { sizeBytes } = stored.file;
    return {
      ...{ totalBytes: sizeBytes, receivedBytes: sizeBytes, missing: [] },
      upload: stored,
    };
  }

  return {
    ...{ begin, receive, state, cancel },
    onProgress: progress.on,
    sweep: async (olderThanMs) => {
      await loaded();
      for (const [id, upload] of growing) {
        const isOver = now() - upload.touchedAt >= olderThanMs;
        if (isOver && !upload.underWay) await discard(id, upload);
        else await renew(upload.part);
      }
    },
  };
}

function cancelled(): Failure {
  return new Failure("conflict", playerSentences["upload-canceled"]);
}

function sizeOf(ranges: Ranges): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
}

/** What these ranges leave of a file of this size. */
function withoutRanges(total: number, ranges: Ranges): Ranges {
  return ranges.reduce<Ranges>(withoutRange, [[0, total - 1]]);
}

/** The ranges with one more added, merged where they touch. */
export function withRange(
  ranges: Ranges,
  added: readonly [number, number],
): Ranges {
  const sorted = [...ranges, added].sort((a, b) => a[0] - b[0]);
  const joined: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = joined.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

function withoutRange(
  ranges: Ranges,
  [first, last]: readonly [number, number],
): Ranges {
  return ranges
    .flatMap(([from, to]): Ranges => [
      [from, Math.min(to, first - 1)],
      [Math.max(from, last + 1), to],
    ])
    .filter(([from, to]) => from <= to);
}
