// The command that the site check advises a person to type: on Linux the command's name, on Windows the script next to the
// program, wherever that is.

import { expect, it } from "vitest";
import { readConfig } from "../../../electron/config.ts";
import { createExitPin } from "../../../electron/kiosk/exit-pin.ts";
import { callOfPlayer } from "../../../electron/site-check/console-command.ts";
import { killAndWait } from "../../../electron/site-check/kill-test.ts";
import { checkPin } from "../../../electron/site-check/pin.ts";
import { findingsIn } from "../../../renderer/locales/system-check-findings.ts";
import { translatorFor } from "../../../renderer/locales/translator.ts";
import { temporaryFolder } from "../../support/folder.ts";

const perUser =
  "C:\\Users\\Pat O'Hara\\AppData\\Local\\Programs\\Vitrine\\Vitrine.exe";
const scriptOfIt =
  "& 'C:\\Users\\Pat O''Hara\\AppData\\Local\\Programs\\Vitrine\\vitrine-console.cmd'";

it.each([
  ["linux", "/opt/Vitrine/vitrine", "vitrine"],
  ["windows", perUser, scriptOfIt],
  [
    ...(["windows", "D:\\Signage\\Vitrine.exe"] as const),
    "& 'D:\\Signage\\vitrine-console.cmd'",
  ],
] as const)(
  "[V2-705] calls the player on %s, as %s, %s",
  (system, program, call) => {
    expect(callOfPlayer(system, program)).toBe(call);
  },
);

it("[V2-705] names the script next to this program for setting the PIN", async () => {
  const dataDir = await temporaryFolder();
  const siteCheck = () =>
    checkPin(dataDir, "windows", callOfPlayer("windows", perUser));
  const { fact } = await siteCheck();
  expect(findingsIn(translatorFor("en"))(fact).command).toBe(
    `"1234" | ${scriptOfIt} --set-exit-pin`,
  );
  await createExitPin(dataDir, Date.now).set("4711");
  expect(await siteCheck()).toEqual({ verdict: "good", fact: { code: "pin" } });
});

it("[V2-705] names the script next to this program for testing the recovery", async () => {
  const flags = ["--site-check", "--data-dir", await temporaryFolder()];
  const reading = readConfig(flags, {});
  if (!reading.ok) throw new Error(reading.message);
  const call = callOfPlayer("windows", perUser);
  expect(await killAndWait(reading.value, call)).toMatchObject({
    fact: { code: "not-killed", call },
  });
});
