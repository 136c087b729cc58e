// Prometheus metrics: requests are counted as they are answered, everything else is read on request.

import type { Request, RequestHandler } from "express";
import { Counter, Gauge, Histogram, Registry } from "prom-client";

export interface Metrics {
  /** Counts every request that passes. */
  readonly note: RequestHandler;
  /** Responds with the metrics in the text format 0.0.4. */
  readonly send: RequestHandler;
  /** Where further counters and histograms are registered. */
  readonly registry: Registry;
  /** A value that is read on each request for the metrics. */
  gauge(name: string, help: string, read: Read<number>): void;
  /** One value for each value of a label: `{ verified: 1, blank: 0 }`. */
  gaugeBy(name: string, help: string, label: string, read: Read<Values>): void;
  /** Constant information, as labels of a metric with the value 1. */
  info(help: string, labels: Readonly<Record<string, string>>): void;
}

type Read<Value> = () => Value | Promise<Value>;
type Values = Readonly<Record<string, number>>;

interface MetricsOptions {
  /** Prefix of the metrics' names: `vitrine_content`. */
  readonly prefix: string;
  /** Returns one of a bounded set of names, whatever clients request. */
  readonly routeOf: (request: Request) => string;
}

const httpMethods = new Set([
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
]);
/** From a single row to a long upload. */
const requestSeconds = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60];

export function createMetrics({ prefix, routeOf }: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: `${prefix}_requests_total`,
    help: "HTTP requests by route, method and status class.",
    labelNames: ["route", "method", "status"],
    registers,
  });
  const durations = new Histogram({
    name: `${prefix}_request_duration_seconds`,
    help: "Time from the request headers to the end of the response.",
    labelNames: ["route", "method"],
    buckets: requestSeconds,
    registers,
  });
  const gaugeOf = (
    name: string,
    help: string,
    labelNames: string[],
    collect: (gauge: Gauge) => Promise<void> | void,
  ): void => {
    new Gauge({
      ...{ name, help, labelNames, registers },
      async collect() {
        await collect(this);
      },
    });
  };
  const gauge: Metrics["gauge"] = (name, help, read) => {
    gaugeOf(name, help, [], async (one) => one.set(await read()));
  };
  gauge(`${prefix}_uptime_seconds`, "Uptime of the process.", () =>
    process.uptime(),
  );
  gauge("process_resident_memory_bytes", "Memory used by the process.", () =>
    process.memoryUsage.rss(),
  );
  return {
    ...{ registry, gauge },
    gaugeBy: (name, help, label, read) => {
      gaugeOf(name, help, [label], async (one) => {
        const values = await read();
        one.reset();
        for (const [key, value] of Object.entries(values))
          one.set({ [label]: key }, value);
      });
    },
    info: (help, labels) => {
      gaugeOf(`${prefix}_info`, help, Object.keys(labels), (one) => {
        one.set(labels, 1);
      });
    },
    note: (request, response, next) => {
      const startedAt = performance.now();
      response.once("close", () => {
        const { method: requestedMethod } = request;
        const method = httpMethods.has(requestedMethod)
          ? requestedMethod
          : "other";
        const labels = { route: routeOf(request), method };
        const status = `${Math.floor(response.statusCode / 100)}xx`;
        requests.inc({ ...labels, status });
        durations.observe(labels, (performance.now() - startedAt) / 1000);
      });
      next();
    },
    send: async (_request, response) => {
      response
        .setHeader("Cache-Control", "no-store")
        // Written as it is: Express would move the version behind the charset.
        .setHeader("Content-Type", registry.contentType)
        .end(await registry.metrics());
    },
  };
}
