// The set-up on a system that restricts user namespaces or has none: what it says, and when it says nothing.

import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/folder.ts";

interface SetUp {
  sandbox(
    env: NodeJS.ProcessEnv,
    args: readonly string[],
    machine: { restriction: string; uid: number; hasNamespaces: () => boolean },
  ): void;
}

// Plain JavaScript, as it runs before there are packages.
const setUp = new URL("../../build/setup/sandbox.mjs", import.meta.url).href;
const { sandbox } = (await import(setUp)) as SetUp;

async function runSetup({
  restriction = "1\n",
  mode = 0o755,
  uid = 1000,
  args = [] as readonly string[],
  hasNamespaces = true,
  /** As AppArmor tells it. */
  profile = "unconfined",
}): Promise<() => void> {
  const dir = await temporaryFolder();
  const file = path.join(dir, "restriction");
  const helper = path.join(dir, "chrome-sandbox");
  writeFileSync(file, restriction);
  writeFileSync(helper, "");
  chmodSync(helper, mode);
  const electron = path.join(dir, "electron");
  // Asked as Node, it does not open the app.
  writeFileSync(
    electron,
    `#!/bin/sh\n[ "$ELECTRON_RUN_AS_NODE" = 1 ] && echo "${profile}"\n`,
  );
  chmodSync(electron, 0o755);
  return () => {
    const env = { ELECTRON_OVERRIDE_DIST_PATH: dir };
    const machine = {
      restriction: file,
      uid,
      hasNamespaces: () => hasNamespaces,
    };
    sandbox(env, args, machine);
  };
}

describe.runIf(process.platform === "linux")("the set-up", () => {
  it("prints the one line, for users other than root, that gives Electron its sandbox where the system restricts it", async () => {
    expect(await runSetup({})).toThrow(
      /Run this, then start again:[^]*\n {2}sudo chown root:root "\/.*\/chrome-sandbox" && sudo chmod 4755 "\/.*\/chrome-sandbox"$/,
    );
  });

  it("prints the same line where no program may create user namespaces, whatever its profile", async () => {
    const machine = { restriction: "", hasNamespaces: false };
    expect(await runSetup(machine)).toThrow(/sudo chmod 4755/);
    expect(await runSetup({ ...machine, profile: "electron" })).toThrow(
      /sudo chmod 4755/,
    );
  });

  it.each([
    ["there is no such restriction", { restriction: "0\n" }],
    ["it is root, who has no sandbox", { uid: 0, hasNamespaces: false }],
    ["none is wanted", { args: ["--screen", "1", "--no-sandbox"] }],
    ["this Electron has a profile", { profile: "electron (unconfined)" }],
  ])("says nothing where %s", async (_why, machine) => {
    expect(await runSetup(machine)).not.toThrow();
  });

  it.runIf(process.getuid?.() === 0)(
    "says nothing where the helper is root's and runs as root",
    async () => {
      expect(await runSetup({ mode: 0o4755 })).not.toThrow();
    },
  );
});
