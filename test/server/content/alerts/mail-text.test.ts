// Texts of alerts by email in each language.

import { describe, expect, it } from "vitest";
import { mailText } from "../../../../server/content/alerts/mail-text.ts";
import {
  stateOf,
  type ScreenCircumstances,
} from "../../../../server/content/link/screen-state.ts";
import type {
  AlertMessage,
  MessageIncident,
} from "../../../../server/contract/v3/v3-alerts.ts";
import { reportOf } from "../../../support/content/screen-reports.ts";

const incident: MessageIncident = {
  ...{ id: "01I", screen: { id: "01S", name: "Foyer" } },
  ...{ state: "offline", reason: "The player does not respond." },
  since: "2026-11-30T14:05:00.000Z",
  opened_at: "2026-11-30T14:10:00.000Z",
  ...{ ended_at: null, end_cause: null },
};

function message({
  type = "incident.opened",
  opened = [],
  ended = [],
}: {
  type?: AlertMessage["type"];
  opened?: readonly Partial<MessageIncident>[];
  ended?: readonly Partial<MessageIncident>[];
}): AlertMessage {
  const listed = (list: readonly Partial<MessageIncident>[]) => ({
    count: list.length,
    incidents: list.slice(0, 2).map((one) => ({ ...incident, ...one })),
  });
  return {
    ...{ id: "01M", type, created_at: "2026-11-30T14:10:00.000Z" },
    rule: { id: "01R", name: "Nachtwache" },
    ...{ opened: listed(opened), ended: listed(ended) },
  };
}

const ended = { ended_at: "2026-11-30T15:00:00.000Z" } as const;
const last = ["Alarmregel: Nachtwache", "Nachricht: 01M", ""];

