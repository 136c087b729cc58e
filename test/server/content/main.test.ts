// Command line of the content service: starting, messages, and creating keys.

import { chmod, stat } from "node:fs/promises";
import path, { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readContentConfig } from "../../../server/content/config.ts";
import { withKeys } from "../../../server/content/content.ts";
import { grantAmong } from "../../../server/content/grant-flags.ts";
import { afterThisTest } from "../../support/after-this-test.ts";
import { hasModes } from "../../support/file-modes.ts";
import { temporaryFolder } from "../../support/folder.ts";
import {
  clientAt,
  runContent,
  serveContent,
  startContent,
} from "../../support/content/start-content.ts";
import { requestEnd } from "../../support/machine/request-end.ts";
import {
  bindReadOnly,
  mayMount,
  remountReadOnly,
  smallDisk,
} from "../../support/machine/volume.ts";

describe("the configuration", () => {
  const read = (words: readonly string[], env = {}) =>
    readContentConfig(["--data-dir", "/d", ...words], env);

  it("[V4-200] takes flags before the environment, and the environment before defaults", () => {
    const env = { VITRINE_CONTENT_PORT: "1", VITRINE_CONTENT_HOST: "::1" };
    expect(read(["--port=2", "--allow-private-sources"], env)).toMatchObject({
      ok: true,
      value: {
        port: 2,
        host: "::1",
        dataDir: resolve("/d"),
        allowPrivateSources: true,
      },
    });
    expect(
      readContentConfig([], { VITRINE_CONTENT_DATA_DIR: "/e" }),
    ).toMatchObject({
      ok: true,
      value: { dataDir: resolve("/e"), port: 8090, host: "127.0.0.1" },
    });
  });

  it.each([
    [["--port", "many"], /^--port is "many"; expected a port number/],
    [["--database-url", "mysql://x"], /^--database-url is not valid/],
    [["--api-key", "with blank"], /^--api-key is not valid/],
    [["--loud"], /^Unknown option --loud\. Options: /],
    [["keys"], /^Unknown argument "keys"/],
    [["--port"], /^--port requires a value/],
    [["--behind-proxy=1"], /^--behind-proxy does not take a value/],
    [
      ["--host", "0.0.0.0"],
      /^Listening on 0\.0\.0\.0 would send keys over the network/,
    ],
    [["--tls-cert", "a.pem"], /must be set together/],
    [["--geocoder-url", "http://a/"], /^--geocoder-url is not valid/],
    [["--geocoder-url", "ftp://a/{query}"], /^--geocoder-url is not valid/],
    [["--smtp-url", "http://a"], /^--smtp-url is not valid/],
    [["--smtp-from", "nobody"], /^--smtp-from is "nobody"; expected an email/],
    [["--language", "fr"], /^--language is "fr"; expected .*: en or de/],
    [["--smtp-url", "smtp://a"], /must be set together/],
    [["--smtp-from", "A <a@b>"], /must be set together/],
  ])("[V4-200] [V4-201] rejects %j with a message", (words, sentence) => {
    const reading = read(words);
    expect(reading).toMatchObject({ ok: false });
    if (!reading.ok) expect(reading.message).toMatch(sentence);
  });

  it("[V4-200] requires the folder", () => {
    expect(readContentConfig([], {})).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^--data-dir is missing/) as string,
    });
  });

  it("[V4-201] listens on other addresses with a certificate or a stated proxy", () => {
    const open = ["--host", "0.0.0.0"];
    expect(read([...open, "--behind-proxy"]).ok).toBe(true);
    expect(read([...open, "--tls-cert", "c", "--tls-key", "k"]).ok).toBe(true);
  });
});

