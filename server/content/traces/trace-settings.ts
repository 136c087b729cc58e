// Settings of traces: the standard environment variables of OpenTelemetry, as far as the service supports them.

import * as z from "zod";
import type { Source } from "../../platform/process/start-flags.ts";

/** As given: they are checked only if traces are on, since the variables may be set for other programs of the PC. */
export const traceFields = {
  otlpEndpoint: z.string().optional(),
  otlpTracesEndpoint: z.string().optional(),
  otlpHeaders: z.string().optional(),
  otlpProtocol: z.string().optional(),
  otlpTimeout: z.string().optional(),
  otelDisabled: z.string().optional(),
  otelServiceName: z.string().optional(),
  otelResourceAttributes: z.string().optional(),
  tracesExporter: z.string().optional(),
  tracesSampler: z.string().optional(),
  tracesSamplerArg: z.string().optional(),
  spanQueueSize: z.string().optional(),
  spanDelay: z.string().optional(),
};

type TraceConfig = Readonly<z.output<z.ZodObject<typeof traceFields>>>;

const endpoint =
  "the http or https address of an OpenTelemetry collector, such as http://127.0.0.1:4318";
const list = "name=value pairs, separated by commas";

export const traceSources: Readonly<Record<keyof TraceConfig, Source>> = {
  otlpEndpoint: {
    flag: "--otlp-endpoint",
    value: "URL",
    env: "OTEL_EXPORTER_OTLP_ENDPOINT",
    expected: endpoint,
    isSecret: true,
    help: "OpenTelemetry collector to send traces to. Default: none",
  },
  otlpTracesEndpoint: {
    env: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    expected: endpoint,
    isSecret: true,
  },
  otlpHeaders: {
    env: "OTEL_EXPORTER_OTLP_HEADERS",
    expected: list,
    isSecret: true,
  },
  otlpProtocol: {
    env: "OTEL_EXPORTER_OTLP_PROTOCOL",
    expected: "http/protobuf",
  },
  otlpTimeout: {
    env: "OTEL_EXPORTER_OTLP_TIMEOUT",
    expected: "milliseconds, 1 to 60000",
  },
  otelDisabled: { env: "OTEL_SDK_DISABLED", expected: "true or false" },
  otelServiceName: { env: "OTEL_SERVICE_NAME", expected: "a name" },
  otelResourceAttributes: { env: "OTEL_RESOURCE_ATTRIBUTES", expected: list },
  tracesExporter: { env: "OTEL_TRACES_EXPORTER", expected: "otlp or none" },
  tracesSampler: {
    env: "OTEL_TRACES_SAMPLER",
    expected:
      "always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off or parentbased_traceidratio",
  },
  tracesSamplerArg: {
    env: "OTEL_TRACES_SAMPLER_ARG",
    expected: "a number from 0 to 1",
  },
  spanQueueSize: {
    env: "OTEL_BSP_MAX_QUEUE_SIZE",
    expected: "the maximum number of spans that wait, 1 to 65536",
  },
  spanDelay: {
    env: "OTEL_BSP_SCHEDULE_DELAY",
    expected: "milliseconds, 1 to 60000",
  },
};

const number = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .transform(Number)
    .refine((value) => value >= from && value <= to);

const milliseconds = number(1, 60_000).transform(Math.round);

const httpAddress = z
  .string()
  .refine((url) => /^https?:\/\//.test(url) && URL.canParse(url))
  .optional();

/** `a=1,b=x%20y` */
const pairs = z.string().transform((text, context) => {
  const entries = text.split(",").filter((part) => part.trim() !== "");
  try {
    return Object.fromEntries(
      entries.map((entry) => {
        const at = entry.indexOf("=");
        const name = entry.slice(0, Math.max(0, at)).trim();
        if (!/^[\w.-]+$/.test(name)) throw new URIError("not a name");
        return [name, decodeURIComponent(entry.slice(at + 1).trim())];
      }),
    );
  } catch {
    context.addIssue("not pairs");
    return z.NEVER;
  }
});

const checked = z.object({
  otlpEndpoint: httpAddress,
  otlpTracesEndpoint: httpAddress,
  otlpHeaders: pairs.default({}),
  otlpProtocol: z.literal("http/protobuf").default("http/protobuf"),
  otlpTimeout: milliseconds.default(10_000),
  otelServiceName: z.string().default("vitrine-content"),
  otelResourceAttributes: pairs.default({}),
  tracesSampler: z
    .enum([
      ...(["always_on", "always_off", "traceidratio"] as const),
      "parentbased_always_on",
      "parentbased_always_off",
      "parentbased_traceidratio",
    ])
    .default("parentbased_always_on"),
  tracesSamplerArg: number(0, 1).default(1),
  spanQueueSize: number(1, 65_536).transform(Math.floor).default(2_048),
  spanDelay: milliseconds.default(5_000),
});

export interface TraceSettings {
  /** Where spans are posted. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly serviceName: string;
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: {
    readonly name: z.output<typeof checked>["tracesSampler"];
    readonly ratio: number;
  };
  readonly queueSize: number;
  readonly delayMs: number;
}

/** Null while traces are off; a sentence for settings that are not right. */
export function traceSettings(
  config: TraceConfig,
): TraceSettings | { readonly problem: string } | null {
  const { otlpEndpoint, otlpTracesEndpoint, otelDisabled } = config;
  const isOn =
    (otlpEndpoint ?? otlpTracesEndpoint) !== undefined &&
    config.tracesExporter !== "none" &&
    otelDisabled?.toLowerCase() !== "true";
  if (!isOn) return null;
  if ((config.tracesExporter ?? "otlp") !== "otlp")
    return problemOf("tracesExporter", config);
  const parsed = checked.safeParse(config);
  if (!parsed.success)
    return problemOf(
      parsed.error.issues[0]?.path[0] as keyof TraceConfig,
      config,
    );
  const { data } = parsed;
  return {
    url:
      data.otlpTracesEndpoint ??
      `${data.otlpEndpoint?.replace(/(?<!\/)\/+$/, "")}/v1/traces`,
    headers: data.otlpHeaders,
    timeoutMs: data.otlpTimeout,
    serviceName: data.otelServiceName,
    resource: data.otelResourceAttributes,
    sampler: { name: data.tracesSampler, ratio: data.tracesSamplerArg },
    queueSize: data.spanQueueSize,
    delayMs: data.spanDelay,
  };
}

function problemOf(
  field: keyof TraceConfig,
  config: TraceConfig,
): { readonly problem: string } {
  const { env = "", flag, expected, isSecret } = traceSources[field];
  const name = flag === undefined ? env : `${flag} (${env})`;
  const wrong = isSecret ? "not valid" : `"${config[field] ?? ""}"`;
  return { problem: `${name} is ${wrong}; expected ${expected}.` };
}
