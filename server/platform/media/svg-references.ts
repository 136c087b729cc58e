// Finds external references of an SVG, and whether it is animated, in linear time.

/** The first address that is neither inside the drawing nor a data URL; null if there is none. Links (`a`) are never followed. */
export function outsideReferenceOf(svg: string): string | null {
  let at = 0;
  let endOfStyle = 0;
  for (;;) {
    const open = svg.indexOf("<", at);
    if (open < 0) return null;
    if (svg.startsWith("<!--", open)) {
      at = behind(svg, "-->", open + 4);
    } else if (svg.startsWith("<![CDATA[", open)) {
      at = behind(svg, "]]>", open + 9);
      const outside = outsideInStyle(svg.slice(open + 9, at));
      if (outside !== null) return outside;
    } else {
      const tag = readTag(svg, open);
      if (tag.outside !== null) return tag.outside;
      at = tag.end;
      // A tag inside a style element was read with that element.
      if (tag.name !== "style" || at < endOfStyle) continue;
      const end = svg.indexOf("</", at);
      endOfStyle = end < 0 ? svg.length : end;
      const outside = outsideInStyle(svg.slice(at, endOfStyle));
      if (outside !== null) return outside;
    }
  }
}

export function isSvgMoving(svg: string): boolean {
  return /<(?:animate|set)|@keyframes/i.test(svg);
}

interface Tag {
  readonly name: string;
  readonly end: number;
  readonly outside: string | null;
}

const nameOfTag = /<[/?!]?([^\s>/]{0,100})/y;
const attribute =
  /[\s/?]*([^\s=>/"'<]{1,200})(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?/y;

function readTag(svg: string, open: number): Tag {
  const started = matchAt(nameOfTag, svg, open);
  const name = localName(started?.[1] ?? "").toLowerCase();
  let end = open + (started?.[0].length ?? 1);
  for (;;) {
    const match = matchAt(attribute, svg, end);
    if (!match) return { name, end, outside: null };
    end += match[0].length;
    const outside = outsideInAttribute(
      name,
      localName(match[1] ?? "").toLowerCase(),
      match[2] ?? match[3] ?? "",
    );
    if (outside !== null) return { name, end, outside };
  }
}

function outsideInAttribute(
  tag: string,
  name: string,
  value: string,
): string | null {
  const isAddress =
    name === "href" ? tag !== "a" : name === "src" && tag !== "script";
  if (isAddress) return isInside(value) ? null : value.trim();
  return outsideInStyle(value);
}

/** `url(…)` and `@import "…"` with an external address. */
function outsideInStyle(text: string): string | null {
  for (const [word, skipped] of [
    ["url(", 4],
    ["@import", 7],
  ] as const) {
    const lower = text.toLowerCase();
    for (
      let at = lower.indexOf(word);
      at >= 0;
      at = lower.indexOf(word, at + skipped)
    ) {
      const rest = text.slice(at + skipped, at + skipped + 300).trimStart();
      const address = rest.replace(/^["']/, "").split(/["')\s;]/, 1)[0] ?? "";
      // The target of `@import url(…)` is found as `url(…)`.
      if (word === "@import" && address.startsWith("url(")) continue;
      if (!isInside(address)) return address;
    }
  }
  return null;
}

function isInside(address: string): boolean {
  const trimmed = address.trim().toLowerCase();
  return (
    trimmed === "" || trimmed.startsWith("#") || trimmed.startsWith("data:")
  );
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function behind(text: string, end: string, from: number): number {
  const endAt = text.indexOf(end, from);
  return endAt < 0 ? text.length : endAt + end.length;
}

function matchAt(
  pattern: RegExp,
  text: string,
  at: number,
): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