describe("the command line", () => {
  const keysIn =
    (dir: string) =>
    (...words: string[]) =>
      runContent("keys", ...words, "--data-dir", dir);

  it("[V4-360] [V4-362] creates keys with a role, and refuses roles and labels that do not exist", async () => {
    const keys = keysIn(await temporaryFolder());
    expect((await keys("add", "kiosk", "--role", "viewer")).code).toBe(0);
    const limited = ["--role", "editor", "--labels", "Site B, Site C"];
    expect(await keys("add", "a", ...limited)).toMatchObject({
      ...{ code: 1, complained: 'There is no label "Site B".\n' },
    });
    expect((await keys("list")).output).toMatch(
      /^.* {2}viewer {2}Vitrine {2}kiosk\n$/,
    );
    expect(() => grantAmong(["--role=owner"])).toThrow(/one of viewer, editor/);
    expect(() => grantAmong(["--labels", "--role"])).toThrow(
      /requires a value/,
    );
    expect(grantAmong(["--port", "1", "--labels=A"])).toEqual({
      ...{ grant: { labels: ["A"] }, flags: ["--port", "1"] },
    });
  });

  it("[V4-379] invites people, and lists them", async () => {
    const dir = await temporaryFolder();
    const peopleIn = (...words: string[]) =>
      runContent("people", ...words, "--data-dir", dir);
    const invited = await peopleIn("invite", "a@example.org", "--role=editor");
    const [, secret = ""] =
      /#invitation=([\w-]{43})\n$/.exec(invited.output) ?? [];
    const reading = readContentConfig(["--data-dir", dir], {});
    if (!reading.ok) throw new Error(reading.message);
    await withKeys(reading.value, async (_keys, people) => {
      const { id } = await people.accept({
        ...{ secret, name: "Ada", email: undefined },
        password: "correct horse battery",
      });
      expect(await people.find(id)).toMatchObject({ email: "a@example.org" });
    });
    expect((await peopleIn("list")).output).toMatch(
      /^[0-9A-Z]{26} {2}editor {2}signed in [\d-]+T[\d:.]+Z {2}a@example\.org {2}Ada\n$/,
    );
  });

  it("[V4-350] prints its commands, and each flag with its variable and what it does", async () => {
    const { code, output } = await runContent("--help");
    expect(code).toBe(0);
    expect(output).toContain("npm run content -- keys add NAME");
    expect(output).toMatch(
      /^ {2}--port N +VITRINE_CONTENT_PORT\n {6}Port to listen on\./m,
    );
    const lines = output.split("\n");
    const unexplained = lines.filter(
      (line, at) =>
        line.startsWith("  --") && !/^ {6}\S/.test(lines[at + 1] ?? ""),
    );
    expect(unexplained).toEqual([]);
  });

  it("[V4-203] creates and lists keys, each of a team", async () => {
    const keys = keysIn(await temporaryFolder());
    const { code, output } = await keys("add", "script", "Shop");
    expect([code, output]).toEqual([
      ...[0, expect.stringMatching(/^[\w-]{43}\n$/) as string],
    ]);
    expect((await keys("list")).output).toMatch(
      /^[0-9A-Z]{26} {2}created .* {2}never used {2}admin {2}Shop {2}script\n$/,
    );
  });

  it("[V4-203] revokes a key, once", async () => {
    const dir = await temporaryFolder();
    const reading = readContentConfig(["--data-dir", dir], {});
    if (!reading.ok) throw new Error(reading.message);
    const id = await withKeys(reading.value, async (all) => {
      await all.add({ name: "script", team: "Shop" });
      return (await all.list())[0]?.id ?? "";
    });
    const keys = keysIn(dir);
    expect((await keys("revoke", id)).code).toBe(0);
    expect(await keys("revoke", id)).toMatchObject({
      ...{
        code: 1,
        complained: `There is no key with the identifier ${id}.\n`,
      },
    });
    expect((await keys("list")).output).toBe("");
  });

  it.each([
    [[]],
    [["--data-dir", "x", "--loud"]],
    [["keys", "--data-dir", "x"]],
    [["keys", "dance", "--data-dir", "x"]],
    [["dance", "--data-dir", "x"]],
  ])("[V4-200] prints its usage after %j", async (words) => {
    const { code, complained } = await runContent(...words);
    expect(code).toBe(2);
    expect(complained).toContain("Usage:");
  });

  it("[V4-200] reports a port in use, and a database that is unreachable", async () => {
    const dir = await temporaryFolder();
    const { address } = await serveContent(dir);
    const { port } = new URL(address);
    expect(await runContent("--data-dir", dir, "--port", port)).toMatchObject({
      ...{ code: 1, output: "" },
      complained: `Port ${port} on 127.0.0.1 is already in use by another program.\n`,
    });
    const url = "postgres://nobody@127.0.0.1:9/none";
    const away = await runContent("--data-dir", dir, "--database-url", url);
    expect(away.code).toBe(1);
    expect(away.complained).toMatch(/^The database cannot be opened: /);
  });

  it("[V2-691] stops a running service by a command of its own, and reports when none runs", async () => {
    const dir = await temporaryFolder();
    const { process: served } = await serveContent(dir);
    const ended = new Promise((answer) => served.once("exit", answer));
    expect(await runContent("stop", "--data-dir", dir)).toMatchObject({
      ...{ code: 0, output: `The content service on ${dir} has stopped.\n` },
    });
    expect(await ended).toBe(0);
    expect(await runContent("stop", "--data-dir", dir)).toMatchObject({
      ...{ code: 1, complained: `No content service is running on ${dir}.\n` },
    });
  });

  it("[V4-203] [V4-379] prints a key it created once, and none when one was given", async () => {
    const dir = await temporaryFolder();
    const first = await serveOnce(dir, []);
    const key = /shown only once: (\S+)\n/.exec(first.output)?.[1] ?? "";
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(await first.statuses(key)).toBe(200);
    expect(first.output).toMatch(
      /as the first person, open this link within 72 hours: http:\S+\/#invitation=[\w-]{43}\n/,
    );
    await first.stop();
    const second = await serveOnce(dir, []);
    expect(second.output).not.toContain("shown only once");
    expect(await second.statuses(key)).toBe(200);
    await second.stop();
  });
});

