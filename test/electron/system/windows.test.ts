// Output of Windows' own programs, in English and in German, and what the site check concludes from it.

import { describe, expect, it } from "vitest";
import { openRunRecord } from "../../../electron/lifecycle/safe-mode.ts";
import {
  autostartOfWindows,
  isClockKept,
  runningPid,
  sleepOfWindows,
  updatesOfWindows,
  type RunProgram,
} from "../../../electron/system/windows.ts";
import { temporaryFolder } from "../../support/folder.ts";
import * as fixtures from "../../support/windows/windows-output.ts";

/** The output of each program, by the beginning of its command line. */
function machine(answers: Readonly<Record<string, string>>): RunProgram {
  return async (program, args) => {
    const line = [program, ...args].join(" ");
    const known = Object.keys(answers).find((start) => line.startsWith(start));
    return known === undefined ? null : (answers[known] ?? null);
  };
}

const never = "00000000";

describe.each(["english", "german"] as const)(
  "a power plan printed in %s",
  (language) => {
    const plan = (sleep: string, display: string, hibernate: string) => {
      const query = "powercfg /query SCHEME_CURRENT";
      const report = fixtures.powercfg[language];
      return sleepOfWindows(
        machine({
          [`${query} SUB_SLEEP STANDBYIDLE`]: report(
            "sleep",
            sleep,
            "00000384",
          ),
          [`${query} SUB_VIDEO VIDEOIDLE`]: report(
            "display",
            display,
            "0000012c",
          ),
          [`${query} SUB_SLEEP HIBERNATEIDLE`]: report(
            ...(["hibernate", hibernate, "00000708"] as const),
          ),
        }),
      );
    };

    it("[V2-260] is good when nothing sleeps while plugged in, whatever happens on battery", async () => {
      const result = await plan(never, never, never);
      expect(result).toMatchObject({
        verdict: "good",
        fact: { code: "awake" },
      });
    });

    it.each([
      ["sleeps", "00000708", never, never],
      ["blanks", never, "00000258", never],
      ["hibernates", never, never, "00002a30"],
    ])("[V2-260] gets advice when it %s", async (_what, ...seconds) => {
      const result = await plan(...seconds);
      expect(result).toMatchObject({
        verdict: "advice",
        fact: { code: "plan-sleeps" },
      });
    });
  },
);

it("[V2-260] an unreadable power plan is unknown, not good", async () => {
  for (const answers of [
    {},
    { powercfg: 'Invalid Parameters -- try "/?" for help\r\n' },
  ])
    expect(await sleepOfWindows(machine(answers))).toMatchObject({
      verdict: "unknown",
      fact: { code: "plan-untold" },
    });
});

describe("the clock", () => {
  it.each([
    ["set by a server, in English", fixtures.w32tm.kept, true],
    ["set by a server, in German", fixtures.w32tm.keptGerman, true],
    ["set by the host of a virtual machine", fixtures.w32tm.keptByHost, true],
    ["not set yet", fixtures.w32tm.unset, false],
    ["its own source, in English", fixtures.w32tm.local, false],
    ["its own source, in German", fixtures.w32tm.localGerman, false],
    [
      "of a service that is not running, in English",
      fixtures.w32tm.stopped,
      false,
    ],
    [
      "of a service that is not running, in German",
      fixtures.w32tm.stoppedGerman,
      false,
    ],
  ])(
    "[V2-260] has a known status when it is %s",
    async (_what, status, isKept) => {
      const runProgram = machine({ "w32tm /query /status": status });
      expect(await isClockKept(runProgram)).toBe(isKept);
    },
  );

  it.each([fixtures.w32tm.denied, fixtures.w32tm.deniedGerman])(
    "[V2-260] is unknown where only administrators may read its status, unless there is no source at all: %s",
    async (denied) => {
      const type = (value: string) =>
        machine({
          "w32tm /query /status": denied,
          "reg query HKLM\\SYSTEM\\CurrentControlSet\\Services\\W32Time\\Parameters /v Type":
            fixtures.timeType(value),
        });
      expect(await isClockKept(type("NTP"))).toBeNull();
      expect(await isClockKept(type("NoSync"))).toBe(false);
    },
  );

  it("[V2-260] is unknown where no program answers", async () => {
    expect(await isClockKept(machine({}))).toBeNull();
  });
});

it.each([
  [
    [
      ["SetActiveHours", "0x1"],
      ["ActiveHoursStart", "0x6"],
      ["ActiveHoursEnd", "0x17"],
    ],
    "active-hours",
  ],
  [[["ActiveHoursEnd", "0x17"]], "no-active-hours"],
  [
    [
      ["SetActiveHours", "0x0"],
      ["ActiveHoursStart", "0x6"],
      ["ActiveHoursEnd", "0x17"],
    ],
    "no-active-hours",
  ],
  [[], "no-active-hours"],
] as const)(
  "[V2-260] active hours count when they are enabled and complete: %j",
  async (values, code) => {
    const result = await updatesOfWindows(
      machine({ "reg query": fixtures.updatePolicies(values) }),
    );
    expect(result.fact).toEqual(
      code === "active-hours" ? { code, from: 6, to: 23 } : { code },
    );
  },
);

