// The system packages that the set-up asks for.

import { expect, it } from "vitest";

interface SetUp {
  packagesFor(things: readonly string[]): readonly string[];
}

// Plain JavaScript, as it runs before there are packages.
const setUp = new URL("../../build/setup/debian.mjs", import.meta.url).href;
const { packagesFor } = (await import(setUp)) as SetUp;

it("names each package once, however many of its libraries are missing", () => {
  const missing = ["libnss3.so", "libsmime3.so", "libnew.so.1"];
  expect(packagesFor(missing)).toEqual(["libnss3", "libnew.so.1"]);
});
