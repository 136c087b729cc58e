// Names of files that are no UTF-8, or lie where one is.

import path from "node:path";
import { expect, it } from "vitest";
import { nameOf } from "../../../../server/platform/files/place.ts";

const bytes = (letters: string): Buffer => Buffer.from(letters, "latin1");

it("[V2-373] reads a name by itself, whatever the folder above it is called", () => {
  const folder = bytes(`Pl\xe4ne${path.sep}`);
  expect(nameOf(Buffer.concat([folder, Buffer.from("Café.png")]))).toBe(
    "Café.png",
  );
  expect(nameOf(Buffer.concat([folder, bytes("Caf\xe9.png")]))).toBe(
    "Café.png",
  );
  expect(nameOf(path.join("Pläne", "Café.png"))).toBe("Café.png");
});
