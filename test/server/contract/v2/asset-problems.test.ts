// The sentences by which the player says why an asset cannot play, and their codes.

import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { findSentence } from "../../../../server/contract/sentence-templates.ts";
import { assetProblems } from "../../../../server/contract/v2/asset-problems.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const sources = globSync(
  [
    "server/{core,platform/media,player}/**/*.ts",
    "electron/**/*.ts",
    "renderer/playback/**/*.ts",
  ],
  { cwd: root },
)
  .map((file) => readFileSync(path.join(root, file), "utf8"))
  .join("\n");

const found = (sentence: string) => findSentence(assetProblems, sentence);
const details = ["30", "asset.example:8080 (503)", "image/png"];

describe.each(Object.entries(assetProblems))(
  "the problem %s",
  (code, template) => {
    it("is found by its sentence, with its details", () => {
      const names = [...template.matchAll(/\{(\w+)\}/g)].map(
        ([, name = ""]) => name,
      );
      const values = Object.fromEntries(
        names.map((name, index) => [name, details[index] ?? ""]),
      );
      const sentence = template.replace(
        /\{(\w+)\}/g,
        (_, name: string) => values[name] ?? "",
      );
      expect(found(sentence)).toEqual({ code, details: values });
    });

    it("is one that the player reports", () => {
      const parts = template
        .replaceAll('"', '\\"')
        .split(/\{\w+\}|\b(?:video|audio file|stream|image|PDF)\b/);
      // The player adds a reason, or a full stop.
      for (const part of parts.map((one) => one.replace(/^\s|[:.]?\s?$/g, "")))
        expect(
          sources.includes(part) ||
            sources.includes(part.replaceAll('\\"', '"')),
          part,
        ).toBe(true);
    });
  },
);

it("a sentence of another version, and one without end, have no code", () => {
  expect(found("The page is on strike.")).toBeNull();
  expect(found("")).toBeNull();
  const long = "x".repeat(1_000_000);
  expect(found(`The page could not be loaded (${long}).`)).toBeNull();
});
