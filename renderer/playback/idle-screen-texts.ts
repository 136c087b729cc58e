// Texts of the idle screen, in the language of the player's system.

export interface CardWords {
  /** Label above the address. */
  readonly answersAt: string;
  /** Label above the PIN, with the address where it is entered. */
  readonly typeAt: (address: string) => string;
}

const english: CardWords = {
  answersAt: "This player answers at",
  typeAt: (address) => `To make this a screen of ${address}, type there`,
};

const wordsByLanguage: Readonly<Record<string, CardWords>> = {
  en: english,
  de: {
    answersAt: "Dieser Player ist erreichbar unter",
    typeAt: (address) =>
      `Damit dieser Bildschirm zu ${address} gehört, dort eingeben:`,
  },
};

/** `de-AT` returns German; a language without a translation returns English. */
export function idleScreenWords(language: string): CardWords {
  return wordsByLanguage[language.toLowerCase().split("-")[0] ?? ""] ?? english;
}
