// Limits the number of concurrent uploads (V2-69) and reports the progress of each.

import type { Request, RequestHandler } from "express";
import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import { Failure } from "../../../core/failure.ts";
import {
  everySecond,
  noProgress,
  type Progress,
} from "../../files/transfer-progress.ts";
import type { Clock } from "../../../platform/clock.ts";

export interface UploadGate {
  readonly admit: RequestHandler<never>;
  underWay(): number;
  /** Once a second for each upload that moved, and once when it ends. */
  onProgress(listener: (progress: Progress) => void): () => void;
}

/** Eight streams already keep a disk busy; more would only make each slower. */
const maxAtOnce = 8;
const againAfterSeconds = 5;

export function createUploadGate(clock: Clock): UploadGate {
  const listeners = new Set<(progress: Progress) => void>();
  let underWay = 0;
  let count = 0;

  function follow(request: Request, upload: number): () => void {
    const length = request.headers["content-length"];
    const totalBytes = length === undefined ? null : Number(length);
    // Counted at the socket, so that the bytes need not pass through another stream.
    const from = request.socket.bytesRead;
    let reportedBytes = -1;
    const emitProgress = (isDone: boolean): void => {
      const read = request.socket.bytesRead - from;
      const receivedBytes = Math.min(read, totalBytes ?? Infinity);
      if (receivedBytes === reportedBytes && !isDone) return;
      reportedBytes = receivedBytes;
      for (const listener of listeners)
        listener({ ...noProgress, upload, receivedBytes, totalBytes, isDone });
    };
    const stopTimer = everySecond(clock, () => emitProgress(false));
    return () => {
      stopTimer();
      emitProgress(true);
    };
  }

  return {
    underWay: () => underWay,
    onProgress: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    admit: (request, response, next) => {
      if (underWay >= maxAtOnce) {
        response.setHeader("Retry-After", againAfterSeconds);
        throw new Failure(
          "unavailable",
          composeSentence(playerSentences["uploads-at-once"], {
            limit: maxAtOnce,
            seconds: againAfterSeconds,
          }),
        );
      }
      underWay += 1;
      const end = follow(request, ++count);
      response.once("close", () => {
        underWay -= 1;
        end();
      });
      next();
    },
  };
}
