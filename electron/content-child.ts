// One run of the content service as a process of Electron's own, which a package without Node can start too.

import { utilityProcess } from "electron";
import type { Log } from "../server/platform/log.ts";
import type { HostedChild } from "./content-host.ts";

export function forkContent(script: string, log: Log): HostedChild {
  const child = utilityProcess.fork(script, [], {
    serviceName: "Vitrine content service",
    stdio: ["ignore", "ignore", "pipe"],
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    log.error("hosting.complained", { text: chunk.toString().slice(0, 2000) });
  });
  return {
    post: (message) => child.postMessage(message),
    onMessage: (hear) => child.on("message", hear),
    onExit: (hear) => child.once("exit", hear),
    kill: () => void child.kill(),
  };
}
