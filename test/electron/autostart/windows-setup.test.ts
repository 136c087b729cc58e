// Set-up of a Windows PC: the values it sets, what it leaves alone, and the restore.

import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  readSetup,
  readSetupOrder,
  setUpWindows,
} from "../../../electron/autostart/windows-setup.ts";
import { temporaryFolder } from "../../support/folder.ts";
import {
  powerKey,
  WindowsMachine,
} from "../../support/windows/windows-machine.ts";

const sid = "S-1-5-21-1-2-3-1001";
const updates = "HKLM\\SOFTWARE\\Policies\\Microsoft\\Windows\\WindowsUpdate";
const errors = "HKLM\\SOFTWARE\\Microsoft\\Windows\\Windows Error Reporting";
const ofUser = `HKU\\${sid}\\Software\\Policies\\Microsoft\\Windows\\Explorer`;

const toasts = `HKU\\${sid}\\Software\\Policies\\Microsoft\\Windows\\CurrentVersion\\PushNotifications`;

const order = {
  action: "apply",
  sid,
  activeFrom: 6,
  activeTo: 23,
  isShell: false,
  program: "C:\\Program Files\\Vitrine\\Vitrine.exe",
} as const;
const expanded = "REG_EXPAND_SZ";
const undo = { action: "undo" } as const;

/** With values set by the site's administrator, and with Windows' defaults. */
function ownedMachine(): WindowsMachine {
  const machine = new WindowsMachine();
  machine
    .set(updates, "WUServer", "http://wsus.example.org:8530", "REG_SZ")
    .set(updates, "ActiveHoursEnd", "0x12")
    .set(errors, "DontShowUI", "0x1")
    .set(errors, "LastQueueNoPesterTime", "0x1d7", "REG_QWORD")
    .set(`HKU\\${sid}`, "Volatile", "0x0")
    .set(powerKey, "HibernateEnabled", "0x1");
  machine.idle.set("VIDEOIDLE", 600).set("STANDBYIDLE", 1800);
  machine.idle.set("HIBERNATEIDLE", 0).set("DISKIDLE", 1200);
  return machine;
}

async function recordFile(): Promise<string> {
  return path.join(await temporaryFolder(), "Vitrine", "setup.json");
}

