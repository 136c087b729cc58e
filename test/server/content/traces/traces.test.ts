// Traces: what a collector receives of requests, statements, object storage, ingest and webhooks; and that it holds nothing up.

import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { readContentConfig } from "../../../../server/content/config.ts";
import { summaryOf } from "../../../../server/content/traces/trace-statements.ts";
import type { Log } from "../../../../server/platform/log.ts";
import { startReceiver } from "../../../support/content/alert-receiver.ts";
import { eachContent } from "../../../support/content/each-content.ts";
import { waitUntilProcessed } from "../../../support/content/ingest-asset.ts";
import { startObjectStorage } from "../../../support/content/object-storage.ts";
import {
  contentKey,
  startContent,
  type Row,
  type StartedContent,
} from "../../../support/content/start-content.ts";
import {
  startCollector,
  type CollectedSpan,
  type TraceCollector,
} from "../../../support/content/trace-collector.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { serveSources } from "../../../support/http/sources.ts";
import { png } from "../../../support/media/media.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const callerId = "00f067aa0ba902b7";
const sampled = `00-${traceId}-${callerId}-01`;
const unsampled = `00-${traceId}-${callerId}-00`;

const found = (
  { spans }: TraceCollector,
  isIt: (span: CollectedSpan) => boolean,
): Promise<CollectedSpan> => vi.waitUntil(() => spans.find(isIt));

const childrenOf = (
  { spans }: TraceCollector,
  { spanId }: CollectedSpan,
): readonly CollectedSpan[] =>
  spans.filter(({ parentId }) => parentId === spanId);

