// Subject and text of an alert by email, in English like the reasons that screens report (V3-98).

import type {
  AlertMessage,
  AlertState,
  MessageIncident,
} from "../../contract/v3/v3-alerts.ts";

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** `Lobby is offline` */
const isInState: Readonly<Record<AlertState, string>> = {
  wrong: "shows the wrong content",
  incomplete: "lacks content",
  offline: "is offline",
  "never-seen": "has never connected",
};
const isNoLonger: Readonly<Record<AlertState, string>> = {
  wrong: "no longer shows the wrong content",
  incomplete: "no longer lacks content",
  offline: "is online again",
  "never-seen": "has connected",
};

const maxNameLength = 100;

export function mailText(message: AlertMessage): MailText {
  const { rule, opened, ended } = message;
  return {
    subject: `[Vitrine] ${subjectOf(message)}`,
    text: [
      ...(message.type === "test"
        ? [`This is a test of the alert rule ${quoted(rule.name)}.`, ""]
        : []),
      ...opened.incidents.flatMap(openedLines),
      ...restOf(opened),
      ...ended.incidents.flatMap(endedLines),
      ...restOf(ended),
      `Alert rule: ${rule.name}`,
      `Message: ${message.id}`,
      "",
    ].join("\n"),
  };
}

function subjectOf({ type, rule, opened, ended }: AlertMessage): string {
  if (type === "test") return `Test of the alert rule ${quoted(rule.name)}`;
  const [first] = opened.incidents;
  const [over] = ended.incidents;
  if (type === "incident.opened" && first)
    return `${nameOf(first)} ${isInState[first.state]}`;
  if (type === "incident.ended" && over) return endSentence(over);
  const parts = [
    ...(opened.count > 0 ? [`${screens(opened.count)} need attention`] : []),
    ...(ended.count > 0 ? [`${screens(ended.count)} recovered`] : []),
  ];
  return parts.join(", ").replace(/^1 screen need /, "1 screen needs ");
}

function screens(count: number): string {
  return count === 1 ? "1 screen" : `${count} screens`;
}

function openedLines(incident: MessageIncident): readonly string[] {
  return [
    `${nameOf(incident)} ${isInState[incident.state]} (since ${time(incident.since)}).`,
    ...(incident.reason === "" ? [] : [incident.reason]),
    "",
  ];
}

function endedLines(incident: MessageIncident): readonly string[] {
  const end = incident.ended_at ?? incident.opened_at;
  return [
    `${endSentence(incident)}.`,
    `From ${time(incident.since)} to ${time(end)}.`,
    "",
  ];
}

function endSentence(incident: MessageIncident): string {
  return incident.end_cause === "excluded"
    ? `${nameOf(incident)} is no longer part of this alert rule`
    : `${nameOf(incident)} ${isNoLonger[incident.state]}`;
}

function restOf({ count, incidents }: AlertMessage["opened"]): string[] {
  const rest = count - incidents.length;
  return rest > 0 ? [`… and ${screens(rest)} more.`, ""] : [];
}

/** `2026-01-31 14:05 UTC` */
function time(moment: string): string {
  return `${moment.slice(0, 10)} ${moment.slice(11, 16)} UTC`;
}

/** A name is on one line, whatever it contains. */
function nameOf({ screen }: MessageIncident): string {
  return shortened(screen.name) || screen.id;
}

function quoted(name: string): string {
  return `“${shortened(name)}”`;
}

function shortened(name: string): string {
  const line = name.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  return line.length > maxNameLength
    ? `${line.slice(0, maxNameLength)}…`
    : line;
}
