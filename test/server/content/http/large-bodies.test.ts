// Large bodies of every kind: other requests are answered while they are read.

import diagnostics from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLargeBodies } from "../../../../server/content/http/large-bodies.ts";
import { startContent } from "../../../support/content/start-content.ts";
import { temporaryFolder } from "../../../support/folder.ts";

const mebibyte = 1024 * 1024;
const maxBytes = 16 * mebibyte;
const json = "application/json";
const csv = "text/csv";
const form = "application/x-www-form-urlencoded";

/** No request body is read and no response is written here. */
type Handled = Parameters<ReturnType<typeof createLargeBodies>>;

it("[V4-288] lets other requests be answered between two large ones", async () => {
  const handle = createLargeBodies(() => null);
  const order: string[] = [];
  const read = (name: string, size: number) =>
    new Promise<void>((resolve) => {
      const request = {
        ...{ body: new Uint8Array(size), headers: { "content-type": csv } },
      } as unknown as Handled[0];
      void handle(request, {} as Handled[1], () => {
        order.push(name);
        setImmediate(() => order.push(`others after ${name}`));
        resolve();
      });
    });
  await Promise.all([
    ...[read("first", mebibyte), read("second", mebibyte)],
    ...[read("small", 10), read("third", mebibyte)],
  ]);
  expect(order).toEqual([
    ...["small", "first", "others after small", "others after first"],
    ...["second", "others after second", "third"],
  ]);
});

interface LargeBody {
  readonly path: string;
  readonly type: string;
  readonly body: string;
  /** The error after it was read to its end. */
  readonly refusal: RegExp;
}

/** The maximum of each: values, letters, blanks, escapes. */
const bodies: Readonly<Record<string, LargeBody>> = {
  "JSON with too many values": {
    ...{ path: "/v4/assets", type: json, refusal: /too complex/ },
    body: `{"a":[${"{},".repeat(maxBytes / 3 - 10)}{}]}`,
  },
  "JSON with the maximum number of values": {
    ...{ path: "/v4/assets", type: json, refusal: /PGRST204/ },
    body: `{"a":[${"{},".repeat(199_990)}{}],"b":"${"x".repeat(15 * mebibyte)}"}`,
  },
  "JSON of whitespace": {
    ...{ path: "/v4/assets", type: json, refusal: /PGRST204/ },
    body: `{"a":${" ".repeat(maxBytes - 100)}1}`,
  },
  "JSON of escapes": {
    ...{ path: "/v4/assets", type: json, refusal: /PGRST204/ },
    body: `{"a":"${"\\u00e9".repeat(maxBytes / 6 - 10)}"}`,
  },
  "CSV with the maximum number of values": {
    ...{ path: "/v4/assets", type: csv, refusal: /same number of fields/ },
    body: `a,b,c,d\n${`${"x".repeat(320)},"y",NULL,\n`.repeat(49_000)}end`,
  },
  "CSV of one field": {
    ...{ path: "/v4/assets", type: csv, refusal: /22001/ },
    body: `title\n${"x".repeat(maxBytes - 100)}`,
  },
  "CSV of one quoted field": {
    ...{ path: "/v4/assets", type: csv, refusal: /22001/ },
    body: `title\n"${"x".repeat(maxBytes - 100)}"`,
  },
  "CSV of quotes": {
    ...{ path: "/v4/assets", type: csv, refusal: /22001/ },
    body: `title\n"${'""'.repeat(maxBytes / 2 - 100)}"`,
  },
  "CSV with an unclosed quote": {
    ...{ path: "/v4/assets", type: csv, refusal: /quote in the wrong place/ },
    body: `title\n"${"x".repeat(maxBytes - 100)}`,
  },
  "a form of version 4": {
    ...{ path: "/v4/assets", type: form, refusal: /22001/ },
    body: `title=${"%C3%A9".repeat(maxBytes / 6 - 10)}`,
  },
  "a form of version 3": {
    ...{ path: "/v3/assets/", type: form, refusal: /4096 characters/ },
    body: `title=${"%C3%A9".repeat(maxBytes / 6 - 10)}`,
  },
};

