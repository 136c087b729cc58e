// Texts of the PIN pad, in the languages of the manager.

interface Texts {
  readonly language: string;
  readonly enter: string;
  readonly whereTo: string;
  readonly digits: string;
  readonly erase: string;
  readonly clear: string;
  readonly manager: string;
  readonly end: string;
  readonly back: string;
  readonly wrong: (triesLeft: number) => string;
  readonly locked: (seconds: number) => string;
}

const english: Texts = {
  language: "en",
  enter: "Enter the PIN",
  whereTo: "Where to?",
  digits: "Digits so far",
  erase: "Erase the last digit",
  clear: "Clear",
  manager: "Open the desk",
  end: "End Vitrine",
  back: "Back to the show",
  wrong: (triesLeft) =>
    `This is not the PIN. ${triesLeft === 1 ? "One try" : `${triesLeft} tries`} left.`,
  locked: (seconds) => `Too many tries. Again in ${seconds} seconds.`,
};

const german: Texts = {
  language: "de",
  enter: "PIN eingeben",
  whereTo: "Wohin?",
  digits: "Bisherige Ziffern",
  erase: "Letzte Ziffer löschen",
  clear: "Leeren",
  manager: "Verwaltung öffnen",
  end: "Vitrine beenden",
  back: "Zurück zur Anzeige",
  wrong: (triesLeft) =>
    `Das ist nicht die PIN. Noch ${triesLeft === 1 ? "ein Versuch" : `${triesLeft} Versuche`}.`,
  locked: (seconds) =>
    `Zu viele Versuche. Wieder möglich in ${seconds} Sekunden.`,
};

/** German for German locales, English for all others. */
export function textsFor(language: string): Texts {
  return /^de\b/i.test(language) ? german : english;
}
