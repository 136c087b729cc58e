// One run of the content service as a utility process of Electron, which also works in a package without Node.

import { utilityProcess } from "electron";
import type { Log } from "../../server/platform/log.ts";
import type { MediaRelayRequest } from "../../server/contract/content-host.ts";
import type { HostedChild } from "./content-host.ts";
import { relayMedia } from "./media-child.ts";

export function forkContent(
  script: string,
  mediaScript: string,
  log: Log,
): HostedChild {
  const child = utilityProcess.fork(script, [], {
    serviceName: "Vitrine content service",
    stdio: ["ignore", "ignore", "pipe"],
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    log.error("hosting.stderr", { text: chunk.toString().slice(0, 2000) });
  });
  let isOver = false;
  const media = relayMedia(mediaScript, (report) => {
    if (!isOver) child.postMessage(report);
  });
  child.once("exit", () => {
    isOver = true;
    media.endAll();
  });
  return {
    post: (message) => child.postMessage(message),
    onMessage: (listener) =>
      child.on("message", (message: { media?: MediaRelayRequest }) => {
        if (message.media) media.obey(message.media);
        else listener(message);
      }),
    onExit: (listener) => child.once("exit", listener),
    kill: () => {
      child.kill();
    },
  };
}
