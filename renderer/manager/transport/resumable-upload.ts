// Uploads a file in pieces, and continues after lost connections and restarts of the player with the bytes that are missing
// (V2-800, V2-803).

import type {
  UploadPieceV2,
  UploadStateV2,
} from "../../../server/contract/v2/v2-answers.ts";
import type {
  Operate,
  OperateOutcome,
} from "../../../server/contract/v2/operations/operation-client.ts";
import { t } from "../../locales/messages.ts";
import type { Sending } from "./player-transport.ts";
import { retryPause } from "./retry-pause.ts";
import { Unreachable } from "./unreachable.ts";

export interface PieceSender {
  /** `beginUpload`. Rejects with Unreachable. */
  readonly operate: (call: Operate) => Promise<OperateOutcome>;
  /** `uploadFile` with a Content-Range. Rejects with Unreachable. */
  readonly post: (
    piece: Blob,
    range: string,
    onBytes: (sentBytes: number) => void,
  ) => Promise<OperateOutcome>;
  /** For the size of the next piece. */
  readonly monotonicMs: () => number;
}

const minPieceBytes = 256 * 1024;
const maxPieceBytes = 8 * 1024 * 1024;
/** A piece that breaks off is sent again as a whole: it should take about this long. */
const pieceMs = 3_000;
/** A body that a proxy damages is sent again, but not forever. */
const maxDamaged = 5;
/** So is one at which the player fails; counted anew once more bytes have arrived than ever before. */
const maxFaults = 4;

/** Resolves to the upload's `uri`. Rejects with the player's reason, or with the reason of the signal. */
export async function sendInPieces(
  file: File,
  { uploadId, signal, onBytes, onInterrupted }: Sending,
  { operate, post, monotonicMs }: PieceSender,
): Promise<string> {
  let pieceBytes = 1024 * 1024;
  let failures = 0;
  let damaged = 0;
  let faults = 0;
  let mostBytes = 0;

  async function begun(): Promise<UploadStateV2> {
    const outcome = await operate({
      ...{ operation: "beginUpload", parameters: { id: uploadId } },
      body: { total: file.size },
    });
    return answerOf(outcome) as UploadStateV2;
  }

  /** Sends what is missing of this state; resolves to the upload's `uri` when all of it has arrived. */
  async function sendNext(state: UploadStateV2): Promise<string | null> {
    let { received } = state;
    for (const missing of state.missing)
      for (let { from } = missing; from <= missing.to;) {
        const to = Math.min(missing.to, from + pieceBytes - 1);
        const piece = await contentOf(file, from, to);
        signal.throwIfAborted();
        const startedMs = monotonicMs();
        const range = `bytes ${from}-${to}/${file.size}`;
        const before = received;
        const { uri } = answerOf(
          await post(piece, range, (sentBytes) => {
            onBytes(before + sentBytes, file.size);
          }),
        ) as UploadPieceV2;
        received += to - from + 1;
        if (received > mostBytes) [mostBytes, faults] = [received, 0];
        from = to + 1;
        onBytes(received, file.size);
        pieceBytes = nextPieceBytes(piece.size, monotonicMs() - startedMs);
        failures = 0;
        onInterrupted(null);
        if (uri !== undefined) return uri;
      }
    return null;
  }

  for (;;)
    try {
      signal.throwIfAborted();
      const state = await begun();
      if (state.uri !== null) return state.uri;
      onBytes(state.received, state.total);
      // All bytes are there, but the player stopped before it stored them.
      if (state.missing.length === 0)
        state.missing.push({ from: state.total - 1, to: state.total - 1 });
      const uri = await sendNext(state);
      if (uri !== null) return uri;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const isPassing =
        error instanceof Interruption || error instanceof Unreachable;
      if (!isPassing) throw error;
      if (error instanceof Interruption) {
        if (error.kind === "damaged") damaged += 1;
        if (error.kind === "fault") faults += 1;
        if (damaged > maxDamaged) throw error;
        if (faults >= maxFaults) throw new PlayerFault(error.message);
      }
      pieceBytes = minPieceBytes;
      onInterrupted(error.message);
      await retryPause(failures, signal);
      failures += 1;
    }
}

/** The player failed again and again; what has arrived is still there. */
export class PlayerFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "PlayerFault";
  }
}

/** The player answered that it cannot continue at the moment. */
class Interruption extends Error {
  readonly kind: "busy" | "damaged" | "fault";

  constructor(message: string, kind: Interruption["kind"]) {
    super(message);
    this.name = "Interruption";
    this.kind = kind;
  }
}

const passingCodes: ReadonlySet<string> = new Set([
  ...["unavailable", "too-many", "conflict", "unauthorized"],
]);

function answerOf(outcome: OperateOutcome): unknown {
  if (outcome.isDone) return outcome.answer;
  const { code, message, fields } = outcome;
  if (passingCodes.has(code)) throw new Interruption(message, "busy");
  if (code === "internal") throw new Interruption(message, "fault");
  // After a restart before the first piece was stored, the upload is unknown.
  if (fields?.["X-Upload-Id"]) throw new Interruption(message, "busy");
  if (fields?.["Content-Range"] || (code === "invalid" && fields === null))
    throw new Interruption(message, "damaged");
  throw new Error(message);
}

/** Read before it is sent: a file that is gone is no failure of the connection. */
async function contentOf(file: File, from: number, to: number): Promise<Blob> {
  try {
    return new Blob([await file.slice(from, to + 1).arrayBuffer()]);
  } catch {
    throw new Error(t("uploads.unreadable"));
  }
}

function nextPieceBytes(sentBytes: number, tookMs: number): number {
  const ideal = (sentBytes * pieceMs) / Math.max(1, tookMs);
  const most = Math.min(maxPieceBytes, 4 * Math.max(sentBytes, minPieceBytes));
  return Math.round(Math.min(most, Math.max(minPieceBytes, ideal)));
}
