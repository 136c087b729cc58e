// Help: guides as sections, links within Help, and the search over all of them.

import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { helpTexts } from "../../../../build/bundle/help-texts.ts";
import {
  createGuideSearch,
  excerptOf,
} from "../../../../renderer/manager/help/guide-search.ts";
import { readGuides } from "../../../../renderer/manager/help/guide-text.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const packed = readGuides(helpTexts(root));

const sources = [
  {
    path: "build/guides/windows.md",
    text: [
      ...["# Windows", "", "Start here.", "", "## Kiosk mode", ""],
      ...["Turn on *Shell Launcher* with `kiosk --on`.", ""],
      ...["| Key | Does |", "| --- | --- |", "| F11 | Full screen |"],
    ].join("\n"),
  },
  {
    path: "server/contract/v2/rules/sync.md",
    text: [
      ...["# Sync", "", "## Polling", ""],
      '- <a id="v2-209"></a>**V2-209** (ours) A poll has a `poll_seconds`; see',
      "  [V2-310](outbox.md#v2-310), [Windows](../../../../build/guides/windows.md#kiosk-mode)",
      "  and [the code](../../../player/sync/sync.ts).",
    ].join("\n"),
  },
  {
    path: "server/contract/v2/rules/outbox.md",
    text: '# Outbox\n\n- <a id="v2-310"></a>**V2-310** Changes wait & are sent.',
  },
];
const guides = readGuides(sources);
const search = createGuideSearch(guides);
const placesOf = (query: string): readonly string[] =>
  search(query).map(({ guide, anchor }) => `${guide.id}#${anchor}`);

describe("a guide", () => {
  it("has a section for each heading and each numbered rule, without markup", () => {
    expect(guides.map(({ id, kind, title }) => [id, kind, title])).toEqual([
      ["windows", "guide", "Windows"],
      ["v2/sync", "rules", "Sync"],
      ["v2/outbox", "rules", "Outbox"],
    ]);
    expect(guides[0]?.sections).toEqual([
      { anchor: "", title: "Windows", text: "Start here." },
      {
        ...{ anchor: "kiosk-mode", title: "Kiosk mode" },
        text: "Turn on Shell Launcher with kiosk --on. Key Does F11 Full screen",
      },
    ]);
    expect(guides[2]?.sections.at(-1)).toEqual({
      ...{ anchor: "v2-310", title: "V2-310" },
      text: "Changes wait & are sent.",
    });
  });

  it("links to other guides within Help, and to nothing else", () => {
    const links = [...(guides[1]?.html ?? "").matchAll(/href="([^"]+)"/g)];
    expect(links.map(([, href]) => href)).toEqual([
      "#/help/v2%2Foutbox%23v2-310",
      "#/help/windows%23kiosk-mode",
    ]);
    expect(guides[1]?.html).toContain("and the code.");
  });
});

describe("the search over all guides", () => {
  it("finds sections as a word is typed, and needs every word", () => {
    expect(placesOf("launch")).toEqual(["windows#kiosk-mode"]);
    expect(placesOf("shell full")).toEqual(["windows#kiosk-mode"]);
    expect(placesOf("shell outbox")).toEqual([]);
  });

  it("finds rules by number, names by their parts, and words with a typing error", () => {
    expect(placesOf("V2-310")[0]).toBe("v2/outbox#v2-310");
    expect(placesOf("poll_seconds")).toEqual(["v2/sync#v2-209"]);
    expect(placesOf("launhcer")).toEqual(["windows#kiosk-mode"]);
  });

  it("puts guides before rules, and shows the text around the first match", () => {
    expect(placesOf("windows")[0]).toBe("windows#");
    const text = `${"before ".repeat(40)}needle ${"after ".repeat(60)}`;
    const excerpt = excerptOf(text, ["needle"]);
    expect(excerpt).toMatch(/^… before .*needle after .* …$/);
    expect(excerpt.length).toBeLessThan(220);
  });
});

describe("what is packed", () => {
  it("is every guide and every page of rules, each with a title and an id of its own", () => {
    const ids = packed.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["windows", "debian"]));
    expect(ids).toEqual(
      expect.arrayContaining(["v2", "v2/sync", "v3", "v4/reading", "link"]),
    );
    expect(new Set(ids).size).toBe(ids.length);
    for (const { title, id } of packed) expect(title, id).not.toBe(id);
  });

  it("links only to anchors that exist", () => {
    const anchors = new Set(
      packed.flatMap(({ id, html }) => [
        id,
        ...[...html.matchAll(/ id="([^"]+)"/g)].map(
          ([, one]) => `${id}#${one}`,
        ),
      ]),
    );
    const links = packed.flatMap(({ html }) =>
      [...html.matchAll(/href="#\/help\/([^"]+)"/g)].map(([, at = ""]) =>
        decodeURIComponent(at),
      ),
    );
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((at) => !anchors.has(at))).toEqual([]);
  });

  it("answers what people look for", () => {
    const find = createGuideSearch(packed);
    const first = (query: string): string | undefined =>
      find(query)[0]?.guide.id;
    expect(first("shell launcher")).toBe("windows");
    expect(first("scheduled task")).toMatch(/windows/);
    expect(find("V2-741")[0]?.anchor).toBe("v2-741");
    expect(find("unused_content").map(({ anchor }) => anchor)).toContain(
      "v2-741",
    );
  });
});
