// What the house card says, in the language of the player's system.

export interface CardWords {
  /** Above the address. */
  readonly answersAt: string;
  /** Above the PIN, with the address at which it is typed. */
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

/** `de-AT` is answered in German, what is not spoken here in English. */
export function idleScreenWords(language: string): CardWords {
  return wordsByLanguage[language.toLowerCase().split("-")[0] ?? ""] ?? english;
}