it.each([
  [["NoAutoRebootWithLoggedOnUsers", "0x1"], 23, "no-active-hours"],
  [["AlwaysAutoRebootAtScheduledTime", "0x1"], 23, "no-active-hours"],
  [["NoAutoRebootWithLoggedOnUsers", "0x0"], 23, "active-hours"],
  [["AUOptions", "0x4"], 0, "active-hours"],
  [["AUOptions", "0x4"], 1, "no-active-hours"],
  [["AUOptions", "0x4"], 6, "no-active-hours"],
  [["ActiveHoursMaxRange", "0x8"], 23, "active-hours"],
] as const)(
  "[V2-686] active hours count when they are at most 18 and no other policy makes them ineffective: %j, 6 to %i",
  async (other, to, code) => {
    const values = [
      ["SetActiveHours", "0x1"],
      ["ActiveHoursStart", "0x6"],
      ["ActiveHoursEnd", `0x${to.toString(16)}`],
      other,
    ] as const;
    const ofPc = machine({
      "reg query HKLM\\SOFTWARE\\Policies\\Microsoft\\Windows\\WindowsUpdate /s":
        fixtures.updatePolicies(values),
    });
    expect((await updatesOfWindows(ofPc)).fact.code).toBe(code);
  },
);

it("[V2-686] a policy may set another maximum of active hours", async () => {
  const result = await updatesOfWindows(
    machine({
      "reg query": fixtures.updatePolicies([
        ["SetActiveHours", "0x1"],
        ["ActiveHoursStart", "0x6"],
        ["ActiveHoursEnd", "0x17"],
        ["SetActiveHoursMaxRange", "0x1"],
        ["ActiveHoursMaxRange", "0x8"],
      ]),
    }),
  );
  expect(result.fact.code).toBe("no-active-hours");
});

describe("the start with Windows", () => {
  const task = fixtures.task;
  const wide = [...task].join("\0");
  it.each([
    ["by the task", task, false, "started-and-watched"],
    ["by the task, printed as UTF-16", wide, false, "started-and-watched"],
    ["by the task and the login item", task, true, "started-and-watched"],
    ["by a disabled task", fixtures.taskSwitchedOff, false, "not-started"],
    ["by the login item alone", null, true, "started-only"],
    [
      "by a task that does not supervise",
      task.replace("--supervise ", ""),
      false,
      "not-started",
    ],
    ["by nothing", null, false, "not-started"],
  ])("[V2-260] %s", async (_what, printed, hasLoginItem, code) => {
    const answers =
      printed === null ? {} : { "schtasks /query /tn Vitrine /xml": printed };
    const result = await autostartOfWindows(
      machine(answers),
      hasLoginItem,
      false,
    );
    expect(result.fact.code).toBe(code);
  });
});

it("[V2-260] a start in place of the desktop needs neither task nor login item", async () => {
  const result = await autostartOfWindows(machine({}), false, true);
  expect(result.fact.code).toBe("started-and-watched");
});

describe("the player to be killed", () => {
  const program = "C:\\Program Files\\Vitrine\\Vitrine.exe";
  async function record(): Promise<string> {
    const dir = await temporaryFolder();
    openRunRecord(dir, Date.now).begin();
    return dir;
  }
  const tasklist = (printed: string) =>
    machine({ [`tasklist /fi PID eq ${process.pid} `]: printed });

  it("[V2-260] is the process of the recorded run", async () => {
    const listed = fixtures.listed("Vitrine.exe", process.pid);
    expect(await runningPid(await record(), program, tasklist(listed))).toBe(
      process.pid,
    );
  });

  it.each([
    ["no process has that pid any more, in English", fixtures.nobodyListed],
    [
      "no process has that pid any more, in German",
      fixtures.nobodyListedGerman,
    ],
    [
      "another program has that pid",
      fixtures.listed("notepad.exe", process.pid),
    ],
    [
      "only a longer pid starts with the same digits",
      fixtures.listed("Vitrine.exe", process.pid * 10),
    ],
  ])("[V2-260] is not found when %s", async (_what, printed) => {
    expect(
      await runningPid(await record(), program, tasklist(printed)),
    ).toBeNull();
  });

  it("[V2-260] is not found after it has ended, nor before its first run", async () => {
    const listed = tasklist(fixtures.listed("Vitrine.exe", process.pid));
    const dir = await temporaryFolder();
    expect(await runningPid(dir, program, listed)).toBeNull();
    const run = openRunRecord(dir, Date.now);
    run.begin();
    run.end();
    expect(await runningPid(dir, program, listed)).toBeNull();
  });
});
