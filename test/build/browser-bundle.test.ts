// What a browser loads before the manager's first page is usable, as the bundle has it; `npm run bench -- web-manager` measures it.

import { readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { classesIn, splitStyles } from "../../build/bundle/split-styles.ts";

const pages = fileURLToPath(new URL("../../dist/renderer", import.meta.url));
const mostKiB = 350;

/** Everything that the page names, the larger language, and the font of Latin letters. */
function firstFilesOf(page: string): readonly string[] {
  const html = readFileSync(path.join(pages, page, "index.html"), "utf8");
  const named = [
    ...html.matchAll(
      /<(?:script type="module" src|link rel="(?:modulepreload|stylesheet)" href)="\/manager\/([^"]+)"(?! data-later)/g,
    ),
  ].map(([, name = ""]) => name);
  const others = readdirSync(path.join(pages, page, "manager")).filter((name) =>
    /^(?:de-.*\.js|inter-latin-wght.*\.woff2)/.test(name),
  );
  return [...named, ...others];
}

function compressedKiB(page: string, ending: "gz" | "br"): number {
  const dir = path.join(pages, page, "manager");
  const names = new Set(
    firstFilesOf(page).map((name) => name.replace(/\.(?:gz|br)$/, "")),
  );
  expect(names.size).toBeGreaterThan(4);
  let bytes = 0;
  for (const name of names)
    bytes += statSync(
      path.join(dir, name.endsWith(".woff2") ? name : `${name}.${ending}`),
    ).size;
  return bytes / 1024;
}

describe("the manager in a browser", () => {
  it.each([
    ["a player, over plain HTTP", "browser", "gz"],
    ["a content service, over HTTPS", "service", "br"],
  ] as const)(
    `loads at most ${mostKiB} KiB before the first page of %s`,
    (_place, page, ending) => {
      expect(compressedKiB(page, ending)).toBeLessThanOrEqual(mostKiB);
    },
  );
});

describe("styles of the component library", () => {
  const styles = [
    "@layer ground,mantine",
    ":root{--size:1px}",
    "@layer mantine{.m_aaaaaaaa{color:red}.m_bbbbbbbb,.m_aaaaaaaa:hover{color:blue}.m_cccccccc{color:green}@media(width>1px){.m_bbbbbbbb .m_aaaaaaaa{color:tan}}}",
    "@keyframes spin{0%{rotate:0deg}to{rotate:1turn}}",
  ].join(";");
  const first = classesIn('const a = { root: "m_aaaaaaaa" }');

  it("are divided by the components that are used first, in their order", () => {
    const all = new Set([...first, "m_bbbbbbbb"]);
    expect(splitStyles(styles, first, all)).toEqual({
      first: [
        "@layer ground,mantine",
        ":root{--size:1px}",
        "@layer mantine{.m_aaaaaaaa{color:red}.m_aaaaaaaa:hover{color:blue}}",
        "@keyframes spin{0%{rotate:0deg}to{rotate:1turn}}",
      ].join(";"),
      later:
        "@layer mantine{.m_bbbbbbbb{color:blue}@media(width>1px){.m_bbbbbbbb .m_aaaaaaaa{color:tan}}}",
    });
  });

  it("are left out where nothing uses the component", () => {
    const { first: left, later } = splitStyles(styles, first, first);
    expect(`${left}${later}`).not.toMatch(/m_[bc]/);
  });
});
