// Traces: spans of requests and of the work behind them, for OpenTelemetry; without traces, the work runs as it is.

import type { IncomingHttpHeaders } from "node:http";

/** Names follow the semantic conventions of OpenTelemetry; no value identifies a person, an asset, a file or a secret. */
export type SpanAttributes = Readonly<
  Record<string, string | number | readonly string[]>
>;

export interface SpanStart {
  readonly name: string;
  readonly kind: "internal" | "server" | "client";
  readonly attributes?: SpanAttributes;
}

export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** False: by the decision of the sampler, or of the caller. */
  readonly isRecorded: boolean;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks it as failed, with a code or the name of an error class: messages may contain values. */
  fail(type: string): void;
  end(): void;
  /** `traceparent` and, where the trace came with one, `tracestate`. */
  headers(): Readonly<Record<string, string>>;
}

export interface SpanCounts {
  readonly exported: number;
  /** Dropped, by reason. */
  readonly dropped: Readonly<Record<"queue_full" | "not_exported", number>>;
}

export interface Traces {
  /** Begins a trace, or continues the one that these headers name. */
  begin(start: SpanStart, headers?: IncomingHttpHeaders): Span;
  /** Begins a span below the current one; null where there is none that is recorded and has not ended. */
  beginBelow(start: SpanStart): Span | null;
  /** The span in which this runs, unless it has ended. */
  current(): Span | null;
  runIn<T>(span: Span, act: () => T): T;
  counts(): SpanCounts;
  /** Exports what has ended, within a few seconds. */
  stop(): Promise<void>;
}

/** Runs this in a span below the current one; the function gets null where none is recorded. */
export function inSpan<T>(
  traces: Traces | null,
  start: SpanStart,
  act: (span: Span | null) => Promise<T>,
): Promise<T> {
  const span = traces?.beginBelow(start) ?? null;
  return traces && span ? untilDone(traces, span, act) : act(null);
}

/** Runs this in a trace of its own; the function gets null without traces. */
export function inTrace<T>(
  traces: Traces | null,
  start: SpanStart,
  act: (span: Span | null) => Promise<T>,
): Promise<T> {
  return traces ? untilDone(traces, traces.begin(start), act) : act(null);
}

/** Runs this in a span below the current one, or in a trace of its own where there is none. */
export function inSpanOrTrace<T>(
  traces: Traces | null,
  start: SpanStart,
  act: (span: Span | null) => Promise<T>,
): Promise<T> {
  return traces?.current()
    ? inSpan(traces, start, (span) => act(span ?? traces.current()))
    : inTrace(traces, start, act);
}

async function untilDone<T>(
  traces: Traces,
  span: Span,
  act: (span: Span) => Promise<T>,
): Promise<T> {
  try {
    return await traces.runIn(span, () => act(span));
  } catch (error) {
    span.fail(errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** A code of the closed sets of Node, SQL and Vitrine, or the class. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return "_OTHER";
  for (const name of ["sqlState", "code"] as const) {
    const value = (error as { readonly [Key in typeof name]?: unknown })[name];
    if (typeof value === "string" && /^[A-Za-z0-9_-]{1,40}$/.test(value))
      return value;
  }
  return error.name;
}

/** For a line of the log, which then leads to its trace. */
export function traceField(traces: Traces | null): { readonly trace?: string } {
  const span = traces?.current();
  return span ? { trace: span.traceId } : {};
}
