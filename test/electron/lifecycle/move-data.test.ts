// Migration of the player's data on Windows from the roaming profile to the local one: once, complete, and after an interruption
// at any step.

import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../../electron/config.ts";
import {
  dataDirNow,
  moveData,
  writeData,
  type DiskSteps,
} from "../../../electron/lifecycle/move-data.ts";
import { afterThisTest } from "../../support/after-this-test.ts";
import { folderInMemory, temporaryFolder } from "../../support/folder.ts";

interface Profile {
  readonly formerDataDir: string;
  readonly dataDir: string;
}

const files = {
  "": {
    "vitrine.db": "rows",
    "files/kept/ab/abc": "a clip",
    "machine.json": "{}",
  },
  "-content": { "content.db": "more rows", "files/kept/cd/cde": "" },
};

/** On one volume, or on two. */
async function profile(isOnTwo = false): Promise<Profile> {
  const roaming = await (isOnTwo ? folderInMemory() : temporaryFolder());
  const formerDataDir = path.join(roaming, "Vitrine");
  for (const [folder, content] of Object.entries(files))
    for (const [name, text] of Object.entries(content)) {
      const file = path.join(`${formerDataDir}${folder}`, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  const local = isOnTwo ? "/var/tmp" : undefined;
  const dataDir = path.join(
    await temporaryFolder(undefined, local),
    ...["Local", "Vitrine"],
  );
  return { formerDataDir, dataDir };
}

/** Whether all of it is in this folder and its sibling. */
function isIntactAt(dir: string): boolean {
  return Object.entries(files).every(([folder, content]) =>
    Object.entries(content).every(([name, text]) => {
      const file = path.join(`${dir}${folder}`, name);
      return existsSync(file) && readFileSync(file, "utf8") === text;
    }),
  );
}

const nothing = (): void => undefined;

/** A complete move as one start does it; null where another one is moving. */
function move(...given: Parameters<typeof moveData>): string | null {
  const folder = moveData(...given);
  folder?.release();
  return folder?.dataDir ?? null;
}

/** Performs the disk's steps until the power goes. */
function diskUntil(
  steps: number,
  isOnTwo: boolean,
): DiskSteps & { left: number } {
  const disk = {
    left: steps,
    step(act: () => void) {
      if (disk.left === 0) throw new Error("the power went");
      disk.left -= 1;
      act();
    },
    rename: (from: string, to: string) =>
      disk.step(() => {
        if (isOnTwo && ![from, to].some((dir) => /\.mov(ing|ed)$/.test(dir)))
          throw Object.assign(new Error("two volumes"), { code: "EXDEV" });
        renameSync(from, to);
      }),
    copy: (from: string, to: string) => {
      // Interrupted half way.
      disk.step(() =>
        cpSync(path.join(from, "files"), path.join(to, "files"), {
          recursive: true,
        }),
      );
      disk.step(() => cpSync(from, to, { recursive: true }));
    },
    remove: (dir: string) => {
      if (existsSync(path.join(dir, "files")))
        disk.step(() => rmSync(path.join(dir, "files"), { recursive: true }));
      disk.step(() => rmSync(dir, { recursive: true, force: true }));
    },
    hold: () => nothing,
  };
  return disk;
}

describe("the data of a player on Windows", () => {
  it.each([
    ["one volume", false],
    ["two volumes", true],
  ])("[V2-697] move completely on %s, and once", async (_where, isOnTwo) => {
    const places = await profile(isOnTwo);
    let progress = 0;
    expect(dataDirNow(places)).toBe(places.formerDataDir);
    expect(move(places, () => (progress += 1))).toBe(places.dataDir);
    expect(isIntactAt(places.dataDir)).toBe(true);
    expect(readdirSync(path.dirname(places.formerDataDir))).toEqual([]);
    expect(progress > 0).toBe(isOnTwo);
    expect(dataDirNow(places)).toBe(places.dataDir);
    expect(move(places, nothing)).toBe(places.dataDir);
    expect(isIntactAt(places.dataDir)).toBe(true);
  });

  it.each([
    ["one volume", false],
    ["two volumes", true],
  ])(
    "[V2-697] are complete after a power cut at any step, on %s",
    async (_where, isOnTwo) => {
      let cuts = 0;
      for (; ; cuts++) {
        const places = await profile();
        const disk = diskUntil(cuts, isOnTwo);
        try {
          move(places, nothing, disk);
          break;
        } catch (error) {
          expect(String(error)).toContain("the power went");
        }
        disk.left = Infinity;
        expect(move(places, nothing, disk)).toBe(places.dataDir);
        expect(isIntactAt(places.dataDir)).toBe(true);
        expect(readdirSync(path.dirname(places.formerDataDir))).toEqual([]);
        expect(readdirSync(path.dirname(places.dataDir)).toSorted()).toEqual([
          ...["Vitrine", "Vitrine-content"],
        ]);
      }
      expect(cuts).toBeGreaterThanOrEqual(isOnTwo ? 10 : 2);
    },
  );

  it.each(["Vitrine", "Vitrine-content"])(
    "[V2-697] both stay in place while a file in %s is open, and move at the next start",
    async (held) => {
      const places = await profile();
      const rename = (from: string, to: string): void => {
        if (
          path.basename(from) === held &&
          from.startsWith(path.dirname(places.formerDataDir))
        )
          throw Object.assign(new Error("it is open"), { code: "EPERM" });
        renameSync(from, to);
      };
      const disk = { ...diskUntil(Infinity, false), rename };
      expect(move(places, nothing, disk)).toBe(places.formerDataDir);
      expect(isIntactAt(places.formerDataDir)).toBe(true);
      expect(move(places, nothing)).toBe(places.dataDir);
      expect(isIntactAt(places.dataDir)).toBe(true);
    },
  );

  it("[V2-697] are never replaced in the new place, and files left by Electron alone do not count as data", async () => {
    const places = await profile();
    mkdirSync(places.dataDir, { recursive: true });
    writeFileSync(path.join(places.dataDir, "vitrine.db"), "newer rows");
    expect(dataDirNow(places)).toBe(places.dataDir);
    expect(move(places, nothing)).toBe(places.dataDir);
    expect(readFileSync(path.join(places.dataDir, "vitrine.db"), "utf8")).toBe(
      "newer rows",
    );
    expect(existsSync(path.join(places.formerDataDir, "vitrine.db"))).toBe(
      true,
    );

    const other = await profile();
    for (const folder of ["", "-content"])
      rmSync(`${other.formerDataDir}${folder}`, { recursive: true });
    mkdirSync(path.join(other.formerDataDir, "Crashpad"), { recursive: true });
    expect(move(other, nothing)).toBe(other.dataDir);
    expect(existsSync(other.dataDir)).toBe(false);
  });
});

/** Prints the result, and keeps the data locked until it is ended. */
const starting = `
  import { moveData } from ${JSON.stringify(
    new URL("../../../electron/lifecycle/move-data.ts", import.meta.url).href,
  )};
  const [formerDataDir, dataDir] = process.argv.slice(1);
  const folder = moveData({ formerDataDir, dataDir }, () => undefined);
  process.send({ dataDir: folder?.dataDir ?? null });
  process.on("message", () => undefined);
`;

function startOn({ formerDataDir, dataDir }: Profile) {
  const child = spawn(
    process.execPath,
    ["--input-type=module", "-e", starting, formerDataDir, dataDir],
    { stdio: ["ignore", "inherit", "inherit", "ipc"] },
  );
  const ended = once(child, "exit");
  const end = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  afterThisTest(end);
  const moved = once(child, "message").then(
    ([reported]) => (reported as { dataDir: string | null }).dataDir,
  );
  return { moved, end };
}

describe("two simultaneous first starts on Windows", () => {
  const lockOf = ({ dataDir }: Profile): string => `${dataDir}.lock`;

  it("[V2-707] let only one of them move the data, and the lock is removed afterwards", async () => {
    const places = await profile();
    const busy = Object.assign(new Error("held"), { code: "EBUSY" });
    const disk = diskUntil(Infinity, false);
    const second = {
      ...disk,
      hold: (): never => {
        throw busy;
      },
    };
    let outcome: unknown;
    const first = {
      ...disk,
      hold: (file: string) => {
        expect(file).toBe(lockOf(places));
        return nothing;
      },
      rename: (from: string, to: string) => {
        outcome ??= moveData(places, nothing, second);
        disk.rename(from, to);
      },
    };
    expect(move(places, nothing, first)).toBe(places.dataDir);
    expect(outcome).toBeNull();
    expect(isIntactAt(places.dataDir)).toBe(true);
    // With nothing left to move, no lock is needed.
    expect(move(places, nothing, second)).toBe(places.dataDir);
    const real = await profile();
    expect(move(real, nothing)).toBe(real.dataDir);
    expect(existsSync(lockOf(real))).toBe(false);
  });

  it("[V2-707] release the lock when the move fails", async () => {
    const places = await profile();
    const steps: string[] = [];
    const disk = {
      ...diskUntil(0, false),
      hold: () => {
        steps.push("held");
        return () => steps.push("given back");
      },
    };
    expect(() => moveData(places, nothing, disk)).toThrow("the power went");
    expect(steps).toEqual(["held", "given back"]);
  });

  // Only Windows locks a file for one process.
  it.runIf(process.platform === "win32")(
    "[V2-707] exclude each other by a lock of the system, also when the first is killed",
    async () => {
      const places = await profile();
      const first = startOn(places);
      expect(await first.moved).toBe(places.dataDir);
      // As if there were still something to move.
      mkdirSync(`${places.formerDataDir}.moved`);
      const second = startOn(places);
      expect(await second.moved).toBeNull();
      await first.end();
      const third = startOn(places);
      expect(await third.moved).toBe(places.dataDir);
      expect(isIntactAt(places.dataDir)).toBe(true);
      expect(existsSync(`${places.formerDataDir}.moved`)).toBe(false);
    },
  );
});

describe("a command that writes to the data folder on Windows", () => {
  const pin = "exit-pin.json";
  const writePin = (dataDir: string): void =>
    writeFileSync(path.join(dataDir, pin), "{}");

  it("[V2-683] is refused while another process copies the data to another volume, and then writes to the new folder", async () => {
    const places = await profile();
    let isHeld = false;
    const disk = diskUntil(Infinity, true);
    const refusals: unknown[] = [];
    const observed: DiskSteps = {
      ...disk,
      hold: () => {
        if (isHeld) throw Object.assign(new Error("held"), { code: "EBUSY" });
        isHeld = true;
        return () => (isHeld = false);
      },
      copy: (from, to, onProgress) => {
        disk.copy(from, to, onProgress);
        try {
          writeData(places, writePin, observed);
        } catch (error) {
          refusals.push(error);
        }
      },
    };
    expect(move(places, nothing, observed)).toBe(places.dataDir);
    expect(refusals.map(String)).toEqual([
      ...[expect.stringContaining("is moving its data"), expect.anything()],
    ]);
    expect(existsSync(path.join(places.dataDir, pin))).toBe(false);
    writeData(places, writePin, observed);
    expect(existsSync(path.join(places.dataDir, pin))).toBe(true);
  });

  it("[V2-683] writes to the former folder before the first start, from which the file is moved", async () => {
    const places = await profile();
    writeData(places, writePin);
    expect(existsSync(`${places.dataDir}.lock`)).toBe(false);
    expect(move(places, nothing)).toBe(places.dataDir);
    expect(existsSync(path.join(places.dataDir, pin))).toBe(true);
  });
});

describe("the data folder on Windows", () => {
  const env = {
    APPDATA: "C:\\Users\\John Doe\\AppData\\Roaming",
    LOCALAPPDATA: "C:\\Users\\John Doe\\AppData\\Local",
  };
  const read = (flags: readonly string[]) => {
    const reading = readConfig(flags, env, "Vitrine.exe", "win32");
    if (!reading.ok) throw new Error(reading.message);
    return reading.value;
  };

  it("[V2-697] is in the local profile", () => {
    expect(read([])).toMatchObject({
      dataDir: "C:\\Users\\John Doe\\AppData\\Local\\Vitrine",
      formerDataDir: "C:\\Users\\John Doe\\AppData\\Roaming\\Vitrine",
    });
  });

  it("[V2-697] is the operator's own where a flag names another, and nothing is moved there", () => {
    const { dataDir, formerDataDir } = read(["--data-dir", "D:\\signage"]);
    expect(dataDir).toBe("D:\\signage");
    expect(formerDataDir).toBeUndefined();
  });

  it("[V2-697] is the local one, too, where an entry of an earlier version names the roaming one", () => {
    const former = `${env.APPDATA}\\vitrine\\`;
    expect(read(["--data-dir", former])).toEqual(read([]));
  });
});
