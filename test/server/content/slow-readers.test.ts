// Clients that request long lists and read them slowly: no other request waits for them, and in the end they are disconnected.

import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import path from "node:path";
import { expect, it } from "vitest";
import { afterThisTest } from "../../support/after-this-test.ts";
import { readAhead } from "../../../server/platform/database/read-ahead.ts";
import { eachContent } from "../../support/content/each-content.ts";
import { temporaryFolder } from "../../support/folder.ts";
import {
  contentKey,
  startContent,
} from "../../support/content/start-content.ts";

const rows = 1_500;
const readers = 8;

eachContent(({ ground }) => {
  it("[V4-279] eight that read nothing of a long list block no filtered and counted read, and receive all of it when they do", async () => {
    const { dataDir, databaseUrl } = await ground();
    const content = await startContent(dataDir, { databaseUrl });
    const js_injection = "x".repeat(8_000);
    for (let from = 0; from < rows; from += rows / 3)
      await content.request("/v4/assets", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(
          Array.from({ length: rows / 3 }, (_, at) => ({
            ...{ title: `T${from + at}`, js_injection },
          })),
        ),
      });
    const begun = await Promise.all(
      Array.from({ length: readers }, async () => {
        const request = get(`${content.address}/v4/assets`, {
          headers: { Authorization: `Token ${contentKey}` },
        });
        afterThisTest(async () => void request.destroy());
        const [answer] = (await once(request, "response")) as [IncomingMessage];
        return answer.pause();
      }),
    );
    const counted = await content.request("/v4/assets?title=like.*9&limit=1", {
      headers: { Prefer: "count=exact" },
    });
    expect(counted.status).toBe(206);
    expect(counted.headers.get("Content-Range")).toBe(`0-0/${rows / 10}`);
    const [first] = begun;
    let text = "";
    first?.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    first?.resume();
    if (first) await once(first, "end");
    expect(JSON.parse(text)).toHaveLength(rows);
  });
});

it("[V4-279] read-ahead data is complete and in order, from memory and from a temporary file that is deleted afterwards", async () => {
  const folder = await temporaryFolder();
  const texts = Array.from({ length: 200 }, (_, at) => `${at} ä€ `.repeat(at));
  let isLetGo = false;
  async function* source(): AsyncGenerator<string> {
    try {
      yield* texts;
    } finally {
      isLetGo = true;
    }
  }
  let files = 0;
  const newFile = () => {
    files += 1;
    return path.join(folder, "ahead");
  };
  const ahead = readAhead(source(), { memoryBytes: 10_000, newFile });
  const taken = [(await ahead.next()).value];
  // The first is accepted, without waiting for the others.
  await expect.poll(() => isLetGo).toBe(true);
  expect(files).toBe(1);
  // A process that is killed now leaves nothing behind; Windows deletes no open file.
  expect(await readdir(folder)).toEqual(
    process.platform === "win32" ? ["ahead"] : [],
  );
  for await (const text of ahead) taken.push(text);
  expect(taken).toEqual(texts);
  expect(await readdir(folder)).toEqual([]);
  async function* failing(): AsyncGenerator<string> {
    yield "one";
    throw new Error("broken");
  }
  const broken: string[] = [];
  const taking = (async () => {
    for await (const text of readAhead(failing(), { memoryBytes: 9, newFile }))
      broken.push(text);
  })();
  await expect(taking).rejects.toThrow("broken");
  expect(broken).toEqual(["one"]);
});

it("[V4-346] read-ahead data is complete and in order where no temporary file can be written: its source waits for the consumer", async () => {
  const folder = await temporaryFolder();
  const texts = Array.from({ length: 50 }, (_, at) => `${at} `.repeat(100));
  let requested = 0;
  async function* source(): AsyncGenerator<string> {
    for (const text of texts) {
      requested += 1;
      yield text;
    }
  }
  const newFile = () => path.join(folder, "gone", "ahead");
  const ahead = readAhead(source(), { memoryBytes: 1_000, newFile });
  const taken: unknown[] = [(await ahead.next()).value];
  // Five in memory, and one that waits.
  await expect.poll(() => requested).toBe(7);
  for await (const text of ahead) {
    taken.push(text);
    expect(requested).toBeLessThanOrEqual(taken.length + 7);
  }
  expect(taken).toEqual(texts);
  const other = readAhead(source(), { memoryBytes: 1_000, newFile });
  await other.next();
  // A consumer that leaves meanwhile ends the source as well.
  await other.return();
  expect(requested).toBeLessThan(2 * texts.length);
});
