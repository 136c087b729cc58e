// Resumable uploads: pieces in any order, until every byte is there (V2-31).

import type { Readable } from "node:stream";
import { fieldFailure, Failure } from "../../core/failure.ts";
import type { FilePart } from "../../platform/files/partial-file.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import { createAnnouncement } from "../event-emitter.ts";
import { noProgress, type Progress } from "./transfer-progress.ts";
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

export interface Pieces {
  /** Throws a Failure on `Content-Range` or `X-Upload-Id`; a piece that failed may be sent again. */
  receive(
    source: Readable,
    piece: Piece,
    field: string,
    arrived?: Promise<void>,
  ): Promise<PieceOutcome>;
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
  /** Ranges that have arrived, disjoint and in order; both ends inclusive. */
  ranges: readonly (readonly [from: number, to: number])[];
  touchedAt: number;
  isBusy: boolean;
}

/** An unfinished upload without a new piece is swept after an hour, as an unclaimed one is (V2-15). */
export const unfinishedUploadMs = 3_600_000;
/** A client that starts over each time must not fill the disk with partial uploads. */
const maxGrowing = 32;

export function createPieces(options: PiecesOptions): Pieces {
  const { store, uploads, now, makeId, maxBytes } = options;
  const growing = new Map<string, Growing>();
  const progress = createAnnouncement<Progress>();

  function emit(uploadId: string, receivedBytes: number, of: Growing): void {
    const { total: totalBytes } = of;
    const isDone = receivedBytes === totalBytes;
    progress.emit({
      ...{ ...noProgress, uploadId, receivedBytes, totalBytes, isDone },
    });
  }

  function begin(total: number): string {
    if (growing.size >= maxGrowing)
      throw new Failure("too-many", "Too many uploads are in progress.");
    const id = makeId();
    growing.set(id, {
      ...{ part: store.part(id), total, ranges: [] },
      ...{ touchedAt: now(), isBusy: false },
    });
    return id;
  }

  function find(id: string, piece: Piece): Growing {
    const upload = growing.get(id);
    if (!upload)
      throw fieldFailure(
        "X-Upload-Id",
        "X-Upload-Id does not match any upload in progress.",
      );
    if (upload.total !== piece.total)
      throw fieldFailure(
        "Content-Range",
        "Content-Range must give the same total size for every piece.",
      );
    if (upload.isBusy)
      throw new Failure(
        "conflict",
        "Another piece of this upload is being received.",
      );
    return upload;
  }

  async function receive(
    source: Readable,
    piece: Piece,
    field: string,
    arrived?: Promise<void>,
  ): Promise<PieceOutcome> {
    if (piece.total > maxBytes)
      throw new Failure(
        "too-large",
        `The file is larger than the limit of ${maxBytes} bytes.`,
      );
    const id = piece.uploadId ?? begin(piece.total);
    const upload = find(id, piece);
    upload.isBusy = true;
    upload.touchedAt = now();
    try {
      const expectedBytes = piece.to - piece.from + 1;
      // If writing fails, bytes that were there before may have been overwritten.
      upload.ranges = withoutRange(upload.ranges, [piece.from, piece.to]);
      const { bytes, isOver } = await upload.part.write(
        source,
        piece.from,
        expectedBytes,
      );
      if (isOver || bytes !== expectedBytes)
        throw fieldFailure(
          "Content-Range",
          `Content-Range announces ${expectedBytes} bytes; the body has ${isOver ? "more" : bytes}.`,
        );
      await arrived;
      upload.ranges = withRange(upload.ranges, [piece.from, piece.to]);
      const receivedBytes = upload.ranges.reduce(
        (sum, [from, to]) => sum + to - from + 1,
        0,
      );
      emit(id, receivedBytes, upload);
      if (receivedBytes < upload.total)
        return { uploadId: id, upload: null, receivedBytes };
      growing.delete(id);
      return {
        uploadId: id,
        upload: await uploads.upload(await upload.part.finish(), field),
        receivedBytes,
      };
    } catch (error) {
      // No client knows the id of an upload whose first piece failed.
      if (piece.uploadId === null && upload.ranges.length === 0) {
        growing.delete(id);
        await upload.part.discard();
      }
      throw asFailure(error);
    } finally {
      upload.isBusy = false;
    }
  }

  return {
    receive,
    onProgress: progress.on,
    sweep: async (olderThanMs) => {
      for (const [id, upload] of growing) {
        if (upload.isBusy || now() - upload.touchedAt < olderThanMs) continue;
        growing.delete(id);
        await upload.part.discard();
      }
    },
  };
}

/** The ranges with one more added, merged where they touch. */
export function withRange(
  ranges: readonly (readonly [number, number])[],
  added: readonly [number, number],
): readonly (readonly [number, number])[] {
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
  ranges: readonly (readonly [number, number])[],
  [first, last]: readonly [number, number],
): readonly (readonly [number, number])[] {
  return ranges
    .flatMap(([from, to]): readonly (readonly [number, number])[] => [
      [from, Math.min(to, first - 1)],
      [Math.max(from, last + 1), to],
    ])
    .filter(([from, to]) => from <= to);
}
