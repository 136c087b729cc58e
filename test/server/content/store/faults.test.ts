// A database that is damaged while the service runs.

import { open, rm, stat } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../support/folder.ts";
import { startContent } from "../../../support/content/start-content.ts";
import {
  fillUp,
  mayMount,
  smallDisk,
} from "../../../support/machine/volume.ts";

/** Clients receive no details of the machine. */
const placesOfMachine = /content\.db|\/tmp\/|SQLITE|\bat \w+ \(/;

const reads = [
  ...["/v4/assets?select=*", "/v4/assets?select=title&order=title"],
  ...["/v4/assets?title=fts.seven", "/v3/assets/", "/v3/me"],
];

describe("an SQLite database", () => {
  it("[V4-318] that is overwritten meanwhile is reported as damaged, without its name on the machine", async () => {
    const dataDir = await temporaryFolder();
    const content = await startContent(dataDir);
    const metadata = { text: "seven ".repeat(500) };
    const rows = Array.from({ length: 900 }, (_, at) => ({
      ...{ title: `A${at}`, metadata },
    }));
    await content.add("/v4/assets", rows);
    for (const name of ["content.db", "content.db-wal"]) {
      const place = path.join(dataDir, name);
      const { size } = await stat(place);
      const file = await open(place, "r+");
      // The header stays: SQLite recognises the file by its beginning.
      await file.write(Buffer.alloc(Math.max(0, size - 4096), 0xa7), {
        position: 4096,
      });
      await file.close();
    }
    const answers: (readonly [string, number, boolean, string])[] = [];
    for (const read of reads) {
      const answer = await content.request(read);
      const text = await answer.text();
      answers.push([
        ...([read, answer.status] as const),
        ...([answer.headers.has("Retry-After"), text] as const),
      ]);
    }
    const damaged = answers.filter(([, status]) => status !== 200);
    expect(damaged).not.toEqual([]);
    for (const [read, status, hasPause, text] of damaged) {
      expect([read, status, hasPause, text]).toEqual([read, 503, true, text]);
      expect(text).toMatch(/damaged|cannot be read/);
      expect(text).not.toMatch(placesOfMachine);
    }
  });

  it("[V4-331] that is found damaged rejects further writes, and keeps what was acknowledged for the next start", async () => {
    const dataDir = await temporaryFolder();
    const content = await startContent(dataDir);
    for (let at = 0; at < 30; at += 1)
      await content.add("/v4/labels", { name: `Label ${at}` });
    // In the shared memory of its connections: this much of the write-ahead log is marked as already checkpointed.
    const shared = await open(path.join(dataDir, "content.db-shm"), "r+");
    await shared.write(Buffer.from([0xff, 0xff, 0, 0]), { position: 96 });
    await shared.close();
    const list = "/v4/labels?name=like.Label*";
    await expect
      .poll(async () => (await content.request(list)).status)
      .toBe(503);
    const errorResponse = await content.request("/v4/labels", {
      ...{ method: "POST", body: '{"name":"Late"}' },
      headers: { "Content-Type": "application/json" },
    });
    // An accepted write has no body: then the status says what happened.
    const text = await errorResponse.text();
    expect([errorResponse.status, JSON.parse(text || "null")]).toMatchObject([
      ...[503, { code: "XX001" }],
    ]);
    for (const place of ["/health", "/health/live"]) {
      const health = await fetch(content.address + place);
      expect([health.status, await health.json()]).toEqual([
        ...[503, { status: "the database is damaged: restart the service" }],
      ]);
    }
    await content.stop();
    const next = await startContent(dataDir);
    expect(await next.rows(list)).toHaveLength(30);
    await next.add("/v4/labels", { name: "Late" });
  });

  it.runIf(mayMount)(
    "[V4-261] [V4-272] whose disk is full is 507 for writes, readable, and continues when there is space",
    async () => {
      const disk = await smallDisk(24);
      const content = await startContent(path.join(disk, "data"));
      await content.add("/v4/assets", { title: "a" });
      // It is smaller than the space that remains.
      const upload = await content.upload(Buffer.from("x"), { title: "u" });
      expect([upload.status, await upload.json()]).toMatchObject([
        507,
        {
          message: "Only the reserved space is left on this service's disk.",
        },
      ]);
      const filler = await fillUp(disk, 0);
      const rows = Array.from({ length: 500 }, (_, at) => ({
        ...{ title: `B${at}`, metadata: { text: "seven ".repeat(500) } },
      }));
      const write = () =>
        content.request("/v4/assets", {
          ...{ method: "POST", body: JSON.stringify(rows) },
          headers: { "Content-Type": "application/json" },
        });
      const errorResponse = await write();
      expect([errorResponse.status, await errorResponse.json()]).toMatchObject([
        ...[507, { code: "53100" }],
      ]);
      expect(await content.rows("/v4/assets?select=title")).toEqual([
        { title: "a" },
      ]);
      await rm(filler);
      expect((await write()).status).toBe(201);
    },
  );
});
