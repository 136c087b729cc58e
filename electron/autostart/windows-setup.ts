// Sets up a Windows PC as a signage player, and undoes that: sets only its own values, and records the previous ones before
// changing them. windows.ps1 calls this as administrator; what only PowerShell can do is done there.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { replaceFileSync } from "../../server/platform/files/replace-file.ts";
import {
  activeHoursLength,
  maxActiveHours,
  pluggedInValue,
} from "../system/windows.ts";
import { taskName, taskOf } from "../system/windows-task.ts";

/** Runs a program of the system to its end. */
export type Run = (
  program: string,
  args: readonly string[],
) => Promise<{ readonly code: number; readonly printed: string }>;

const hour = z.int().min(0).max(23);

/** The order that windows.ps1 writes. */
export const setupOrder = z.discriminatedUnion("action", [
  z
    .object({
      action: z.literal("apply"),
      /** Of the player's user. */
      sid: z.string().regex(/^S-1-[\d-]+$/),
      activeFrom: hour,
      activeTo: hour,
      /** The player replaces the desktop, by windows.ps1, instead of a task. */
      isShell: z.boolean(),
      program: z.string().min(1),
    })
    .refine(
      ({ activeFrom, activeTo }) => {
        const hours = activeHoursLength(activeFrom, activeTo);
        return hours > 0 && hours <= maxActiveHours;
      },
      {
        path: ["activeTo"],
        error: `Active hours last 1 to ${maxActiveHours} hours; Windows ignores longer ones.`,
      },
    ),
  z.object({ action: z.literal("undo") }),
]);

export type SetupOrder = z.infer<typeof setupOrder>;

/** From the file of windows.ps1, to which Windows PowerShell adds a byte order mark. */
export function readSetupOrder(text: string): SetupOrder {
  const reading = setupOrder.safeParse(JSON.parse(text.replace(/^\ufeff/, "")));
  if (!reading.success) throw new Error(z.prettifyError(reading.error));
  return reading.data;
}

const registryValue = z.object({ type: z.string(), data: z.string() });

const setupRecord = z.object({
  /** For each value that was set: the previous value, and the new one. */
  values: z.array(
    z.object({
      key: z.string(),
      name: z.string(),
      before: registryValue.nullable(),
      set: registryValue,
    }),
  ),
  /** Seconds while plugged in, by plan and setting. */
  idle: z.array(
    z.object({
      plan: z.string(),
      group: z.string(),
      setting: z.string(),
      before: z.number(),
    }),
  ),
  hibernated: z.boolean(),
  /** The task as it was created; the previous task of that name, as schtasks prints it. */
  task: z
    .object({ made: z.string(), before: z.string().nullable() })
    .nullable(),
  isShell: z.boolean(),
});

export type SetupRecord = z.infer<typeof setupRecord>;

const nothingDone: SetupRecord = {
  ...{ values: [], idle: [], hibernated: false, task: null, isShell: false },
};

/** In the folder that all users of the PC share. */
export function setupRecordFile(programData: string): string {
  return join(programData, "Vitrine", "setup.json");
}

/** Null where nothing was set up. */
export function readSetup(file: string): SetupRecord | null {
  try {
    return setupRecord.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    // Rewritten, the record would lose the original values: the current ones would take their place.
    const { message } = error as Error;
    throw new Error(`${file} cannot be read: ${message}`, { cause: error });
  }
}

/** Returns what was done, one sentence each. */
export async function setUpWindows(
  order: SetupOrder,
  file: string,
  run: Run,
): Promise<readonly string[]> {
  const setup = createSetup(file, run);
  if (order.action === "undo") await setup.undo();
  else await setup.apply(order);
  return setup.done;
}

type Value = z.infer<typeof registryValue>;
type Place = readonly [key: string, name: string];

const policies = "HKLM\\SOFTWARE\\Policies\\Microsoft\\Windows";
/** Nor warnings before a restart. */
const noUpdateNotices = 2;
const ofUser = "Software\\Microsoft\\Windows\\CurrentVersion";

/**
 * Active hours for updates, and no other policy for restarts: “No auto-restart with logged on users” would make them ineffective,
 * and on a PC that is always logged in, no update would ever be completed. No notifications, no gestures, no error boxes, no questions after
 * an update.
 */