interface LogLine {
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

function recordingLog(): { readonly log: Log; readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const note = (event: string, fields = {}): void => {
    lines.push({ event, fields });
  };
  const log: Log = {
    ...{ debug: note, info: note, warn: note, error: note },
    with: () => log,
    isDebugging: () => false,
    setDebugging: () => undefined,
    close: async () => undefined,
  };
  return { log, lines };
}

const metricOf = async (
  content: StartedContent,
  name: string,
): Promise<number> => {
  const text = await (await content.request("/metrics")).text();
  return Number(
    text
      .split("\n")
      .find((line) => line.startsWith(name))
      ?.split(" ")[1],
  );
};

eachContent(({ kind, start }) => {
  const system = kind === "sqlite" ? "sqlite" : "postgresql";

  it("[V3-159] reads the totals of a report as CSV in one statement, which PostgreSQL computes on several processors", async () => {
    const collector = await startCollector();
    const content = await start({
      ...{ otlpEndpoint: collector.address, spanDelay: "20" },
    });
    const at = "/api/v3/playbacks/report";
    const operationsOf = async (query: string) => {
      const before = collector.spans.length;
      await (await content.request(`${at}${query}`)).text();
      const request = await vi.waitUntil(() =>
        collector.spans
          .slice(before)
          .find(
            ({ kind: of, attributes }) =>
              of === "server" &&
              attributes["http.route"] === "/v3/playbacks/report",
          ),
      );
      return childrenOf(collector, request).map(
        ({ attributes }) => attributes["db.operation.name"],
      );
    };
    const operations = await operationsOf("?format=csv");
    expect(operations).toContain("SELECT");
    expect(operations).not.toContain("DECLARE");
  });

  it("[V4-395] has a span of each request with its route, statements below it, and the id in the log", async () => {
    const collector = await startCollector();
    const { log, lines } = recordingLog();
    const content = await start({
      ...{ otlpEndpoint: collector.address, spanDelay: "20", log },
      otlpHeaders: "authorization=Bearer%20of-the-collector",
      ...{ otelServiceName: "signage", otelResourceAttributes: "site=north" },
    });
    const created = await content.request("/api/v4/labels", {
      method: "POST",
      body: JSON.stringify({ name: "Secret of a client" }),
      headers: {
        ...{ traceparent: sampled, tracestate: "vendor=1" },
        ...{
          "Content-Type": "application/json",
          Prefer: "return=representation",
        },
      },
    });
    expect(created.status).toBe(201);
    const [{ id = "" } = {}] = (await created.json()) as Row[];
    const post = await found(
      collector,
      ({ name }) => name === "POST /v4/labels",
    );
    expect(post).toMatchObject({
      ...{ kind: "server", traceId, parentId: callerId, isFailed: false },
      attributes: {
        ...{ "http.request.method": "POST", "http.route": "/v4/labels" },
        ...{ "http.response.status_code": 201, "url.scheme": "http" },
        "http.response.header.x-request-id": [
          created.headers.get("x-request-id"),
        ],
      },
      resource: {
        ...{ "service.name": "signage", "service.version": "0.0.0-test" },
        site: "north",
      },
    });
    const insert = await found(
      collector,
      ({ name }) => name === "INSERT labels",
    );
    expect(insert).toMatchObject({
      ...{ kind: "client", traceId, parentId: post.spanId },
      attributes: {
        ...{ "db.system.name": system, "db.operation.name": "INSERT" },
        "db.collection.name": "labels",
      },
    });
    expect(lines).toContainEqual({
      event: "content.request-answered",
      fields: expect.objectContaining({
        request: created.headers.get("x-request-id"),
        trace: traceId,
      }),
    });

    const query = `/v4/labels?id=eq.${id}&name=eq.Secret%20of%20a%20client&select=stolen:name`;
    await content.request(query);
    await content.request(`/v3/screens/${id}/`);
    await content.request(`/files/${id}?token=sesame`);
    await content.request(`/nowhere/${id}`);
    await content.request("/health");
    const read = await found(
      collector,
      ({ name }) => name === "GET /v4/labels",
    );
    expect(read.traceId).not.toBe(traceId);
    expect(childrenOf(collector, read).map(({ name }) => name)).toContain(
      "SELECT labels",
    );
    await found(collector, ({ name }) => name === "GET /v3/screens/{id}");
    await found(collector, ({ name }) => name === "GET /files/{id}");
    await found(
      collector,
      ({ name, attributes }) =>
        name === "GET" && attributes["http.response.status_code"] === 404,
    );
    const all = JSON.stringify(collector.spans);
    for (const secret of [
      id,
      contentKey,
      "Secret",
      "stolen",
      "sesame",
      "nowhere",
      "/health",
    ])
      expect(all, secret).not.toContain(secret);
    const [{ line, headers } = { line: "", headers: {} }] = collector.requests;
    expect(line).toBe("POST /v1/traces");
    expect(headers).toMatchObject({
      ...{ authorization: "Bearer of-the-collector" },
      "content-type": "application/x-protobuf",
    });
    expect(
      await metricOf(content, "vitrine_content_spans_exported_total"),
    ).toBeGreaterThan(5);
  });

  it("[V4-396] has a trace of each ingest, named in the log, and spans of the object storage, which gets the trace", async () => {
    const collector = await startCollector();
    const storage = await startObjectStorage();
    const { log, lines } = recordingLog();
    const sources = await serveSources({ "/menu-board.png": png([1, 2, 3]) });
    const content = await start({
      ...{ otlpEndpoint: collector.address, spanDelay: "20", log },
      storage: storage.address,
    });
    const [{ id } = { id: "" }] = await content.add("/v4/assets", {
      ...{ title: "Menu", source_url: `${sources.address}/menu-board.png` },
    });
    await waitUntilProcessed(content, id);
    const ingest = await found(
      collector,
      ({ name, parentId }) => name === "ingest" && parentId === "",
    );
    expect(ingest.isFailed).toBe(false);
    expect(lines).toContainEqual({
      event: "asset.finished",
      fields: { asset: id, trace: ingest.traceId },
    });
    const below = childrenOf(collector, ingest);
    const download = below.find(({ name }) => name === "ingest.download");
    expect(below.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["ingest.process", "UPDATE assets"]),
    );
    expect(download).toBeDefined();
    const put = await found(collector, ({ name }) => name === "S3.PutObject");
    expect(put).toMatchObject({
      ...{ kind: "client", traceId: ingest.traceId, parentId: ingest.spanId },
      attributes: { "aws.s3.bucket": "screens", "rpc.method": "S3/PutObject" },
    });
    expect(storage.traceparents).toContain(
      `00-${ingest.traceId}-${put.spanId}-01`,
    );
    // A source is on a stranger's server.
    const [request] = sources.requests("/menu-board.png");
    expect(request?.headers["traceparent"]).toBeUndefined();
    const all = JSON.stringify(collector.spans);
    for (const secret of [id, "menu-board", "X-Amz", "vitrine/"])
      expect(all, secret).not.toContain(secret);
    // The address that a client is sent to is signed without a trace.
    const file = await content.request(`/files/${id}`, {
      redirect: "manual",
      headers: { traceparent: sampled },
    });
    expect(file.status).toBe(302);
    expect(file.headers.get("location")).not.toContain("trace");
  });
});

