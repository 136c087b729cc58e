// The packaged player with a red image on the screen: the starting point of the fault and kiosk tests.

import { temporaryFolder } from "../folder.ts";
import { picture, type Colour } from "../media/media.ts";
import {
  startPackage,
  type PackageOptions,
  type RunningPackage,
} from "./package.ts";
import {
  isNear,
  meanOf,
  openScreen,
  watchScreen,
  type Frame,
  type VirtualScreen,
  type Watch,
} from "../screen/screen.ts";

const red: Colour = [200, 40, 40];

/** Minutes of kills and waits: npm run long. The short form of them is test/e2e/package.test.ts. */
export const isEnabled =
  process.platform === "linux" && process.env.VITRINE_LONG === "1";

export const showsRed = (frame: Frame): boolean => isNear(meanOf(frame), red);

export interface WatchedPackage {
  readonly screen: VirtualScreen;
  readonly screenWatch: Watch;
  readonly app: RunningPackage;
}

export async function playRed(
  options: PackageOptions,
): Promise<WatchedPackage> {
  const screen = options.screen ?? (await openScreen());
  const screenWatch = watchScreen(screen);
  const app = await startPackage({
    ...options,
    screen,
    env: { XDG_RUNTIME_DIR: await temporaryFolder(), ...options.env },
    flags: ["--no-manager", ...(options.flags ?? [])],
  });
  await app.addFile(picture(red, 1280, 720), {
    name: "red",
    mimetype: "image",
  });
  await screenWatch.until(showsRed, "red");
  return { screen, screenWatch, app };
}

/** How long the image was missing, from now on. */
export async function redAgain(screenWatch: Watch): Promise<void> {
  await screenWatch.until(
    (frame) => !showsRed(frame),
    "the screen without a picture",
  );
  await screenWatch.until(showsRed, "red again");
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