function desiredValues(
  { activeFrom, activeTo, sid }: Extract<SetupOrder, { action: "apply" }>,
  isUserLoaded: boolean,
): readonly (readonly [...Place, number])[] {
  const machine = [
    [`${policies}\\WindowsUpdate`, "SetActiveHours", 1],
    [`${policies}\\WindowsUpdate`, "ActiveHoursStart", activeFrom],
    [`${policies}\\WindowsUpdate`, "ActiveHoursEnd", activeTo],
    [`${policies}\\WindowsUpdate`, "SetUpdateNotificationLevel", 1],
    [`${policies}\\WindowsUpdate`, "UpdateNotificationLevel", noUpdateNotices],
    [`${policies}\\EdgeUI`, "AllowEdgeSwipe", 0],
    [`${policies}\\CloudContent`, "DisableWindowsConsumerFeatures", 1],
    [`${policies}\\CloudContent`, "DisableSoftLanding", 1],
    [
      "HKLM\\SOFTWARE\\Microsoft\\Windows\\Windows Error Reporting",
      ...(["DontShowUI", 1] as const),
    ],
    [
      "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Power",
      ...(["HiberbootEnabled", 0] as const),
    ],
  ] as const;
  const user = [
    [
      `HKU\\${sid}\\Software\\Policies\\Microsoft\\Windows\\Explorer`,
      ...(["DisableNotificationCenter", 1] as const),
    ],
    // Without its center, notifications would still appear.
    [
      `HKU\\${sid}\\Software\\Policies\\Microsoft\\Windows\\CurrentVersion\\PushNotifications`,
      ...(["NoToastApplicationNotification", 1] as const),
    ],
    [`HKU\\${sid}\\${ofUser}\\Policies\\Explorer`, "NoWinKeys", 1],
    [
      `HKU\\${sid}\\${ofUser}\\UserProfileEngagement`,
      ...(["ScoobeSystemSettingEnabled", 0] as const),
    ],
  ] as const;
  return isUserLoaded ? [...machine, ...user] : machine;
}

const idleSettings = [
  ["SUB_VIDEO", "VIDEOIDLE"],
  ["SUB_SLEEP", "STANDBYIDLE"],
  ["SUB_SLEEP", "HIBERNATEIDLE"],
  ["SUB_DISK", "DISKIDLE"],
] as const;

/** One key for each user with a profile. */
const profileList =
  "HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\ProfileList";

const hibernation: Place = [
  "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Power",
  "HibernateEnabled",
];

