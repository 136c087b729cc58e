// Why an asset cannot play, in the operator's language.

import { expect, it, vi } from "vitest";
import { assetProblems } from "../../../../server/contract/v2/asset-problems.ts";

vi.stubGlobal("navigator", { language: "de-DE" });
vi.stubGlobal("window", { localStorage: { getItem: () => null } });
const { problemText } =
  await import("../../../../renderer/manager/api/problem-text.ts");

it.each(Object.values(assetProblems))("is in German: %s", (sentence) => {
  expect(problemText(sentence)).not.toBe(sentence);
});

it("keeps its details, and translates the reason of a failed connection", () => {
  expect(problemText("The page did not load within 30 seconds.")).toBe(
    "Die Seite wurde nicht innerhalb von 30 Sekunden geladen.",
  );
  expect(
    problemText(
      "The file cannot be downloaded: its host name cannot be resolved. Retrying automatically.",
    ),
  ).toBe(
    "Die Datei kann nicht heruntergeladen werden: Der Hostname lässt sich nicht auflösen. Neuer Versuch folgt automatisch.",
  );
});

it("contains another sentence in the same language", () => {
  expect(
    problemText(
      "The page's server responded with status 503. The last copy that loaded stays on the screen.",
    ),
  ).toBe(
    "Der Server der Seite antwortete mit Status 503. Die zuletzt geladene Fassung bleibt auf dem Bildschirm.",
  );
});

it("stays as it is where this version does not know it", () => {
  expect(problemText("The app is on strike.")).toBe("The app is on strike.");
});

it("names the time of the next try as the manager writes times", () => {
  const text = problemText(
    "The video stalled. It has failed 3 times. Next try at 2026-11-30T23:05:00Z.",
  );
  expect(text).toMatch(
    /^Das Video ist stehen geblieben\. Die Wiedergabe ist 3-mal fehlgeschlagen\. Nächster Versuch: .*\d\d:\d\d\.$/,
  );
  expect(text).not.toContain("T23");
});
