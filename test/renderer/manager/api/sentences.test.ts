// Sentences of the interfaces in the operator's language: each template stands once, and has a message in every catalogue.

import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import de from "../../../../renderer/locales/de.json" with { type: "json" };
import en from "../../../../renderer/locales/en.json" with { type: "json" };
import { translatorFor } from "../../../../renderer/locales/translator.ts";
import { bundleSentences } from "../../../../server/contract/sentences/bundle-sentences.ts";
import { connectionSentences } from "../../../../server/contract/sentences/connection-sentences.ts";
import {
  fieldSentences,
  knownFieldSentences,
} from "../../../../server/contract/sentences/field-sentences.ts";
import { generalSentences } from "../../../../server/contract/sentences/general-sentences.ts";
import { outsideSentences } from "../../../../server/contract/sentences/outside-sentences.ts";
import { outboxSentences } from "../../../../server/contract/sentences/outbox-sentences.ts";
import { playerSentences } from "../../../../server/contract/sentences/player-sentences.ts";
import {
  hoursPhrases,
  playlistPhrases,
} from "../../../../server/contract/sentences/schedule-phrases.ts";
import { predicateExpectations } from "../../../../server/contract/sentences/predicate-sentences.ts";
import {
  predicateFaultText,
  type PredicateFault,
} from "../../../../server/core/predicate/predicate-problem.ts";
import { serviceSentences } from "../../../../server/contract/sentences/service-sentences.ts";

vi.stubGlobal("navigator", { language: "de-DE" });
vi.stubGlobal("window", { localStorage: { getItem: () => null } });
const { problemText } =
  await import("../../../../renderer/manager/api/problem-text.ts");
const { sentenceOf } =
  await import("../../../../renderer/manager/predicates/predicate-text.ts");
const { Refusal } = await import("../../../../renderer/manager/api/refusal.ts");
const { reasonOf } = await import("../../../../renderer/manager/api/reason.ts");

const german = translatorFor("de-DE");
const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  general: generalSentences,
  outbox: outboxSentences,
  bundles: bundleSentences,
  service: serviceSentences,
  player: playerSentences,
  connections: connectionSentences,
  outside: outsideSentences,
  fields: fieldSentences,
};
const catalogues = { en: en.sentences, de: de.sentences };

const root = fileURLToPath(new URL("../../../../", import.meta.url));
function sourcesIn(...patterns: readonly string[]): string {
  return globSync(patterns, {
    cwd: root,
    // The descriptions of the operations quote some.
    exclude: ["server/contract/{sentences,v2/operations}/**"],
  })
    .map((file) => readFileSync(path.join(root, file), "utf8"))
    .join("\n");
}

const sources = sourcesIn(
  "server/{player,content,contract}/**/*.ts",
  "electron/**/*.ts",
);
const sourcesWithoutContract = sourcesIn("server/{core,platform}/**/*.ts");

function namesIn(template: string): readonly string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

describe.each(Object.entries(groups))("sentences: %s", (group, templates) => {
  it.each(Object.entries(catalogues))(
    "[V2-850] each has a message in %s, and there is no other",
    (_language, catalogue) => {
      const messages = catalogue[group as keyof typeof catalogue];
      expect(Object.keys(messages).sort()).toEqual(
        Object.keys(templates).sort(),
      );
    },
  );

  it.each(Object.entries(templates))(
    "[V2-850] %s is found by its sentence, and is German",
    (code, given) => {
      const template =
        group === "fields"
          ? knownFieldSentences[code as keyof typeof knownFieldSentences]
          : given;
      const details = Object.fromEntries(
        namesIn(template).map((name, index) => [name, `“${index}(a).”{}`]),
      );
      const sentence = template.replace(
        /\{(\w+)\}/g,
        (_, name: string) => details[name] ?? "",
      );
      const shown = german.messageFor("sentences", `${group}.${code}`, details);
      expect(problemText(sentence)).toBe(shown);
      expect(shown).not.toBe(sentence);
    },
  );

  it.each(Object.entries(templates).filter(() => group !== "fields"))(
    "[V2-850] %s is found by its sentence, also with plain details in it",
    (code, template) => {
      const names = namesIn(template);
      const details = Object.fromEntries(names.map((name) => [name, "7."]));
      const sentence = template.replace(/\{\w+\}/g, "7.");
      expect(problemText(sentence)).toBe(
        german.messageFor("sentences", `${group}.${code}`, details),
      );
    },
  );

  it("[V2-850] each stands in no other place", () => {
    const twice = Object.values(templates).filter(
      (template) =>
        !template.includes("{") && sources.includes(JSON.stringify(template)),
    );
    expect(twice).toEqual([]);
  });
});

it.each(Object.values(outsideSentences))(
  "[V2-850] core or platform has: %s",
  (template) => {
    const parts = template.split(/\{\w+\}| (?=during )|^it redirects /);
    for (const part of parts)
      expect(sourcesWithoutContract.includes(part.trim()), part).toBe(true);
  },
);

it("[V2-850] each phrase within a sentence has a message in each language, and there is no other", () => {
  for (const { playlists, hours } of Object.values(catalogues)) {
    expect(Object.keys(playlists)).toEqual(Object.keys(playlistPhrases));
    expect(Object.keys(hours)).toEqual(Object.keys(hoursPhrases));
  }
});

