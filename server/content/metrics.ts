// Prometheus metrics: counted as events happen and written on request (V4-206).

import { sql } from "kysely";
import type { Request } from "express";
import { Counter } from "prom-client";
import type { Database } from "../platform/database/database.ts";
import { createMetrics, type Metrics } from "../platform/metrics.ts";
import type { ReadReplica } from "./replica/read-replica.ts";
import type { ContentTables } from "./tables.ts";
import type { Traces } from "./traces/traces.ts";

interface ContentMetricsOptions {
  readonly database: Database<ContentTables>;
  readonly replica: ReadReplica | null;
  readonly version: string;
  readonly activeIngests: () => number;
  readonly uploadsUnderWay: () => number;
  readonly requestsUnderWay: () => number;
  readonly traces: Traces | null;
}

const prefix = "vitrine_content";

export function createContentMetrics(options: ContentMetricsOptions): Metrics {
  const { database, version } = options;
  const metrics = createMetrics({ prefix, routeOf });
  const { gauge, gaugeBy } = metrics;
  metrics.info("The version of this service.", {
    version,
    database: database.kind,
  });
  gaugeBy(`${prefix}_assets`, "Assets by status.", "status", async () => {
    const { rows } = await sql<{ status: string; count: number }>`
      SELECT status, count(*) AS count FROM assets GROUP BY status ORDER BY status
    `.execute(database.kysely);
    return Object.fromEntries(
      rows.map(({ status, count }) => [status, Number(count)]),
    );
  });
  gauge(
    `${prefix}_requests_under_way`,
    "Requests in progress.",
    options.requestsUnderWay,
  );
  gauge(
    `${prefix}_uploads_under_way`,
    "Uploads in progress.",
    options.uploadsUnderWay,
  );
  gauge(
    `${prefix}_intakes_under_way`,
    "Assets being downloaded and processed by this instance.",
    options.activeIngests,
  );
  if (options.traces) countSpans(metrics, prefix, options.traces);
  if (options.replica) addReplica(metrics, options.replica);
  return metrics;
}

function countSpans({ registry }: Metrics, prefix: string, traces: Traces) {
  const registers = [registry];
  new Counter({
    name: `${prefix}_spans_exported_total`,
    help: "Spans that the collector of traces has received.",
    registers,
    collect() {
      this.reset();
      this.inc(traces.counts().exported);
    },
  });
  new Counter({
    name: `${prefix}_spans_dropped_total`,
    help: "Spans that were dropped: too many were waiting, or the collector did not receive them.",
    labelNames: ["reason"],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(traces.counts().dropped))
        this.inc({ reason }, count);
    },
  });
}

function addReplica({ gauge, registry }: Metrics, replica: ReadReplica): void {
  gauge(
    `${prefix}_replica_in_use`,
    "1 while lists are read from the read replica.",
    () => (replica.status().problem === null ? 1 : 0),
  );
  gauge(
    `${prefix}_replica_lag_seconds`,
    "How far the read replica is behind at most; NaN while it is not in use.",
    () => (replica.status().lagMs ?? NaN) / 1000,
  );
  new Counter({
    name: `${prefix}_list_reads_total`,
    help: "Reads of lists by the server that answered them.",
    labelNames: ["server"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [server, count] of Object.entries(replica.status().answered))
        this.inc({ server }, count);
    },
  });
}

const collection =
  /^\/(?:api\/)?(v3|v4|v4\.1)\/(assets|asset-groups|labels|playlists|playlist-items|playbacks|predicate|screens|edge-apps|groups|users|teams)\b/;
const serviceRoutes = /^\/(?:api\/)?(files|health|metrics|link)\b/;

/** The collection, never the path: the number of time series is bounded whatever clients request. */
function routeOf({ originalUrl }: Request): string {
  const [, version, name] = collection.exec(originalUrl) ?? [];
  if (version && name) return `${version}/${name}`;
  return serviceRoutes.exec(originalUrl)?.[1] ?? "other";
}
