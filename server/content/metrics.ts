// Prometheus metrics: counted as events happen and written on request (V4-206).

import { sql } from "kysely";
import type { Request } from "express";
import type { Database } from "../platform/database/database.ts";
import { createMetrics, type Metrics } from "../platform/metrics.ts";
import type { ContentTables } from "./tables.ts";

interface ContentMetricsOptions {
  readonly database: Database<ContentTables>;
  readonly version: string;
  readonly activeIngests: () => number;
  readonly uploadsUnderWay: () => number;
  readonly requestsUnderWay: () => number;
}

export function createContentMetrics(options: ContentMetricsOptions): Metrics {
  const { database, version } = options;
  const prefix = "vitrine_content";
  const metrics = createMetrics({ prefix, routeOf });
  const { gauge, gaugeBy } = metrics;
  metrics.info("This service.", { version, database: database.kind });
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
    "Requests being answered.",
    options.requestsUnderWay,
  );
  gauge(
    `${prefix}_uploads_under_way`,
    "Uploads being received.",
    options.uploadsUnderWay,
  );
  gauge(
    `${prefix}_intakes_under_way`,
    "Assets being fetched and processed by this instance.",
    options.activeIngests,
  );
  return metrics;
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
