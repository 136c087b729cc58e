// Runs a suite against version 3 of the real content service, one service per database; each test is a team of its own.

import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, inject } from "vitest";
import {
  createContent,
  type Content,
  type ContentOptions,
} from "../../../server/content/content.ts";
import { readContentConfig } from "../../../server/content/config.ts";
import type { DatabaseKind } from "../../../server/platform/database/database.ts";
import { createLog } from "../../../server/platform/log.ts";
import { removeFolder } from "../folder.ts";
import { lowHashCost } from "../hash-cost.ts";
import { copyDatabase } from "../database/postgres.ts";
import { clientAt, type ContentClient } from "./start-content.ts";

export interface AnswerV3 {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Null where the body is not JSON. */
  readonly json: any;
}

export interface ClientV3 extends ContentClient {
  readonly key: string;
  /** Paths without a prefix are below `/api/v3`; a body that is not a string is sent as JSON. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<AnswerV3>;
  /** The JSON of a response below 300; throws for any other. */
  get(path: string): Promise<any>;
  make(path: string, body: unknown): Promise<any>;
}

export interface ServiceV3 {
  readonly kind: DatabaseKind;
  readonly dataDir: () => string;
  /** Of PostgreSQL. */
  readonly databaseUrl: () => string | undefined;
  readonly address: () => string;
  /** Creates a new team; without an argument its name is unique. */
  readonly client: (team?: string) => Promise<ClientV3>;
}

export function eachV3(
  suite: (service: ServiceV3) => void,
  options: Partial<ContentOptions> = {},
): void {
  describe("on SQLite", () => suite(served("sqlite", "", options)));
  const server = inject("postgresUrl");
  // The warning is repeated prominently where the run begins: test/support/database/postgres-once.ts.
  describe.skipIf(server === "")("on PostgreSQL", () =>
    suite(served("postgres", server, options)),
  );
}

function served(
  kind: DatabaseKind,
  server: string,
  options: Partial<ContentOptions>,
): ServiceV3 {
  let content: Content | null = null;
  let dataDir = "";
  let databaseUrl: string | undefined;
  let teams = 0;
  let drop = async (): Promise<void> => undefined;
  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), "vitrine-test-"));
    const created =
      server === ""
        ? null
        : await copyDatabase(server, inject("postgresOriginal"));
    databaseUrl = created?.url;
    drop = async () => created?.drop();
    const reading = readContentConfig(
      ["--data-dir", dataDir, "--port", "0"],
      {},
    );
    if (!reading.ok) throw new Error(reading.message);
    content = await createContent({
      ...{ version: "0.0.0-test", log: createLog({ toStandardOutput: false }) },
      ...{ ...reading.value, databaseUrl: created?.url, pausesMs: [20, 40] },
      hashCost: lowHashCost,
      ...options,
    });
  });
  afterAll(async () => {
    await content?.stop();
    await drop();
    await removeFolder(dataDir);
  });
  const running = (): Content => {
    if (!content) throw new Error("the service is not up");
    return content;
  };
  return {
    kind,
    dataDir: () => dataDir,
    databaseUrl: () => databaseUrl,
    address: () => running().address,
    client: async (team = `Team ${(teams += 1)}`) =>
      clientV3(
        running().address,
        await running().keys.add({ name: "test", team }),
      ),
  };
}

export function clientV3(address: string, key: string): ClientV3 {
  const client = clientAt(address, key);
  const call: ClientV3["call"] = async (method, at, body, headers = {}) => {
    const isPlain = typeof body === "string" || body instanceof FormData;
    const answer = await client.request(
      /^\/(api|v\d|link)/.test(at) ? at : `/api/v3${at}`,
      {
        method,
        redirect: "manual",
        headers: {
          ...(body !== undefined &&
            !isPlain && { "Content-Type": "application/json" }),
          ...headers,
        },
        body: (body === undefined || isPlain
          ? (body ?? null)
          : JSON.stringify(body)) as RequestInit["body"] & {},
      },
    );
    const text = await answer.text();
    const { status } = answer;
    return { status, headers: answer.headers, text, json: jsonOf(text) };
  };
  const read = async (of: Promise<AnswerV3>): Promise<any> => {
    const { status, text, json } = await of;
    if (status >= 300) throw new Error(`${status} ${text}`);
    return json;
  };
  return {
    ...client,
    ...{ key, call },
    get: (at) => read(call("GET", at)),
    make: (at, body) => read(call("POST", at, body)),
  };
}

function jsonOf(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
