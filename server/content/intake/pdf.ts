// A PDF taken apart in a thread of its own: every page becomes a file, and no page holds up anybody else.

import { Worker } from "node:worker_threads";
import { Refused } from "./refused.ts";

/** Larger ones do not fit into the memory that taking apart needs. */
export const mostPdfBytes = 256 * 1024 ** 2;
/** A book; each page is a row and a file. */
const mostPages = 1000;
const mostMs = 10 * 60_000;
const mostHeapMb = 2048;

/** What the thread says: one page, how many there are, or why there are none. */
export type PdfWord =
  | { readonly page: Uint8Array }
  | { readonly done: true }
  | { readonly refused: string };

export interface PdfJob {
  readonly file: string;
  readonly mostPages: number;
}

/** Hands each page on in order, and takes the next one only when that is done; throws `Refused`. */
export function splitPdf(
  file: string,
  onPage: (page: Uint8Array, number: number) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const workerData: PdfJob = { file, mostPages };
  const worker = new Worker(new URL("./pdf-thread.ts", import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: mostHeapMb },
  });
  return new Promise<void>((resolve, reject) => {
    let number = 0;
    const late = setTimeout(
      () => reject(new Refused("This PDF takes too long to be taken apart.")),
      mostMs,
    );
    late.unref();
    const abort = (): void => reject(new Error("the service ends"));
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    worker.on("message", (word: PdfWord) => {
      if ("done" in word) resolve();
      else if ("refused" in word) reject(new Refused(word.refused));
      else
        onPage(word.page, (number += 1)).then(
          () => worker.postMessage("next"),
          reject,
        );
    });
    worker.once("error", () =>
      reject(new Refused("This PDF is damaged: its pages cannot be read.")),
    );
    worker.once("exit", () =>
      reject(new Refused("This PDF is damaged: its pages cannot be read.")),
    );
  }).finally(() => worker.terminate());
}
