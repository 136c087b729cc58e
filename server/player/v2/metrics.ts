// metrics: figures for a Prometheus, counted as they happen and written on demand (V2-79).

import type { Request, RequestHandler } from "express";
import type { AssetCounts } from "../counts.ts";
import type { Director } from "../director.ts";
import type { Machine } from "../machine.ts";
import type { Clock } from "../stage.ts";
import type { Takeovers } from "../takeover.ts";
import {
  createCounter,
  createHistogram,
  gauge,
  type Family,
} from "../../platform/prometheus.ts";

export interface Metrics {
  /** Notes every request that passes. */
  readonly note: RequestHandler;
  readonly send: RequestHandler;
}

export interface MetricsOptions {
  readonly director: Director;
  readonly takeovers: Takeovers;
  readonly machine: Machine;
  readonly clock: Clock;
  readonly version: string;
  readonly countAssets: () => AssetCounts;
  readonly eventClients: () => number;
  readonly uploadsUnderWay: () => number;
}

const knownMethods = new Set([
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
]);
/** From a single row to a long upload. */
const requestSeconds = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60];
/** One frame is 0.0167. */
const lateSeconds = [0.002, 0.005, 0.0167, 0.0333, 0.1, 0.5, 2, 5];

export function createMetrics(options: MetricsOptions): Metrics {
  const requests = createCounter(
    "vitrine_requests_total",
    "Requests answered, by route, method and class of status.",
  );
  const durations = createHistogram(
    "vitrine_request_duration_seconds",
    "From the headers of a request to the end of its answer.",
    requestSeconds,
  );
  const glass = watchGlass(options);

  async function families(): Promise<readonly Family[]> {
    const {
      machine,
      version,
      takeovers,
      countAssets,
      eventClients,
      uploadsUnderWay,
    } = options;
    const disk = await machine.disk();
    const assets = countAssets();
    const of = (state: keyof AssetCounts) => ({
      labels: { state },
      value: assets[state],
    });
    // prettier-ignore
    return [
      gauge("vitrine_info", "This player.", [{ labels: { version }, value: 1 }]),
      gauge("vitrine_uptime_seconds", "Since this player started.", [{ value: process.uptime() }]),
      ...glass,
      gauge("vitrine_takeover", "Whether a takeover has the screen.", [{ value: takeovers.current() ? 1 : 0 }]),
      gauge("vitrine_glass", "What was last seen on the glass; none is 1 before the first look.", glassSeen(options)),
      gauge("vitrine_assets", "Assets by state; one may be in several.", [
        of("all"), of("enabled"), of("active"), of("processing"), of("troubled"),
      ]),
      requests.family(),
      durations.family(),
      gauge("vitrine_event_clients", "Clients that listen to events.", [{ value: eventClients() }]),
      gauge("vitrine_uploads_under_way", "Uploads being received.", [{ value: uploadsUnderWay() }]),
      gauge("vitrine_disk_free_bytes", "Free on the disk with the store.", [{ value: disk.freeBytes }]),
      gauge("vitrine_disk_total_bytes", "Size of the disk with the store.", [{ value: disk.totalBytes }]),
      gauge("process_resident_memory_bytes", "Memory this process holds.", [{ value: process.memoryUsage.rss() }]),
    ];
  }

  return {
    note: (request, response, next) => {
      const startedAt = performance.now();
      response.once("close", () => {
        const labels = {
          route: routeOf(request),
          method: knownMethods.has(request.method) ? request.method : "other",
        };
        const status = `${Math.floor(response.statusCode / 100)}xx`;
        requests.add({ ...labels, status });
        durations.observe(labels, (performance.now() - startedAt) / 1000);
      });
      next();
    },
    send: async (_request, response) => {
      const text = (await families()).map(({ lines }) => lines()).join("");
      response
        .setHeader("Cache-Control", "no-store")
        // Written as it stands: Express would move the version behind the charset.
        .setHeader("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        .end(text);
    },
  };
}

/** One of them is 1. */
function glassSeen({ director }: MetricsOptions) {
  const seen = director.showing()?.verdict?.verdict ?? "none";
  return ["verified", "blank", "frozen", "wrong", "none"].map((verdict) => ({
    ...{ labels: { verdict }, value: Number(verdict === seen) },
  }));
}

/** The route's pattern, never the path: whatever clients ask for, there are only so many series. */
function routeOf(request: Request): string {
  const route = request.route as { readonly path?: unknown } | undefined;
  return typeof route?.path === "string" ? route.path : "none";
}

/** Swaps, how late they came, and what could not be shown. */
function watchGlass({ director }: MetricsOptions): readonly Family[] {
  const swaps = createCounter(
    "vitrine_swaps_total",
    "Slides put on the glass.",
  );
  const faults = createCounter(
    "vitrine_faults_total",
    "Slides that could not be shown.",
  );
  const late = createHistogram(
    "vitrine_swap_late_seconds",
    "How long after the end of a slide the next one was on the glass.",
    lateSeconds,
  );
  swaps.add({}, 0);
  faults.add({}, 0);
  let slideId: string | null = null;
  let untilMs: number | null = null;
  director.onFault(() => faults.add({}));
  director.onShowing(() => {
    const showing = director.showing();
    if (!showing) return;
    if (showing.slide.id !== slideId) {
      swaps.add({});
      // A command or a change cuts a slide short: then nothing was late.
      if (untilMs !== null && showing.sinceMs >= untilMs - 1)
        late.observe({}, Math.max(0, showing.sinceMs - untilMs) / 1000);
    }
    slideId = showing.slide.id;
    untilMs = showing.untilMs;
  });
  return [swaps.family(), faults.family(), late.family()];
}
