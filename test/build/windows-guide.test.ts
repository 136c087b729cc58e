// The guide for Windows: thirty checks for a first PC, each with what the site check reports for it.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const read = (file: string): string =>
  readFileSync(
    fileURLToPath(new URL(`../../${file}`, import.meta.url)),
    "utf8",
  );

const rows = [
  ...read("build/guides/windows.md").matchAll(
    /^\| +(\d+) +\| +(.*?) +\| +(.*?) +\| +(.*?) +\|$/gm,
  ),
].map(([, number, action, expected, reported = ""]) => ({
  ...{ number: Number(number), action, expected, reported },
}));

it("the guide for Windows has thirty checks, each with an action, in order", () => {
  expect(rows.map(({ number }) => number)).toEqual(
    Array.from({ length: 30 }, (_, index) => index + 1),
  );
  expect(rows.every(({ action }) => action !== "–")).toBe(true);
});

it("the guide for Windows names checks and codes of the site check alone", () => {
  const named = rows.flatMap(({ reported }) =>
    [...reported.matchAll(/check `([^`]+)`: (.*?)(?=, check `|$)/g)].flatMap(
      ([, check = "", codes = ""]) =>
        [...codes.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => [check, code]),
    ),
  );
  expect(named.length).toBeGreaterThan(15);
  const checks = read("electron/site-check/site-check.ts");
  const facts = read("server/contract/site-check.ts");
  for (const [check, code] of named) {
    expect(checks).toContain(`["${check}", () =>`);
    expect(facts).toMatch(
      new RegExp(`^  (?:"${code}"|${code}): (?:\\{|object|[A-Z])`, "m"),
    );
  }
});
