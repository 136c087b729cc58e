// Traces by OpenTelemetry: spans wait in a bounded queue and are exported over OTLP, apart from the requests they describe.

import { AsyncLocalStorage } from "node:async_hooks";
import http from "node:http";
import https from "node:https";
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  defaultTextMapGetter,
  defaultTextMapSetter,
  trace,
  type Context,
  type Span as OtelSpan,
} from "@opentelemetry/api";
import {
  ExportResultCode,
  W3CTraceContextPropagator,
} from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace";
import type { Log } from "../../platform/log.ts";
import type { TraceSettings } from "./trace-settings.ts";
import type { Span, SpanCounts, SpanStart, Traces } from "./traces.ts";

export interface OpenTracesOptions {
  readonly settings: TraceSettings;
  readonly version: string;
  /** Identifies this instance. */
  readonly instance: string;
  readonly log: Pick<Log, "info" | "warn">;
}

/** How long the export may take when the service stops: within the eight seconds that a process has for that. */
const drainMs = 2_000;

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
};

/** Nothing global is registered: several services may run in one process, and no module is patched. */
export function openTraces(options: OpenTracesOptions): Traces {
  const { settings, log } = options;
  const queue = createExportQueue(options);
  const provider = new TracerProvider({
    sampler: samplerOf(settings.sampler),
    spanProcessors: [queue.processor],
    resource: resourceFromAttributes({
      ...{ "service.name": settings.serviceName },
      ...{ "service.version": options.version },
      ...{ "service.instance.id": options.instance },
      ...settings.resource,
    }),
  });
  const tracer = provider.getTracer("vitrine-content", options.version);
  const propagator = new W3CTraceContextPropagator();
  const running = new AsyncLocalStorage<RunningSpan>();

  const begin = (
    { name, kind, attributes = {} }: SpanStart,
    parent: Context,
  ): RunningSpan => {
    const span = tracer.startSpan(
      name,
      { kind: kinds[kind], attributes: attributes },
      parent,
    );
    return runningSpan(span, trace.setSpan(ROOT_CONTEXT, span), propagator);
  };
  const current = (): RunningSpan | null => {
    const span = running.getStore();
    return span && !span.isOver() ? span : null;
  };

  return {
    begin: (start, headers) =>
      begin(
        start,
        headers
          ? propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
          : ROOT_CONTEXT,
      ),
    beginBelow: (start) => {
      const parent = current();
      return parent?.isRecorded ? begin(start, parent.context) : null;
    },
    current,
    runIn: (span, act) => running.run(span as RunningSpan, act),
    counts: queue.counts,
    stop: async () => {
      const lost = await queue.drain(provider, drainMs);
      if (lost > 0) log.warn("traces.dropped-at-stop", { spans: lost });
    },
  };
}

interface RunningSpan extends Span {
  readonly context: Context;
  isOver(): boolean;
}

function runningSpan(
  span: OtelSpan,
  context: Context,
  propagator: W3CTraceContextPropagator,
): RunningSpan {
  let isOver = false;
  return {
    ...{ context, traceId: span.spanContext().traceId },
    isRecorded: span.isRecording(),
    isOver: () => isOver,
    rename: (name) => {
      span.updateName(name);
    },
    set: (attributes) => {
      span.setAttributes(attributes);
    },
    fail: (type) => {
      span
        .setStatus({ code: SpanStatusCode.ERROR })
        .setAttribute("error.type", type);
    },
    end: () => {
      isOver = true;
      span.end();
    },
    headers: () => {
      const headers: Record<string, string> = {};
      propagator.inject(context, headers, defaultTextMapSetter);
      return headers;
    },
  };
}

function samplerOf({ name, ratio }: TraceSettings["sampler"]): Sampler {
  if (name.startsWith("parentbased_"))
    return new ParentBasedSampler({
      root: samplerOf({ name: name.slice(12) as typeof name, ratio }),
    });
  if (name === "always_off") return new AlwaysOffSampler();
  return name === "traceidratio"
    ? new TraceIdRatioBasedSampler(ratio)
    : new AlwaysOnSampler();
}

/** Counts what the library counts for itself only: spans for which there is no place, and spans that were not exported. */
function createExportQueue({ settings, log }: OpenTracesOptions) {
  const { queueSize, delayMs, url } = settings;
  const agent = new (url.startsWith("https:") ? https : http).Agent({
    keepAlive: true,
  });
  const exporter = new OTLPTraceExporter({
    ...{ url, headers: settings.headers, timeoutMillis: settings.timeoutMs },
    httpAgentOptions: () => agent,
  });
  let waiting = 0;
  let exported = 0;
  let queueFull = 0;
  let notExported = 0;
  let isFailing = false;

  const counting: SpanExporter = {
    shutdown: () => exporter.shutdown(),
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        waiting -= spans.length;
        const isDone = result.code === ExportResultCode.SUCCESS;
        if (isDone) exported += spans.length;
        else notExported += spans.length;
        if (isDone && isFailing) log.info("traces.exported-again");
        // The response of the collector is foreign text, and the address may contain a password.
        if (!isDone && !isFailing)
          log.warn("traces.not-exported", {
            reason: result.error?.name ?? "unknown",
          });
        isFailing = !isDone;
        done(result);
      }),
  };
  const batches = new BatchSpanProcessor({
    ...{ exporter: counting, maxQueueSize: queueSize },
    ...{ scheduledDelayMillis: delayMs },
    maxExportBatchSize: Math.min(512, queueSize),
    // The exporter has its own limit, before this one.
    exportTimeoutMillis: settings.timeoutMs + 5_000,
  });
  const processor: SpanProcessor = {
    onStart: () => undefined,
    onEnd: (span: ReadableSpan) => {
      if (waiting >= queueSize) queueFull += 1;
      else {
        waiting += 1;
        batches.onEnd(span);
      }
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };

  return {
    processor,
    counts: (): SpanCounts => ({
      exported,
      dropped: { queue_full: queueFull, not_exported: notExported },
    }),
    /** Returns how many spans were lost. */
    drain: async (provider: TracerProvider, ms: number): Promise<number> => {
      let late: NodeJS.Timeout | undefined;
      const lostBefore = notExported;
      await Promise.race([
        // A collector that does not take them is counted above.
        provider.shutdown().catch(() => undefined),
        new Promise((resolve) => {
          late = setTimeout(resolve, ms);
        }),
      ]);
      clearTimeout(late);
      agent.destroy();
      return waiting + notExported - lostBefore;
    },
  };
}
