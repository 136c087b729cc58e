// Starts the real content service on a free port, in this process or in one of its own; with a client that has its key.

import { spawn, type ChildProcess } from "node:child_process";
import {
  createContent,
  type Content,
  type ContentOptions,
} from "../../../server/content/content.ts";
import { readContentConfig } from "../../../server/content/config.ts";
import { createLog } from "../../../server/platform/log.ts";
import { afterThisTest } from "../after-this-test.ts";
import { lowHashCost } from "../hash-cost.ts";
import { outcomeOf, type Outcome } from "../outcome.ts";
import { programWords } from "../program-words.ts";

export const contentKey = "key-of-the-tests";

export interface ContentClient {
  /** e.g. `http://127.0.0.1:40123` */
  readonly address: string;
  /** Sends the key; paths begin with a slash. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Rows of a list. */
  rows<T = Row>(path: string): Promise<T[]>;
  /** Posts JSON and returns the rows as stored; throws when it is rejected. */
  add<T = Row>(path: string, body: unknown): Promise<T[]>;
  /** Posts a multipart body as command-line clients do. */
  upload(
    bytes: Buffer,
    fields: Readonly<Record<string, string>>,
  ): Promise<Response>;
}

/** A row with any further fields. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: string };

export type StartedContent = Content & ContentClient;

export async function startContent(
  dataDir: string,
  options: Partial<ContentOptions> = {},
): Promise<StartedContent> {
  const words = ["--data-dir", dataDir, "--port", "0", "--api-key", contentKey];
  const reading = readContentConfig(words, {});
  if (!reading.ok) throw new Error(reading.message);
  const content = await createContent({
    ...{ version: "0.0.0-test", log: createLog({ toStandardOutput: false }) },
    ...{ ...reading.value, pausesMs: [20, 40], hashCost: lowHashCost },
    ...options,
  });
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (isStopped) return;
    isStopped = true;
    await content.stop();
  };
  afterThisTest(stop);
  return { ...content, stop, ...clientAt(content.address) };
}

export interface ServedContent extends ContentClient {
  readonly process: ChildProcess;
}

/** As the command line runs it; ends with the test. */
export async function serveContent(
  dataDir: string,
  words: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  program: readonly string[] = programWords("content"),
): Promise<ServedContent> {
  const args = ["--data-dir", dataDir, "--port", "0", "--api-key", contentKey];
  const [command = "", ...first] = program;
  const child = spawn(command, [...first, ...args, ...words], {
    env: { ...process.env, ...env },
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  // Until it has ended it may write to its folder, which is deleted next.
  afterThisTest(() => {
    child.kill("SIGKILL");
    return ended;
  });
  let output = "";
  const address = await new Promise<string>((resolve, reject) => {
    const receive = (chunk: Buffer): void => {
      output += chunk.toString();
      const match = /is ready: (https?:\S+)/.exec(output)?.[1];
      if (match) resolve(match);
    };
    child.stdout.on("data", receive);
    child.stderr.on("data", receive);
    child.once("exit", () =>
      reject(new Error(`the service ended instead of starting: ${output}`)),
    );
  });
  return { process: child, ...clientAt(address) };
}

/** Runs the command line until it ends by itself. */
export function runContent(...words: string[]): Promise<Outcome> {
  const [node, script] = programWords("content");
  return outcomeOf(spawn(node, [script, ...words]));
}

export function clientAt(address: string, key = contentKey): ContentClient {
  const request = (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (!headers.has("Authorization"))
      headers.set("Authorization", `Token ${key}`);
    return fetch(`${address}${path}`, { ...init, headers });
  };
  const read = async <T>(answer: Response): Promise<T> => {
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.status} ${text}`);
    return JSON.parse(text) as T;
  };
  return {
    ...{ address, request },
    rows: async (path) => read(await request(path)),
    add: async (path, body) =>
      read(
        await request(path, {
          method: "POST",
          body: JSON.stringify(body),
          headers: {
            "Content-Type": "application/json",
            Prefer: "return=representation",
          },
        }),
      ),
    upload: (bytes, fields) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      body.set("file", new Blob([new Uint8Array(bytes)]), "file");
      return request("/v4/assets", {
        ...{ method: "POST", body },
        headers: { Prefer: "return=representation" },
      });
    },
  };
}