function createSetup(file: string, run: Run) {
  let record = readSetup(file) ?? nothingDone;
  const done: string[] = [];

  /** Recorded first: what is changed but not recorded could never be restored. */
  function keep(change: Partial<SetupRecord>): void {
    record = { ...record, ...change };
    mkdirSync(dirname(file), { recursive: true });
    replaceFileSync(file, `${JSON.stringify(record, null, 2)}\n`);
  }

  async function must(program: string, ...args: string[]): Promise<void> {
    const { code, printed } = await run(program, args);
    if (code !== 0)
      throw new Error(
        `${[program, ...args].join(" ")} ended with ${code}: ${printed.trim()}`,
      );
  }

  async function printedBy(
    program: string,
    ...args: string[]
  ): Promise<string | null> {
    const { code, printed } = await run(program, args);
    return code === 0 ? printed : null;
  }

  async function valueAt([key, name]: Place): Promise<Value | null> {
    const printed = await printedBy("reg", "query", key, "/v", name);
    for (const line of printed?.split(/\r?\n/) ?? []) {
      const [, found, type, data] =
        /^ {4}(\S+) {4}(REG_\w+) {4}(.*)$/.exec(line) ?? [];
      if (found?.toLowerCase() === name.toLowerCase() && type !== undefined)
        return { type, data: data ?? "" };
    }
    return null;
  }

  const write = ([key, name]: Place, { type, data }: Value): Promise<void> =>
    must("reg", "add", key, "/v", name, "/t", type, "/d", data, "/f");

  async function setValue(place: Place, value: number): Promise<void> {
    const [key, name] = place;
    const set = { type: "REG_DWORD", data: `0x${value.toString(16)}` };
    const now = await valueAt(place);
    // It already has this value: if somebody else set it, it is not ours to restore.
    if (isSame(now, set)) return;
    const isThis = (one: { key: string; name: string }): boolean =>
      one.key === key && one.name === name;
    const known = record.values.find(isThis);
    // If it was changed since, the changed value is the one to restore.
    const before = isSame(now, known?.set ?? null)
      ? (known?.before ?? null)
      : now;
    keep({
      values: [
        ...record.values.filter((one) => !isThis(one)),
        { key, name, before, set },
      ],
    });
    await write(place, set);
    done.push(`Set ${key}\\${name} to ${value}.`);
  }

  async function restoreValues(
    values: SetupRecord["values"] = record.values,
  ): Promise<void> {
    for (const { key, name, before, set } of values) {
      const now = await valueAt([key, name]);
      if (!isSame(now, set)) {
        done.push(`Left ${key}\\${name}: it was changed since.`);
        continue;
      }
      if (before) await write([key, name], before);
      else await must("reg", "delete", key, "/v", name, "/f");
      done.push(`Restored ${key}\\${name}.`);
    }
  }

  /** Values that an earlier version set. */
  async function restoreObsolete(
    desired: readonly (readonly [...Place, number])[],
  ): Promise<void> {
    const isDesired = (one: { key: string; name: string }): boolean =>
      desired.some(([key, name]) => key === one.key && name === one.name);
    const obsolete = record.values.filter((one) => !isDesired(one));
    if (obsolete.length === 0) return;
    await restoreValues(obsolete);
    keep({ values: record.values.filter(isDesired) });
  }

  /** Identifier of the user whose profile contains the program; null outside of all profiles. */
  async function profileOwner(program: string): Promise<string | null> {
    const printed = await printedBy(
      "reg",
      "query",
      profileList,
      "/s",
      "/v",
      "ProfileImagePath",
    );
    let owner: string | null = null;
    for (const line of printed?.split(/\r?\n/) ?? []) {
      owner = /^HKEY_.*\\(S-1-[\d-]+)$/.exec(line)?.[1] ?? owner;
      const [, dir] = / {4}REG_\w+ {4}(.*)$/.exec(line) ?? [];
      if (dir && program.toLowerCase().startsWith(`${dir.toLowerCase()}\\`))
        return owner;
    }
    return null;
  }

  async function checkProgram(program: string, sid: string): Promise<void> {
    const owner = await profileOwner(program);
    if (owner !== null && owner !== sid)
      throw new Error(
        `${program} is installed for another user, whose files the player's user cannot open. Install Vitrine for all users.`,
      );
  }

  async function activePlan(): Promise<string | null> {
    const printed = await printedBy("powercfg", "/getactivescheme");
    return (
      /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(printed ?? "")?.[0] ??
      null
    );
  }

  async function stayAwake(): Promise<void> {
    const plan = await activePlan();
    if (plan === null)
      throw new Error("powercfg does not tell the power plan.");
    let isChanged = false;
    for (const [group, setting] of idleSettings) {
      const before = pluggedInValue(
        await printedBy("powercfg", "/query", plan, group, setting),
      );
      // Hidden where this PC does not support it.
      if (before === null || before === 0) continue;
      const isKnown = record.idle.some(
        (one) => one.plan === plan && one.setting === setting,
      );
      if (!isKnown)
        keep({ idle: [...record.idle, { plan, group, setting, before }] });
      await must("powercfg", "/setacvalueindex", plan, group, setting, "0");
      done.push(`Switched ${setting} off while plugged in.`);
      isChanged = true;
    }
    if (isChanged) await must("powercfg", "/setactive", plan);
    const enabled = await valueAt(hibernation);
    if (enabled === null || Number(enabled.data) === 0) return;
    keep({ hibernated: true });
    await must("powercfg", "/hibernate", "off");
    done.push("Switched hibernation and fast start-up off.");
  }

  async function restorePower(): Promise<void> {
    if (record.hibernated) {
      await must("powercfg", "/hibernate", "on");
      done.push("Switched hibernation on.");
    }
    for (const { plan, group, setting, before } of record.idle) {
      const index = ["/setacvalueindex", plan, group, setting, `${before}`];
      // The plan may have been deleted since.
      const { code } = await run("powercfg", index);
      done.push(
        code === 0
          ? `Restored ${setting} to ${before} s.`
          : `Left ${setting}: its power plan is gone.`,
      );
    }
    const plan = await activePlan();
    if (plan !== null && record.idle.some((one) => one.plan === plan))
      await must("powercfg", "/setactive", plan);
  }

  const taskNow = async (): Promise<string | null> =>
    (
      await printedBy("schtasks", "/query", "/tn", taskName, "/xml")
    )?.replaceAll("\0", "") ?? null;

  async function makeTask(task: string): Promise<void> {
    const there = await taskNow();
    if (there !== null && record.task?.made === task) return;
    const before = record.task ? record.task.before : there;
    keep({ task: { made: task, before } });
    await enterTask(task);
    done.push("Made the task Vitrine, which starts the player at logon.");
  }

  /** schtasks reads UTF-16 only. */
  async function enterTask(task: string): Promise<void> {
    const place = `${file}.task.xml`;
    writeFileSync(place, `\ufeff${task}`, "utf16le");
    try {
      await must("schtasks", "/create", "/tn", taskName, "/xml", place, "/f");
    } finally {
      rmSync(place, { force: true });
    }
  }

  async function removeTask(): Promise<void> {
    if (!record.task) return;
    const { before } = record.task;
    if (before !== null) await enterTask(before);
    else if ((await taskNow()) !== null)
      await must("schtasks", "/delete", "/tn", taskName, "/f");
    keep({ task: null });
    done.push("Removed the task Vitrine.");
  }

  return {
    done,
    apply: async (
      order: Extract<SetupOrder, { action: "apply" }>,
    ): Promise<void> => {
      await checkProgram(order.program, order.sid);
      const hive = await run("reg", ["query", `HKU\\${order.sid}`]);
      const isUserLoaded = hive.code === 0;
      await stayAwake();
      await restoreObsolete(desiredValues(order, true));
      for (const [key, name, value] of desiredValues(order, isUserLoaded))
        await setValue([key, name], value);
      if (!isUserLoaded)
        done.push(
          "The player's user is not logged in: run this again once it is, for its notifications and keys.",
        );
      if (order.isShell) await removeTask();
      else await makeTask(taskOf(order.sid, order.program));
      if (record.isShell !== order.isShell) keep({ isShell: order.isShell });
    },
    undo: async (): Promise<void> => {
      await removeTask();
      await restoreValues();
      await restorePower();
      rmSync(file, { force: true });
    },
  };
}

function isSame(one: Value | null, other: Value | null): boolean {
  return one?.type === other?.type && one?.data === other?.data;
}
