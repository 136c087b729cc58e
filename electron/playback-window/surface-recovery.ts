// Probes the screen where the playback window is when there is reason to, and recovers the window when it stays empty.

import type { Log } from "../../server/platform/log.ts";
import {
  firstSurface,
  nextTickMs,
  stepSurface,
  type SurfaceCause,
  type SurfaceEffect,
  type SurfaceEvent,
  type SurfaceState,
} from "./surface-recovery-policy.ts";

export interface SurfaceOptions {
  /** What the screen shows where the window is. Rejects when it could not be read. */
  readonly probe: (cause: SurfaceCause) => Promise<SurfaceState>;
  /** Hides the window and shows it again. */
  readonly remap: () => void;
  /** Ends the process of the page that is on the screen; another one replaces it. */
  readonly redraw: () => void;
  /** That did not help: only a restart of the whole app does. */
  readonly onUnrecoverable: () => void;
  readonly log: Log;
}

export interface Surface {
  /** The window may have become empty: probes it until it shows an image. */
  suspect(cause: SurfaceCause): void;
  stop(): void;
}

export function watchSurface(options: SurfaceOptions): Surface {
  const { probe, remap, redraw, onUnrecoverable, log } = options;
  let state = firstSurface;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function plan(): void {
    clearTimeout(timer);
    const atMs = nextTickMs(state);
    if (isStopped || atMs === null) return;
    const inMs = Math.ceil(atMs - performance.now());
    timer = setTimeout(() => receive({ kind: "tick" }), Math.max(0, inMs));
  }

  function receive(event: SurfaceEvent): void {
    if (isStopped) return;
    const step = stepSurface(state, event, performance.now());
    state = step.state;
    plan();
    for (const effect of step.effects) carryOut(effect);
  }

  function carryOut(effect: SurfaceEffect): void {
    switch (effect.kind) {
      case "probe": {
        const answer = (surfaceState: SurfaceState): void =>
          receive({ kind: "probed", probe: effect.probe, surfaceState });
        const { cause } = state;
        if (cause === null) return;
        void probe(cause).then(answer, () => answer("unknown"));
        return;
      }
      case "remap":
        log.error("surface.remapped", { emptyMs: effect.emptyMs });
        return remap();
      case "redraw":
        log.error("surface.redrawn", { emptyMs: effect.emptyMs });
        return redraw();
      case "restart":
        log.error("surface.recovery-failed", { emptyMs: effect.emptyMs });
        return onUnrecoverable();
    }
  }

  return {
    suspect: (cause) => receive({ kind: "suspected", cause }),
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
