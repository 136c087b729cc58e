// Words, help, completion and configuration of the command line; nothing here needs a service.

import { execFileSync, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { commands } from "../../../server/cli/commands/commands.ts";
import { readConnection } from "../../../server/cli/config.ts";
import { fieldsOf } from "../../../server/cli/fields.ts";
import { runCli } from "../../support/cli/run-cli.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { outcomeOf } from "../../support/outcome.ts";

const service = { VITRINE_SERVICE: "https://content.example.org/" };

describe("address and key", () => {
  it("come from flags before the environment, and the key from a file", async () => {
    const file = join(await temporaryFolder(), "key");
    writeFileSync(file, "key-in-file\nnot this\n");
    expect(
      readConnection({ "key-file": file }, { ...service, VITRINE_KEY: "k" }),
    ).toEqual({
      ...{ kind: "service", address: "https://content.example.org" },
      key: "key-in-file",
    });
    const env = { ...service, VITRINE_KEY_FILE: file };
    expect(readConnection({}, env).key).toBe("key-in-file");
    const flags = { service: "http://[::1]:8090/base/", key: "k" };
    expect(readConnection(flags, env)).toMatchObject({
      ...{ address: "http://[::1]:8090/base", key: "k" },
    });
  });

  it("never mix those of a service and of a player", () => {
    const env = { ...service, VITRINE_KEY: "k" };
    expect(readConnection({ player: "192.168.1.20" }, env)).toEqual({
      ...{ kind: "player", address: "http://192.168.1.20:8080" },
      key: undefined,
    });
    expect(
      readConnection({ player: "[fe80::1]" }, { VITRINE_PLAYER_KEY: "p" }),
    ).toMatchObject({ address: "http://[fe80::1]:8080", key: "p" });
  });

  it.each([
    [{}, {}, "The address is missing"],
    [{}, service, "The key is missing"],
    [{ service: "content.example.org", key: "k" }, {}, "must be an http"],
    [{ service: "https://a:pw@b.example", key: "k" }, {}, "must not contain"],
    [{ key: "two words" }, service, "--key contains no key"],
    [{ "key-file": "/nowhere/key" }, service, "Cannot read the key file"],
    [{ player: "a", service: "b" }, {}, "Set either"],
  ])("are refused with a sentence: %o", (flags, env, sentence) => {
    expect(() => readConnection(flags, env)).toThrow(sentence);
    expect(() => readConnection(flags, env)).not.toThrow(/pw|two words/);
  });
});

describe("words", () => {
  it.each([
    [["screens", "lost"], `There is no command "screens lost"`],
    [["screen"], `There is no command "screen"`],
    [["screens"], '"screens" needs a subcommand.'],
    [["screens", "show"], "SCREEN is missing"],
    [["screens", "show", "Big", "Lobby"], 'Unexpected argument "Lobby"'],
    [["screens", "list", "--state", "bad"], "--state must be one of right,"],
    [["screens", "command", "A", "dance"], "KIND must be one of look,"],
    [["screens", "list", "--limit", "x"], "--limit must be a number"],
    [["screens", "list", "--limit", "0"], "limit:"],
    [["screens", "list", "--limt", "1"], "Unknown option '--limt'"],
    [["screens", "list", "--output", "x"], "returns no file"],
    [["takeover", "end"], "Name the screens"],
    [["completion", "fish"], "Name the shell"],
    [["completion", "bash", "zsh"], 'Unexpected argument "zsh"'],
    [["mcp", "screens"], 'Unexpected argument "screens"'],
  ])("that are wrong end with code 2: %o", async (words, sentence) => {
    const { code, output, complained } = await runCli(words, {
      ...{ ...service, VITRINE_KEY: "k" },
    });
    expect([code, output]).toEqual([2, ""]);
    expect(complained).toContain(sentence);
  });

  it("have help for every command, group and flag", async () => {
    const general = await runCli(["--help"]);
    expect(general.code).toBe(0);
    for (const command of commands) {
      expect(general.output).toContain(command.name);
      const help = await runCli([...command.name.split(" "), "--help"]);
      expect(help.code).toBe(0);
      for (const { flag, name, description } of fieldsOf(command)) {
        expect(help.output).toContain(flag ?? name.toUpperCase());
        expect(description).not.toBe("");
      }
    }
    expect((await runCli(["playlists", "--help"])).output).toContain(
      "playlists create",
    );
    for (const name of ["completion", "mcp"]) {
      const { code, output } = await runCli([name, "--help"]);
      expect([code, output]).toEqual([
        0,
        expect.stringContaining(`Usage: vitrine-cli ${name}`),
      ]);
    }
    expect((await runCli(["--version"])).output).toBe("0.0.0-test");
    expect((await runCli([])).code).toBe(2);
  });

  it("are in the guide, as are the exit codes", async () => {
    const guide = readFileSync(
      new URL("../../../build/guides/command-line.md", import.meta.url),
      "utf8",
    );
    for (const { name } of commands) expect(guide).toContain(`\`${name}`);
    const { output } = await runCli(["--help"]);
    const codes = output.split("Exit codes:\n")[1]?.split("\n\n")[0] ?? "";
    expect(codes.split("\n")).toHaveLength(8);
    for (const line of codes.split("\n")) {
      const [, code = "", text = ""] = /^ +(\d) +(.*)$/.exec(line) ?? [];
      const row = new RegExp(
        `^\\| ${code} +\\| ${text.replace(".", "\\.")}`,
        "m",
      );
      expect(guide).toMatch(row);
    }
  });
});

describe("the program itself", () => {
  const entry = fileURLToPath(
    new URL("../../../server/cli/main.ts", import.meta.url),
  );

  it("prints results and errors apart, and ends with the code", async () => {
    const start = (...words: string[]) =>
      outcomeOf(
        spawn(process.execPath, [entry, ...words], {
          env: { ...process.env, VITRINE_SERVICE: "", VITRINE_KEY: "k" },
        }),
      );
    const version = await start("--version");
    const failed = await start("screens", "list");
    expect([version.code, version.output]).toEqual([
      ...[0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)],
    ]);
    expect([failed.code, failed.output, failed.complained]).toEqual([
      ...[2, "", expect.stringContaining("The address is missing")],
    ]);
  });
});

