// Command line of the player: creating, listing and revoking tokens; setting the password; running without a desktop.

import {
  chmod,
  mkdir,
  readdir,
  readFile,
  stat,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../support/folder.ts";
import { png } from "../../support/media/media.ts";
import {
  runPlayer,
  runPlayerWith,
  servePlayer,
} from "../../support/player/serve-player.ts";
import { requestEnd } from "../../support/machine/request-end.ts";

/** Entries that anybody but the owner may read, write or enter; the folder itself has an empty name. */
async function openToOthers(dir: string): Promise<string[]> {
  const inside = await readdir(dir, { recursive: true });
  const places = ["", ...inside].map(async (name) => {
    // Files that came and went meanwhile, such as partial files, are readable by nobody else.
    const found = await stat(path.join(dir, name)).catch(() => null);
    return ((found?.mode ?? 0) & 0o077) === 0 ? [] : [name];
  });
  return (await Promise.all(places)).flat();
}

/** Child processes that read files for this one. */
async function mediaProcessesOf(owner: number): Promise<readonly number[]> {
  const collected: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const [command, status] = await Promise.all(
      ["cmdline", "status"].map((file) =>
        readFile(`/proc/${name}/${file}`, "utf8").catch(() => ""),
      ),
    );
    const isOwn = status?.includes(`PPid:\t${owner}\n`) === true;
    if (isOwn && command?.includes("media-process"))
      collected.push(Number(name));
  }
  return collected;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("the command line", () => {
  it("[V2-63] creates, lists and revokes tokens", async () => {
    const dir = await temporaryFolder();
    const tokens = (...words: string[]) =>
      runPlayer("tokens", ...words, "--data-dir", dir);
    const { code, output } = await tokens("add", "lobby script");
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/^[\w-]{43}\n$/) as string,
    ]);
    const list = await tokens("list");
    const id = /^([0-9a-f]{32}) .*never used {2}lobby script\n$/.exec(
      list.output,
    )?.[1];
    expect(id).toBeDefined();
    expect(await tokens("add", "lobby script")).toMatchObject({
      code: 1,
      complained: "A token named lobby script already exists.\n",
    });
    expect((await tokens("revoke", id ?? "")).code).toBe(0);
    expect((await tokens("list")).output).toBe("");
  });

  it.each([
    [[]],
    [["serve"]],
    [["tokens", "add", "--data-dir", "x"]],
    [["password", "secret", "--data-dir", "x"]],
    [["dance", "--data-dir", "x"]],
    [["serve", "--data-dir", "x", "--loud"]],
    [["serve", "--data-dir", "x", "--api-port", "many"]],
  ])("prints its usage after %j", async (words) => {
    const { code, complained } = await runPlayer(...words);
    expect(code).toBe(2);
    expect(complained).toMatch(/Usage:|--api-port/);
    // A rejected call creates no folder.
    await expect(stat("x")).rejects.toThrow(/ENOENT/);
  });

  it.each([
    [["--tls-cert", "a.pem"], "--tls-cert and --tls-key must be set together."],
    [
      ["--tls-cert", "a.pem", "--tls-key", "b.pem"],
      "--tls-cert and --tls-key require --https-port.",
    ],
    [
      ["--https-port", "8080"],
      "--https-port and --api-port must be different.",
    ],
    [
      ["--https-port", "99999"],
      "--https-port must be a number from 0 to 65535.",
    ],
  ])("names the flags that are not valid together: %j", async (words, line) => {
    const { code, complained } = await runPlayer(
      ...["serve", "--data-dir", "x", ...words],
    );
    expect(code).toBe(2);
    expect(complained).toContain(line);
    await expect(stat("x")).rejects.toThrow(/ENOENT/);
  });

  it.skipIf(process.platform === "win32")(
    "stores everything readable by its owner alone, and tightens permissions of an earlier version",
    async () => {
      const dir = await temporaryFolder();
      await chmod(dir, 0o755);
      await mkdir(path.join(dir, "backups"), { mode: 0o755 });
      await writeFile(path.join(dir, "machine.json"), "{}", { mode: 0o644 });
      const { address } = await servePlayer(dir);
      await fetch(`${address}/api/v2/assets`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({
          ...{ name: "Prices", uri: "https://prices.example/", duration: 9 },
          ...{ mimetype: "webpage", is_enabled: true, skip_asset_check: true },
          ...{ start_date: "2026-01-01", end_date: "2099-01-01" },
        }),
      });
      const open = await openToOthers(dir);
      expect(open).toEqual([]);
      expect(await readdir(dir)).toContain("vitrine.db");
    },
  );

  it.skipIf(process.platform !== "linux")(
    "[V2-508] exits when asked to stop while its media reader hangs on a file, and terminates that process too",
    async () => {
      const dir = await temporaryFolder();
      const { address, process: served } = await servePlayer(dir);
      const upload = (shade: number) => {
        const form = new FormData();
        const bytes = new Uint8Array(png([shade, 2, 3]));
        form.set("file_upload", new Blob([bytes]), "a.png");
        return fetch(`${address}/api/v2/file_asset`, {
          method: "POST",
          body: form,
        });
      };
      expect((await upload(1)).ok).toBe(true);
      const [reader = 0] = await mediaProcessesOf(served.pid ?? 0);
      // It is stopped, and so is everything that is sent to it.
      process.kill(reader, "SIGSTOP");
      const cutOff = upload(2).catch(() => "cut off");
      const files = () => readdir(path.join(dir, "files", "aside"));
      await expect.poll(files).toHaveLength(1);
      const ended = new Promise((resolve) => served.once("exit", resolve));
      served.kill("SIGTERM");
      expect([0, 1]).toContain(await ended);
      await cutOff;
      await expect.poll(() => isRunning(reader)).toBe(false);
    },
  );

  it("[V2-63] serves a player, where a new token works at once, and exits when told to", async () => {
    const dir = await temporaryFolder();
    const { address, process } = await servePlayer(dir);
    const request = async (token: string) =>
      (
        await fetch(`${address}/api/v2/now`, {
          headers: { Authorization: `Bearer ${token}` },
        })
      ).status;
    await fetch(`${address}/api/v2/device_settings`, {
      method: "PATCH",
      body: new URLSearchParams({ api_token_required: "true" }),
    });
    expect(await request("none")).toBe(200);
    const { output } = await runPlayer("tokens", "add", "a", "--data-dir", dir);
    expect(await request("none")).toBe(401);
    expect(await request(output.trim())).toBe(200);
    const code = new Promise((resolve) => process.once("exit", resolve));
    await requestEnd(process, dir, "player");
    expect(await code).toBe(0);
  });

  it("[V2-782] sets the password while it serves, from standard input only, and removes it", async () => {
    const dir = await temporaryFolder();
    const { address } = await servePlayer(dir);
    const isSet = async () =>
      (
        (await (await fetch(`${address}/api/v2/password`)).json()) as {
          readonly is_set: boolean;
        }
      ).is_set;
    const command = (input: string) =>
      runPlayerWith(input, "password", "--data-dir", dir);
    expect(await command(" from the terminal \r\n")).toMatchObject({
      ...{ code: 0, output: "The password is set.\n" },
    });
    expect(await isSet()).toBe(true);
    expect(await command("short\n")).toMatchObject({
      ...{ code: 1, output: "" },
      complained: "The password must have 10 to 200 characters.\n",
    });
    expect(await isSet()).toBe(true);
    expect(await command("\n")).toMatchObject({
      output: "The password has been removed.\n",
    });
    expect(await isSet()).toBe(false);
  });

  it("[V2-691] is stopped by a command of its own", async () => {
    const dir = await temporaryFolder();
    const { process } = await servePlayer(dir);
    const code = new Promise((resolve) => process.once("exit", resolve));
    expect(await runPlayer("stop", "--data-dir", dir)).toMatchObject({
      ...{ code: 0, output: `The player on ${dir} has stopped.\n` },
    });
    expect(await code).toBe(0);
    expect((await runPlayer("stop", "--data-dir", dir)).code).toBe(1);
  });
});
