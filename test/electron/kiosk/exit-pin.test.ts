// The exit PIN of an unattended player: what is stored of it, and how often it may be tried.

import { mkdir, readFile, rmdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createExitPin, setExitPin } from "../../../electron/kiosk/exit-pin.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { hasModes } from "../../support/file-modes.ts";

async function pinOf(digits: string | null) {
  const dir = await temporaryFolder();
  let time = 1_000_000;
  const open = () => createExitPin(dir, () => time);
  const pin = open();
  await pin.set(digits);
  return {
    dir,
    pin,
    open,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

describe("the exit PIN", () => {
  it("[V2-253] is stored hashed, readable by its user only", async () => {
    const { dir, pin } = await pinOf("4711");
    const file = path.join(dir, "exit-pin.json");
    expect(await readFile(file, "utf8")).not.toContain("4711");
    if (hasModes) expect((await stat(file)).mode & 0o077).toBe(0);
    expect(await pin.isSet()).toBe(true);
    expect(await pin.check("4711")).toEqual({ outcome: "right" });
  });

  it.runIf(hasModes)(
    "[V2-253][V2-692] makes the data folder its user's alone if it is set before the first start",
    async () => {
      const dir = path.join(await temporaryFolder(), "data");
      setExitPin(dir, "4711");
      expect((await stat(dir)).mode & 0o077).toBe(0);
    },
  );

  it("[V2-253] accepts any input where no PIN is set, and can be removed", async () => {
    const { pin } = await pinOf(null);
    expect(await pin.isSet()).toBe(false);
    expect(await pin.check("")).toEqual({ outcome: "right" });
    await pin.set("1234");
    await pin.set(null);
    expect(await pin.check("9")).toEqual({ outcome: "right" });
  });

  it.each(["123", "1234567890123", "12a4", " 1234"])(
    "[V2-253] rejects %j",
    async (digits) => {
      const { pin } = await pinOf(null);
      await expect(pin.set(digits)).rejects.toThrow("four to twelve digits");
    },
  );

  it("[V2-255] locks for a minute on the fifth wrong try, even for the right PIN and after a restart", async () => {
    const { pin, open, pass } = await pinOf("4711");
    const outcomes = [];
    for (let attempt = 0; attempt < 5; attempt += 1)
      outcomes.push(await pin.check("0000"));
    expect(outcomes).toEqual([
      ...[4, 3, 2, 1].map((triesLeft) => ({ outcome: "wrong", triesLeft })),
      { outcome: "locked", seconds: 60 },
    ]);
    pass(20_000);
    expect(await open().check("4711")).toEqual({
      outcome: "locked",
      seconds: 40,
    });
    pass(40_000);
    expect(await open().check("4711")).toEqual({ outcome: "right" });
  });

  it("[V2-255] doubles the lockout each further time, up to 15 minutes, also when the clock is set back", async () => {
    const { pin, pass } = await pinOf("4711");
    for (let attempt = 0; attempt < 4; attempt += 1) await pin.check("0000");
    const seconds = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const outcome = await pin.check("0000");
      seconds.push(outcome.outcome === "locked" ? outcome.seconds : 0);
      pass(15 * 60_000);
    }
    expect(seconds).toEqual([60, 120, 240, 480, 900, 900]);
    pass(-365 * 86_400_000);
    expect(await pin.check("4711")).toEqual({
      outcome: "locked",
      seconds: 900,
    });
    pass(15 * 60_000);
    expect(await pin.check("4711")).toEqual({ outcome: "right" });
  });

  it("[V2-372] locks as well, and accepts the right PIN, where no try can be written", async () => {
    const { dir, pin, open, pass } = await pinOf("4711");
    await pin.check("0000");
    const inTheWay = path.join(dir, "exit-pin.json.part");
    await mkdir(inTheWay);
    const outcomes = [];
    for (let attempt = 0; attempt < 5; attempt += 1)
      outcomes.push(await pin.check("0000"));
    expect(outcomes).toEqual([
      ...[3, 2, 1].map((triesLeft) => ({ outcome: "wrong", triesLeft })),
      { outcome: "locked", seconds: 60 },
      { outcome: "locked", seconds: 60 },
    ]);
    pass(60_000);
    expect(await pin.check("4711")).toEqual({ outcome: "right" });
    expect(await pin.check("0000")).toMatchObject({ triesLeft: 4 });
    await rmdir(inTheWay);
    await pin.check("0000");
    expect(await open().check("0000")).toMatchObject({ triesLeft: 2 });
  });

  it("[V2-372] resets the tries once a new PIN is set, whatever was counted for the previous one", async () => {
    const { dir, pin, open } = await pinOf("4711");
    await mkdir(path.join(dir, "exit-pin.json.part"));
    for (let attempt = 0; attempt < 5; attempt += 1) await pin.check("0000");
    await rmdir(path.join(dir, "exit-pin.json.part"));
    await open().set("1234");
    expect(await pin.check("1234")).toEqual({ outcome: "right" });
  });

  it("counts concurrent tries one by one", async () => {
    const { pin } = await pinOf("4711");
    const outcomes = await Promise.all(
      ["1", "2", "3", "4", "5", "6"].map((digit) => pin.check(digit)),
    );
    expect(outcomes.filter(({ outcome }) => outcome === "locked")).toHaveLength(
      2,
    );
  });

  it("accepts no input when its file is damaged", async () => {
    const { dir, pin } = await pinOf("4711");
    await writeFile(path.join(dir, "exit-pin.json"), "{");
    await expect(pin.check("4711")).rejects.toThrow();
  });
});