describe.skipIf(process.platform === "win32")("completion for bash", () => {
  async function completed(line: string): Promise<readonly string[]> {
    const { output } = await runCli(["completion", "bash"]);
    // As Bash does, which breaks words at these characters, too.
    const words = line
      .split(" ")
      .flatMap((word) =>
        word.split(/([:=]+)/).filter((part, at) => part || !at),
      );
    const script = `${output}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; COMP_LINE='${line}'
_vitrine_cli; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const found = execFileSync("bash", ["-c", script], { encoding: "utf8" });
    return found.trim().split("\n");
  }

  it("offers commands, actions, flags and choices", async () => {
    expect(await completed("vitrine-cli s")).toEqual(["screens"]);
    expect(await completed("vitrine-cli --service http://x takeover ")).toEqual(
      ["start", "end", "list"],
    );
    const address = "https://content.example.org:8443/base";
    expect(
      await completed(`vitrine-cli --service ${address} takeover s`),
    ).toEqual(["start"]);
    expect(
      await completed(
        `vitrine-cli screens list --service=${address} --state o`,
      ),
    ).toEqual(["offline"]);
    expect(await completed("vitrine-cli screens list --st")).toEqual([
      ...["--state"],
    ]);
    expect(await completed("vitrine-cli screens list --state o")).toEqual([
      ...["offline"],
    ]);
    expect(await completed("vitrine-cli screens command Lobby id")).toEqual([
      ...["identify"],
    ]);
    expect(await completed("vitrine-cli completion p")).toEqual([
      ...["powershell"],
    ]);
  });
});
