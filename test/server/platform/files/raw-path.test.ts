// File names that are not UTF-8, or lie in a folder with such a name.

import path from "node:path";
import { expect, it } from "vitest";
import { nameOf } from "../../../../server/platform/files/raw-path.ts";

const bytes = (letters: string): Buffer => Buffer.from(letters, "latin1");

it("[V2-373] decodes a name by itself, whatever its parent folder is called", () => {
  const folder = bytes(`Pl\xe4ne${path.sep}`);
  expect(nameOf(Buffer.concat([folder, Buffer.from("Café.png")]))).toBe(
    "Café.png",
  );
  expect(nameOf(Buffer.concat([folder, bytes("Caf\xe9.png")]))).toBe(
    "Café.png",
  );
  expect(nameOf(path.join("Pläne", "Café.png"))).toBe("Café.png");
});
