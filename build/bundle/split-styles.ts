// Divides the styles of the component library by the components that a bundle uses: those of its first page, and those of the others.

import postcss, { type ChildNode, type Container } from "postcss";

/** The library's class names are the same in its scripts and in its styles: `m_77c9d27d`. */
const className = /\bm_[0-9a-f]{6,}\b/g;

export function classesIn(script: string): ReadonlySet<string> {
  return new Set(script.match(className));
}

/** Rules without such a class are among the first; those of components that are never used are in neither. */
export function splitStyles(
  styles: string,
  first: ReadonlySet<string>,
  all: ReadonlySet<string>,
): { readonly first: string; readonly later: string } {
  const isOfFirst = (selector: string): boolean =>
    classesOf(selector).every((name) => first.has(name));
  const isUsed = (selector: string): boolean =>
    classesOf(selector).every((name) => all.has(name));
  return {
    first: rulesOf(styles, isOfFirst),
    later: rulesOf(
      styles,
      (selector) => !isOfFirst(selector) && isUsed(selector),
    ),
  };
}

function classesOf(selector: string): readonly string[] {
  return selector.match(className) ?? [];
}

function rulesOf(
  styles: string,
  isWanted: (selector: string) => boolean,
): string {
  const root = postcss.parse(styles);
  keep(root, isWanted);
  return root.toString();
}

/** Removes all other rules, and what is empty without them. */
function keep(
  container: Container,
  isWanted: (selector: string) => boolean,
): void {
  for (const node of [...(container.nodes ?? [])] as ChildNode[]) {
    if (node.type === "rule") {
      const selectors = node.selectors.filter(isWanted);
      if (selectors.length === 0) node.remove();
      else node.selectors = selectors;
    } else if (node.type === "atrule") {
      if (/keyframes$/.test(node.name) || node.name === "font-face") {
        if (!isWanted("")) node.remove();
      } else if (node.nodes === undefined) {
        // The order of layers.
        if (!isWanted("")) node.remove();
      } else {
        keep(node, isWanted);
        if (node.nodes.length === 0) node.remove();
      }
    } else if (node.type === "comment") node.remove();
  }
}
