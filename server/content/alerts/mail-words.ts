// Wording of alerts by email in each language (V3-98, V4-415).

import { findSentence } from "../../contract/sentence-templates.ts";
import type { AlertState } from "../../contract/v3/v3-alerts.ts";
import {
  firstItem,
  stateReasons,
  unnamedContent,
} from "../link/state-reasons.ts";
import type { MailLanguage } from "./mail-language.ts";

export interface MailWords {
  /** `Lobby is offline` */
  readonly isInState: (screen: string, state: AlertState) => string;
  readonly isNoLonger: (screen: string, state: AlertState) => string;
  /** The rule is no longer about this screen. */
  readonly isExcluded: (screen: string) => string;
  readonly since: (sentence: string, since: string) => string;
  readonly period: (from: string, until: string) => string;
  /** The reason that a screen has, which is English. */
  readonly reason: (reason: string) => readonly string[];
  readonly moreScreens: (count: number) => string;
  readonly needAttention: (count: number) => string;
  readonly recovered: (count: number) => string;
  readonly testSubject: (rule: string) => string;
  readonly test: (rule: string) => string;
  readonly rule: (name: string) => string;
  readonly message: (id: string) => string;
  readonly quoted: (name: string) => string;
  /** `2026-01-31 14:05 UTC` */
  readonly time: (moment: string) => string;
}

const english: MailWords = {
  isInState: (screen, state) =>
    `${screen} ${
      {
        wrong: "shows the wrong content",
        incomplete: "lacks content",
        offline: "is offline",
        "never-seen": "has never connected",
      }[state]
    }`,
  isNoLonger: (screen, state) =>
    `${screen} ${
      {
        wrong: "no longer shows the wrong content",
        incomplete: "no longer lacks content",
        offline: "is online again",
        "never-seen": "has connected",
      }[state]
    }`,
  isExcluded: (screen) => `${screen} is no longer part of this alert rule`,
  since: (sentence, since) => `${sentence} (since ${since}).`,
  period: (from, until) => `From ${from} to ${until}.`,
  reason: (reason) => [reason],
  moreScreens: (count) => `… and ${screensInEnglish(count)} more.`,
  needAttention: (count) =>
    `${screensInEnglish(count)} ${count === 1 ? "needs" : "need"} attention`,
  recovered: (count) => `${screensInEnglish(count)} recovered`,
  testSubject: (rule) => `Test of the alert rule ${rule}`,
  test: (rule) => `This is a test of the alert rule ${rule}.`,
  rule: (name) => `Alert rule: ${name}`,
  message: (id) => `Message: ${id}`,
  quoted: (name) => `“${name}”`,
  time: (moment) => `${moment.slice(0, 10)} ${moment.slice(11, 16)} UTC`,
};

function screensInEnglish(count: number): string {
  return count === 1 ? "1 screen" : `${count} screens`;
}

const german: MailWords = {
  isInState: (screen, state) =>
    `${screen}: ${
      {
        wrong: "falscher Inhalt",
        incomplete: "Inhalte fehlen",
        offline: "offline",
        "never-seen": "noch nie verbunden",
      }[state]
    }`,
  isNoLonger: (screen, state) =>
    `${screen}: ${
      {
        wrong: "wieder richtiger Inhalt",
        incomplete: "Inhalte wieder vollständig",
        offline: "wieder online",
        "never-seen": "hat sich verbunden",
      }[state]
    }`,
  isExcluded: (screen) => `${screen}: gehört nicht mehr zu dieser Alarmregel`,
  since: (sentence, since) => `${sentence} (seit ${since}).`,
  period: (from, until) => `Von ${from} bis ${until}.`,
  reason: germanReason,
  moreScreens: (count) =>
    count === 1
      ? "… und 1 weiterer Bildschirm."
      : `… und ${count} weitere Bildschirme.`,
  needAttention: (count) =>
    count === 1
      ? "1 Bildschirm mit einer Störung"
      : `${count} Bildschirme mit Störungen`,
  recovered: (count) =>
    count === 1
      ? "1 Bildschirm wieder in Ordnung"
      : `${count} Bildschirme wieder in Ordnung`,
  testSubject: (rule) => `Test der Alarmregel ${rule}`,
  test: (rule) => `Dies ist ein Test der Alarmregel ${rule}.`,
  rule: (name) => `Alarmregel: ${name}`,
  message: (id) => `Nachricht: ${id}`,
  quoted: (name) => `„${name}“`,
  time: (moment) => {
    const [year, month, day] = moment.slice(0, 10).split("-");
    return `${day}.${month}.${year}, ${moment.slice(11, 16)} UTC`;
  },
};

/** Details that a player or another version told stay as they are, named as what they are. */
function germanReason(reason: string): readonly string[] {
  const found = findSentence(stateReasons, reason);
  if (found === null) return [untranslated(reason)];
  const { planned = "", count = "", wanted = "", first = "" } = found.details;
  const isOne = count === "1";
  const { name, why } =
    findSentence({ first: firstItem }, first)?.details ?? {};
  const among =
    name === undefined ? "" : `${isOne ? ":" : ", darunter"} „${name}“`;
  const items = wanted === "1" ? "1 Inhalt" : `${wanted} Inhalten`;
  const sentence = {
    silent: "Der Player antwortet nicht.",
    "never-seen": "Der Player hat sich noch nie verbunden.",
    blank: `Der Bildschirm ist leer, statt ${inGerman(planned)} zu zeigen.`,
    frozen: `Der Bildschirm ist eingefroren, statt ${inGerman(planned)} zu zeigen.`,
    wrong: `Der Bildschirm zeigt nicht ${inGerman(planned)}, sondern etwas anderes.`,
    "not-ready": `Nichts von dem, was geplant ist, kann gezeigt werden${name === undefined ? "" : `, auch nicht „${name}“`}.`,
    failed: `${count} von ${items} fehlgeschlagen${among}.`,
    "one-missing": `1 von ${items} fehlt${among}.`,
    missing: `${count} von ${items} fehlen${among}.`,
  }[found.code];
  return [sentence, ...(why === undefined ? [] : [untranslated(`${why}.`)])];
}

/** `“Menu”`, or the words for content without a name. */
function inGerman(planned: string): string {
  return planned === unnamedContent
    ? "den geplanten Inhalt"
    : planned.replace(/^“(.*)”$/s, "„$1“");
}

function untranslated(sentence: string): string {
  return `Meldung des Players (auf Englisch): ${sentence}`;
}

export const mailWords: Readonly<Record<MailLanguage, MailWords>> = {
  en: english,
  de: german,
};
