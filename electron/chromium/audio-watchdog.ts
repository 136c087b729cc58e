// Audio process watchdog: pings the process periodically while something audible is shown or prepared, and kills it when it hangs
// (V2-728). A video with sound is neither ready nor continues until that process has responded, even if it is muted, and choosing
// an output blocks the stage's page for ten seconds.

import { app, type WebContents } from "electron";
import type { Log } from "../../server/platform/log.ts";
import { watchService, type Service } from "./service-watchdog.ts";

export interface AudioOptions {
  /** Whether what is shown or prepared has sound. */
  readonly isNeeded: () => boolean;
  /** Of the stage. */
  readonly contents: () => WebContents;
  /** The audio process has ended: what waited for it before is not at fault. */
  readonly onLost: () => void;
  readonly log: Log;
}

export type Audio = Omit<Service, "gone">;

/** Name in Electron's process metrics. */
const service = "audio.mojom.AudioService";
/** Lists the cameras, which are requested together with the audio outputs: it can keep a ping from being answered, too. */
const cameras = "video_capture.mojom.VideoCaptureService";
/** Isolated from the page's own scripts. */
const world = 996;

export function watchAudio(options: AudioOptions): Audio {
  const { isNeeded, contents, onLost, log } = options;

  /** The list of outputs comes from that process. It is not started for this. */
  async function ping(): Promise<unknown> {
    const isRunning = app
      .getAppMetrics()
      .some(({ serviceName }) => serviceName === service);
    const stage = contents();
    if (!isRunning || stage.isDestroyed()) return;
    const code = "navigator.mediaDevices.enumerateDevices().then(() => 1)";
    return stage.executeJavaScriptInIsolatedWorld(world, [{ code }]);
  }

  const watch = watchService({
    names: [service, cameras],
    ...{ isNeeded, ping },
    onUnresponsive: () => log.error("audio.unresponsive"),
    onLost: (reason) => {
      log.error("audio.lost", { reason });
      onLost();
    },
  });
  const onGone = (
    _event: unknown,
    { serviceName, reason }: Electron.Details,
  ): void => {
    if (serviceName === service) watch.gone(reason);
  };
  app.on("child-process-gone", onGone);
  return {
    ...{ due: watch.due, changed: watch.changed },
    stop: () => {
      watch.stop();
      app.off("child-process-gone", onGone);
    },
  };
}
