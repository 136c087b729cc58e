// So many uploads at once and no more (V2-69); tells how far each is.

import type { Request, RequestHandler } from "express";
import { Failure } from "../../core/failure.ts";
import type { Clock } from "../stage.ts";

export interface UploadProgress {
  /** Counts the uploads of this start. */
  readonly upload: number;
  readonly receivedBytes: number;
  /** Null where the client did not announce a length. */
  readonly totalBytes: number | null;
  readonly isDone: boolean;
}

export interface UploadGate {
  readonly admit: RequestHandler<never>;
  underWay(): number;
  /** Once a second for each upload that moved, and once at its end. */
  onProgress(listener: (progress: UploadProgress) => void): () => void;
}

/** Eight streams already keep a disk busy; more would only make each slower. */
const mostAtOnce = 8;
const againAfterSeconds = 5;
const tellEveryMs = 1000;

export function createUploadGate(clock: Clock): UploadGate {
  const listeners = new Set<(progress: UploadProgress) => void>();
  let underWay = 0;
  let count = 0;

  function follow(request: Request, upload: number): () => void {
    const length = request.headers["content-length"];
    const totalBytes = length === undefined ? null : Number(length);
    // Counted at the socket, so that the bytes need not pass through one more pair of hands.
    const from = request.socket.bytesRead;
    let told = -1;
    const tell = (isDone: boolean): void => {
      const read = request.socket.bytesRead - from;
      const receivedBytes = Math.min(read, totalBytes ?? Infinity);
      if (receivedBytes === told && !isDone) return;
      told = receivedBytes;
      for (const listener of listeners)
        listener({ upload, receivedBytes, totalBytes, isDone });
    };
    let stopTimer = (): void => undefined;
    const wait = (): void => {
      stopTimer = clock.after(tellEveryMs, () => {
        tell(false);
        wait();
      });
    };
    wait();
    return () => {
      stopTimer();
      tell(true);
    };
  }

  return {
    underWay: () => underWay,
    onProgress: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    admit: (request, response, next) => {
      if (underWay >= mostAtOnce) {
        response.setHeader("Retry-After", againAfterSeconds);
        throw new Failure(
          "unavailable",
          `${mostAtOnce} uploads are under way already; try again in ${againAfterSeconds} seconds.`,
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
