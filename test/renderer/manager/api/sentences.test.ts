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
import { serviceSentences } from "../../../../server/contract/sentences/service-sentences.ts";

vi.stubGlobal("navigator", { language: "de-DE" });
vi.stubGlobal("window", { localStorage: { getItem: () => null } });
const { problemText } =
  await import("../../../../renderer/manager/api/problem-text.ts");
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
      "Auch im Inhaltsdienst geändert: name, duration.",
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
      "Seine Datenbank enthält eine Playlist, die nicht abgespielt werden kann: Menu.",
    ],
    [
      "player, with another sentence in it",
      "Asset 01J is not scheduled now: it is disabled.",
      "Das ist im Moment nicht geplant: Es ist deaktiviert.",
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