describe("what is wrong with a schedule rule", () => {
  const faults: readonly PredicateFault[] = [
    { kind: "empty" },
    { kind: "too-long", most: 4000 },
    { kind: "too-deep", most: 64 },
    ...(["!=", "<>", "==", "&&", "||", "!"] as const).map(
      (slip) => ({ kind: "slip", slip }) as const,
    ),
    { kind: "meaningless", found: "$HOUR" },
    { kind: "runs-on", found: "5", behind: "TRUE" },
    { kind: "not-behind-variable" },
    { kind: "too-large", found: "99999999999999999999" },
    ...(
      Object.keys(
        predicateExpectations,
      ) as (keyof typeof predicateExpectations)[]
    ).flatMap((expected) => [
      { kind: "unexpected", found: null, expected } as const,
      { kind: "unexpected", found: "AND", expected } as const,
    ]),
  ];

  it.each(faults)("[V2-850] is in German as the editor has it: %j", (fault) => {
    const what = predicateFaultText(fault);
    const german = sentenceOf({ fault, message: what, position: 5 });
    expect(german).not.toBe(what);
    expect(
      problemText(`Its predicate is not valid: at position 5, ${what}`),
    ).toBe(`Die Bedingung ist an Stelle 5 ungültig: ${german}`);
    expect(problemText(`predicate is not valid at position 5: ${what}`)).toBe(
      `Ist an Stelle 5 ungültig: ${german}`,
    );
  });
});

describe("sentences in German", () => {
  it.each([
    [
      "general",
      "There is no asset with the identifier 01J.",
      "Nicht gefunden. Der Eintrag wurde vermutlich inzwischen gelöscht.",
    ],
    [
      "outbox",
      "Also changed in the content service: name, duration.",
      "Auch im Inhaltsdienst geändert: Name und Anzeigedauer.",
    ],
    [
      "bundles",
      "This is not an offline bundle: plan.json is missing.",
      "Das ist kein Offline-Paket: plan.json fehlt.",
    ],
    [
      "service",
      "The mail server cannot be reached: the connection was refused.",
      "Der Mailserver ist nicht erreichbar: Die Verbindung wurde abgelehnt.",
    ],
    [
      "player",
      "Its database contains a playlist that cannot be played: Menu.",
      "Die Datenbank im Archiv enthält eine Playlist, die nicht abgespielt werden kann: Menu.",
    ],
    [
      "player, with another sentence in it",
      "Asset 01J is not scheduled now: it is disabled.",
      "Das ist im Moment nicht geplant: Deaktiviert.",
    ],
    [
      "player, with a playlist in it",
      "Asset 01J is not scheduled now: Overridden by the playlist Mon, Tue, which has priority 2.",
      "Das ist im Moment nicht geplant: Die Playlist „Mon, Tue“ mit Priorität 2 geht vor.",
    ],
    [
      "player, with the default rotation in it",
      "Overridden by the local assets, which has priority 0.",
      "Die Standardwiedergabe mit Priorität 0 geht vor.",
    ],
    [
      "player, with days and times in it",
      "Plays only on Mon, Tue, Sat from 09:00 to 10:30.",
      "Wird nur montags, dienstags und samstags von 09:00 bis 10:30 abgespielt.",
    ],
    [
      "player, with days in it",
      "Plays only on Sun.",
      "Wird nur sonntags abgespielt.",
    ],
    [
      "player, with times in it",
      "Plays only from 22:00 to 06:00.",
      "Wird nur von 22:00 bis 06:00 abgespielt.",
    ],
    [
      "connections, with a date",
      "The content service is not trusted: its certificate has expired. The certificate's expiration date is 2026-11-30.",
      "Der Inhaltsdienst ist nicht vertrauenswürdig: Das Zertifikat ist abgelaufen. Ablaufdatum des Zertifikats: 30.11.2026",
    ],
    [
      "a single second",
      "Too many failed sign-ins. Try again in 1 seconds.",
      "Zu viele fehlgeschlagene Anmeldungen. Versuchen Sie es in 1 Sekunde noch einmal.",
    ],
    [
      "several seconds",
      "Too many failed sign-ins. Try again in 1200 seconds.",
      "Zu viele fehlgeschlagene Anmeldungen. Versuchen Sie es in 1.200 Sekunden noch einmal.",
    ],
    [
      "outside, with the owner of the disk",
      "There is no space left on this service's disk.",
      "Die Festplatte dieses Inhaltsdienstes ist voll.",
    ],
    [
      "connections",
      "The content service cannot be reached: no DNS server responded.",
      "Der Inhaltsdienst ist nicht erreichbar: Kein DNS-Server antwortet.",
    ],
    [
      "outside",
      "AIFF files are not supported.",
      "AIFF-Dateien werden nicht unterstützt.",
    ],
    [
      "fields",
      'duration must be a whole number from 0 to 10; got "abc"',
      "Muss eine ganze Zahl von 0 bis 10 sein.",
    ],
    [
      "a whole sentence about a field",
      'screens: There is no screen with the id "nobody".',
      "Nicht gefunden. Der Eintrag wurde vermutlich inzwischen gelöscht.",
    ],
    [
      "fields of a list",
      "items[2].name must not be empty",
      "Darf nicht leer sein.",
    ],
  ])("[V2-850] %s", (_group, sentence, shown) => {
    expect(problemText(sentence)).toBe(shown);
    // What is shown already stays.
    expect(problemText(shown)).toBe(shown);
  });

  it("[V2-850] a rejected request has them in its message and at its fields", () => {
    const sentence = "base_url must not contain a user name or password";
    const shown =
      "Die Adresse darf keinen Benutzernamen und kein Passwort enthalten.";
    const refusal = new Refusal("invalid", sentence, {
      base_url: [sentence, "base_url is on strike"],
    });
    expect(refusal.message).toBe(shown);
    expect(refusal.fields).toEqual({
      base_url: [shown, "base_url is on strike"],
    });
    expect(reasonOf(refusal)).toBe(shown);
    expect(reasonOf(new Error("This code is on strike."))).toBe(
      "This code is on strike.",
    );
  });
});
