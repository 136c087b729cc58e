// Texts of the system check: every possible finding in every language, with its figures.

import { expect, it } from "vitest";
import type {
  SiteCode,
  SiteFacts,
} from "../../../../server/contract/site-check.ts";
import { findingsIn } from "../../../../renderer/locales/system-check-findings.ts";
import { translatorFor } from "../../../../renderer/locales/translator.ts";

const seconds = { seconds: 45 };
const displays = [{ width: 1920, height: 1080, rate: 60 }];
const decoding = { plays: ["VP9"], lacks: ["H.264", "AAC"] };
const disk = { freeBytes: 3e9, bytesPerSecond: 120e6 };
const now = Date.UTC(2026, 5, 1, 12);
const clock = { now, zone: "Europe/Berlin", system: "linux" } as const;

const openFolder = {
  dataDir: "C:\\signage",
  others: ["Users"],
  system: "windows",
} as const;

const facts: { readonly [Code in SiteCode]: SiteFacts[Code] } = {
  ...{ late: seconds, failed: { reason: "EACCES" }, awake: {} },
  "may-sleep": { hasDpms: true, saverSeconds: 600, mayBeSuspended: true },
  ...{ "sleep-untold": {}, "plan-sleeps": {}, "plan-untold": {} },
  ...{ "no-apt": {}, "never-restarts": {}, "restarts-at": { at: "04:00" } },
  ...{ "restarts-at-once": {}, "no-active-hours": {} },
  "active-hours": { from: 6, to: 23 },
  ...{ "no-display": {}, displays: { displays } },
  "other-display": { displays, configured: 1 },
  ...{ "drawn-by-card": { decodes: true }, "drawn-by-processor": {} },
  decodes: decoding,
  "decodes-too-little": { ...decoding, needed: ["H.264", "AAC"] },
  ...{ disk, "disk-full": disk, "disk-slow": disk },
  "disk-refuses": { dataDir: "/data", isFull: true },
  ...{ "shared-memory": {}, "shared-memory-small": { bytes: 65_536 } },
  ...{ "clock-behind": clock, "clock-kept": clock },
  ...{ "clock-not-kept": clock, "clock-untold": clock },
  ...{ "started-and-watched": {}, "started-only": { system: "windows" } },
  ...{ "not-started": {}, "no-sandbox": {} },
  sandbox: { name: "Vitrine", version: "1.2.3" },
  ...{ "folder-own": {}, "folder-open": openFolder },
  ...{ pin: {}, "not-killed": { call: "vitrine" } },
  "no-pin": { call: "vitrine", system: "linux" },
  ...{ "no-player": { dataDir: "/data" }, "not-back": seconds },
  ...{ back: seconds, "back-late": seconds },
};

type FindingOf = ReturnType<typeof findingsIn>;

const [inEnglish, inGerman] = ["en", "de"].map((language) =>
  findingsIn(translatorFor(language)),
) as [FindingOf, FindingOf];

function reported(findingOf: FindingOf, code: SiteCode) {
  return findingOf({ code, ...facts[code] } as never);
}

it.each(Object.keys(facts) as SiteCode[])(
  "describes in English and in German, each with its own text, the finding %s",
  (code) => {
    const [one, other] = [reported(inEnglish, code), reported(inGerman, code)];
    expect(one.found).toMatch(/\.$|EACCES/);
    expect(other.found).not.toBe(one.found);
    expect(other.advice === null).toBe(one.advice === null);
    if (one.advice !== null) expect(other.advice).not.toBe(one.advice);
    // Commands are not translated.
    expect(other.command).toBe(one.command);
    expect(`${one.found}${one.advice}${other.found}`).not.toMatch(
      /undefined|NaN|\[object|\.\./,
    );
  },
);

it("[V2-693] gives the command that restricts a folder readable by others to its owner", () => {
  expect(reported(inEnglish, "folder-open")).toEqual({
    found: expect.stringMatching(
      /^These users and groups can read .*C:\\signage.* and the secrets in it: Users\.$/,
    ) as string,
    advice: "Run this in a terminal:",
    command:
      'icacls "C:\\signage" /inheritance:r /grant:r "*S-1-3-4:(OI)(CI)F" "*S-1-5-18:(OI)(CI)F" "*S-1-5-32-544:(OI)(CI)F"',
  });
  const onLinux = { ...openFolder, system: "linux" } as const;
  expect(
    inEnglish({ code: "folder-open", ...onLinux }).command,
  ).toBeUndefined();
});

it("[V2-705] gives the recovery command the way the player is started on its PC", () => {
  expect(reported(inEnglish, "not-killed").command).toBe(
    "vitrine --site-check --try-kill",
  );
  const call = "& 'D:\\Signage\\vitrine-console.cmd'";
  for (const findingOf of [inEnglish, inGerman])
    expect(findingOf({ code: "not-killed", call }).command).toBe(
      "& 'D:\\Signage\\vitrine-console.cmd' --site-check --try-kill",
    );
});

it("formats figures in the language's notation", () => {
  expect(reported(inEnglish, "disk").found).toBe(
    "3 GB free, writes 120 MB per second.",
  );
  expect(reported(inGerman, "displays").found).toBe(
    "1 Display: 1920\u00a0×\u00a01080 mit 60\u00a0Hz.",
  );
  expect(reported(inEnglish, "may-sleep")).toEqual({
    found:
      "The player keeps this PC awake while it runs. Otherwise, the display can turn off, the screen saver starts after 10m, and the PC can go to sleep.",
    advice: "Run this in a terminal:",
    command: expect.stringMatching(/^xset s off -dpms; systemctl mask/),
  });
  expect(reported(inEnglish, "other-display").advice).toContain("display 2");
});

it("shows the code of a finding without texts, and nothing wrong", () => {
  const later = { code: "moon-phase" } as never;
  expect(inGerman(later)).toEqual({
    ...{ found: "moon-phase", advice: null },
  });
});
