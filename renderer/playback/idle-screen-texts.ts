// Texts of the idle screen, in the language of the player's system.

import { idleScreen as german } from "../locales/de.json";
import { idleScreen as english } from "../locales/en.json";

interface IdleScreenTexts {
  /** Label above the player's address. */
  readonly address: string;
  /** The same, where the QR code signs a phone in. */
  readonly phone: string;
  /** Above the fingerprint of the certificate that the player generated. */
  readonly fingerprint: string;
  /** Label above the PIN, with the address where it is entered. */
  readonly pairing: (address: string) => string;
}

/**
 * `de-AT` returns German; a language without a catalogue returns English. The message formatter would double the size of the
 * stage's page: these messages have nothing but a placeholder.
 */
export function idleScreenTexts(language: string): IdleScreenTexts {
  const isGerman = language.toLowerCase().split("-")[0] === "de";
  const { address, phone, fingerprint, pairing } = isGerman ? german : english;
  return {
    ...{ address, phone, fingerprint },
    pairing: (at) => pairing.replace("{address}", () => at),
  };
}
