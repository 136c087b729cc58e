// A guide as the manager shows and searches it: its title, its sections, and its Markdown as HTML with links within Help.

import { Marked, type Token, type Tokens } from "marked";
import { addressOf } from "../place/navigation.ts";

/** Markdown of the repository, by its path there. */
export interface GuideSource {
  readonly path: string;
  readonly text: string;
}

export interface GuideSection {
  /** Anchor in the guide; empty for its beginning. */
  readonly anchor: string;
  readonly title: string;
  /** Without markup. */
  readonly text: string;
}

export interface Guide {
  /** As in `windows` or `v2/sync`. */
  readonly id: string;
  readonly kind: "guide" | "rules";
  readonly title: string;
  /** Made when it is shown. */
  readonly html: string;
  readonly sections: readonly GuideSection[];
}

/** `build/guides/windows.md` → `windows`; `server/contract/v2/rules/sync.md` → `v2/sync`. */
function idOf(path: string): string {
  return path
    .replace(/^(build\/guides|server\/contract)\//, "")
    .replace(/\.md$/, "")
    .replace("/rules/", "/")
    .replace(/^([^/]+)\/\1$/, "$1");
}

export function readGuides(sources: readonly GuideSource[]): readonly Guide[] {
  const paths = new Set(sources.map(({ path }) => path));
  return sources.map((source) => readGuide(source, paths));
}

function readGuide(
  { path, text }: GuideSource,
  paths: ReadonlySet<string>,
): Guide {
  const id = idOf(path);
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const anchor = anchorOf(plainText(tokens));
        const inner = this.parser.parseInline(tokens);
        // The page's own title is above.
        const level = Math.min(depth + 1, 6);
        return `<h${level} id="${anchor}" tabindex="-1">${inner}</h${level}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const target = targetOf(href, path, paths);
        if (target !== null) return `<a href="${target}">${inner}</a>`;
        // The player opens no other pages: an address is for reading and copying.
        if (!/^https?:/.test(href)) return inner;
        const address = `<code>${escaped(href)}</code>`;
        return plainText(tokens) === href ? address : `${inner} (${address})`;
      },
    },
  });
  const tokens = marked.lexer(text);
  const sections = sectionsOf(tokens);
  let html: string | null = null;
  return {
    ...{ id, sections },
    get html() {
      return (html ??= marked.parser(tokens));
    },
    kind: path.startsWith("build/guides/") ? "guide" : "rules",
    title: sections[0]?.title ?? id,
  };
}

/** The place in Help that a link leads to; null: it leads elsewhere. */
function targetOf(
  href: string,
  from: string,
  paths: ReadonlySet<string>,
): string | null {
  const [file = "", anchor = ""] = href.split("#");
  const path = file === "" ? from : resolved(from, file);
  if (!paths.has(path)) return null;
  const at = anchor === "" ? idOf(path) : `${idOf(path)}#${anchor}`;
  return addressOf("help", at);
}

function resolved(from: string, relative: string): string {
  const names = from.split("/").slice(0, -1);
  for (const name of relative.split("/"))
    if (name === "..") names.pop();
    else if (name !== ".") names.push(name);
  return names.join("/");
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** As GitHub makes it of a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

const ruleStart = /^<a id="([\w-]+)"><\/a>\s*\*\*([^*]+)\*\*\s*/;

/** Whose rule it is. */
const ruleOrigin =
  /^\s*(?:\((?:ours|spec|conv)(?:, (?:ours|spec|conv))*\)\s*)?/;

/** One for each heading; a numbered rule is a section of its own. */
function sectionsOf(tokens: readonly Token[]): readonly GuideSection[] {
  const sections: { anchor: string; title: string; texts: string[] }[] = [];
  for (const token of tokens) {
    if (token.type === "heading") {
      const title = plainText((token as Tokens.Heading).tokens);
      const anchor = sections.length === 0 ? "" : anchorOf(title);
      sections.push({ anchor, title, texts: [] });
      continue;
    }
    const current = sections.at(-1);
    if (!current) continue;
    const items = token.type === "list" ? (token as Tokens.List).items : [];
    if (items.length === 0) current.texts.push(plainText([token]));
    for (const item of items) {
      const [start, anchor, rule] = ruleStart.exec(item.text) ?? [];
      const text = plainText(item.tokens);
      if (start === undefined) current.texts.push(text);
      else
        sections.push({
          ...{ anchor: anchor ?? "", title: rule ?? "" },
          texts: [text.replace(rule ?? "", "").replace(ruleOrigin, "")],
        });
    }
  }
  return sections.map(({ anchor, title, texts }) => ({
    ...{ anchor, title },
    text: texts.filter((text) => text !== "").join(" "),
  }));
}

/** Text of tokens, in order, without markup. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => textOf(token))
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

function textOf(token: Token): string {
  switch (token.type) {
    case "html":
    case "def":
      return "";
    case "space":
    case "br":
      return " ";
    case "list":
      return (token as Tokens.List).items
        .map((item) => `${plainText(item.tokens)} `)
        .join("");
    case "table": {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows]
        .flat()
        .map((cell) => `${plainText(cell.tokens)} `)
        .join("");
    }
    case "code":
      return `${(token as Tokens.Code).text} `;
  }
  const inner = "tokens" in token ? (token.tokens as Token[] | undefined) : [];
  if (inner && inner.length > 0) {
    const text = inner.map(textOf).join("");
    return token.type === "paragraph" ? `${text} ` : text;
  }
  return "text" in token ? decoded(String(token.text)) : "";
}

const entities: Readonly<Record<string, string>> = {
  ...{ "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" },
};

function decoded(text: string): string {
  return text.replace(
    /&(?:amp|lt|gt|quot|#39);/g,
    (one) => entities[one] ?? one,
  );
}
