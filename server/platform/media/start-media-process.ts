// Starts media processes: Node child processes, unless the program provides another way.

import { fork, type ChildProcess } from "node:child_process";
import { areDescriptorsFew } from "../process/descriptors.ts";
import { processorMsOf } from "../process/process-stat.ts";
import type { MediaJob, PageTaken, PictureJob } from "./media-job.ts";
import { maxHeapMb } from "./media-limits.ts";
import type { MediaMessage } from "./media-process.ts";

/** An exit code, null when it was killed; or it never ran, for lack of descriptors or memory. */
export type MediaExit = number | null | "not-started";

export interface MediaProcess {
  post(job: MediaJob | PageTaken | PictureJob): void;
  onMessage(listener: (message: MediaMessage) => void): void;
  onExit(listener: (code: MediaExit) => void): void;
  kill(): void;
  /** Processor time that it has used, in milliseconds; null where that is unknown. */
  processorMs(): number | null;
  /** Whether this process keeps the parent running. */
  setWaitedFor(isWaitedFor: boolean): void;
}

/** Throws when no process can be started. */
type StartMediaProcess = () => MediaProcess;

/** A process that hangs does not notice that its owner has ended (V2-508). */
const children = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

let start: StartMediaProcess = forkNode;

/** Within Electron no Node child can be started: the program provides the way. */
export function startMediaProcessesBy(other: StartMediaProcess): void {
  start = other;
}

/** The current way to start processes: one that was started in another way is no longer used. */
export function mediaStartWay(): unknown {
  return start;
}

export function startMediaProcess(): MediaProcess {
  return start();
}

function forkNode(): MediaProcess {
  return forkMediaScript(new URL("./media-process.ts", import.meta.url));
}

/** A Node child that runs this file. */
export function forkMediaScript(script: URL): MediaProcess {
  if (areDescriptorsFew())
    throw new Error("Too many files and connections are open.");
  const child = fork(script, [], {
    execArgv: [`--max-old-space-size=${maxHeapMb}`],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  children.add(child);
  child.once("exit", () => children.delete(child));
  // A child that ended meanwhile is reported by its exit event.
  child.on("error", () => undefined);
  // Without a pid it has no channel either, and no exit event follows.
  if (child.pid === undefined) {
    children.delete(child);
    throw new Error("The process that reads media files cannot be started.");
  }
  return {
    post: (job) => {
      child.send(job, () => undefined);
    },
    onMessage: (listener) => {
      child.on("message", (message) => listener(message as MediaMessage));
    },
    onExit: (listener) => {
      child.once("exit", listener);
    },
    kill: () => {
      child.kill("SIGKILL");
    },
    processorMs: () => processorMsOf(child.pid),
    setWaitedFor: (isWaitedFor) => {
      if (isWaitedFor) {
        child.ref();
        child.channel?.ref();
      } else {
        child.unref();
        child.channel?.unref();
      }
    },
  };
}
