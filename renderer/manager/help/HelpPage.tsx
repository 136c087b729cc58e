// Help: all guides and interface rules, one search over all of them, offline.

import { Flex, Stack, TextInput, Title, VisuallyHidden } from "@mantine/core";
import { IconArrowLeft, IconSearch } from "@tabler/icons-react";
import {
  useDeferredValue,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import { addressOf, type PageProps } from "../place/navigation.ts";
import { PageFrame } from "../components/layout/PageFrame.tsx";
import { t } from "../../locales/messages.ts";
import type { Guide } from "./guide-text.ts";
import { GuideView } from "./GuideView.tsx";
import { packedGuides, packedSearch } from "./packed-guides.ts";
import { SearchResults } from "./SearchResults.tsx";
import "./help.css";

export function HelpPage({ at }: PageProps): ReactNode {
  const [query, setQuery] = useState("");
  const searched = useDeferredValue(query.trim());
  const field = useRef<HTMLInputElement>(null);
  const results = useRef<HTMLUListElement>(null);
  const guides = packedGuides();
  const found = useMemo(
    () => (searched === "" ? null : packedSearch()(searched)),
    [searched],
  );
  const [id = "", anchor = ""] = at.split("#");
  const guide = guides.find((one) => one.id === id);

  /** Arrow keys go from the field through the results and back; Escape ends the search. */
  const move = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && query !== "") {
      setQuery("");
      field.current?.focus();
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const links = [...(results.current?.querySelectorAll("a") ?? [])];
    if (step === undefined || links.length === 0) return;
    const place = links.indexOf(document.activeElement as HTMLAnchorElement);
    event.preventDefault();
    (links[place + step] ?? (step < 0 ? field.current : links.at(-1)))?.focus();
  };
  return (
    <PageFrame title={t("help.title")}>
      <Stack className="help" gap={16} maw={860} mx="auto" onKeyDown={move}>
        <TextInput
          ref={field}
          className="help-search"
          type="search"
          aria-label={t("help.search")}
          placeholder={t("help.search")}
          leftSection={<IconSearch size={18} aria-hidden />}
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
          }}
        />
        <VisuallyHidden role="status">
          {found ? t("help.found", { count: found.length }) : ""}
        </VisuallyHidden>
        {found ? (
          <SearchResults
            ref={results}
            found={found}
            onChosen={() => {
              setQuery("");
            }}
          />
        ) : guide ? (
          <>
            <a className="icon-line help-back" href={addressOf("help")}>
              <IconArrowLeft size={16} aria-hidden />
              {t("help.all")}
            </a>
            <GuideView key={guide.id} guide={guide} anchor={anchor} />
          </>
        ) : (
          <Contents guides={guides} />
        )}
      </Stack>
    </PageFrame>
  );
}

function Contents({
  guides,
}: {
  readonly guides: readonly Guide[];
}): ReactNode {
  return (
    <Stack className="help-contents" gap={24}>
      <p className="quiet">{t("help.description")}</p>
      {(["guide", "rules"] as const).map((kind) => (
        <Flex
          component="section"
          direction="column"
          gap={8}
          key={kind}
          aria-labelledby={`help-${kind}`}
        >
          <Title order={2} fz={16} lh="inherit" id={`help-${kind}`}>
            {t(`help.kinds.${kind}`)}
          </Title>
          <ul lang="en" dir="ltr">
            {guides
              .filter((guide) => guide.kind === kind)
              .map((guide) => (
                <Flex component="li" key={guide.id} align="baseline" gap={8}>
                  <a href={addressOf("help", guide.id)}>{guide.title}</a>
                  {kind === "rules" ? (
                    <span className="quiet">{guide.id.split("/")[0]}</span>
                  ) : null}
                </Flex>
              ))}
          </ul>
        </Flex>
      ))}
    </Stack>
  );
}
