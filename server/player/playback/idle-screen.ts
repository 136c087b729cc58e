// Contents of the idle screen: the player's name, its address, and its time format.

import os from "node:os";
import { phoneAddress } from "../../contract/v2/phone-address.ts";
import { isLoopback } from "../../platform/http/machine-addresses.ts";
import type { Settings } from "../../contract/v2/v2-settings.ts";
import type { IdleScreen } from "../../core/showing.ts";
import type { CertificateInUse } from "../https/https-interface.ts";
import { zoneOf } from "../time-zone.ts";

export interface IdleScreenFacts {
  readonly settings: Settings;
  readonly apiAddress: string;
  /** The certificate of the interface; null without HTTPS. */
  readonly certificate: CertificateInUse | null;
  readonly phoneCode: () => string | null;
  readonly pairing: NonNullable<IdleScreen["pairing"]> | null;
}

/** What the idle screen needs to know (V2-126). */
export function idleScreenOf({
  settings,
  apiAddress,
  certificate,
  phoneCode,
  pairing,
}: IdleScreenFacts): IdleScreen {
  const isShown = settings.showSplash && pairing === null;
  const isReachable = apiAddress !== "" && isReachableByOthers(apiAddress);
  const code = isShown && isReachable ? phoneCode() : null;
  return {
    playerName: playerNameOf(settings),
    apiAddress,
    isAddressShown: settings.showSplash,
    codeAddress: isReachable ? addressWith(code, apiAddress) : null,
    isForPhones: code !== null,
    fingerprint:
      isReachable && certificate?.isGenerated === true
        ? certificate.fingerprint
        : null,
    dateFormat: settings.dateFormat,
    is24Hour: settings.use24HourClock,
    zone: zoneOf(settings),
    pairing,
  };
}

function addressWith(code: string | null, apiAddress: string): string {
  return code === null ? apiAddress : phoneAddress(apiAddress, code);
}

/** A phone that opens a loopback address reaches itself. */
function isReachableByOthers(apiAddress: string): boolean {
  return !isLoopback(new URL(apiAddress).hostname.replace(/^\[|\]$/g, ""));
}

/** The setting, else the name of the machine. */
export function playerNameOf(settings: Pick<Settings, "playerName">): string {
  return settings.playerName || os.hostname();
}
