// Starts the processes that read foreign media: children of Node, unless the program brings another way.

import { fork, type ChildProcess } from "node:child_process";
import { areDescriptorsFew } from "../process/descriptors.ts";
import type { MediaJob, PageTaken } from "./media-job.ts";
import type { MediaMessage } from "./media-process.ts";

/** A code, null where it was killed; or it never ran, for want of descriptors or memory. */
export type MediaExit = number | null | "not-started";

export interface MediaProcess {
  post(job: MediaJob | PageTaken): void;
  onMessage(listener: (message: MediaMessage) => void): void;
  onExit(listener: (code: MediaExit) => void): void;
  kill(): void;
  /** Whether this process waits for it before it ends. */
  setWaitedFor(isWaitedFor: boolean): void;
}

/** Throws where none can be started. */
type StartMediaProcess = () => MediaProcess;

const maxHeapMb = 768;

/** One that hangs does not see that its owner is gone (V2-508). */
const children = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

let start: StartMediaProcess = forkNode;

/** Within Electron no child of Node can be started: the program says how else. */
export function startMediaProcessesBy(other: StartMediaProcess): void {
  start = other;
}

/** The way they are started now: one that was started another way is of no more use. */
export function mediaStartWay(): unknown {
  return start;
}

export function startMediaProcess(): MediaProcess {
  return start();
}

function forkNode(): MediaProcess {
  return forkMediaScript(new URL("./media-process.ts", import.meta.url));
}

/** A child of Node that runs this file. */
export function forkMediaScript(script: URL): MediaProcess {
  if (areDescriptorsFew())
    throw new Error("Too many files and connections are open.");
  const child = fork(script, [], {
    execArgv: [`--max-old-space-size=${maxHeapMb}`],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  children.add(child);
  child.once("exit", () => children.delete(child));
  // A child that ended meanwhile is told of by its exit.
  child.on("error", () => undefined);
  // Without one it has no channel either, and no exit is told of it.
  if (child.pid === undefined) {
    children.delete(child);
    throw new Error("No process that reads files can be started.");
  }
  return {
    post: (job) => {
      child.send(job, () => undefined);
    },
    onMessage: (listener) =>
      void child.on("message", (message) => listener(message as MediaMessage)),
    onExit: (listener) => void child.once("exit", listener),
    kill: () => void child.kill("SIGKILL"),
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
