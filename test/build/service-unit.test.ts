// The unit for systemd, as systemd itself reads it, and what it promises.

import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { copyFile, chmod, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { contentFlags } from "../../server/content/content.ts";
import { temporaryFolder } from "../support/folder.ts";

const run = promisify(execFile);
const unit = fileURLToPath(
  new URL("../../build/linux/vitrine.service", import.meta.url),
);
const hasSystemd = existsSync("/usr/bin/systemd-analyze");

describe("the unit", () => {
  it.runIf(hasSystemd)(
    "passes systemd-analyze verify without a word",
    async () => {
      const dir = await temporaryFolder();
      // The program it names must be there; where the package is not installed, one of that name stands in.
      const program = path.join(dir, "vitrine");
      await writeFile(program, "#!/bin/sh\n");
      await chmod(program, 0o755);
      const copy = path.join(dir, "vitrine.service");
      await copyFile(unit, copy);
      const text = await readFile(copy, "utf8");
      await writeFile(copy, text.replace("/usr/bin/vitrine", program));
      const { stdout, stderr } = await run(
        "systemd-analyze",
        ["verify", "--user", "--man=no", copy],
        { env: { ...process.env, XDG_RUNTIME_DIR: dir } },
      );
      expect(`${stdout}${stderr}`).toBe("");
    },
  );

  it("restarts what crashed or hangs, soon enough for ten seconds, and leaves what was ended", () => {
    const lines = readFileSync(unit, "utf8").split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        ...["Type=notify", "WatchdogSec=5", "RestartSec=500ms"],
        ...["Restart=on-failure", "WatchdogSignal=SIGKILL"],
        ...["StartLimitIntervalSec=600", "StartLimitBurst=30"],
      ]),
    );
  });
});

describe("the unit of the content service", () => {
  const place = fileURLToPath(
    new URL(
      "../../build/linux/content/vitrine-content.service",
      import.meta.url,
    ),
  );

  it.runIf(hasSystemd)(
    "passes systemd-analyze verify without a word, and gives the service few rights",
    async () => {
      const dir = await temporaryFolder();
      const program = path.join(dir, "vitrine-content");
      await writeFile(program, "#!/bin/sh\n");
      await chmod(program, 0o755);
      const copy = path.join(dir, "vitrine-content.service");
      const text = await readFile(place, "utf8");
      const named = "/usr/lib/vitrine-content/vitrine-content";
      await writeFile(copy, text.replace(named, program));
      const { stdout, stderr } = await run("systemd-analyze", [
        ...["verify", "--man=no", copy],
      ]);
      expect(`${stdout}${stderr}`).toBe("");
      // From 0, the safest, to 10: beyond 2 it fails. Before version 250 it knew installed units only.
      const { stdout: version } = await run("systemd-analyze", ["--version"]);
      if (Number(/\d+/.exec(version)?.[0]) >= 250)
        await run("systemd-analyze", [
          ...["security", "--offline=true", "--threshold=20", place],
        ]);
    },
  );

  it("names settings that the service knows", () => {
    const settings = readFileSync(
      path.join(path.dirname(place), "service.env"),
      "utf8",
    );
    const known: readonly string[] =
      contentFlags().match(/VITRINE_CONTENT_\w+/g) ?? [];
    const named = settings.match(/VITRINE_CONTENT_\w+/g) ?? [];
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });
});
