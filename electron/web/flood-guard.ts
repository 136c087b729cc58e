// Pauses, and finally ends, a web page that floods the main process by means that no event reports (locks, workers): from a thread,
// since the main process itself no longer gets to it (V2-738).

import { Worker } from "node:worker_threads";

/** Message to the thread: the processes of a page; none when it is closed. */
export interface PageProcesses {
  readonly id: number;
  readonly pids: readonly number[];
}

/** Shared with the thread: the number of beats, then the ids of the pages ended last. */
export const beatPlace = 0;
export const endedPlaces = 16;

const shared = new Int32Array(
  new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * (1 + endedPlaces)),
);
const open = new Map<number, string>();
let thread: Worker | null = null;

/** Call it whenever a page may have other processes than before. */
export function guardMainProcess(
  page: PageProcesses,
  onError: (error: unknown) => void,
): void {
  const pids = page.pids.join();
  if ((open.get(page.id) ?? "") === pids) return;
  if (pids === "") open.delete(page.id);
  else open.set(page.id, pids);
  if (open.size > 0) thread ??= start(onError);
  thread?.postMessage(page);
}

function start(onError: (error: unknown) => void): Worker {
  const started = new Worker(
    new URL("./flood-guard-thread.ts", import.meta.url),
    { workerData: shared },
  );
  // It asks only while this process is busy: an idle one is not woken for that.
  started.on("message", () => Atomics.add(shared, beatPlace, 1));
  started.unref();
  // Pages are shown without it; the next one starts another.
  started.once("error", (error) => {
    thread = null;
    open.clear();
    onError(error);
  });
  return started;
}

/** Whether the thread has ended the page with these contents. */
export function isEndedByGuard(contentsId: number): boolean {
  return shared.subarray(1).includes(contentsId);
}