describe("the set-up of a Windows PC", () => {
  it("[V2-699, V2-689] sets all of its own values, and no others", async () => {
    const machine = ownedMachine();
    await setUpWindows(order, await recordFile(), machine.run);
    const inUpdates = Object.fromEntries(
      [...(machine.registry.get(updates) ?? [])].map(([name, { data }]) => [
        name,
        data,
      ]),
    );
    expect(inUpdates).toEqual({
      WUServer: "http://wsus.example.org:8530",
      ...{ SetActiveHours: "0x1", ActiveHoursStart: "0x6" },
      ActiveHoursEnd: "0x17",
      ...{ SetUpdateNotificationLevel: "0x1", UpdateNotificationLevel: "0x2" },
    });
    expect(machine.get(errors, "LastQueueNoPesterTime")).toBe("0x1d7");
    expect(machine.get(ofUser, "DisableNotificationCenter")).toBe("0x1");
    expect(machine.get(toasts, "NoToastApplicationNotification")).toBe("0x1");
    expect([...machine.idle.values()]).toEqual([0, 0, 0, 0]);
    expect(machine.get(powerKey, "HibernateEnabled")).toBe("0x0");
    expect(machine.tasks.get("Vitrine")).toContain(
      "<Arguments>--supervise --profile unattended</Arguments>",
    );
  });

  it("[V2-686] sets no policy that makes active hours ineffective, and restores what an earlier version set", async () => {
    const machine = ownedMachine();
    const file = await recordFile();
    await setUpWindows(order, file, machine.run);
    const automatic = `${updates}\\AU`;
    expect(machine.registry.get(automatic)).toBeUndefined();
    const record = readSetup(file);
    const place = { key: automatic, name: "NoAutoRebootWithLoggedOnUsers" };
    const set = { type: "REG_DWORD", data: "0x1" };
    const obsolete = { ...place, before: null, set };
    writeFileSync(
      file,
      JSON.stringify({
        ...record,
        values: [...(record?.values ?? []), obsolete],
      }),
    );
    machine.set(automatic, place.name, set.data);
    expect(await setUpWindows(order, file, machine.run)).toEqual([
      `Restored ${automatic}\\${place.name}.`,
    ]);
    expect(machine.get(automatic, place.name)).toBeUndefined();
    expect(readSetup(file)).toEqual(record);
  });

  it.each([
    [6, 23, true],
    [6, 0, true],
    [22, 16, true],
    [6, 1, false],
    [0, 23, false],
    [6, 6, false],
  ])(
    "[V2-686] accepts active hours of at most 18 hours: %i to %i",
    (activeFrom, activeTo, isAccepted) => {
      const given = { ...order, activeFrom, activeTo };
      const read = () => readSetupOrder(`\ufeff${JSON.stringify(given)}`);
      if (isAccepted) expect(read()).toEqual(given);
      else expect(read).toThrow("Active hours last 1 to 18 hours");
    },
  );

  it("[V2-699] changes nothing when it runs again", async () => {
    const machine = ownedMachine();
    const file = await recordFile();
    await setUpWindows(order, file, machine.run);
    const [state, record] = [machine.state(), readSetup(file)];
    machine.changes.length = 0;
    expect(await setUpWindows(order, file, machine.run)).toEqual([]);
    expect(machine.changes).toEqual([]);
    expect(machine.state()).toEqual(state);
    expect(readSetup(file)).toEqual(record);
  });

  it("[V2-699] restores all previous values, also after a change of the active hours", async () => {
    const machine = ownedMachine();
    machine.tasks.set("Vitrine", "<Task>another's</Task>");
    const before = machine.state();
    const file = await recordFile();
    await setUpWindows(order, file, machine.run);
    await setUpWindows({ ...order, activeTo: 20 }, file, machine.run);
    expect(machine.get(updates, "ActiveHoursEnd")).toBe("0x14");
    expect(machine.state()).not.toEqual(before);
    await setUpWindows(undo, file, machine.run);
    expect(machine.state()).toEqual(before);
    expect(existsSync(file)).toBe(false);
    machine.changes.length = 0;
    expect(await setUpWindows(undo, file, machine.run)).toEqual([]);
    expect(machine.changes).toEqual([]);
  });

  it("[V2-699] leaves values that were changed since", async () => {
    const machine = ownedMachine();
    const file = await recordFile();
    await setUpWindows(order, file, machine.run);
    machine.set(updates, "ActiveHoursEnd", "0x10");
    const done = await setUpWindows(undo, file, machine.run);
    expect(machine.get(updates, "ActiveHoursEnd")).toBe("0x10");
    expect(done).toContain(
      `Left ${updates}\\ActiveHoursEnd: it was changed since.`,
    );
  });

  it("[V2-699] restores all previous values after an interruption at any step", async () => {
    const complete = ownedMachine();
    await setUpWindows(order, await recordFile(), complete.run);
    const count = complete.changes.length;
    expect(count).toBeGreaterThan(10);
    for (let changes = 0; changes < count; changes++) {
      const machine = ownedMachine();
      const before = machine.state();
      const file = await recordFile();
      machine.changesLeft = changes;
      await expect(setUpWindows(order, file, machine.run)).rejects.toThrow();
      machine.changesLeft = Infinity;
      await setUpWindows(undo, file, machine.run);
      expect(machine.state()).toEqual(before);
    }
  });

  it("[V2-699] creates no task where the player is the shell, and removes its own", async () => {
    const machine = ownedMachine();
    const file = await recordFile();
    await setUpWindows(order, file, machine.run);
    await setUpWindows({ ...order, isShell: true }, file, machine.run);
    expect(machine.tasks.size).toBe(0);
    expect(readSetup(file)?.isShell).toBe(true);
    await setUpWindows(order, file, machine.run);
    expect(machine.tasks.size).toBe(1);
    expect(readSetup(file)?.isShell).toBe(false);
  });

  it("[V2-699] reports what has to wait for the first login of the player's user", async () => {
    const machine = ownedMachine();
    machine.registry.delete(`HKU\\${sid}`);
    const file = await recordFile();
    const done = await setUpWindows(order, file, machine.run);
    expect(done.at(-2)).toContain("run this again once it is");
    expect(machine.get(ofUser, "DisableNotificationCenter")).toBeUndefined();
  });

  it("[V2-684] changes nothing for a player that is installed in the profile of another user", async () => {
    const machine = ownedMachine();
    const profiles =
      "HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\ProfileList";
    const profileOf = (who: string, dir: string) =>
      machine.set(`${profiles}\\${who}`, "ProfileImagePath", dir, expanded);
    profileOf("S-1-5-18", "%systemroot%\\system32\\config\\systemprofile");
    profileOf("S-1-5-21-1-2-3-1000", "C:\\Users\\Admin");
    profileOf(sid, "C:\\Users\\signage");
    const inProfile = (user: string) => ({
      ...order,
      program: `C:\\users\\${user}\\AppData\\Local\\Programs\\Vitrine\\Vitrine.exe`,
    });
    const file = await recordFile();
    await expect(
      setUpWindows(inProfile("admin"), file, machine.run),
    ).rejects.toThrow(/is installed for another user.*for all users\.$/);
    expect(machine.changes).toEqual([]);
    expect(existsSync(file)).toBe(false);
    await setUpWindows(inProfile("signage"), file, machine.run);
    expect(machine.tasks.get("Vitrine")).toContain(
      "<Command>C:\\users\\signage\\",
    );
  });

  it("[V2-699] does nothing when its record cannot be read", async () => {
    const machine = ownedMachine();
    const file = await recordFile();
    await setUpWindows(order, file, machine.run);
    writeFileSync(file, "{");
    machine.changes.length = 0;
    for (const what of [order, undo])
      await expect(setUpWindows(what, file, machine.run)).rejects.toThrow(
        "cannot be read",
      );
    expect(machine.changes).toEqual([]);
  });
});