const started = async (
  options: Parameters<typeof startContent>[1],
): Promise<StartedContent> => startContent(await temporaryFolder(), options);

const addRule = async (
  content: StartedContent,
  url: string,
): Promise<string> => {
  const answer = await content.request("/api/v3/alerts/rules/", {
    method: "POST",
    body: JSON.stringify({
      ...{ name: "Wrong", states: ["wrong"], after_seconds: 0 },
      webhook: { url, secret: "secret-of-the-webhook-0123456789" },
    }),
    headers: { "Content-Type": "application/json" },
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as Row).id;
};

it("[V4-395] passes the trace on to webhooks, and its decision not to be recorded", async () => {
  const collector = await startCollector();
  const receiver = await startReceiver();
  const content = await started({
    ...{ otlpEndpoint: collector.address, spanDelay: "20" },
  });
  const id = await addRule(content, receiver.address);
  const test = (traceparent: string) =>
    content.request(`/api/v3/alerts/rules/${id}/test/`, {
      ...{ method: "POST", headers: { traceparent } },
    });
  await test(sampled);
  const webhook = await found(
    collector,
    (span) => span.name === "POST" && span.kind === "client",
  );
  expect(webhook).toMatchObject({
    traceId,
    attributes: { "server.address": "127.0.0.1" },
  });
  expect((await receiver.nextMessage()).headers["traceparent"]).toBe(
    `00-${traceId}-${webhook.spanId}-01`,
  );
  const before = collector.spans.filter((span) => span.traceId === traceId);
  await test(unsampled);
  expect((await receiver.nextMessage()).headers["traceparent"]).toMatch(
    new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`),
  );
  await content.request("/v4/labels");
  await found(collector, ({ name }) => name === "GET /v4/labels");
  expect(
    collector.spans.filter((span) => span.traceId === traceId),
  ).toHaveLength(before.length);
});

it("[V4-397] without an address there are no traces: nothing is passed on, logged or counted", async () => {
  const receiver = await startReceiver();
  const { log, lines } = recordingLog();
  const content = await started({ log });
  const id = await addRule(content, receiver.address);
  await content.request(`/api/v3/alerts/rules/${id}/test/`, {
    ...{ method: "POST", headers: { traceparent: sampled } },
  });
  const { headers } = await receiver.nextMessage();
  expect(headers["traceparent"]).toBeUndefined();
  expect(lines.filter(({ fields }) => "trace" in fields)).toEqual([]);
  expect(await (await content.request("/metrics")).text()).not.toContain(
    "spans",
  );
});

describe("[V4-397] a collector", () => {
  const queueFull = 'vitrine_content_spans_dropped_total{reason="queue_full"}';
  const notExported =
    'vitrine_content_spans_dropped_total{reason="not_exported"}';

  it("that does not answer holds up no request; spans beyond the queue are counted, and the stop has a limit", async () => {
    const collector = await startCollector();
    collector.set("silent");
    const { log, lines } = recordingLog();
    const content = await started({
      ...{ otlpEndpoint: collector.address, spanDelay: "20", log },
      ...{ spanQueueSize: "8", otlpTimeout: "60000" },
    });
    for (let count = 0; count < 10; count += 1)
      expect((await content.request("/v4/labels")).status).toBe(200);
    expect(await metricOf(content, queueFull)).toBeGreaterThan(0);
    expect(await metricOf(content, notExported)).toBe(0);
    await content.stop();
    expect(lines).toContainEqual({
      ...{ event: "traces.dropped-at-stop", fields: { spans: 8 } },
    });
  });

  it("that refuses spans or is away costs spans and nothing else; one line of the log says so, and one when it is back", async () => {
    const collector = await startCollector();
    collector.set(400);
    const { log, lines } = recordingLog();
    const content = await started({
      ...{ otlpEndpoint: collector.address, spanDelay: "20", log },
    });
    const lost = async (): Promise<number> => {
      expect((await content.request("/v4/labels")).status).toBe(200);
      return metricOf(content, notExported);
    };
    await expect.poll(lost).toBeGreaterThan(2);
    await expect.poll(lost).toBeGreaterThan(6);
    const ofExport = (): readonly string[] =>
      lines.map(({ event }) => event).filter((event) => /^traces/.test(event));
    expect(ofExport()).toEqual(["traces.not-exported"]);
    collector.set("open");
    await expect
      .poll(async () => {
        await content.request("/v4/labels");
        return collector.spans.length;
      })
      .toBeGreaterThan(0);
    // The collector has the spans before the service has its answer.
    await expect
      .poll(ofExport)
      .toEqual(["traces.not-exported", "traces.exported-again"]);
  });

  it("that is away is no reason not to start", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const { port } = closed.address() as AddressInfo;
    closed.close();
    const content = await started({
      ...{ otlpEndpoint: `http://127.0.0.1:${port}`, spanDelay: "20" },
      otlpTimeout: "50",
    });
    await expect
      .poll(async () => {
        expect((await content.request("/v4/labels")).status).toBe(200);
        return metricOf(content, notExported);
      })
      .toBeGreaterThan(0);
  });

  it("gets what has ended before the service stops", async () => {
    const collector = await startCollector();
    const content = await started({
      ...{ otlpEndpoint: collector.address, spanDelay: "60000" },
    });
    await content.request("/v4/labels");
    expect(collector.spans).toEqual([]);
    await content.stop();
    expect(collector.spans.map(({ name }) => name)).toContain("GET /v4/labels");
  });
});

