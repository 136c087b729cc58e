// Utility processes that parse untrusted media: for the player, and for the content service that this PC hosts.

import { utilityProcess } from "electron";
import type {
  MediaRelayReport,
  MediaRelayRequest,
} from "../../server/contract/content-host.ts";
import type { MediaProcess } from "../../server/platform/media/start-media-process.ts";
import { maxHeapMb } from "../../server/platform/media/media-limits.ts";
import type { MediaMessage } from "../../server/platform/media/media-process.ts";
import { processorMsOf } from "../../server/platform/process/process-stat.ts";
import { assertDescriptors } from "../chromium/descriptors.ts";
import { createProcessEnds } from "./process-ends.ts";

const serviceName = "Vitrine media";

/** Idle processes are ended, and are no fault. */
export const mediaEnds = createProcessEnds(serviceName);

/** Throws while descriptors are few. */
export function forkMediaProcess(script: string): MediaProcess {
  assertDescriptors();
  const child = utilityProcess.fork(script, [], {
    serviceName,
    execArgv: [`--max-old-space-size=${maxHeapMb}`],
    stdio: "ignore",
  });
  let isOver = false;
  let wasStarted = false;
  child.once("spawn", () => (wasStarted = true));
  child.once("exit", () => (isOver = true));
  return {
    post: (job) => child.postMessage(job),
    onMessage: (listener) => {
      child.on("message", (message: MediaMessage) => listener(message));
    },
    onExit: (listener) => {
      child.once("exit", (code) => listener(wasStarted ? code : "not-started"));
    },
    kill: () => {
      if (isOver) return;
      // A hung process does not end on request.
      if (child.pid === undefined) child.kill();
      else process.kill(child.pid, "SIGKILL");
      mediaEnds.add();
    },
    processorMs: () => processorMsOf(child.pid),
    // The app ends by itself, and these processes end with it.
    setWaitedFor: () => undefined,
  };
}

function startedOrNull(script: string): MediaProcess | null {
  try {
    return forkMediaProcess(script);
  } catch {
    // The service waits and tries again.
    return null;
  }
}

/** The processes of one run of the hosted service; call `endAll` when it is over. */
export function relayMedia(
  script: string,
  report: (message: { readonly media: MediaRelayReport }) => void,
): {
  readonly obey: (request: MediaRelayRequest) => void;
  readonly endAll: () => void;
} {
  const running = new Map<number, MediaProcess>();
  return {
    obey: (request) => {
      const { process: number } = request;
      if ("start" in request) {
        const started = startedOrNull(script);
        if (!started)
          return report({ media: { process: number, exit: "not-started" } });
        running.set(number, started);
        started.onMessage((message) =>
          report({ media: { process: number, message } }),
        );
        started.onExit((exit) => {
          running.delete(number);
          report({ media: { process: number, exit } });
        });
      } else if ("post" in request)
        running.get(number)?.post(request.post as never);
      else running.get(number)?.kill();
    },
    endAll: () => {
      for (const one of running.values()) one.kill();
    },
  };
}
