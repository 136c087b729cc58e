// Command line of sync: one run or continuous; the token given in three ways and never printed.

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { credentialPrefix } from "../../../../server/contract/link/link.ts";
import {
  connectionDefaults,
  type SyncConnectionInput,
} from "../../../../server/core/sync-plan/sync-state.ts";
import { packageVersion } from "../../../../server/platform/process/package-version.ts";
import { openWindowsSeal } from "../../../../server/platform/windows-encryption.ts";
import {
  createSecrets,
  type Seal,
} from "../../../../server/player/sync/store/secret-store.ts";
import {
  cloudImage,
  serveFaultyCloud,
} from "../../../support/faulty-service/faulty-service.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { keyring } from "../../../support/machine/keyring.ts";
import { sourceWords } from "../../../support/program-words.ts";
import { runSync, spawnSync } from "../../../support/sync/serve-sync.ts";
import { startSync } from "../../../support/sync/start-sync.ts";
import { requestEnd } from "../../../support/machine/request-end.ts";

const token = "a-token-of-the-command-line";

describe("npm run sync", () => {
  it("downloads everything once, reports so, and has nothing to do the second time", async () => {
    const cloud = await serveFaultyCloud();
    cloud.playlists = [
      { id: "P1", assets: [cloudImage("red"), cloudImage("green")] },
    ];
    const dataDir = await temporaryFolder();
    const words = ["--data-dir", dataDir, "--url", cloud.address, "--once"];
    const first = await runSync([...words, "--token", token], {
      // As a person starts it; all others are bundled.
      program: sourceWords("sync"),
    });
    expect(first).toMatchObject({ code: 0, complained: "" });
    expect(first.output).toContain(
      "2 assets, 1 playlists, in sync with the content service",
    );
    const { length } = cloud.requests;
    expect(await runSync(words, { token })).toMatchObject({ code: 0 });
    // The list, and whether it continues: its end was known to one process alone (V2-622).
    expect(cloud.requests.length - length).toBe(2);
    const third = await runSync(words, { input: `${token}\n` });
    expect(third.code).toBe(0);
    for (const { output, complained } of [first, third])
      expect(output + complained).not.toContain(token);
    expect(cloud.requests.at(-1)?.headers.authorization).toBe(`Token ${token}`);
  });

  it("[V2-652] reports how many items are here and failed, and exits with 1, where one cannot be downloaded", async () => {
    const cloud = await serveFaultyCloud();
    const late = cloudImage("late", [9, 9, 9]);
    cloud.files.set("late", (_request, response) => void response.end("no"));
    cloud.playlists = [{ id: "P1", assets: [cloudImage("red"), late] }];
    const dataDir = await temporaryFolder();
    const words = ["--data-dir", dataDir, "--url", cloud.address, "--once"];
    const { code, output } = await runSync(words, { token });
    expect(output).toContain("1 of 2 items; 1 failed");
    expect(output).not.toContain("in sync with");
    expect(code).toBe(1);
  });

  it("keeps the settings of an existing connection except for the given ones, and prints its version", async () => {
    const cloud = await serveFaultyCloud();
    cloud.playlists = [{ id: "P1", assets: [cloudImage("red")] }];
    const dataDir = await temporaryFolder();
    const words = ["--data-dir", dataDir, "--url", cloud.address];
    expect((await runSync([...words, "--once"], { token })).code).toBe(0);
    const first = await followForGood(words);
    const [connection] = await request(first.api, "sync/accounts");
    await request(
      first.api,
      `sync/accounts/${String(connection?.["account_id"])}`,
      {
        ...{ name: "Lobby", mode: "tonight", poll_seconds: 600 },
        ...{ rate_limit: 5_000_000, version: "v4", is_enabled: false },
      },
    );
    await first.end();
    const second = await followForGood([...words, "--label", "Doors"]);
    expect(await request(second.api, "sync/accounts")).toMatchObject([
      {
        ...{ name: "Lobby", mode: "tonight", poll_seconds: 600 },
        ...{ rate_limit: 5_000_000, version: "v4", is_enabled: true },
        labels: ["Doors"],
      },
    ]);
    expect(await request(second.api, "info")).toMatchObject([
      { version: packageVersion() },
    ]);
    await second.end();
    const third = await followForGood(words);
    expect(await request(third.api, "sync/accounts")).toMatchObject([
      { name: "Lobby", labels: ["Doors"] },
    ]);
    await third.end();
    const fourth = await followForGood([...words, "--screen", "S1"]);
    expect(await request(fourth.api, "sync/accounts")).toMatchObject([
      { name: "Lobby", labels: [], screen_id: "S1" },
    ]);
    await fourth.end();
  });

  it("keeps the credential of a screen paired at this address, and syncs with a connection of its own", async () => {
    const cloud = await serveFaultyCloud();
    cloud.playlists = [{ id: "P1", assets: [cloudImage("red")] }];
    const dataDir = await temporaryFolder();
    const paired = { baseUrl: cloud.address, screenId: "S1" };
    const [id] = await withConnections(dataDir, null, [
      [paired, `${credentialPrefix}of-the-window`],
    ]);
    const words = ["--data-dir", dataDir, "--url", cloud.address, "--once"];
    const before = await tokenOf(dataDir, id);
    expect(before).toContain(credentialPrefix);
    for (const label of ["Doors", "Hall"])
      expect(
        await runSync([...words, "--label", label], { token }),
      ).toMatchObject({ code: 0, complained: "" });
    expect(await tokenOf(dataDir, id)).toBe(before);
    const { api, end } = await followForGood(words.slice(0, -1));
    expect(await request(api, "sync/accounts")).toMatchObject([
      { account_id: id, screen_id: "S1", labels: [], is_enabled: false },
      { screen_id: null, labels: ["Hall"], is_enabled: true },
    ]);
    await end();
  });

  it("exits with 1 and a message, and changes nothing, when the connection is ambiguous", async () => {
    const dataDir = await temporaryFolder();
    const baseUrl = "http://127.0.0.1:9";
    const ids = await withConnections(dataDir, null, [
      [{ baseUrl }, "one"],
      [{ baseUrl }, "two"],
    ]);
    const words = ["--data-dir", dataDir, "--url", baseUrl, "--once"];
    const before = await Promise.all(ids.map((id) => tokenOf(dataDir, id)));
    const reported = await runSync(words, { token });
    expect(reported).toMatchObject({ code: 1, output: "" });
    expect(reported.complained).toMatch(
      /^There are several connections to .*\.\n$/,
    );
    expect(await Promise.all(ids.map((id) => tokenOf(dataDir, id)))).toEqual(
      before,
    );
  });

  it("[V2-552] changes the one of several connections at an address that --name selects, and nothing else of it or of another", async () => {
    const cloud = await serveFaultyCloud();
    cloud.playlists = [{ id: "P1", assets: [cloudImage("red")] }];
    const dataDir = await temporaryFolder();
    const set: Partial<SyncConnectionInput> = {
      ...{ baseUrl: cloud.address, mode: "ask", pollSeconds: 600 },
      ...{ rateLimit: 5_000_000, labels: ["Doors"] },
    };
    const [one, two] = await withConnections(dataDir, null, [
      [{ ...set, name: "Window" }, "one"],
      [{ ...set, name: "Counter" }, "two"],
    ]);
    const words = ["--data-dir", dataDir, "--url", cloud.address, "--once"];
    const untold = await runSync(words, { token });
    expect(untold).toMatchObject({ code: 1, output: "" });
    expect(untold.complained).toContain(
      'choose one with --name ("Counter", "Window")',
    );
    const reported = await runSync([...words, "--name", "Counter"], { token });
    // It asks before anything is applied, as configured.
    expect(reported.output).toContain("Needs review (ask)");
    const [window, counter] = [one, two].map((id) => id ?? "");
    expect(await openedToken(dataDir, window ?? "")).toContain("one");
    expect(await openedToken(dataDir, counter ?? "")).toContain(token);
    const third = await runSync([...words, "--name", "Third"], { token });
    expect(third).toMatchObject({ code: 0, complained: "" });
    const { api, end } = await followForGood([
      ...[...words.slice(0, -1), "--name", "Third"],
    ]);
    const kept = {
      ...{ mode: "ask", poll_seconds: 600, rate_limit: 5_000_000 },
      labels: ["Doors"],
    };
    expect(await request(api, "sync/accounts")).toMatchObject([
      { ...kept, account_id: window, name: "Window", is_enabled: false },
      { ...kept, account_id: counter, name: "Counter", is_enabled: true },
      { name: "Third", mode: "now", labels: [] },
    ]);
    await end();
  });

  it("[V2-685] has its token encrypted by Windows, and stores it in a file elsewhere", async () => {
    const cloud = await serveFaultyCloud();
    cloud.playlists = [{ id: "P1", assets: [cloudImage("red")] }];
    const dataDir = await temporaryFolder();
    const words = ["--data-dir", dataDir, "--url", cloud.address];
    expect((await runSync([...words, "--once"], { token })).code).toBe(0);
    const { api, output, end } = await followForGood(words);
    const onWindows = process.platform === "win32";
    const [connection] = await request(api, "sync/accounts");
    expect(connection?.["token_storage"]).toBe(onWindows ? "sealed" : "file");
    expect(output()).toContain(
      onWindows
        ? "the token is encrypted by Windows"
        : "the token is in a file",
    );
    const id = String(connection?.["account_id"]);
    const stored = await tokenOf(dataDir, id);
    expect(stored.includes(token)).toBe(!onWindows);
    expect(await openedToken(dataDir, id)).toContain(token);
    // Another process of the same user opens it.
    await expect
      .poll(async () => (await request(api, "assets")).length)
      .toBe(1);
    expect(await end()).toBe(0);
  });

  it("[V2-347] keeps a token that the desktop app sealed, and reports it", async () => {
    const dataDir = await temporaryFolder();
    const baseUrl = "http://127.0.0.1:9";
    const [id] = await withConnections(dataDir, keyring, [
      [{ baseUrl }, "one"],
    ]);
    const words = ["--data-dir", dataDir, "--url", baseUrl, "--once"];
    const before = await tokenOf(dataDir, id);
    const reported = await runSync(words, { token });
    expect(reported).toMatchObject({ code: 1, output: "" });
    expect(reported.complained).toContain("encrypted by the desktop app");
    expect(await tokenOf(dataDir, id)).toBe(before);
  });

  it("exits with 1 and a message when the service is unreachable, and with 2 for invalid options", async () => {
    const dataDir = await temporaryFolder();
    const words = ["--data-dir", dataDir, "--url", "http://127.0.0.1:9"];
    const away = await runSync([...words, "--once", "--version", "v4.1"], {
      token,
    });
    expect(away).toMatchObject({ code: 1 });
    expect(away.complained).toContain("cannot be reached");
    const wrong = [...words, "--version", "v9"];
    const [odd, untold] = await Promise.all([
      runSync(wrong, { token }),
      runSync([...words, "--once"]),
    ]);
    expect([odd.code, untold.code]).toEqual([2, 2]);
    expect(untold.complained).toContain("The token is missing");
  });

  it("runs until it is requested to exit", async () => {
    const cloud = await serveFaultyCloud();
    cloud.playlists = [{ id: "P1", assets: [cloudImage("red")] }];
    const dataDir = await temporaryFolder();
    const words = ["--data-dir", dataDir, "--url", cloud.address];
    const { api, end } = await followForGood(words);
    const names = async (): Promise<unknown> =>
      (await request(api, "assets")).map((asset) => asset["name"]);
    await expect.poll(names).toEqual(["red"]);
    expect(await end()).toBe(0);
  });

  it("[V2-691] is stopped by a command of its own", async () => {
    const cloud = await serveFaultyCloud();
    const place = ["--data-dir", await temporaryFolder()];
    const { ended } = await followForGood([...place, "--url", cloud.address]);
    expect((await runSync(["stop", ...place])).code).toBe(0);
    expect(await ended).toEqual([0, null]);
    expect((await runSync(["stop", ...place])).code).toBe(1);
    expect((await runSync(["stop"])).code).toBe(2);
  });
});

