// Support bundles: complete, limited in size, and without any of the secrets that were planted everywhere.

import { mkdir, writeFile } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import path from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { maxSupportBundleBytes } from "../../../../server/contract/link/link.ts";
import { readArchive } from "../../../../server/platform/archive/archive.ts";
import { createLog } from "../../../../server/platform/log.ts";
import { createSupportBundle } from "../../../../server/player/support-bundle/support-bundle.ts";
import {
  redactLogLine,
  redactText,
  redactValue,
} from "../../../../server/player/support-bundle/redact.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { startPlayer } from "../../../support/player/start-player.ts";

/** Each is in the text that follows it, and must not be in what becomes of that. */
const planted: readonly (readonly [secret: string, text: string])[] = [
  ["hunter2", "GET https://anna:hunter2@content.example.org/v3/assets"],
  ["hu@nter2", "rtsp://cam:hu@nter2@10.0.0.7:554/stream"],
  ["abc123xyz", "https://example.org/board?lang=de&key=abc123xyz&x=1"],
  ["frag-secret", "https://example.org/board#access_token=frag-secret"],
  ["plain-fragment", "https://example.org/board#plain-fragment"],
  ["s3cr3t-value", "Authorization: Bearer s3cr3t-value"],
  ["dXNlcjpwYXNz", "proxy-authorization: Basic dXNlcjpwYXNz"],
  ["deadbeefcafe", "sent with Token deadbeefcafe"],
  ["sid=77aa88bb", "Set-Cookie: sid=77aa88bb; HttpOnly"],
  ["theme-cookie", "cookie: a=1; b=theme-cookie"],
  ["custom-header", "X-Signage-Api-Key: custom-header and more"],
  ["pw-in-env", "VITRINE_DB_PASSWORD=pw-in-env node main.js"],
  ["flag-key-1", "vitrine --api-key flag-key-1 --port 80"],
  ["4711", 'exit pin: "4711"'],
  ["Qm7xKp29", "vitrine-screen-Qm7xKp29"],
  [
    "eyJhbGciOiJIUzI1NiJ9",
    "app token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
  ],
  ["argon2id", "$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$RdescudvJCsgt3ub"],
  ["kT9vQ2mZx7Lw4Rb8Yc1Nf6Hd3Js5Gp0A", "kT9vQ2mZx7Lw4Rb8Yc1Nf6Hd3Js5Gp0A"],
];

const useful = [
  "The disk is full: 12 of 500 GB are free since 2026-05-01T10:00:00.000Z.",
  "asset 01HZX3J8Q5V7W9YBC4D6E8F0GK of playlist Lobby failed at 10:15",
  "/home/vitrine/.local/share/Vitrine/files/kept/ab/abcdef",
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
];

describe("redaction", () => {
  it.each(planted)("[L-72] removes %s", (secret, from) => {
    expect(redactText(from)).not.toContain(secret);
    const line = JSON.stringify({ level: "info", event: "x", why: from });
    expect(redactLogLine(line)).not.toContain(secret);
  });

  it("[L-72] removes what a field's name marks as secret, in any depth, and keeps what helps", () => {
    const clean = redactValue({
      name: "Lobby",
      connection: { token: "t0ken", has_token: true, headers: { "X-A": "b1" } },
      exit: [{ pin_hash: "h4sh", pin: 1234, password: null }],
      key: "-----BEGIN PRIVATE KEY-----\nMIIabc\nq/r/s\n-----END PRIVATE KEY-----",
    });
    expect(clean).toEqual({
      name: "Lobby",
      connection: {
        ...{ token: "[redacted]", has_token: true, headers: "[redacted]" },
      },
      exit: [{ pin_hash: "[redacted]", pin: "[redacted]", password: null }],
      key: "[redacted]",
    });
    for (const line of useful) expect(redactText(line)).toBe(line);
  });

  it("[L-72] takes time in proportion to any line, however it is made", () => {
    const begun = performance.now();
    for (const part of ["a", "a=", "a:", "//a@", "?a=b&", "token ", "x-", "/"])
      redactText(part.repeat(100_000));
    // A thousand times more than it takes; exponential growth would never end.
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});

async function filesIn(bundle: Uint8Array): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for await (const { path: name, content } of readArchive(
    Readable.from([bundle]),
  ))
    files.set(name, await text(content));
  return files;
}

describe("a support bundle", () => {
  it("[L-71] [L-72] has logs, versions, settings and states of a real player, and none of the secrets in them", async () => {
    const { player, dataDir, send } = await startPlayer();
    const log = createLog({
      ...{ dir: path.join(dataDir, "log"), toStandardOutput: false },
    });
    for (const [, from] of planted) {
      log.warn("test.noted", { from, password: from, nested: { url: from } });
      player.note({ kind: "player", what: "started", name: from });
    }
    log.info("test.ended");
    await log.close();
    await send("PATCH", "/settings", {
      player_name: "https://anna:hunter2@example.org",
    });
    const files = await filesIn(
      await player.supportBundle([
        { name: "system-check", read: () => ({ lines: ["good"] }) },
        {
          name: "broken",
          read: () => {
            throw new Error("no such check; token=t0pS3cret");
          },
        },
      ]),
    );
    expect([...files.keys()]).toEqual(
      expect.arrayContaining([
        ...["about.json", "settings.json", "now.json", "activity.json"],
        ...["system-check.json", "log/vitrine.log"],
      ]),
    );
    expect(files.get("log/vitrine.log")).toContain("test.ended");
    expect(files.get("about.json")).toContain(process.versions.node);
    expect(files.get("system-check.json")).toContain("good");
    expect(files.get("broken.json")).toContain("no such check");
    for (const [name, content] of files)
      for (const secret of [
        ...planted.map(([planted]) => planted),
        ...["t0pS3cret"],
      ])
        // The number of a PIN is part of many numbers.
        if (secret !== "4711")
          expect([name, content]).not.toEqual([
            name,
            expect.stringContaining(secret),
          ]);
  });

  it("[L-71] is never larger than a service accepts: the oldest lines are left out", async () => {
    const dataDir = await temporaryFolder();
    await mkdir(path.join(dataDir, "log"));
    // Nothing that looks like a secret, and that no compression makes much smaller.
    const lines = Array.from({ length: 500 }, () =>
      randomBytes(300)
        .toString("latin1")
        .replace(/[\n&;?=:]/g, " "),
    );
    await writeFile(
      path.join(dataDir, "log", "vitrine.log"),
      `first\n${lines.join("\n")}\nlast`,
    );
    const maxBytes = 60_000;
    const bundle = await createSupportBundle({
      ...{ dataDir, version: "1", now: Date.now, more: [], maxBytes },
      operate: async () => ({ isDone: true, answer: null }),
    });
    expect(maxBytes).toBeLessThan(maxSupportBundleBytes);
    expect(bundle.length).toBeLessThanOrEqual(maxBytes);
    const log = (await filesIn(bundle)).get("log/vitrine.log") ?? "";
    expect(log.endsWith("last")).toBe(true);
    expect(log.startsWith("first")).toBe(false);
    expect(log.length).toBeGreaterThan(1000);
  });
});