/** Whether the service has received all of a body, and not yet responded. */
function watchReading(): () => boolean {
  let isReading = false;
  const watch = (message: unknown): void => {
    const { request, response } = message as {
      readonly request: IncomingMessage;
      readonly response: ServerResponse;
    };
    if (request.method !== "POST") return;
    request.once("end", () => (isReading = true));
    response.once("finish", () => (isReading = false));
  };
  diagnostics.subscribe("http.server.request.start", watch);
  onTestFinished(() => {
    diagnostics.unsubscribe("http.server.request.start", watch);
  });
  return () => isReading;
}

describe("a body of 16 MiB", () => {
  it.each(Object.keys(bodies))(
    "[V4-288] [V4-315] lets other requests be answered while it is read: %s",
    async (name) => {
      const { path, type, body, refusal } = bodies[name] as LargeBody;
      const content = await startContent(await temporaryFolder());
      const isReading = watchReading();
      const progress = { isAnswered: false };
      const posted = content
        .request(path, {
          ...{ method: "POST", body, headers: { "Content-Type": type } },
        })
        .finally(() => (progress.isAnswered = true));
      let answeredMeanwhile = 0;
      while (!progress.isAnswered) {
        const health = await fetch(`${content.address}/health`);
        await health.text();
        if (isReading()) answeredMeanwhile += 1;
      }
      const answer = await posted;
      expect([answer.status, await answer.text()]).toEqual([
        ...[400, expect.stringMatching(refusal)],
      ]);
      expect(answeredMeanwhile).toBeGreaterThan(10);
    },
  );
});

describe("a form", () => {
  it("[V4-315] of version 3 may have a thousand fields, and JSON as a text of one mebibyte", async () => {
    const content = await startContent(await temporaryFolder());
    const post = async (body: string): Promise<[number, string]> => {
      const answer = await content.request("/v3/playlists/", {
        ...{ method: "POST", body, headers: { "Content-Type": form } },
      });
      return [answer.status, await answer.text()];
    };
    expect(await post(`title=A${"&more".repeat(999)}`)).toEqual([
      ...[201, expect.stringContaining('"title":"A"')],
    ]);
    expect(await post(`title=A${"&more".repeat(1000)}`)).toEqual([
      ...[400, expect.stringContaining("1000 fields")],
    ]);
    const list = (letters: number) => `title=A&assets=[${" ".repeat(letters)}]`;
    expect(await post(list(mebibyte - 2))).toEqual([
      ...[201, expect.stringContaining('"assets":[]')],
    ]);
    expect(await post(list(mebibyte))).toEqual([
      ...[400, expect.stringContaining("assets")],
    ]);
  });

  it("[V4-315] is decoded correctly, wherever it is cut into chunks", async () => {
    const content = await startContent(await temporaryFolder());
    const letters = "a€💩é".repeat(15_000);
    for (let before = 0; before < 12; before += 1) {
      const js_injection = "x".repeat(before) + letters;
      const answer = await content.request("/v4/assets?select=js_injection", {
        method: "POST",
        body: new URLSearchParams({ js_injection }).toString(),
        headers: { "Content-Type": form, Prefer: "return=representation" },
      });
      expect(await answer.json()).toEqual([{ js_injection }]);
    }
  });
});

describe("CSV", () => {
  it("[V4-37] [V4-315] in many chunks is read correctly", async () => {
    const content = await startContent(await temporaryFolder());
    const titles = Array.from(
      { length: 2_000 },
      (_, at) => `${at} "quoted", ${"é".repeat(at % 200)}\r\nline`,
    );
    const lines = titles.map(
      (title) => `"${title.replaceAll('"', '""')}",NULL`,
    );
    const answer = await content.request("/v4/assets?select=title,metadata", {
      ...{ method: "POST", body: `title,metadata\n${lines.join("\r\n")}\r\n` },
      headers: { "Content-Type": csv, Prefer: "return=representation" },
    });
    expect(await answer.json()).toEqual(
      titles.map((title) => ({ title, metadata: null })),
    );
  });
});
