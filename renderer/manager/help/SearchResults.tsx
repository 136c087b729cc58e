// Results of the search in Help: each section with its guide and an excerpt, the matching words marked.

import { Highlight } from "@mantine/core";
import type { ReactNode, Ref } from "react";
import { addressOf } from "../place/navigation.ts";
import { t } from "../../locales/messages.ts";
import type { FoundSection } from "./guide-search.ts";

interface Props {
  readonly ref: Ref<HTMLUListElement>;
  readonly found: readonly FoundSection[];
  readonly onChosen: () => void;
}

export function SearchResults({ ref, found, onChosen }: Props): ReactNode {
  if (found.length === 0)
    return <p className="quiet help-none">{t("help.nothingFound")}</p>;
  return (
    <ul
      ref={ref}
      className="help-results"
      aria-label={t("help.results")}
      lang="en"
      dir="ltr"
    >
      {found.map(({ guide, anchor, title, excerpt, words }) => (
        <li key={`${guide.id}#${anchor}`}>
          <a
            href={addressOf(
              "help",
              anchor === "" ? guide.id : `${guide.id}#${anchor}`,
            )}
            onClick={onChosen}
          >
            <span className="help-result-title">
              <Marked words={words} text={title} />
              {title === guide.title ? null : (
                <span className="quiet">{guide.title}</span>
              )}
            </span>
            <span className="help-excerpt">
              <Marked words={words} text={excerpt} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Marked(props: {
  readonly words: readonly string[];
  readonly text: string;
}): ReactNode {
  return (
    <Highlight component="span" inherit highlight={[...props.words]}>
      {props.text}
    </Highlight>
  );
}
