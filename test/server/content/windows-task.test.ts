// The content service as a scheduled task of Windows: the task's definition, and quoting of its command line.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  windowsTask,
  windowsTaskFile,
} from "../../../server/content/windows-task.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { runContent } from "../../support/content/start-content.ts";

const options = {
  node: "C:\\Vitrine\\node_modules\\node\\bin\\node.exe",
  script: "C:\\Vitrine\\server\\content\\main.ts",
  workingFolder: "C:\\Vitrine",
  flags: ["--data-dir", "C:\\ProgramData\\Vitrine content"],
};

const partOf = (task: string, name: string): string =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(task)?.[1] ?? "";

describe("the scheduled task", () => {
  it("[V2-694] starts with the machine and every minute when it does not run, without a time limit, as a service", () => {
    const task = windowsTask(options);
    expect(task.match(/<Interval>PT1M<\/Interval>/g)).toHaveLength(2);
    expect(task).toContain("<BootTrigger>");
    expect(partOf(task, "MultipleInstancesPolicy")).toBe("IgnoreNew");
    expect(partOf(task, "ExecutionTimeLimit")).toBe("PT0S");
    expect(partOf(task, "DisallowStartIfOnBatteries")).toBe("false");
    expect(partOf(task, "UserId")).toBe("S-1-5-19");
    expect(partOf(task, "Command")).toBe(options.node);
    expect(partOf(task, "WorkingDirectory")).toBe("C:\\Vitrine");
  });

  it.each([
    [["--port", "8090"], "--port 8090"],
    [["C:\\a b\\"], '"C:\\a b\\\\"'],
    [['say "so"'], '"say \\"so\\""'],
    [['a\\"b'], '"a\\\\\\"b"'],
    [["", "x"], '"" x'],
    [["R&D <1>"], '"R&amp;D &lt;1&gt;"'],
  ])("[V2-694] quotes %j as Windows parses it", (flags, written) => {
    const task = windowsTask({ ...options, script: "s", flags });
    expect(partOf(task, "Arguments")).toBe(`s ${written}`);
  });

  it("[V2-694] is written as schtasks reads it: UTF-16 with a byte order mark", () => {
    const file = windowsTaskFile({ ...options, workingFolder: "C:\\Größe" });
    expect([...file.subarray(0, 2)]).toEqual([0xff, 0xfe]);
    const text = file.toString("utf16le");
    expect(text).toContain('encoding="UTF-16"?>\r\n');
    expect(text).toContain("C:\\Größe");
  });

  it("[V2-694] is written by the command line on Windows, with absolute paths, and rejected elsewhere", async () => {
    const dir = await temporaryFolder();
    const file = path.join(dir, "task.xml");
    const { code, complained } = await runContent(
      ...["task", file, "--data-dir", "data", "--port", "8091"],
    );
    if (process.platform !== "win32") {
      expect([code, complained]).toEqual([
        2,
        expect.stringContaining(
          "Scheduled tasks exist on Windows only",
        ) as string,
      ]);
      return;
    }
    expect(code).toBe(0);
    const task = await readFile(file, "utf16le");
    expect(partOf(task, "Command")).toBe(process.execPath);
    expect(partOf(task, "Arguments")).toMatch(
      /main\.ts --data-dir data --port 8091 --data-dir [A-Z]:\\.*data$/,
    );
  });
});
