// Sentences of players and of the content service in the operator's language; theirs are English (V2-10, V2-850, V3-126).

import {
  findSentence,
  type SentenceTemplates,
} from "../../../server/contract/sentence-templates.ts";
import { bundleSentences } from "../../../server/contract/sentences/bundle-sentences.ts";
import { connectionSentences } from "../../../server/contract/sentences/connection-sentences.ts";
import { knownFieldSentences } from "../../../server/contract/sentences/field-sentences.ts";
import { generalSentences } from "../../../server/contract/sentences/general-sentences.ts";
import { outsideSentences } from "../../../server/contract/sentences/outside-sentences.ts";
import { outboxSentences } from "../../../server/contract/sentences/outbox-sentences.ts";
import { playerSentences } from "../../../server/contract/sentences/player-sentences.ts";
import {
  dayNames,
  hoursPhrases,
  playlistPhrases,
} from "../../../server/contract/sentences/schedule-phrases.ts";
import {
  predicateExpectations,
  predicateSentences,
} from "../../../server/contract/sentences/predicate-sentences.ts";
import { serviceSentences } from "../../../server/contract/sentences/service-sentences.ts";
import { withoutValue } from "../../../server/contract/field-error.ts";
import { assetProblems } from "../../../server/contract/v2/asset-problems.ts";
import {
  connectionReasons,
  findPlayerReason,
} from "../../../server/contract/v3/player-reasons.ts";
import { formats } from "../../locales/language.ts";
import { messageFor, t } from "../../locales/messages.ts";

type SentenceGroup = readonly [
  group: string,
  templates: SentenceTemplates<string>,
];

/** By their group in the catalogue. */
const allSentences: readonly SentenceGroup[] = [
  ["general", generalSentences],
  ["outbox", outboxSentences],
  ["bundles", bundleSentences],
  ["player", playerSentences],
  ["service", serviceSentences],
  ["connections", connectionSentences],
  ["outside", outsideSentences],
];

/** The first template that fits counts: those that begin with a detail fit many sentences, and come last. */
const sentenceGroups: readonly SentenceGroup[] = [false, true].flatMap(
  (isOpen) =>
    allSentences.map(([group, templates]): SentenceGroup => [
      group,
      Object.fromEntries(
        Object.entries(templates).filter(
          ([, template]) => template.startsWith("{") === isOpen,
        ),
      ),
    ]),
);

/** A sentence that this version does not know, such as one of another kind of player, stays as it is. */
export function problemText(sentence: string): string {
  return messageOf(sentence) ?? sentence;
}

function messageOf(sentence: string): string | undefined {
  const problem = findSentence(assetProblems, sentence);
  if (problem) {
    const { code, details } = problem;
    return messageFor("assetProblems", code, translated(details));
  }
  const reason = findPlayerReason(sentence);
  if (reason) {
    const { code, details } = reason;
    const values = translated(details);
    return messageFor("screens.adopted.reasons", code, values);
  }
  for (const [group, templates] of sentenceGroups) {
    const found = findSentence(templates, sentence);
    if (found === null) continue;
    const { code, details } = found;
    const values = translated(details);
    return messageFor("sentences", `${group}.${code}`, values);
  }
  const field = findSentence(knownFieldSentences, withoutValue(sentence));
  if (field !== null)
    return messageFor(
      "sentences.fields",
      field.code,
      translated(field.details),
    );
  // A whole sentence about a field, with the field's name in front.
  const [, about] = /^[\w.[\]]{1,100}: ([A-Z].{0,800})$/s.exec(sentence) ?? [];
  return about === undefined ? undefined : messageOf(about);
}

function translated(
  details: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(details).map(([name, detail]) => [
      name,
      phraseFor(name)?.(detail) ?? detailText(detail),
    ]),
  );
}

/** What these stand for is a phrase or a date; an asset may have the same text as its name. */
function phraseFor(
  name: string,
): ((detail: string) => string | undefined) | undefined {
  if (name === "date") return dateText;
  if (name === "days") return daysText;
  if (name === "fields")
    return (detail) => serviceFieldNames(detail.split(", "));
  if (name === "hours") return hoursText;
  if (name === "what") return predicateProblemText;
  return name === "playlist" ? playlistText : undefined;
}

function dateText(detail: string): string | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(detail)
    ? formats.calendarDay(Date.parse(detail))
    : undefined;
}

/** Fields of a content service's rows, by their names on the wire. */
export function serviceFieldNames(fields: readonly string[]): string {
  return formats.list(
    fields.map(
      (field) => messageFor("activity.service.fields", field) ?? field,
    ),
  );
}

/** `Mon, Tue` */
function daysText(detail: string): string | undefined {
  const days = detail
    .split(", ")
    .map((name) => dayNames.findIndex((one) => one === name));
  return days.includes(-1)
    ? undefined
    : formats.list(
        days.map((day) =>
          t(`predicate.words.weekdays.${weekdays[day] ?? "monday"}`),
        ),
      );
}

const weekdays = [
  ...(["monday", "tuesday", "wednesday", "thursday"] as const),
  ...(["friday", "saturday", "sunday"] as const),
] as const;

function hoursText(detail: string): string | undefined {
  const found = findSentence(hoursPhrases, detail);
  if (found === null) return undefined;
  const values = translated(found.details);
  return messageFor("sentences.hours", found.code, values);
}

/** What is wrong with a schedule rule. */
function predicateProblemText(detail: string): string | undefined {
  const found = findSentence(predicateSentences, detail);
  if (found === null) return undefined;
  const values = Object.entries(found.details).map(([name, value]) => [
    name,
    name === "expected" || name === "start" ? expectationText(value) : value,
  ]);
  return messageFor(
    "predicate.problems",
    found.code,
    Object.fromEntries(values) as Readonly<Record<string, string>>,
  );
}

function expectationText(text: string): string {
  const [code = ""] =
    Object.entries(predicateExpectations).find(([, one]) => one === text) ?? [];
  return messageFor("predicate.problems.expected", code) ?? text;
}

function playlistText(detail: string): string | undefined {
  const found = findSentence(playlistPhrases, detail);
  if (found === null) return undefined;
  const { code, details } = found;
  return messageFor("sentences.playlists", code, details);
}

/** What a connection told, a moment, or another sentence; anything else is a number, a name or the player's own words. */
function detailText(detail: string): string {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/.test(detail))
    return formats.near(Date.parse(detail));
  const [code] =
    Object.entries(connectionReasons).find(([, text]) => text === detail) ?? [];
  const connection =
    code && messageFor("screens.adopted.connectionReasons", code);
  if (connection !== undefined && connection !== "") return connection;
  // The rest of a sentence begins in lower case.
  const [first = "", ...others] = detail;
  return (
    messageOf(detail) ??
    messageOf(first.toUpperCase() + others.join("")) ??
    detail
  );
}
