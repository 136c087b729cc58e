// Which app the tests start: the sources with the project's Electron, or a package (`VITRINE_PACKAGE`, its program).

import { createRequire } from "node:module";

const ownRequire = createRequire(import.meta.url);
const packaged = process.env.VITRINE_PACKAGE;

export const isPackaged = packaged !== undefined;

/** The program to run: the package, or Electron with the sources' folder as its first argument. */
export const program = packaged ?? (ownRequire("electron") as string);

/** Arguments before the flags of a test. */
export const firstWords: readonly string[] = [
  // Chromium's sandbox refuses root, as in a container.
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  ...(isPackaged ? [] : ["."]),
];

const { HOME = "", PATH = "" } = process.env;

/** A package is self-contained: it gets nothing of the environment of the sources. */
export const programEnvironment: NodeJS.ProcessEnv = isPackaged
  ? { HOME, PATH }
  : process.env;
