// metrics: Prometheus metrics of the player, counted as they occur and written on request (V2-79).

import type { Request } from "express";
import { Counter, Histogram, type Registry } from "prom-client";
import type { AssetCounts } from "../../library/counts.ts";
import type { Director } from "../../playback/director.ts";
import type { Machine } from "../../machine.ts";
import type { Takeovers } from "../../playback/takeover.ts";
import { createMetrics, type Metrics } from "../../../platform/metrics.ts";

interface PlayerMetricsOptions {
  readonly director: Director;
  readonly takeovers: Takeovers;
  readonly machine: Machine;
  readonly version: string;
  readonly countAssets: () => AssetCounts;
  readonly eventClients: () => number;
  readonly uploadsUnderWay: () => number;
}

/** One frame is 0.0167. */
const lateSeconds = [0.002, 0.005, 0.0167, 0.0333, 0.1, 0.5, 2, 5];

export function createPlayerMetrics(options: PlayerMetricsOptions): Metrics {
  const { director, machine, takeovers } = options;
  const metrics = createMetrics({ prefix: "vitrine", routeOf });
  const { gauge, gaugeBy } = metrics;
  metrics.info("This player.", { version: options.version });
  countShowings(director, metrics.registry);
  gaugeBy(
    "vitrine_screen",
    "What was last seen on the screen; none is 1 before the first look.",
    "verdict",
    () => {
      const seen = director.status()?.verdict?.verdict ?? "none";
      return { ...noVerdict, [seen]: 1 };
    },
  );
  gaugeBy(
    "vitrine_assets",
    "Assets by state; one may be in several.",
    "state",
    () => {
      const { all, enabled, active, processing, troubled } =
        options.countAssets();
      return { all, enabled, active, processing, troubled };
    },
  );
  gauge("vitrine_takeover", "Whether a takeover has the screen.", () =>
    takeovers.current() ? 1 : 0,
  );
  gauge(
    "vitrine_event_clients",
    "Clients that listen to events.",
    options.eventClients,
  );
  gauge(
    "vitrine_uploads_under_way",
    "Uploads being received.",
    options.uploadsUnderWay,
  );
  gauge(
    "vitrine_disk_free_bytes",
    "Free on the disk with the store.",
    async () => (await machine.disk()).freeBytes,
  );
  gauge(
    "vitrine_disk_total_bytes",
    "Size of the disk with the store.",
    async () => (await machine.disk()).totalBytes,
  );
  return metrics;
}

/** One of them is set to 1. */
const noVerdict = { verified: 0, blank: 0, frozen: 0, wrong: 0, none: 0 };

/** The route's pattern, never the path: the number of series stays bounded, whatever clients request. */
function routeOf(request: Request): string {
  const route = request.route as { readonly path?: unknown } | undefined;
  return typeof route?.path === "string" ? route.path : "none";
}

/** Counts showings, how late they came, and failures. */
function countShowings(director: Director, registry: Registry): void {
  const registers = [registry];
  const swaps = new Counter({
    name: "vitrine_swaps_total",
    help: "Slides put on the screen.",
    registers,
  });
  const faults = new Counter({
    name: "vitrine_faults_total",
    help: "Slides that could not be shown.",
    registers,
  });
  const late = new Histogram({
    name: "vitrine_swap_late_seconds",
    help: "How long after the end of a slide the next one was on the screen.",
    buckets: lateSeconds,
    registers,
  });
  let showingId: string | null = null;
  let untilMs: number | null = null;
  director.onFault(() => faults.inc());
  director.onShowing(() => {
    const status = director.status();
    if (!status) return;
    if (status.showing.id !== showingId) {
      swaps.inc();
      // A showing that a command or a change cut short was not late.
      if (untilMs !== null && status.sinceMs >= untilMs - 1)
        late.observe(Math.max(0, status.sinceMs - untilMs) / 1000);
    }
    showingId = status.showing.id;
    untilMs = status.untilMs;
  });
}