async function serveOnce(dir: string, words: readonly string[]) {
  const { spawn } = await import("node:child_process");
  const { fileURLToPath } = await import("node:url");
  const entry = fileURLToPath(
    new URL("../../../server/content/main.ts", import.meta.url),
  );
  const child = spawn(process.execPath, [
    ...[entry, "--data-dir", dir, "--port", "0", ...words],
  ]);
  const ended = new Promise((answer) => child.once("close", answer));
  afterThisTest(() => {
    child.kill("SIGKILL");
    return ended;
  });
  let output = "";
  const address = await new Promise<string>((answer) => {
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const match = /is ready: (http:\S+)/.exec(output)?.[1];
      if (match) answer(match);
    });
  });
  return {
    output,
    statuses: async (key: string) =>
      (await clientAt(address, key).request("/v4/assets")).status,
    stop: async () => {
      await requestEnd(child, dir, "content");
      return ended;
    },
  };
}

it.runIf(mayMount)(
  "[V4-319] does not start on a read-only disk, with one message",
  async () => {
    const disk = await smallDisk(40);
    const dataDir = path.join(disk, "data");
    const content = await startContent(dataDir);
    await content.stop();
    remountReadOnly(disk);
    for (const dir of [dataDir, path.join(disk, "new")]) {
      const { code, complained } = await runContent(
        ...["--data-dir", dir, "--port", "0"],
      );
      expect([code, complained]).toEqual([
        ...[
          1,
          expect.stringMatching(
            /^The \w+ cannot be (?:used|opened): [^\n]+\n$/,
          ),
        ],
      ]);
    }
  },
);

it.runIf(mayMount)(
  "[V4-319] ends with one message when its database can be read but not written",
  async () => {
    const dataDir = await temporaryFolder();
    await (await startContent(dataDir)).stop();
    bindReadOnly(path.join(dataDir, "content.db"));
    const { code, complained } = await runContent(
      ...["--data-dir", dataDir, "--port", "0"],
    );
    expect([code, complained]).toEqual([
      ...[1, expect.stringMatching(/^The database cannot be [^\n]+\n$/)],
    ]);
  },
);

it.runIf(hasModes)(
  "[V4-339] starts again once its database, or a journal created meanwhile, was read-only",
  async () => {
    const dataDir = await temporaryFolder();
    const killed = await serveContent(dataDir);
    await killed.add("/v4/assets", { title: "Before" });
    const ended = new Promise((answer) => killed.process.once("exit", answer));
    killed.process.kill("SIGKILL");
    await ended;
    const files = ["content.db", "content.db-wal", "content.db-shm"].map(
      (name) => path.join(dataDir, name),
    );
    for (const file of files) await chmod(file, 0o400);
    const content = await serveContent(dataDir);
    for (const file of files)
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    await content.add("/v4/assets", { title: "After" });
    expect(await content.rows("/v4/assets?select=title")).toEqual([
      ...[{ title: "Before" }, { title: "After" }],
    ]);
  },
);
