// Enforces the limits of a web page (V2-604, V2-733): counts its messages and requests, and measures its processes periodically.

import { app, type WebContents } from "electron";
import { everySecond } from "../../server/platform/shared-timer.ts";
import { endProcess } from "../chromium/end-process.ts";
import { lowerWorkers } from "../chromium/worker-priority.ts";
import { guardMainProcess } from "./flood-guard.ts";
import { firstUse, stepUse, type PageEvent } from "./page-limits.ts";

/** A page may allocate a gibibyte per second while it loads; later it grows slowly, if at all. */
const intervalMs = { beforeReady: 500, onceReady: 3000 };

export interface PageWatchOptions {
  readonly isReady: () => boolean;
  /** Called each time its processes are measured. */
  readonly onMeasured: () => void;
  /** Called once, with the reason; the page's process is ended after that. */
  readonly onExcess: (reason: string) => void;
  /** The page is watched all the same. */
  readonly onError: (error: unknown) => void;
}

/** More of them in one message are not counted. */
const maxIcons = 1000;

/** Of the pages being watched. */
const messageCounters = new WeakMap<WebContents, () => void>();

/** A page has made the main process do something that no event of its contents reports, such as answering a permission request. */
export function countMessage(contents: WebContents | null): void {
  if (contents) messageCounters.get(contents)?.();
}

/** Of the pages that are open, by the id of their contents. */
const requestCounters = new Map<number, () => number | null>();

/** How long a request of these contents has to wait; null for one of a page that is over. Undefined: they are no page. */
export function countRequest(contentsId: number): number | null | undefined {
  return requestCounters.get(contentsId)?.();
}

/** Watches until the returned function is called. */
export function watchPage(
  contents: WebContents,
  { isReady, onMeasured, onExcess, onError }: PageWatchOptions,
): () => void {
  let state = firstUse(performance.now());
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  /** Returns how long a request has to wait; null when the page is over. */
  function receive(event: PageEvent): number | null {
    if (isOver) return null;
    const step = stepUse(state, event, performance.now());
    state = step.state;
    if (step.excess === null) return step.waitMs;
    stop();
    // By the system: a process that floods or loops reacts to nothing else.
    const pid = contents.isDestroyed() ? 0 : contents.getOSProcessId();
    onExcess(step.excess);
    if (pid > 0) endProcess(pid);
    return null;
  }

  function measure(): void {
    if (contents.isDestroyed()) return stop();
    onMeasured();
    const pids = processesOf(contents);
    guard(pids);
    const pageMetrics = app.getAppMetrics().filter(({ pid }) => pids.has(pid));
    const sum = (of: (metric: Electron.ProcessMetric) => number): number =>
      pageMetrics.reduce((total, metric) => total + of(metric), 0);
    receive({
      kind: "measured",
      memoryBytes: sum(({ memory }) => memory.workingSetSize) * 1024,
      processorSeconds: sum(({ cpu }) => cpu.cumulativeCPUUsage ?? 0),
      isReady: isReady(),
    });
    plan();
  }

  const stopLowering = everySecond(() => {
    if (contents.isDestroyed()) return stop();
    processesOf(contents).forEach(lowerWorkers);
  });

  function plan(): void {
    if (isOver) return;
    const pauseMs = isReady() ? intervalMs.onceReady : intervalMs.beforeReady;
    timer = setTimeout(measure, pauseMs);
  }

  const message = (): void => {
    receive({ kind: "message" });
  };
  /** Each time, the page sends the addresses of all its icons. */
  const icons = (_event: unknown, addresses: readonly string[]): void => {
    addresses.slice(0, maxIcons).forEach(message);
  };
  const { id } = contents;
  const guard = (pids: ReadonlySet<number>): void =>
    guardMainProcess({ id, pids: [...pids] }, onError);
  /** Its document may be in another process. */
  const navigated = (): void => guard(processesOf(contents));
  contents.on("did-frame-navigate", navigated);
  contents.on("console-message", message);
  contents.on("page-title-updated", message);
  contents.on("did-navigate-in-page", message);
  contents.on("frame-created", message);
  contents.on("page-favicon-updated", icons);
  messageCounters.set(contents, message);
  requestCounters.set(id, () => receive({ kind: "request" }));
  function stop(): void {
    isOver = true;
    clearTimeout(timer);
    stopLowering();
    guard(new Set());
    contents.off("did-frame-navigate", navigated);
    contents.off("console-message", message);
    contents.off("page-title-updated", message);
    contents.off("did-navigate-in-page", message);
    contents.off("frame-created", message);
    contents.off("page-favicon-updated", icons);
    messageCounters.delete(contents);
  }
  plan();
  return () => {
    stop();
    requestCounters.delete(id);
  };
}

/** Of all its frames: those of other sites have processes of their own. */
function processesOf(contents: WebContents): ReadonlySet<number> {
  try {
    return new Set(
      contents.mainFrame.framesInSubtree.map((frame) => frame.osProcessId),
    );
  } catch {
    // It is navigating at this moment, or is gone.
    return new Set();
  }
}
