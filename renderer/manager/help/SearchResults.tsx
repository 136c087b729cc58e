// Results of the search in Help: each section with its guide and an excerpt, the matching words marked.

import { Flex, Highlight, Text } from "@mantine/core";
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
    return <p className="quiet">{t("help.nothingFound")}</p>;
  return (
    <ul
      ref={ref}
      className="help-results"
      aria-label={t("help.results")}
      lang="en"
      dir="ltr"
    >
      {found.map(({ guide, anchor, title, excerpt, words }) => (
        <li key={`${guide.id}#${anchor}`} className="line-above">
          <a
            href={addressOf(
              "help",
              anchor === "" ? guide.id : `${guide.id}#${anchor}`,
            )}
            onClick={onChosen}
          >
            <Flex component="span" wrap="wrap" gap="0 10px" fw={600}>
              <Marked words={words} text={title} />
              {title === guide.title ? null : (
                <Text component="span" c="dimmed" fw={400}>
                  {guide.title}
                </Text>
              )}
            </Flex>
            <span>
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
