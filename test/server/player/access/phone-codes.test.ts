// Codes for phones: how long each is shown and valid, and when they end.

import { describe, expect, it } from "vitest";
import { phoneCodeIn } from "../../../../server/contract/v2/phone-address.ts";
import { settingFields } from "../../../../server/contract/v2/v2-settings.ts";
import type { Settings } from "../../../../server/contract/v2/v2-settings.ts";
import { createPhoneCodes } from "../../../../server/player/access/phone-codes.ts";
import { idleScreenOf } from "../../../../server/player/playback/idle-screen.ts";
import { afterThisTest } from "../../../support/after-this-test.ts";
import { manualClock } from "../../../support/clock.ts";

const minuteMs = 60_000;

function codesAt() {
  const clock = manualClock();
  let isAllowed = true;
  let renewals = 0;
  const codes = createPhoneCodes({
    clock,
    isAllowed: () => isAllowed,
    onRenewed: () => (renewals += 1),
  });
  afterThisTest(async () => codes.stop());
  return {
    ...{ clock, codes },
    renewals: () => renewals,
    allow: (next: boolean) => {
      isAllowed = next;
      codes.update();
    },
    shown: () => codes.shown() ?? "",
  };
}

describe("a code for a phone", () => {
  it("[V2-785] is shown for 5 minutes and valid for 10", async () => {
    const { clock, codes, renewals, shown } = codesAt();
    const first = shown();
    expect(Buffer.from(first, "base64url")).toHaveLength(16);
    await clock.advance(5 * minuteMs - 1);
    expect([shown(), renewals()]).toEqual([first, 0]);
    await clock.advance(1);
    expect(renewals()).toBe(1);
    const second = shown();
    expect(second).not.toBe(first);
    await clock.advance(5 * minuteMs - 1);
    expect(codes.redeem(first)).toBe(true);
    // It is no longer the one on the screen.
    expect(renewals()).toBe(1);
    await clock.advance(5 * minuteMs + 1);
    expect(codes.redeem(second)).toBe(false);
  });

  it("[V2-785] works once, and is then replaced on the screen", () => {
    const { codes, renewals, shown } = codesAt();
    expect(codes.redeem("AAAAAAAAAAAAAAAAAAAAAA")).toBe(false);
    const first = shown();
    expect([codes.redeem(first), codes.redeem(first)]).toEqual([true, false]);
    expect(renewals()).toBe(1);
    expect(codes.redeem(shown())).toBe(true);
  });

  it("[V2-785] ends, with the sessions that came from it, when phones are excluded", () => {
    const { codes, allow, shown } = codesAt();
    expect(codes.redeem(shown())).toBe(true);
    const [code, id] = [shown(), codes.credentialId()];
    expect(id).not.toBeNull();
    allow(false);
    expect([codes.shown(), codes.credentialId()]).toEqual([null, null]);
    allow(true);
    expect(codes.redeem(code)).toBe(false);
    expect(codes.redeem(shown())).toBe(true);
    expect(codes.credentialId()).not.toBe(id);
  });
});

describe("the QR code of the idle screen", () => {
  const settings = Object.fromEntries(
    Object.entries(settingFields).map(([name, { byDefault }]) => [
      name,
      byDefault,
    ]),
  ) as unknown as Settings;
  const code = "AbCdEfGhIjKlMnOpQrSt_-";

  it.each([
    ["http://127.0.0.1:8080", null],
    ["http://[::1]:8080", null],
    ["", null],
    ["http://192.0.2.7:8080", "http://192.0.2.7:8080/#/phone/"],
    ["http://[2001:db8::7]:8080", "http://[2001:db8::7]:8080/#/phone/"],
  ])("[V2-784] of a player at “%s” leads to %s", (address, start) => {
    const facts = { settings, certificate: null, pairing: null };
    const idleScreen = idleScreenOf({
      ...{ ...facts, apiAddress: address, phoneCode: () => code },
    });
    const { codeAddress, isForPhones } = idleScreen;
    expect(codeAddress).toBe(start === null ? null : `${start}${code}`);
    expect(isForPhones).toBe(start !== null);
    if (codeAddress !== null)
      expect(phoneCodeIn(new URL(codeAddress).hash)).toBe(code);
    const plain = idleScreenOf({
      ...{ ...facts, apiAddress: address, phoneCode: () => null },
    });
    expect(plain).toMatchObject({
      codeAddress: start === null ? null : address,
      isForPhones: false,
    });
  });

  it("[V2-785] uses up no code while it is hidden", () => {
    const use = () => {
      throw new Error("used");
    };
    const facts = {
      ...{ settings, apiAddress: "http://192.0.2.7:8080", phoneCode: use },
      ...{ certificate: null, pairing: null },
    };
    const hidden = { ...settings, showSplash: false };
    idleScreenOf({ ...facts, settings: hidden });
    idleScreenOf({ ...facts, pairing: { pin: "1", at: "x" } });
  });

  it.each(["#/phone/", `#/phone/${code}x`, `#/phone/${code}/x`, "#/now", ""])(
    "[V2-785] finds no code in “%s”",
    (hash) => {
      expect(phoneCodeIn(hash)).toBeNull();
    },
  );
});
