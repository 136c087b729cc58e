// Encryption of secrets by Windows: which systems have it, and when it is not used.

import { expect, it } from "vitest";
import { openWindowsSeal } from "../../../server/platform/windows-encryption.ts";

/** Reverses what it is given. */
const reversing = {
  protectData: (bytes: Uint8Array) => bytes.toReversed(),
  unprotectData: (bytes: Uint8Array) => bytes.toReversed(),
};
const fails = (): never => {
  throw new Error("The data is invalid.");
};

it("[V2-685] secrets are encrypted on Windows alone", async () => {
  expect(await openWindowsSeal("linux", async () => reversing)).toBeNull();
  const seal = await openWindowsSeal("win32", async () => reversing);
  const sealed = seal?.seal("a token – ü");
  expect(sealed?.toString()).not.toContain("token");
  expect(seal?.unseal(sealed ?? Buffer.of())).toBe("a token – ü");
});

it.each([
  ["does not encrypt", { ...reversing, protectData: fails }],
  ["does not decrypt", { ...reversing, unprotectData: fails }],
  [
    "decrypts something else",
    { ...reversing, unprotectData: () => Buffer.of() },
  ],
])(
  "[V2-685] secrets are not encrypted where Windows %s",
  async (_what, dpapi) => {
    expect(await openWindowsSeal("win32", async () => dpapi)).toBeNull();
  },
);

it("[V2-685] this system's own encryption differs each time, and rejects what was changed", async () => {
  const seal = await openWindowsSeal();
  expect(seal !== null).toBe(process.platform === "win32");
  if (seal === null) return;
  const [one, other] = [seal.seal("a token"), seal.seal("a token")];
  expect(one.equals(other)).toBe(false);
  expect([one, other].map((bytes) => seal.unseal(bytes))).toEqual([
    ...["a token", "a token"],
  ]);
  expect(() => seal.unseal(Buffer.from(one.toReversed()))).toThrow();
});