async function followForGood(words: readonly string[]) {
  const child = spawnSync(words, token);
  const ended = once(child, "exit");
  const dataDir = words[words.indexOf("--data-dir") + 1] ?? "";
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await expect.poll(() => output).toContain("API http");
  const api = /API (http:\S+)/.exec(output)?.[1] ?? "";
  const end = async (): Promise<number> => {
    await requestEnd(child, dataDir, "sync");
    const [code] = (await ended) as [number];
    return code;
  };
  return { api, end, ended, output: () => output };
}

/** Switched off, as another run left them; returns their identifiers. */
async function withConnections(
  dataDir: string,
  seal: Seal | null,
  edits: readonly (readonly [Partial<SyncConnectionInput>, string])[],
): Promise<readonly string[]> {
  const running = await startSync({ player: { dataDir }, sync: { seal } });
  const ids: string[] = [];
  for (const [changes, secret] of edits) {
    const connection = {
      ...connectionDefaults,
      baseUrl: "",
      name: "Window",
      ...changes,
    };
    const { id } = await running.sync.addConnection(
      { ...connection, isEnabled: false },
      secret,
    );
    ids.push(id);
  }
  await running.stopSync();
  await running.player.stop();
  return ids;
}

const tokenOf = (dataDir: string, id = ""): Promise<string> =>
  readFile(path.join(dataDir, "sync", "tokens", `${id}.token`), "utf8");

/** Decrypted, where Windows has encrypted it. */
async function openedToken(dataDir: string, id: string): Promise<string> {
  const dir = path.join(dataDir, "sync", "tokens");
  const secret = await createSecrets(dir, await openWindowsSeal()).open(id);
  return secret ?? "";
}

/** Its response, as a list. */
async function request(
  api: string,
  path: string,
  change?: object,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const answer = await fetch(`${api}/api/v2/${path}`, {
    ...(change && { method: "PATCH", body: JSON.stringify(change) }),
    headers: { "Content-Type": "application/json" },
  });
  expect(answer.status).toBe(200);
  return [await answer.json()].flat() as Record<string, unknown>[];
}
