// Log: events become lines, secrets do not.

import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { expect, it, vi } from "vitest";
import { createLog } from "../../../server/platform/log.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { fillUp, mayMount, smallDisk } from "../../support/machine/volume.ts";

it("the log omits debug events, and includes them from the next line on when switched on", async () => {
  const dir = await temporaryFolder();
  const log = createLog({ dir, toStandardOutput: false });
  const own = log.with({ request: "r1" });
  own.debug("request.early");
  log.setDebugging(true);
  expect(own.isDebugging()).toBe(true);
  own.debug("request.read", { path: "/" });
  log.setDebugging(false);
  own.debug("request.late");
  await log.close();
  await log.close();
  const text = await readFile(path.join(dir, "vitrine.log"), "utf8");
  expect(text.trim().split("\n")).toHaveLength(1);
  expect(JSON.parse(text)).toMatchObject({
    ...{ level: "debug", event: "request.read", request: "r1", path: "/" },
  });
});

it("the log writes one JSON line per event and no secret", async () => {
  const dir = await temporaryFolder();
  const log = createLog({ dir, toStandardOutput: false });
  log.with({ request: "r1" }).info("asset.changed", {
    id: "a1",
    token: "secret-1",
    asset: { headers: { Authorization: "secret-2" }, js_injection: "secret-3" },
  });
  log.error("showing.failed", {
    error: Object.assign(new Error("torn"), { headers: { a: "secret-4" } }),
  });
  log.with({ password: "secret-5" }).info("player.started");
  log.info("asset.kept", Object.freeze({ authorization: "secret-6" }));
  await log.close();
  const text = await readFile(path.join(dir, "vitrine.log"), "utf8");
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({
    level: "info",
    event: "asset.changed",
    request: "r1",
    id: "a1",
  });
  expect(lines[1]).toMatchObject({
    level: "error",
    error: { message: "torn", headers: "[Redacted]" },
  });
  expect(lines).toHaveLength(4);
  expect(text).not.toContain("secret");
});

it.runIf(mayMount)(
  "the log continues once a full disk has space again, and can be closed on a full one",
  async () => {
    const dir = await smallDisk(1);
    const log = createLog({ dir, toStandardOutput: false });
    const filler = await fillUp(dir, 0);
    const text = "x".repeat(5_000);
    log.error("disk.full", { text });
    await rm(filler);
    await vi.waitFor(
      async () => {
        log.error("disk.free");
        const lines = await readFile(path.join(dir, "vitrine.log"), "utf8");
        expect(lines).toContain('"event":"disk.free"');
      },
      { timeout: 30_000, interval: 100 },
    );
    await fillUp(dir, 0);
    log.error("disk.full", { text });
    await log.close();
  },
);
