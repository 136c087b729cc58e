// A wall clock for a program under test that jumps while it runs, by a small library that is compiled here and preloaded.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { constants, open } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const source = fileURLToPath(new URL("moving-clock.c", import.meta.url));

const compiler = "/usr/bin/gcc";

/** The library is for Linux, and built by its compiler. */
export const clockCanMove =
  process.platform === "linux" && existsSync(compiler);
if (!clockCanMove)
  console.warn(
    "There is no gcc of Linux here: tests with a clock that jumps are left out.",
  );

export interface MovingClock {
  /** For the environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** From now on its wall clock is this far from the machine's. */
  jump(offsetSeconds: number): Promise<void>;
}

export async function createMovingClock(folder: string): Promise<MovingClock> {
  const library = path.join(folder, "moving-clock.so");
  await promisify(execFile)(compiler, [
    ...["-O2", "-shared", "-fPIC", "-o", library, source, "-ldl"],
  ]);
  const offsetFile = path.join(folder, "offset");
  const jump = async (offsetSeconds: number): Promise<void> => {
    const offset = Buffer.alloc(8);
    offset.writeBigInt64LE(BigInt(Math.round(offsetSeconds)) * 1_000_000_000n);
    // Programs have mapped this file: it is overwritten, never replaced.
    const file = await open(offsetFile, constants.O_RDWR | constants.O_CREAT);
    try {
      await file.write(offset, 0, offset.length, 0);
    } finally {
      await file.close();
    }
  };
  await jump(0);
  return { env: { LD_PRELOAD: library, MOVING_CLOCK: offsetFile }, jump };
}
