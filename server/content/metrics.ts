// Figures for a Prometheus, counted as they happen and written on demand (V4-206).

import { sql } from "kysely";
import type { Request, RequestHandler } from "express";
import type { Database } from "../platform/database.ts";
import {
  createCounter,
  createHistogram,
  gauge,
  type Family,
  type Labels,
} from "../platform/prometheus.ts";
import type { ContentTables } from "./tables.ts";

export interface Metrics {
  /** Notes every request that passes. */
  readonly note: RequestHandler;
  readonly send: RequestHandler;
}

export interface MetricsOptions {
  readonly database: Database<ContentTables>;
  readonly version: string;
  readonly intakesUnderWay: () => number;
  readonly uploadsUnderWay: () => number;
  readonly requestsUnderWay: () => number;
}

const knownMethods = new Set([
  ...["GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"],
]);
/** From a single row to a long upload. */
const requestSeconds = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60];

export function createMetrics(options: MetricsOptions): Metrics {
  const requests = createCounter(
    "vitrine_content_requests_total",
    "Requests answered, by what was asked for, method and class of status.",
  );
  const durations = createHistogram(
    "vitrine_content_request_duration_seconds",
    "From the headers of a request to the end of its answer.",
    requestSeconds,
  );

  async function assetsByStatus() {
    const { rows } = await sql<{ status: string; count: number }>`
      SELECT status, count(*) AS count FROM assets GROUP BY status ORDER BY status
    `.execute(options.database.kysely);
    return rows.map(({ status, count }) => ({
      labels: { status },
      value: Number(count),
    }));
  }

  async function families(): Promise<readonly Family[]> {
    const { version, intakesUnderWay, uploadsUnderWay, requestsUnderWay } =
      options;
    // prettier-ignore
    return [
      gauge("vitrine_content_info", "This service.", [{ labels: { version, database: options.database.kind }, value: 1 }]),
      gauge("vitrine_content_uptime_seconds", "Since this service started.", [{ value: process.uptime() }]),
      gauge("vitrine_content_assets", "Assets by status.", await assetsByStatus()),
      requests.family(),
      durations.family(),
      gauge("vitrine_content_requests_under_way", "Requests being answered.", [{ value: requestsUnderWay() }]),
      gauge("vitrine_content_uploads_under_way", "Uploads being received.", [{ value: uploadsUnderWay() }]),
      gauge("vitrine_content_intakes_under_way", "Assets being fetched and processed by this instance.", [{ value: intakesUnderWay() }]),
      gauge("process_resident_memory_bytes", "Memory this process holds.", [{ value: process.memoryUsage.rss() }]),
    ];
  }

  return {
    note: (request, response, next) => {
      const startedAt = performance.now();
      response.once("close", () => {
        const { labels, byStatus } = seriesFor(request);
        const kind = Math.floor(response.statusCode / 100);
        requests.add(byStatus[kind] ?? labels);
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

interface Series {
  readonly labels: Labels;
  /** The same with the class of the status, by its first digit. */
  readonly byStatus: readonly Labels[];
}

/** Only so many there are: routes times methods. */
const allSeries = new Map<string, Series>();

function seriesFor(request: Request): Series {
  const route = routeOf(request);
  const method = knownMethods.has(request.method) ? request.method : "other";
  const key = `${method} ${route}`;
  let series = allSeries.get(key);
  if (!series) {
    const labels = { route, method };
    const byStatus = [0, 1, 2, 3, 4, 5].map((kind) => ({
      ...{ ...labels, status: `${kind}xx` },
    }));
    allSeries.set(key, (series = { labels, byStatus }));
  }
  return series;
}

const collection =
  /^\/(?:api\/)?(v3|v4|v4\.1)\/(assets|asset-groups|labels|playlists|playlist-items|playbacks|predicate|screens|edge-apps|groups|users|teams)\b/;
const own = /^\/(?:api\/)?(files|health|metrics|link)\b/;

/** The collection, never the path: whatever clients ask for, there are only so many series. */
function routeOf({ originalUrl }: Request): string {
  const [, version, name] = collection.exec(originalUrl) ?? [];
  if (version && name) return `${version}/${name}`;
  return own.exec(originalUrl)?.[1] ?? "other";
}
