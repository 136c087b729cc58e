// One guide, scrolled to the section that was chosen.

import { useEffect, useRef, type ReactNode } from "react";
import type { Guide } from "./guide-text.ts";

interface Props {
  readonly guide: Guide;
  /** Empty for its beginning. */
  readonly anchor: string;
}

export function GuideView({ guide, anchor }: Props): ReactNode {
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = article;
    if (!current) return;
    const place =
      anchor === "" ? current : current.querySelector(`#${CSS.escape(anchor)}`);
    // The anchor of a rule is an empty element at the beginning of its list item.
    const target = place?.closest("li") ?? place;
    if (!(target instanceof HTMLElement)) return;
    target.tabIndex = -1;
    target.scrollIntoView({ block: anchor === "" ? "nearest" : "start" });
    target.focus({ preventScroll: true });
  }, [guide, anchor]);
  return (
    <article
      ref={article}
      className="guide no-ring"
      lang="en"
      dir="ltr"
      tabIndex={-1}
      aria-label={guide.title}
      // Made from the guides of this very version, when it was built.
      dangerouslySetInnerHTML={{ __html: guide.html }}
    />
  );
}
