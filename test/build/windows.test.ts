// npm run windows where it cannot run, and how what the console tells reaches children on Windows.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

import { resultsOf } from "../long/windows/results.ts";
import { skippedTests } from "../long/windows/skipped-tests.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const setUp = new URL("../../build/setup/", import.meta.url);

interface Machine {
  readonly platform?: string;
  readonly arch?: string;
  readonly uid?: number;
  readonly hasApt?: boolean;
  readonly mayEnterNamespaces?: () => boolean;
}

const { lacksForWine } = (await import(
  new URL("wine-requirements.mjs", setUp).href
)) as {
  lacksForWine(machine: Machine): string | null;
};
const { passOn } = (await import(
  new URL("forward-signal.mjs", setUp).href
)) as {
  passOn(
    signal: string,
    children: Iterable<{ kill(signal: string): void }>,
    isWindows: boolean,
  ): void;
};

const able: Machine = {
  ...{ platform: "linux", arch: "x64", uid: 0, hasApt: true },
  mayEnterNamespaces: () => true,
};

describe("the tests with the Windows build of Node", () => {
  it("lack nothing for root on Debian", () => {
    expect(lacksForWine(able)).toBeNull();
  });

  it.each([
    [{ platform: "win32" }, "this system is not Debian"],
    [{ platform: "darwin" }, "this system is not Debian"],
    [{ hasApt: false }, "this system is not Debian"],
    [{ arch: "arm64" }, "does not run on arm64"],
    [{ uid: 1000 }, "run this as root"],
    [{ mayEnterNamespaces: () => false }, "unshare"],
  ])("say in a sentence what is missing: %j", (machine, expected) => {
    const lacks = lacksForWine({ ...able, ...machine });
    expect(lacks).toContain(expected);
    expect(lacks).toMatch(/\.$/);
  });

  // Windows has other packages in this folder than these.
  it.skipIf(process.platform === "win32")(
    "end with 3 for a user other than root, and create nothing",
    async () => {
      const nobody = 65_534;
      const child = spawn(process.execPath, ["build/setup.mjs", "windows"], {
        cwd: root,
        ...(process.getuid?.() === 0 && { uid: nobody }),
      });
      let output = "";
      child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
      expect(await once(child, "close")).toEqual([3, null]);
      expect(output).toMatch(
        /^The tests with the Windows build of Node need a dedicated Debian with Wine: .+\.\n$/,
      );
    },
  );
});

describe("a test that is skipped with the Windows build of Node", () => {
  const files = globSync("test/**/*.test.{ts,tsx}", { cwd: root }).map((file) =>
    file.replaceAll("\\", "/"),
  );

  it.each(skippedTests)("is in this checkout: $file $title", (entry) => {
    const named = files.filter((file) => file.startsWith(entry.file));
    expect(named).not.toEqual([]);
    const lines = named.flatMap((file) =>
      readFileSync(`${root}${file}`, "utf8").split("\n"),
    );
    if (entry.title)
      expect(lines.filter((line) => entry.title?.test(line))).not.toEqual([]);
  });

  const [first] = skippedTests.filter(({ title }) => title === undefined);
  const skipped = (file: string) => ({
    ...{ file, errors: [] },
    tests: [
      { title: "t", state: "skipped" as const, error: "", isFlaky: false },
    ],
  });

  it("counts as failed without a listed reason", () => {
    const { failed, lines } = resultsOf([skipped("test/a.test.ts")], false);
    expect([failed, lines[0]]).toEqual([1, "FAILED test/a.test.ts > t"]);
  });

  it("has its reason printed, and a reason without a skipped test fails a whole run", () => {
    const files = [skipped(first?.file ?? "")];
    const part = resultsOf(files, false);
    expect([part.failed, part.skipped]).toEqual([0, 1]);
    expect(part.lines).toEqual([
      `SKIPPED 1 of ${first?.file}: ${first?.reason}`,
    ]);
    expect(resultsOf(files, true).failed).toBe(skippedTests.length - 1);
  });
});

describe("a signal to the set-up", () => {
  const missing = (isWindows: boolean) => {
    const signals: string[] = [];
    passOn("SIGBREAK", [{ kill: (signal) => signals.push(signal) }], isWindows);
    return signals;
  };

  it("[V2-690] is passed on, but on Windows, where the console has told the children and a signal would kill them", () => {
    expect(missing(false)).toEqual(["SIGBREAK"]);
    expect(missing(true)).toEqual([]);
  });
});