describe("[V4-397] settings of traces", () => {
  const reading = (env: Readonly<Record<string, string>>, ...flags: string[]) =>
    readContentConfig(["--data-dir", "d", ...flags], env);
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };

  it.each([
    ["OTEL_TRACES_SAMPLER", "jaeger", "expected always_on, always_off"],
    ["OTEL_TRACES_SAMPLER_ARG", "2", "expected a number from 0 to 1"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "expected http/protobuf"],
    ["OTEL_TRACES_EXPORTER", "zipkin", "expected otlp or none"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "secret", "is not valid; expected name="],
    ["OTEL_EXPORTER_OTLP_TIMEOUT", "0", "expected milliseconds"],
  ])(
    "%s=%s is rejected, but only while traces are on",
    (name, value, sentence) => {
      expect(reading({ [name]: value })).toMatchObject({ ok: true });
      const rejected = reading({ ...endpoint, [name]: value });
      expect(rejected).toMatchObject({
        ok: false,
        message: expect.stringContaining(sentence),
      });
      expect(rejected.ok || rejected.message.startsWith(`${name} `)).toBe(true);
    },
  );

  it("an address that is none is rejected without repeating it", () => {
    expect(reading({}, "--otlp-endpoint", "user:pass@collector")).toEqual({
      ok: false,
      message:
        "--otlp-endpoint (OTEL_EXPORTER_OTLP_ENDPOINT) is not valid; expected the http or https address of an OpenTelemetry collector, such as http://127.0.0.1:4318.",
    });
  });

  it("OTEL_SDK_DISABLED and OTEL_TRACES_EXPORTER=none turn them off", () => {
    for (const off of [
      { OTEL_SDK_DISABLED: "true" },
      { OTEL_TRACES_EXPORTER: "none" },
    ])
      expect(
        reading({ ...endpoint, ...off, OTEL_TRACES_SAMPLER: "jaeger" }),
      ).toMatchObject({ ok: true });
  });

  it("a ratio of 0 records nothing of its own, and what a caller records", async () => {
    const collector = await startCollector();
    const content = await started({
      ...{ otlpTracesEndpoint: `${collector.address}/custom` },
      ...{ tracesSampler: "parentbased_traceidratio", tracesSamplerArg: "0" },
      spanDelay: "20",
    });
    await content.request("/v4/labels");
    await content.request("/v4/labels", { headers: { traceparent: sampled } });
    await found(collector, ({ name }) => name === "GET /v4/labels");
    expect(new Set(collector.spans.map((span) => span.traceId))).toEqual(
      new Set([traceId]),
    );
    expect(collector.requests[0]?.line).toBe("POST /custom");
  });
});

describe("[V4-395] the name of a statement", () => {
  const tables = new Set(["assets", "labels"]);

  it.each([
    ['select "id" from "assets" where "id" = $1', "SELECT", "assets"],
    [
      "WITH a AS (SELECT 1 FROM json_each(?)) INSERT INTO labels VALUES (1)",
      "INSERT",
      "labels",
    ],
    ['SELECT 1 AS "x FROM secret" FROM assets', "SELECT", "assets"],
    ["SELECT 1 FROM labels FOR UPDATE SKIP LOCKED", "SELECT", "labels"],
    ["update labels set name = ?", "UPDATE", "labels"],
    ["begin", "BEGIN", null],
    ["VALUES (1)", "_OTHER", null],
  ])("%s", (text, operation, table) => {
    expect(summaryOf(text, tables)).toEqual({ operation, table });
  });
});