describe("alerts in German", () => {
  it("[V4-415] say which screen, since when and why", () => {
    expect(mailText(message({ opened: [{}] }), "de")).toEqual({
      subject: "[Vitrine] Foyer: offline",
      text: [
        "Foyer: offline (seit 30.11.2026, 14:05 UTC).",
        ...["Der Player antwortet nicht.", "", ...last],
      ].join("\n"),
    });
  });

  it("[V4-415] say how long it lasted", () => {
    const over = message({ type: "incident.ended", ended: [ended] });
    expect(mailText(over, "de")).toEqual({
      subject: "[Vitrine] Foyer: wieder online",
      text: [
        "Foyer: wieder online.",
        "Von 30.11.2026, 14:05 UTC bis 30.11.2026, 15:00 UTC.",
        ...["", ...last],
      ].join("\n"),
    });
    const excluded = message({
      type: "incident.ended",
      ended: [{ ...ended, end_cause: "excluded" }],
    });
    expect(mailText(excluded, "de").subject).toBe(
      "[Vitrine] Foyer: gehört nicht mehr zu dieser Alarmregel",
    );
  });

  it.each([
    [1, 0, "1 Bildschirm mit einer Störung", ""],
    [3, 1, "3 Bildschirme mit Störungen, 1 Bildschirm wieder in Ordnung", "1"],
    [4, 2, "4 Bildschirme mit Störungen, 2 Bildschirme wieder in Ordnung", "2"],
  ])(
    "[V4-415] sum up %i opened and %i ended incidents",
    (opened, over, subject, rest) => {
      const { subject: sent, text } = mailText(
        message({
          type: "digest",
          opened: Array.from({ length: opened }, () => ({})),
          ended: Array.from({ length: over }, () => ended),
        }),
        "de",
      );
      expect(sent).toBe(`[Vitrine] ${subject}`);
      expect(/… und (\d)/.exec(text)?.[1] ?? "").toBe(rest);
      if (rest !== "")
        expect(text).toContain(
          rest === "1"
            ? "… und 1 weiterer Bildschirm."
            : "… und 2 weitere Bildschirme.",
        );
    },
  );

  it("[V4-415] name a test as one", () => {
    const { subject, text } = mailText(message({ type: "test" }), "de");
    expect(subject).toBe("[Vitrine] Test der Alarmregel „Nachtwache“");
    expect(text).toContain("Dies ist ein Test der Alarmregel „Nachtwache“.");
  });

  const recent: ScreenCircumstances = {
    ...{ contact: "recent", isEnabled: true, sync: "in-sync" },
    ...{ counts: undefined, report: null },
  };
  const showing = (
    verdict: "blank" | "frozen" | "wrong",
    name: string,
  ): ScreenCircumstances => {
    const report = reportOf();
    return {
      ...recent,
      report: {
        ...report,
        showing: report.showing && { ...report.showing, verdict, name },
      },
    };
  };
  const missing = [{ name: "Menü", reason: "The player's disk is full." }];
  const counted = (
    counts: ScreenCircumstances["counts"],
    isNamed: boolean,
  ): ScreenCircumstances => ({
    ...{ ...recent, counts },
    report: { ...reportOf(), missing: isNamed ? missing : [] },
  });
  const notReady = reportOf();

  it.each<[ScreenCircumstances, readonly string[]]>([
    [{ ...recent, contact: "silent" }, ["Der Player antwortet nicht."]],
    [
      { ...recent, contact: "never" },
      ["Der Player hat sich noch nie verbunden."],
    ],
    [
      showing("blank", "Menü"),
      ["Der Bildschirm ist leer, statt „Menü“ zu zeigen."],
    ],
    [
      showing("blank", ""),
      ["Der Bildschirm ist leer, statt den geplanten Inhalt zu zeigen."],
    ],
    [
      showing("frozen", "Menü"),
      ["Der Bildschirm ist eingefroren, statt „Menü“ zu zeigen."],
    ],
    [
      showing("wrong", "Menü"),
      ["Der Bildschirm zeigt nicht „Menü“, sondern etwas anderes."],
    ],
    [
      counted({ wanted: 12, here: 9, failed: 3 }, true),
      [
        "3 von 12 Inhalten fehlgeschlagen, darunter „Menü“.",
        "Meldung des Players (auf Englisch): The player's disk is full.",
      ],
    ],
    [
      counted({ wanted: 12, here: 11, failed: 0 }, true),
      [
        "1 von 12 Inhalten fehlt: „Menü“.",
        "Meldung des Players (auf Englisch): The player's disk is full.",
      ],
    ],
    [
      counted({ wanted: 12, here: 10, failed: 0 }, false),
      ["2 von 12 Inhalten fehlen."],
    ],
    [
      counted({ wanted: 1, here: 0, failed: 0 }, false),
      ["1 von 1 Inhalt fehlt."],
    ],
    [
      {
        ...recent,
        report: {
          ...{ ...notReady, missing },
          showing: notReady.showing && {
            ...notReady.showing,
            ...{ reason: "not-ready", verdict: null },
          },
        },
      },
      [
        "Nichts von dem, was geplant ist, kann gezeigt werden, auch nicht „Menü“.",
        "Meldung des Players (auf Englisch): The player's disk is full.",
      ],
    ],
  ])("[V4-415] have the reason in German: %#", (circumstances, lines) => {
    const { reason } = stateOf(circumstances);
    const opened = [{ reason: reason ?? "" }];
    const { text } = mailText(message({ opened }), "de");
    expect(text.split("\n").slice(1)).toEqual([...lines, "", ...last]);
    const english = mailText(message({ opened }), "en").text;
    expect(english.split("\n")[1]).toBe(reason);
  });

  it("[V4-415] keep a reason that has no other language, and say that it is English", () => {
    const opened = [{ reason: "The player requires a user name." }];
    expect(mailText(message({ opened }), "de").text).toContain(
      "\nMeldung des Players (auf Englisch): The player requires a user name.\n",
    );
  });
});

it("[V3-98] alerts in English say how many screens need attention", () => {
  const digest = (count: number) =>
    mailText(
      message({
        type: "digest",
        ...{ opened: Array.from({ length: count }, () => ({})) },
      }),
      "en",
    ).subject;
  expect(digest(1)).toBe("[Vitrine] 1 screen needs attention");
  expect(digest(2)).toBe("[Vitrine] 2 screens need attention");
});
