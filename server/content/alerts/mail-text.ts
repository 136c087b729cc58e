// Subject and text of an alert by email, in the service's language (V3-98, V4-415).

import type {
  AlertMessage,
  MessageIncident,
} from "../../contract/v3/v3-alerts.ts";
import type { MailLanguage } from "./mail-language.ts";
import { mailWords, type MailWords } from "./mail-words.ts";

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

const maxNameLength = 100;

export function mailText(
  message: AlertMessage,
  language: MailLanguage,
): MailText {
  const { rule, opened, ended } = message;
  const words = mailWords[language];
  return {
    subject: `[Vitrine] ${subjectOf(message, words)}`,
    text: [
      ...(message.type === "test"
        ? [words.test(quoted(rule.name, words)), ""]
        : []),
      ...opened.incidents.flatMap((each) => openedLines(each, words)),
      ...restOf(opened, words),
      ...ended.incidents.flatMap((each) => endedLines(each, words)),
      ...restOf(ended, words),
      words.rule(rule.name),
      words.message(message.id),
      "",
    ].join("\n"),
  };
}

function subjectOf(
  { type, rule, opened, ended }: AlertMessage,
  words: MailWords,
): string {
  if (type === "test") return words.testSubject(quoted(rule.name, words));
  const [first] = opened.incidents;
  const [over] = ended.incidents;
  if (type === "incident.opened" && first)
    return words.isInState(nameOf(first), first.state);
  if (type === "incident.ended" && over) return endSentence(over, words);
  return [
    ...(opened.count > 0 ? [words.needAttention(opened.count)] : []),
    ...(ended.count > 0 ? [words.recovered(ended.count)] : []),
  ].join(", ");
}

function openedLines(
  incident: MessageIncident,
  words: MailWords,
): readonly string[] {
  const { state, since, reason } = incident;
  const sentence = words.isInState(nameOf(incident), state);
  return [
    words.since(sentence, words.time(since)),
    ...(reason === "" ? [] : words.reason(reason)),
    "",
  ];
}

function endedLines(
  incident: MessageIncident,
  words: MailWords,
): readonly string[] {
  const end = incident.ended_at ?? incident.opened_at;
  return [
    `${endSentence(incident, words)}.`,
    words.period(words.time(incident.since), words.time(end)),
    "",
  ];
}

function endSentence(incident: MessageIncident, words: MailWords): string {
  const name = nameOf(incident);
  return incident.end_cause === "excluded"
    ? words.isExcluded(name)
    : words.isNoLonger(name, incident.state);
}

function restOf(
  { count, incidents }: AlertMessage["opened"],
  words: MailWords,
): readonly string[] {
  const rest = count - incidents.length;
  return rest > 0 ? [words.moreScreens(rest), ""] : [];
}

/** A name is on one line, whatever it contains. */
function nameOf({ screen }: MessageIncident): string {
  return shortened(screen.name) || screen.id;
}

function quoted(name: string, words: MailWords): string {
  return words.quoted(shortened(name));
}

function shortened(name: string): string {
  const line = name.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  return line.length > maxNameLength
    ? `${line.slice(0, maxNameLength)}…`
    : line;
}
