// The documents: links lead somewhere, and scripts exist.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const documents = [
  "README.md",
  ...["build", ".github", "server/contract"].flatMap(below),
];
const { scripts } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
) as { readonly scripts: Readonly<Record<string, string>> };

function below(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => `${folder}/${String(name).replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith(".md"));
}

describe.each(documents)("%s", (document) => {
  const text = readFileSync(join(root, document), "utf8");

  it("links to files and headings that exist", () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = ""]) => link)
      .filter((link) => !/^https?:/.test(link));
    const broken = links.filter((link) => {
      const [path = "", heading] = link.split("#");
      const file = path === "" ? document : join(dirname(document), path);
      if (!existsSync(join(root, file))) return true;
      return (
        heading !== undefined &&
        !anchorsOf(readFileSync(join(root, file), "utf8")).includes(heading)
      );
    });
    expect(broken).toEqual([]);
  });

  it("names scripts that exist", () => {
    const named = [...text.matchAll(/\bnpm run (?:-s )?([a-z]+)/g)].map(
      ([, script = ""]) => script,
    );
    expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual(
      [],
    );
  });
});

it("the README has at most 150 lines", () => {
  const lines = readFileSync(join(root, "README.md"), "utf8").split("\n");
  expect(lines.length).toBeLessThanOrEqual(150);
});

/** Of headings, as links name them ("Set up" is `set-up`), and of rules. */
function anchorsOf(text: string): readonly string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s-]/gu, "")
      .replaceAll(" ", "-"),
  );
  const rules = [...text.matchAll(/<a id="([^"]+)"/g)].map(
    ([, anchor = ""]) => anchor,
  );
  return [...headings, ...rules];
}
